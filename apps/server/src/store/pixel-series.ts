import { crc32 } from 'node:zlib'
import { decodeRate } from '@radx/rainfall'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { StoredProduct } from './catalog.ts'
import { StoreCorruptError } from './frame-codec.ts'
import type { FrameIndex, Span } from './frame-index.ts'
import type { FramePlace } from './frame-reader.ts'
import type { FrameStore, PackName } from './frame-store.ts'
import type { StoreThreads } from './store-threads.ts'
import { blocksOfCell, headerBytes, readTileIndex, seriesOfBlock, type TileIndex } from './tile-file.ts'
import { nextUtcDayStart, utcDay, utcDayStart } from './utc-day.ts'

/** One value of a pixel's series; null is no data. */
export interface PixelValue {
  timeMs: number
  rateMmH: number | null
}

/** What is known of a day's tile file. */
type TileDay = { utc_day: string; generation: number; frames: number; header_check: number | null }

/** First key of the advisory locks under which tile files are made; the second is the product. */
const TILE_LOCK = 0x52_41_44_59
const OLD_TILES_MS = 60_000
/** Tile layouts kept in memory; one is about 10 kB. */
const MAX_INDEXES = 800

/** Series of single pixels from the tile files, and the building of these. */
export class PixelSeries {
  private readonly db: Kysely<Database>
  private readonly store: FrameStore
  private readonly frameIndex: FrameIndex
  private readonly threads: StoreThreads
  private readonly indexes = new Map<string, Promise<TileIndex>>()

  constructor(db: Kysely<Database>, store: FrameStore, frameIndex: FrameIndex, threads: StoreThreads) {
    this.db = db
    this.store = store
    this.frameIndex = frameIndex
    this.threads = threads
  }

  /** Values of cell (row, col) over a span, in time order. @throws StoreCorruptError */
  async read(product: StoredProduct, row: number, col: number, span: Span): Promise<PixelValue[]> {
    const [tiled, untiled] = await Promise.all([
      this.readTiles(product, row, col, span),
      this.readPacks(product, row * product.steps + col, span),
    ])
    if (untiled.length === 0) return tiled
    const values = [...tiled, ...untiled].sort((a, b) => a.timeMs - b.timeMs)
    // A frame can move into a tile file between the two reads.
    return values.filter((value, i) => i === 0 || value.timeMs !== values[i - 1].timeMs)
  }

  private async readPacks(product: StoredProduct, index: number, span: Span): Promise<PixelValue[]> {
    return this.valuesOf(product, await this.frameIndex.untiledPlaces(product, span), index)
  }

  private async valuesOf(product: StoredProduct, places: FramePlace[], index: number): Promise<PixelValue[]> {
    const values: PixelValue[] = []
    for await (const codes of this.frameIndex.codes(product, places))
      values.push(toValue(places[values.length].timeMs, codes === null ? 0 : codes[index]))
    return values
  }

  private async readTiles(product: StoredProduct, row: number, col: number, span: Span) {
    const days = await this.db
      .selectFrom('radar_tiles')
      .selectAll()
      .where('product_id', '=', product.id)
      .where('utc_day', '>=', utcDay(span.startMs))
      .where('utc_day', '<=', utcDay(span.endMs))
      .orderBy('utc_day')
      .execute()
    const parts = await Promise.all(
      days.map(async (day) => {
        try {
          return await this.readTileDay(product, day, row, col, span)
        } catch (error) {
          if (!(error instanceof StoreCorruptError)) throw error
          return this.insteadOfTiles(product, day.utc_day, row * product.steps + col, span)
        }
      }),
    )
    return parts.flat()
  }

  /** Values of a day whose tiles are damaged, from the frames themselves. */
  private async insteadOfTiles(
    product: StoredProduct,
    day: string,
    index: number,
    span: Span,
  ): Promise<PixelValue[]> {
    const startMs = Math.max(span.startMs, utcDayStart(day).getTime())
    const endMs = Math.min(span.endMs, nextUtcDayStart(day).getTime())
    if (startMs >= endMs) return []
    this.frameIndex.onDamage(product.shortName, startMs)
    return this.valuesOf(product, await this.frameIndex.places(product, { startMs, endMs }), index)
  }

  private async readTileDay(
    product: StoredProduct,
    day: TileDay,
    row: number,
    col: number,
    span: Span,
  ): Promise<PixelValue[]> {
    const name = tilesName(product, day.utc_day, day.generation)
    const index = await this.index(name, day, product.steps)
    const blocks = blocksOfCell(index, row, col, span.startMs, span.endMs)
    const wet = blocks.filter((block) => block.length > 0)
    const bytes = await this.store.read(name, wet)
    const values: PixelValue[] = []
    for (const block of blocks) {
      const series = seriesOfBlock(block, block.length > 0 ? bytes[wet.indexOf(block)] : new Uint8Array(0))
      for (const [k, code] of series.entries()) {
        const timeMs = index.times[block.firstFrame + k]
        if (timeMs >= span.startMs && timeMs < span.endMs) values.push(toValue(timeMs, code))
      }
    }
    return values
  }

  private index(name: PackName, { frames, header_check: check }: TileDay, steps: number): Promise<TileIndex> {
    const key = `${name.product} ${name.day} ${name.generation}`
    let index = this.indexes.get(key)
    if (index) {
      this.indexes.delete(key)
    } else {
      index = this.store.read(name, [{ offset: 0, length: headerBytes(frames, steps) }]).then(([header]) => {
        if (check !== null && crc32(header) >>> 0 !== check) throw new StoreCorruptError('en-tête de tuiles')
        return readTileIndex(header)
      })
      index.catch(() => this.indexes.delete(key))
    }
    this.indexes.set(key, index)
    if (this.indexes.size > MAX_INDEXES) this.indexes.delete(this.indexes.keys().next().value!)
    return index
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
      const row = { product_id: product.id, utc_day: day, generation, frames: places.length, header_check }
      await tx
        .insertInto('radar_tiles')
        .values(row)
        .onConflict((c) =>
          c.columns(['product_id', 'utc_day']).doUpdateSet({ generation, frames: row.frames, header_check }),
        )
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

const tilesName = (product: StoredProduct, day: string, generation: number): PackName => ({
  product: product.shortName,
  day,
  kind: 'tiles',
  generation,
})

const toValue = (timeMs: number, code: number): PixelValue => {
  const rate = decodeRate(code)
  return { timeMs, rateMmH: Number.isNaN(rate) ? null : rate }
}
