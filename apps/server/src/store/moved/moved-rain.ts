import type { RainMethod } from '@radx/contracts'
import {
  type Accumulation,
  type CumulatedSeries,
  cumulate,
  decodeRate,
  encodeRate,
  representativeness,
} from '@radx/rainfall'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { StoredProduct } from '../catalog.ts'
import type { FrameIndex, FrameSummary, Span } from '../frame-index.ts'
import type { FramePlace } from '../frame-reader.ts'
import type { FrameStore } from '../frame-store.ts'
import type { PixelSeries, PixelValue } from '../pixel-series.ts'
import type { StoreThreads } from '../store-threads.ts'
import type { GridCell } from '../tile-file.ts'
import { type CellColumns, joinColumns } from '../tile-reader.ts'
import { withMoved } from './moved-columns.ts'
import { BRIDGED_S, type MovedFrame } from './moved-frame.ts'
import { addMoved } from './moved-sums.ts'
import { MovedTileDays } from './moved-tile-days.ts'
import { codesOfTiles } from './moved-tiles.ts'
import { MAKE_BATCH, type Seen, workOf } from './work.ts'

/** Frames whose rain is read, or followed, at once. */
const READ_BATCH = 32
/** Frames looked at for rain at once. */
const LOOK_BATCH = 256

/** How rain is taken between frames, in words of exports, reports and logs. */
export const RAIN_METHOD_FR: Record<RainMethod, string> = {
  moved: 'pluie déplacée d’une image à la suivante (jusqu’à 15 min d’écart)',
  raw: 'images tenues fixes entre deux mesures (pluie non déplacée)',
}

/** Time that frames stand for where the rain between them is moved. */
export const movedTime = (product: StoredProduct, timesMs: readonly number[], span: Span) =>
  representativeness(timesMs, span, product.frameSeconds, BRIDGED_S)

/** Running cumul of the rain as it moved; null while the rain of some frame has not been followed. */
export function movedCumul(
  product: StoredProduct,
  frames: readonly FrameSummary[],
  span: Span,
  of: 'zone' | 'catchment',
): CumulatedSeries | null {
  if (frames.some(({ moved }) => moved === null)) return null
  const time = movedTime(
    product,
    frames.map(({ timeMs }) => timeMs),
    span,
  )
  return cumulate(
    frames.map(({ moved }) => moved![of]),
    time,
  )
}

/** Rain as it moved between the frames: what is kept of it, and the making of it. */
export class MovedRain {
  private readonly db: Kysely<Database>
  private readonly index: FrameIndex
  private readonly threads: StoreThreads
  private readonly pixels: PixelSeries
  /** Days of it in tile files. */
  readonly tileDays: MovedTileDays

  constructor(
    db: Kysely<Database>,
    frames: FrameStore,
    index: FrameIndex,
    threads: StoreThreads,
    pixels: PixelSeries,
  ) {
    this.db = db
    this.index = index
    this.threads = threads
    this.pixels = pixels
    this.tileDays = new MovedTileDays(db, frames, index, threads)
  }

  /** How many frames each span of a product has, and of how many of them the rain was followed; in the spans' order. */
  async framesIn(
    asked: readonly { product: StoredProduct; span: Span }[],
  ): Promise<{ all: number; followed: number }[]> {
    const ids = asked.map(({ product }) => product.id)
    const starts = asked.map(({ span }) => new Date(span.startMs))
    const ends = asked.map(({ span }) => new Date(span.endMs))
    const { rows } = await sql<{ all: number; followed: number }>`
      select count(frame.time)::int as all, count(frame.time) filter (where frame.moved)::int as followed
      from unnest(${ids}::int[], ${starts}::timestamptz[], ${ends}::timestamptz[])
        with ordinality as span (product, first, past, place)
      left join radar_frame as frame
        on frame.product_id = span.product and frame.time >= span.first and frame.time < span.past
      group by span.place order by span.place`.execute(this.db)
    return rows
  }

  /** Whether the rain of every frame of a span was followed. */
  async isReady(product: StoredProduct, span: Span): Promise<boolean> {
    const { rows } = await sql<{ waits: boolean }>`
      select exists (select from radar_frame where ${within(product, span)} and not moved) as waits`.execute(
      this.db,
    )
    return !rows[0].waits
  }

  /** A pixel's series as it moved. @param raw its values in the frames @returns null while it is not ready */
  async pixel(
    product: StoredProduct,
    row: number,
    col: number,
    span: Span,
    raw: readonly PixelValue[],
  ): Promise<(number | null)[] | null> {
    const known = async ({ startMs, endMs }: Span): Promise<CellColumns> => {
      const values = raw.filter(({ timeMs }) => timeMs >= startMs && timeMs < endMs)
      const codes = Uint16Array.from(values, ({ rateMmH }) => encodeRate(rateMmH ?? Number.NaN))
      return { timesMs: values.map(({ timeMs }) => timeMs), codes: [codes] }
    }
    const columns = await this.columns(product, [{ row, col }], span, known)
    if (columns === null) return null
    const at = new Map(columns.timesMs.map((ms, i) => [ms, i]))
    return raw.map(({ timeMs, rateMmH }) => {
      const i = at.get(timeMs)
      const rate = i === undefined ? rateMmH : decodeRate(columns.codes[0][i])
      return Number.isNaN(rate) ? null : rate
    })
  }

  /** Codes of cells as the rain moved, read together; null while it is not ready. @throws StoreCorruptError */
  async readCells(
    product: StoredProduct,
    cells: readonly GridCell[],
    span: Span,
  ): Promise<CellColumns | null> {
    return this.columns(product, cells, span, (gap) => this.pixels.readCells(product, cells, gap))
  }

  /** @param still codes of the cells in the frames of a part of the span */
  private async columns(
    product: StoredProduct,
    cells: readonly GridCell[],
    span: Span,
    still: (part: Span) => Promise<CellColumns>,
  ): Promise<CellColumns | null> {
    if (!(await this.isReady(product, span))) return null
    const days = await this.tileDays.read(product, cells, span)
    const gaps: Promise<CellColumns>[] = []
    const between = (startMs: number, endMs: number) => {
      const gap = { startMs, endMs }
      if (startMs < endMs)
        gaps.push(still(gap).then((found) => withMoved(this.db, product, cells, gap, found)))
    }
    let from = span.startMs
    for (const { day } of days) {
      between(from, Math.min(day.startMs, span.endMs))
      from = Math.max(from, day.endMs)
    }
    between(from, span.endMs)
    return joinColumns([...days.map(({ columns }) => columns), ...(await Promise.all(gaps))], cells.length)
  }

  /**
   * Codes of frames as the rain moved, in the order given; null for one that is dry and has data all over.
   * @param places frames that are ready
   */
  async *codes(
    product: StoredProduct,
    places: FramePlace[],
    into?: Uint16Array,
  ): AsyncGenerator<Uint16Array | null> {
    for (let from = 0; from < places.length; from += READ_BATCH) {
      const batch = places.slice(from, from + READ_BATCH)
      const rows = await this.db
        .selectFrom('radar_moved')
        .select(['time', 'ends', 'tiles'])
        .where('product_id', '=', product.id)
        .where(
          'time',
          'in',
          batch.map(({ timeMs }) => new Date(timeMs)),
        )
        .execute()
      const moved = new Map(rows.map((row) => [row.time.getTime(), row]))
      const still = this.index.codes(
        product,
        batch.filter(({ timeMs }) => !moved.has(timeMs)),
        into,
      )
      for (const { timeMs } of batch) {
        const row = moved.get(timeMs)
        yield row ? codesOfTiles(row, product.steps) : ((await still.next()).value ?? null)
      }
    }
  }

  /** Adds the rain of frames that are ready to totals, with what each stands for. @throws StoreCorruptError */
  addTo(
    sum: Accumulation,
    product: StoredProduct,
    frames: readonly { place: FramePlace; seconds: number }[],
  ): Promise<void> {
    return addMoved(this.db, this.index, product, frames, sum)
  }

  /** Forgets what was made, so that it is made again. */
  async forget(product: StoredProduct): Promise<void> {
    await this.db.transaction().execute(async (tx) => {
      await this.tileDays.forget(tx, product)
      await tx.deleteFrom('radar_moved').where('product_id', '=', product.id).execute()
      await tx
        .updateTable('radar_frame')
        .set({ moved: false })
        .where('product_id', '=', product.id)
        .where('moved', '=', true)
        .execute()
    })
  }

  /**
   * Follows the rain of the newest frames that wait, and again of their neighbours, to which they are new. Dry frames
   * between dry ones stand for themselves.
   * @param span of which the waiting frames are taken
   * @returns how many frames were done; 0 when none waits
   */
  async makeSome(product: StoredProduct, span: Span): Promise<number> {
    const waiting = await this.waiting(product, span)
    if (waiting.length === 0) return 0
    const seen = await this.seen(product, waiting[waiting.length - 1], waiting[0])
    const { still, beside, newest } = workOf(seen, new Set(waiting))
    // Those beside first: once a frame is done, nothing tells any more that they were made without it.
    for (let from = 0; from < beside.length; from += MAKE_BATCH)
      await this.make(product, beside.slice(from, from + MAKE_BATCH))
    if (newest.length > 0) await this.make(product, newest)
    if (still.length > 0) await this.mark(product, still, [])
    return still.length + newest.length
  }

  /** Instants of the newest frames that wait, newest first. */
  private async waiting(product: StoredProduct, span: Span): Promise<number[]> {
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from time) * 1000)::bigint as ms from radar_frame
      where ${within(product, span)} and not moved order by time desc limit ${LOOK_BATCH}`.execute(this.db)
    return rows.map(({ ms }) => ms)
  }

  private async seen(product: StoredProduct, firstMs: number, lastMs: number): Promise<Seen[]> {
    const margin = 2 * BRIDGED_S * 1000
    const span = { startMs: firstMs - margin, endMs: lastMs + margin }
    const { rows } = await sql<Seen>`
      select (extract(epoch from time) * 1000)::bigint as ms, wet_count > 0 as wet, moved from radar_frame
      where ${within(product, span)} order by time`.execute(this.db)
    return rows
  }

  private async make(product: StoredProduct, wanted: number[]): Promise<void> {
    const margin = BRIDGED_S * 1000 + 1
    const places = await this.index.places(product, {
      startMs: wanted[0] - margin,
      endMs: wanted[wanted.length - 1] + margin,
    })
    const near = (k: number, ms: number) => places[k] !== undefined && places[k].timeMs === ms
    const needed = places.filter((_, k) =>
      wanted.some((ms) => [k - 1, k, k + 1].some((other) => near(other, ms))),
    )
    await this.mark(
      product,
      wanted,
      await this.threads.moved(product, this.index.catalog.zones, needed, wanted),
    )
  }

  private async mark(product: StoredProduct, times: number[], made: MovedFrame[]): Promise<void> {
    const dates = times.map((ms) => new Date(ms))
    await this.db.transaction().execute(async (tx) => {
      await this.tileDays.followedAnew(tx, product, times)
      await tx
        .deleteFrom('radar_moved')
        .where('product_id', '=', product.id)
        .where('time', 'in', dates)
        .execute()
      if (made.length > 0)
        await tx
          .insertInto('radar_moved')
          .values(made.map(rowOf(product)))
          .execute()
      await tx
        .updateTable('radar_frame')
        .set({ moved: true })
        .where('product_id', '=', product.id)
        .where('time', 'in', dates)
        .execute()
    })
  }
}

const rowOf = (product: StoredProduct) => (frame: MovedFrame) => ({
  product_id: product.id,
  time: new Date(frame.timeMs),
  before: frame.before === null ? null : new Date(frame.before),
  after: frame.after === null ? null : new Date(frame.after),
  motion: frame.motion && Buffer.from(frame.motion),
  valid_count: frame.validCount,
  sum_codes: frame.sumCodes,
  zone_mean: frame.zoneMean,
  ends: frame.ends,
  tiles: Buffer.from(frame.tiles),
})

const within = (product: StoredProduct, { startMs, endMs }: Span) =>
  sql`product_id = ${product.id} and time >= ${new Date(startMs)} and time < ${new Date(endMs)}`
