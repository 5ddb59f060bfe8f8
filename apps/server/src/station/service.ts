import type { Taranis } from '@radx/contracts'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Span } from '../store/frame-index.ts'
import { WindCounts } from './compass.ts'
import { meanReadings, readingBounds, windReadings } from './queries.ts'

/** Points of a curve, at most: more than a small graph can show. */
const MAX_POINTS = 300
const MS_TO_KMH = 3.6

/**
 * The weather station over a span: curves thinned to at most 300 means of equal time, compasses of every
 * reading. null when there is no reading.
 */
export async function taranisOf(db: Kysely<Database>, span: Span): Promise<Taranis | null> {
  const bounds = await readingBounds(db, span)
  if (bounds === null) return null
  const { count, firstMs, lastMs } = bounds
  const slotMs = count <= MAX_POINTS ? 0 : Math.ceil((lastMs - firstMs + 1) / MAX_POINTS)
  const points = await meanReadings(db, span, firstMs, slotMs)
  const kmh = (speedMs: number | null) => (speedMs === null ? null : speedMs * MS_TO_KMH)
  const [station, sonic] = [new WindCounts(), new WindCounts()]
  for await (const winds of windReadings(db, { startMs: firstMs, endMs: lastMs + 1 }))
    for (const { speed, direction, sonic_speed, sonic_direction } of winds) {
      station.add({ speedKmH: kmh(speed), fromDeg: direction })
      sonic.add({ speedKmH: kmh(sonic_speed), fromDeg: sonic_direction })
    }
  const series = (field: 't' | 'p' | 'h' | 'uz', factor = 1) =>
    points.map((row) => ({
      datetime: new Date(row.ms).toISOString(),
      value: row[field] === null ? null : row[field] * factor,
    }))
  return {
    t: series('t'),
    p: series('p'),
    h: series('h'),
    uzSonic: series('uz', MS_TO_KMH),
    end: new Date(lastMs).toISOString(),
    station: station.compass(),
    sonic: sonic.compass(),
  }
}
