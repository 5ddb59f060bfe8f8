import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { StoredProduct } from '../catalog.ts'
import { StoreCorruptError } from '../frame-codec.ts'
import type { FrameIndex, Span } from '../frame-index.ts'
import type { FrameStore, PackName } from '../frame-store.ts'
import type { StoreThreads } from '../store-threads.ts'
import { FILE_TILE_SIZE, type GridCell, tileFileOf } from '../tile-file.ts'
import { type CellColumns, TileReader } from '../tile-reader.ts'
import { nextUtcDayStart, utcDay, utcDayStart } from '../utc-day.ts'

/** First key of the advisory locks between who follows rain and who puts it in files; the second is the product. */
const MOVED_TILE_LOCK = 0x52_41_44_5b
const OLD_FILES_MS = 60_000

/** Name of a day's tile file of the rain as it moved. */
export const movedTilesName = (product: StoredProduct, day: string, generation: number): PackName => ({
  product: product.shortName,
  day,
  kind: 'moved',
  generation,
})

/** Holds others back until the transaction ends: a file is made of rain that nobody follows anew meanwhile. */
const lock = (tx: Transaction<Database>, product: StoredProduct) =>
  sql`select pg_advisory_xact_lock(${MOVED_TILE_LOCK}::int, ${product.id}::int)`.execute(tx)

/**
 * Days of rain as it moved in tile files, so that the series of cells are short reads. A file is made of a day that is
 * over and wholly followed; it no longer counts once any of its rain was followed anew.
 */
export class MovedTileDays {
  private readonly db: Kysely<Database>
  private readonly store: FrameStore
  private readonly index: FrameIndex
  private readonly threads: StoreThreads
  private readonly reader: TileReader

  constructor(db: Kysely<Database>, store: FrameStore, index: FrameIndex, threads: StoreThreads) {
    this.db = db
    this.store = store
    this.index = index
    this.threads = threads
    this.reader = new TileReader(store)
  }

  /** What files have of a span: a part a day, in order. Days without a sound one are left out. */
  async read(
    product: StoredProduct,
    cells: readonly GridCell[],
    span: Span,
  ): Promise<{ day: Span; columns: CellColumns }[]> {
    const rows = await this.db
      .selectFrom('radar_moved_tiles')
      .selectAll()
      .where('product_id', '=', product.id)
      .where('utc_day', '>=', utcDay(span.startMs))
      .where('utc_day', '<=', utcDay(span.endMs))
      .where('whole', '=', true)
      .orderBy('utc_day')
      .execute()
    const parts = await Promise.all(
      rows.map(async (row) => {
        const name = movedTilesName(product, row.utc_day, row.generation)
        try {
          const columns = await this.reader.columns(name, row, product.steps, cells, span)
          return [{ day: dayOf(row.utc_day), columns }]
        } catch (error) {
          if (!(error instanceof StoreCorruptError)) throw error
          await this.disown(product, row.utc_day, row.generation)
          return []
        }
      }),
    )
    return parts.flat()
  }

  /** A file that is damaged no longer counts, so that it is made again. */
  async disown(product: StoredProduct, day: string, generation: number): Promise<void> {
    await this.db
      .updateTable('radar_moved_tiles')
      .set({ whole: false })
      .where('product_id', '=', product.id)
      .where('utc_day', '=', day)
      .where('generation', '=', generation)
      .execute()
  }

  /** Says within a transaction that rain of these instants is followed anew: files of their days no longer count. */
  async followedAnew(tx: Transaction<Database>, product: StoredProduct, times: number[]): Promise<void> {
    await lock(tx, product)
    const days = [...new Set(times.map(utcDay))]
    await tx
      .insertInto('radar_moved_tiles')
      .values(days.map((utc_day) => ({ product_id: product.id, utc_day, header_check: null })))
      .onConflict((c) => c.columns(['product_id', 'utc_day']).doUpdateSet({ whole: false }))
      .execute()
  }

  /** As `followedAnew` for all days of a product. */
  async forget(tx: Transaction<Database>, product: StoredProduct): Promise<void> {
    await lock(tx, product)
    await tx
      .updateTable('radar_moved_tiles')
      .set({ whole: false })
      .where('product_id', '=', product.id)
      .where('whole', '=', true)
      .execute()
  }

  /**
   * Makes the file of the newest day that is over, wholly followed and without one.
   * @returns false when there is none
   */
  async buildOne(product: StoredProduct, nowMs: number): Promise<boolean> {
    const { rows } = await sql<{ day: string }>`
      select utc_day::text as day from radar_moved_tiles
      where product_id = ${product.id} and not whole and utc_day < ${utcDay(nowMs)}::date
        and not exists (select from radar_frame f where f.product_id = ${product.id} and not f.moved
          and f.time >= utc_day::timestamp at time zone 'UTC'
          and f.time < (utc_day + 1)::timestamp at time zone 'UTC')
      order by utc_day desc limit 1`.execute(this.db)
    if (rows.length === 0) return false
    await this.build(product, rows[0].day)
    return true
  }

  private async build(product: StoredProduct, day: string): Promise<void> {
    const generation = await this.db.transaction().execute(async (tx) => {
      await lock(tx, product)
      const places = await this.index.places(product, dayOf(day), tx)
      const row = await tx
        .selectFrom('radar_moved_tiles')
        .select(['generation'])
        .where('product_id', '=', product.id)
        .where('utc_day', '=', day)
        .where('whole', '=', false)
        .executeTakeFirst()
      if (!row) return 0
      const times = places.map(({ timeMs }) => timeMs)
      const file = await tileFileOf(times, product.steps, async (from, to) => {
        const moved = await tx
          .selectFrom('radar_moved')
          .select(['time', 'ends', 'tiles'])
          .where('product_id', '=', product.id)
          .where(
            'time',
            'in',
            times.slice(from, to).map((ms) => new Date(ms)),
          )
          .execute()
        return this.threads.movedBlocks(product, places.slice(from, to), moved)
      })
      const next = row.generation + 1
      await this.store.put(movedTilesName(product, day, next), file.parts)
      await tx
        .updateTable('radar_moved_tiles')
        .set({
          generation: next,
          frames: places.length,
          header_check: file.headerCheck,
          tile_size: FILE_TILE_SIZE,
          whole: true,
        })
        .where('product_id', '=', product.id)
        .where('utc_day', '=', day)
        .execute()
      return next
    })
    // The generation before stays a while for those who are reading it.
    if (generation > 1)
      setTimeout(() => {
        this.store.remove(movedTilesName(product, day, generation - 1)).catch(() => undefined)
      }, OLD_FILES_MS).unref()
    if (generation > 2) await this.store.remove(movedTilesName(product, day, generation - 2))
  }
}

const dayOf = (day: string): Span => ({
  startMs: utcDayStart(day).getTime(),
  endMs: nextUtcDayStart(day).getTime(),
})
