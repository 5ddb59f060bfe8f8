import { civilDay } from '@radx/locale/time'
import { wetMeanMmH } from '@radx/rainfall'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { StoredProduct } from './catalog.ts'
import type { PreparedFrame } from './prepared-frame.ts'
import type { RadarDayTable } from './schema.ts'

/** Counts frames into their civil days and keeps each zone's largest mean over wet cells. */
export async function mergeDays(
  tx: Transaction<Database>,
  product: StoredProduct,
  frames: PreparedFrame[],
  timeZone: string,
): Promise<void> {
  for (const [day, ofDay] of Map.groupBy(frames, ({ timeMs }) => civilDay(timeMs, timeZone))) {
    const stored = await tx
      .selectFrom('radar_day')
      .selectAll()
      .where('product_id', '=', product.id)
      .where('day', '=', day)
      .executeTakeFirst()
    const row = stored ?? emptyDay(product.id, day)
    for (const frame of ofDay) addToDay(row, frame.timeMs, wetMeanMmH(frame.statistics), frame.zones.wetMean)
    await tx
      .insertInto('radar_day')
      .values(row)
      .onConflict((c) =>
        c.columns(['product_id', 'day']).doUpdateSet({
          frames: row.frames,
          best: row.best,
          best_time: row.best_time,
          zone_best: row.zone_best,
          zone_best_time: row.zone_best_time,
        }),
      )
      .execute()
  }
}

export const emptyDay = (productId: number, day: string): RadarDayTable => ({
  product_id: productId,
  day,
  frames: 0,
  best: null,
  best_time: null,
  zone_best: [],
  zone_best_time: [],
})

/** Adds a frame to its day. The order in which frames come does not matter: of equals the earliest wins. */
export function addToDay(
  day: RadarDayTable,
  timeMs: number,
  wetMean: number | null,
  zoneWetMeans: (number | null)[],
): void {
  day.frames++
  const better = (value: number | null, best: number | null, time: Date | null) =>
    value !== null && (best === null || value > best || (value === best && timeMs < time!.getTime()))
  if (better(wetMean, day.best, day.best_time)) {
    day.best = wetMean
    day.best_time = new Date(timeMs)
  }
  for (const [k, value] of zoneWetMeans.entries()) {
    day.zone_best[k] ??= null
    day.zone_best_time[k] ??= null
    if (better(value, day.zone_best[k], day.zone_best_time[k])) {
      day.zone_best[k] = value
      day.zone_best_time[k] = new Date(timeMs)
    }
  }
}
