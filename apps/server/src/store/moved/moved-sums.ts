import type { Accumulation } from '@radx/rainfall'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { StoredProduct } from '../catalog.ts'
import type { FrameIndex } from '../frame-index.ts'
import type { FramePlace } from '../frame-reader.ts'
import { TileSums } from '../tile-sums.ts'
import { TILE_SIZE, type Tiles } from './moved-tiles.ts'
import { addStill } from './still-sums.ts'

/** Frames whose rain is read at once. */
const READ_BATCH = 32

/**
 * Adds the rain of frames as it moved to totals, from the rows of the database.
 * @param frames that are ready, with what each stands for
 * @throws StoreCorruptError
 */
export async function addMoved(
  db: Kysely<Database>,
  index: FrameIndex,
  product: StoredProduct,
  frames: readonly { place: FramePlace; seconds: number }[],
  sum: Accumulation,
): Promise<void> {
  const sums = new TileSums(product.steps, TILE_SIZE)
  const still: { place: FramePlace; seconds: number }[] = []
  for (let from = 0; from < frames.length; from += READ_BATCH) {
    const batch = frames.slice(from, from + READ_BATCH)
    const moved = await movedRows(db, product, batch)
    for (const frame of batch) {
      const own = moved.get(frame.place.timeMs)
      if (!own) still.push(frame)
      else if (frame.seconds > 0) {
        sums.add(own.tiles, own.ends, frame.seconds)
        sum.addDry(frame.seconds)
      }
    }
  }
  sums.addTo(sum)
  await addStill(index, product, still, sum)
}

/** Tiles of the frames that have rain in them or beside them, by instant. */
async function movedRows(
  db: Kysely<Database>,
  product: StoredProduct,
  frames: readonly { place: FramePlace }[],
): Promise<Map<number, Tiles>> {
  const times = frames.map(({ place }) => new Date(place.timeMs))
  // As text: reading an array of numbers costs as much as opening the tiles.
  const { rows } = await sql<{ ms: number; ends: string; tiles: Buffer }>`
    select (extract(epoch from time) * 1000)::bigint as ms, array_to_string(ends, ' ') as ends, tiles from radar_moved
    where product_id = ${product.id} and time = any(${times}::timestamptz[])`.execute(db)
  return new Map(
    rows.map(({ ms, ends, tiles }) => [ms, { ends: ends === '' ? [] : ends.split(' ').map(Number), tiles }]),
  )
}
