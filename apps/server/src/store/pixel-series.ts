import { decodeRate } from '@radx/rainfall'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { StoredProduct } from './catalog.ts'
import { StoreCorruptError } from './frame-codec.ts'
import type { FrameIndex, Span } from './frame-index.ts'
import type { FramePlace } from './frame-reader.ts'
import type { FrameStore, PackName } from './frame-store.ts'
import type { StoreThreads } from './store-threads.ts'
import { FILE_TILE_SIZE, type GridCell } from './tile-file.ts'
import { type CellColumns, joinColumns, TileReader } from './tile-reader.ts'
import { nextUtcDayStart, utcDay, utcDayStart } from './utc-day.ts'

/** One value of a pixel's series; null is no data. */
export interface PixelValue {
  timeMs: number
  rateMmH: number | null
}

/** First key of the advisory locks under which tile files are made; the second is the product. */
const TILE_LOCK = 0x52_41_44_59
const OLD_TILES_MS = 60_000

/** Series of single pixels from the tile files, and the building of these. */
export class PixelSeries {
  private readonly db: Kysely<Database>
  private readonly store: FrameStore
  private readonly frameIndex: FrameIndex
  private readonly threads: StoreThreads
  private readonly tiles: TileReader

  constructor(db: Kysely<Database>, store: FrameStore, frameIndex: FrameIndex, threads: StoreThreads) {
    this.db = db
    this.store = store
    this.frameIndex = frameIndex
    this.threads = threads
    this.tiles = new TileReader(store)
  }

  /** Values of cell (row, col) over a span, in time order. @throws StoreCorruptError */
  async read(product: StoredProduct, row: number, col: number, span: Span): Promise<PixelValue[]> {
    const { timesMs, codes } = await this.readCells(product, [{ row, col }], span)
    return timesMs.map((timeMs, i) => toValue(timeMs, codes[0][i]))
  }

  /** Codes of cells over a span, read together. @throws StoreCorruptError */
  async readCells(product: StoredProduct, cells: readonly GridCell[], span: Span): Promise<CellColumns> {
    // A frame can move into a tile file between the two looks: asked for in this order it is then in both, never in none.
    const places = await this.frameIndex.untiledPlaces(product, span)
    const [tiled, untiled] = await Promise.all([
      this.readTiles(product, cells, span),
      columnsOfFrames(this.frameIndex, product, places, cells),
    ])
    return joinColumns([...tiled, untiled], cells.length)
  }

  private async readTiles(product: StoredProduct, cells: readonly GridCell[], span: Span) {
    const days = await this.db
      .selectFrom('radar_tiles')
      .selectAll()
      .where('product_id', '=', product.id)
      .where('utc_day', '>=', utcDay(span.startMs))
      .where('utc_day', '<=', utcDay(span.endMs))
      .orderBy('utc_day')
      .execute()
    return Promise.all(
      days.map(async (day) => {
        try {
          const name = tilesName(product, day.utc_day, day.generation)
          return await this.tiles.columns(name, day, product.steps, cells, span)
        } catch (error) {
          if (!(error instanceof StoreCorruptError)) throw error
          return this.insteadOfTiles(product, day.utc_day, cells, span)
        }
      }),
    )
  }

  /** A day whose tiles are damaged, from the frames themselves. */
  private async insteadOfTiles(
    product: StoredProduct,
    day: string,
    cells: readonly GridCell[],
    span: Span,
  ): Promise<CellColumns> {
    const startMs = Math.max(span.startMs, utcDayStart(day).getTime())
    const endMs = Math.min(span.endMs, nextUtcDayStart(day).getTime())
    if (startMs >= endMs) return columnsOfFrames(this.frameIndex, product, [], cells)
    this.frameIndex.onDamage(product.shortName, startMs)
    const places = await this.frameIndex.places(product, { startMs, endMs })
    return columnsOfFrames(this.frameIndex, product, places, cells)
  }

  /**
   * UTC days with at least `minimum` frames that no tile file holds, newest first; a day that is over
   * needs only one.
   */
  async untiledDays(
    product: StoredProduct,
    nowMs: number,
    minimum: number,
  ): Promise<{ day: string; frames: number }[]> {
    const { rows } = await sql<{ day: string; frames: number }>`
      select (time at time zone 'UTC')::date as day, count(*) as frames from radar_frame
      where product_id = ${product.id} and not tiled
      group by 1 having count(*) >= ${minimum} or (time at time zone 'UTC')::date < ${utcDay(nowMs)}::date
      order by 1 desc limit 100`.execute(this.db)
    return rows
  }

  /**
   * Makes the tile file of a UTC day from its packs and puts it in the place of the one before.
   * Frames that come meanwhile stay untiled.
   */
  async buildDay(product: StoredProduct, day: string): Promise<void> {
    const span = { startMs: utcDayStart(day).getTime(), endMs: nextUtcDayStart(day).getTime() }
    const generation = await this.db.transaction().execute(async (tx) => {
      // A rebuild and the server may want the same day at once.
      await sql`select pg_advisory_xact_lock(${TILE_LOCK}::int, ${product.id}::int)`.execute(tx)
      const places = await this.frameIndex.places(product, span)
      if (places.length === 0) return 0
      const before = await tx
        .selectFrom('radar_tiles')
        .select('generation')
        .where('product_id', '=', product.id)
        .where('utc_day', '=', day)
        .executeTakeFirst()
      const generation = (before?.generation ?? 0) + 1
      const header_check = await this.threads.buildTiles(product, tilesName(product, day, generation), places)
      const made = { generation, frames: places.length, header_check, tile_size: FILE_TILE_SIZE }
      await tx
        .insertInto('radar_tiles')
        .values({ product_id: product.id, utc_day: day, ...made })
        .onConflict((c) => c.columns(['product_id', 'utc_day']).doUpdateSet(made))
        .execute()
      await tx
        .updateTable('radar_frame')
        .set({ tiled: true })
        .where('product_id', '=', product.id)
        .where('tiled', '=', false)
        .where(
          'time',
          'in',
          places.map(({ timeMs }) => new Date(timeMs)),
        )
        .execute()
      return generation
    })
    // The generation before stays a while for those who are reading it.
    if (generation > 1)
      setTimeout(() => {
        this.store.remove(tilesName(product, day, generation - 1)).catch(() => undefined)
      }, OLD_TILES_MS).unref()
    if (generation > 2) await this.store.remove(tilesName(product, day, generation - 2))
  }
}

/** Name of a day's tile file. */
export const tilesName = (product: StoredProduct, day: string, generation: number): PackName => ({
  product: product.shortName,
  day,
  kind: 'tiles',
  generation,
})

/** Codes of cells from whole frames. */
async function columnsOfFrames(
  frames: FrameIndex,
  product: StoredProduct,
  places: FramePlace[],
  cells: readonly GridCell[],
): Promise<CellColumns> {
  const codes = cells.map(() => new Uint16Array(places.length))
  let k = 0
  for await (const frame of frames.codes(product, places)) {
    if (frame !== null)
      for (const [c, { row, col }] of cells.entries()) codes[c][k] = frame[row * product.steps + col]
    k++
  }
  return { timesMs: places.map(({ timeMs }) => timeMs), codes }
}

const toValue = (timeMs: number, code: number): PixelValue => {
  const rate = decodeRate(code)
  return { timeMs, rateMmH: Number.isNaN(rate) ? null : rate }
}
