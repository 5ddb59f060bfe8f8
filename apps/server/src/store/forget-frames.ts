import { sql, type Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { StoredProduct } from './catalog.ts'
import { FRAME_LOCK } from './commit-frames.ts'
import type { PackName } from './frame-store.ts'
import { movedTilesName } from './moved/moved-tile-days.ts'
import type { Store } from './open-store.ts'
import { tilesName } from './pixel-series.ts'
import { civilDaysOfFrames } from './rebuild.ts'
import { utcDay, utcDayStart } from './utc-day.ts'

/**
 * Removes the frames of a product before an instant, with their quality, their sums and the originals that they were made
 * of. Rows go first, in one transaction; files that a crash leaves after them are nothing to anyone.
 * @returns how many went
 */
export async function forgetFrames(
  { context, frames, files }: Pick<Store, 'context' | 'frames' | 'files'>,
  product: StoredProduct,
  beforeMs: number,
): Promise<number> {
  const before = new Date(beforeMs)
  const gone = await context.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${FRAME_LOCK}::int, ${product.id}::int)`.execute(tx)
    const rows = await tx
      .deleteFrom('radar_frame')
      .where('product_id', '=', product.id)
      .where('time', '<', before)
      .returning(['time', 'source', 'classes_generation'])
      .execute()
    if (rows.length === 0) return null
    const originals = await forgetSources(
      tx,
      rows.map(({ source }) => source),
    )
    const tiles = await forgetTiles(tx, product, beforeMs)
    await civilDaysOfFrames(tx, product, context.timeZone)
    return { rows, originals, tiles }
  })
  if (!gone) return 0
  for (const name of [...gone.tiles, ...packsOf(product, gone.rows, utcDay(beforeMs))])
    await frames.remove(name)
  for (const name of gone.originals) await files.removeOriginal(name)
  return gone.rows.length
}

/**
 * Takes away the files that frames came in, and the other files of their volumes, but those that frames of another product
 * were made of.
 * @returns where their originals lie
 */
async function forgetSources(tx: Transaction<Database>, all: Buffer[]): Promise<string[]> {
  const needed = await tx.selectFrom('radar_frame').select('source').where('source', 'in', all).execute()
  const kept = new Set(needed.map(({ source }) => source.toString('hex')))
  const sources = all.filter((source) => !kept.has(source.toString('hex')))
  if (sources.length === 0) return []
  const parts = await tx
    .selectFrom('radar_volume_part')
    .select('hash')
    .where('source', 'in', sources)
    .execute()
  const rows = await tx
    .deleteFrom('source_file')
    .where('hash', 'in', [...sources, ...parts.map(({ hash }) => hash)])
    .returning('archive_path')
    .execute()
  return rows.flatMap(({ archive_path }) => archive_path ?? [])
}

/** Tile files hold frames that are gone: they go as well, and are made again of what stays. */
async function forgetTiles(
  tx: Transaction<Database>,
  product: StoredProduct,
  beforeMs: number,
): Promise<PackName[]> {
  const last = utcDay(beforeMs)
  const tiles = await tx
    .deleteFrom('radar_tiles')
    .where('product_id', '=', product.id)
    .where('utc_day', '<=', last)
    .returning(['utc_day', 'generation'])
    .execute()
  const moved = await tx
    .deleteFrom('radar_moved_tiles')
    .where('product_id', '=', product.id)
    .where('utc_day', '<=', last)
    .returning(['utc_day', 'generation'])
    .execute()
  await tx
    .updateTable('radar_frame')
    .set({ tiled: false })
    .where('product_id', '=', product.id)
    .where('time', '<', new Date(utcDayStart(last).getTime() + DAY_MS))
    .execute()
  return [
    ...tiles.map(({ utc_day, generation }) => tilesName(product, utc_day, generation)),
    ...moved.map(({ utc_day, generation }) => movedTilesName(product, utc_day, generation)),
  ]
}

const DAY_MS = 86_400_000

/** Files of the days of which nothing is left. */
function packsOf(
  product: StoredProduct,
  rows: readonly { time: Date; classes_generation: number }[],
  keptFrom: string,
): PackName[] {
  const days = Map.groupBy(rows, ({ time }) => utcDay(time.getTime()))
  return [...days].flatMap(([day, ofDay]) => {
    if (day >= keptFrom) return []
    const name = { product: product.shortName, day, generation: 0 }
    const generations = new Set(ofDay.map(({ classes_generation }) => classes_generation))
    return [
      { ...name, kind: 'pack' as const },
      { ...name, kind: 'quality' as const },
      ...[...generations].map((generation) => ({ ...name, kind: 'classes' as const, generation })),
    ]
  })
}
