import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { RATE_NO_DATA } from '@radx/rainfall'
import { BIN_MS, binCount } from '@radx/rainfall/gauges/bins'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { Span } from '../store/frame-index.ts'
import type { Store } from '../store/open-store.ts'
import { nextUtcDayStart, utcDay, utcDayStart } from '../store/utc-day.ts'
import './tables.ts'

/** Cell of a product over which a gauge stands. */
export interface GaugeCell {
  row: number
  col: number
}

/** What the radar had over one gauge on a UTC day, frame by frame. */
interface DayFrames {
  /** ms since the day began, rising. */
  offsets: Int32Array
  /** Rate codes of 3 x 3 cells a frame, from the north-west; RATE_NO_DATA beyond the grid. */
  codes: Uint16Array
}

/** The radar over one gauge in steps of five minutes, mm, NaN = unknown. */
export interface RadarBins {
  radar: Float64Array
  low: Float64Array
  high: Float64Array
}

const CELLS = 9
const NOTHING: DayFrames = { offsets: new Int32Array(0), codes: new Uint16Array(0) }
/** Days that are read and turned into steps together: bounds memory. */
const DAYS_AT_ONCE = 31

function encode({ offsets, codes }: DayFrames): Buffer {
  const steps = offsets.map((offset, i) => (i === 0 ? offset : offset - offsets[i - 1]))
  return zstdCompressSync(
    Buffer.concat([
      Buffer.from(steps.buffer, 0, steps.byteLength),
      Buffer.from(codes.buffer, codes.byteOffset, codes.byteLength),
    ]),
  )
}

function decode(packed: Uint8Array): DayFrames {
  const bytes = zstdDecompressSync(packed, { maxOutputLength: 2 ** 24 })
  const count = bytes.length / (4 + 2 * CELLS)
  const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
  const offsets = new Int32Array(copy, 0, count)
  for (let i = 1; i < count; i++) offsets[i] += offsets[i - 1]
  return { offsets, codes: new Uint16Array(copy, 4 * count, CELLS * count) }
}

interface Context {
  db: Kysely<Database>
  store: Store
}

/** Key of a cell: a product whose grid changes has other cells. */
function placeOf({ bounds: { ul, lr }, steps }: StoredProduct, { row, col }: GaugeCell): string {
  return `${steps} ${ul.lat} ${ul.lng} ${lr.lat} ${lr.lng} ${row} ${col}`
}

/**
 * What the radar had over gauges in steps of five minutes. Frames are read once; what they had over gauges is kept.
 * @param cells one a gauge
 * @param span whole steps of five minutes
 */
export async function radarBins(
  context: Context,
  product: StoredProduct,
  cells: readonly GaugeCell[],
  span: Span,
): Promise<RadarBins[]> {
  if (cells.length === 0) return []
  const sums = cells.map(() => new NineBins(span))
  // Frames just outside stand for a part of the span too.
  const reach = product.frameSeconds * 1000
  const wide = { startMs: span.startMs - reach, endMs: span.endMs + reach }
  const days = await frameDays(context.db, product, wide)
  for (let i = 0; i < days.length; i += DAYS_AT_ONCE) {
    const part = days.slice(i, i + DAYS_AT_ONCE)
    const found = await keptDays(context, product, cells, part)
    part.forEach(({ day }, k) => {
      const around = {
        dayMs: utcDayStart(day).getTime(),
        reach,
        before: days[i + k - 1]?.lastMs ?? Number.NEGATIVE_INFINITY,
        after: days[i + k + 1]?.firstMs ?? Number.POSITIVE_INFINITY,
      }
      for (const [g, cell] of cells.entries())
        addDay(sums[g], found.get(day)!.get(placeOf(product, cell))!, around)
    })
  }
  return sums.map((sum) => sum.result())
}

interface FrameDay {
  day: string
  frames: number
  firstMs: number
  lastMs: number
}

/** UTC days of a span that have frames. */
async function frameDays(
  db: Kysely<Database>,
  product: StoredProduct,
  { startMs, endMs }: Span,
): Promise<FrameDay[]> {
  const first = utcDayStart(utcDay(startMs))
  const last = nextUtcDayStart(utcDay(endMs))
  const { rows } = await sql<FrameDay>`
    select (time at time zone 'UTC')::date::text as day, count(*)::int as frames,
      (extract(epoch from min(time)) * 1000)::bigint as "firstMs",
      (extract(epoch from max(time)) * 1000)::bigint as "lastMs"
    from radar_frame
    where product_id = ${product.id} and time >= ${first} and time < ${last}
    group by 1 order by 1`.execute(db)
  return rows
}

/** Frames over the cells by day, from what is kept and, where frames came since, from the frames themselves. */
async function keptDays(
  { db, store }: Context,
  product: StoredProduct,
  cells: readonly GaugeCell[],
  days: readonly FrameDay[],
): Promise<Map<string, Map<string, DayFrames>>> {
  const places = [...new Set(cells.map((cell) => placeOf(product, cell)))]
  const rows = await db
    .selectFrom('gauge_radar')
    .select(['place', 'frames', sql<string>`utc_day::text`.as('day')])
    .where('product_id', '=', product.id)
    .where('place', 'in', places)
    .where('utc_day', '>=', days[0].day)
    .where('utc_day', '<=', days[days.length - 1].day)
    .execute()
  const out = new Map<string, Map<string, DayFrames>>(days.map(({ day }) => [day, new Map()]))
  for (const { place, day, frames } of rows) out.get(day)?.set(place, decode(frames))
  for (const { day, frames } of days) {
    const kept = out.get(day)!
    const missing = cells.filter((cell) => kept.get(placeOf(product, cell))?.offsets.length !== frames)
    if (missing.length > 0) await readDay({ db, store }, product, missing, day, kept)
  }
  return out
}

/** Reads what a day's frames had over cells, keeps it and puts it into `kept`. */
async function readDay(
  { db, store }: Context,
  product: StoredProduct,
  cells: readonly GaugeCell[],
  day: string,
  kept: Map<string, DayFrames>,
): Promise<void> {
  const dayMs = utcDayStart(day).getTime()
  const places = await store.index.places(product, { startMs: dayMs, endMs: nextUtcDayStart(day).getTime() })
  const old = cells.map((cell) => kept.get(placeOf(product, cell)) ?? NOTHING)
  const known = new Set(old[0].offsets)
  // What all cells have is not read again.
  const same = old.every(({ offsets }) => offsets.length === known.size)
  const fresh = same ? places.filter(({ timeMs }) => !known.has(timeMs - dayMs)) : places
  const at = new Map(fresh.map(({ timeMs }, i) => [timeMs - dayMs, i]))
  const read = cells.map(() => new Uint16Array(CELLS * fresh.length))
  let k = 0
  for await (const codes of store.index.codes(product, fresh)) {
    if (codes !== null)
      for (const [g, cell] of cells.entries()) nineCodes(codes, product.steps, cell, read[g], CELLS * k)
    k++
  }
  for (const [g, cell] of cells.entries()) {
    const offsets = Int32Array.from(places, ({ timeMs }) => timeMs - dayMs)
    const codes = new Uint16Array(CELLS * offsets.length)
    const before = new Map(Array.from(old[g].offsets, (offset, i) => [offset, i]))
    offsets.forEach((offset, i) => {
      const j = at.get(offset)
      const from = j === undefined ? old[g].codes : read[g]
      const place = j ?? before.get(offset)!
      codes.set(from.subarray(CELLS * place, CELLS * (place + 1)), CELLS * i)
    })
    const frames = { offsets, codes }
    const place = placeOf(product, cell)
    kept.set(place, frames)
    const row = { product_id: product.id, place, utc_day: day, frames: encode(frames) }
    await db
      .insertInto('gauge_radar')
      .values(row)
      .onConflict((c) => c.columns(['product_id', 'place', 'utc_day']).doUpdateSet({ frames: row.frames }))
      .execute()
  }
}

/** Codes of the 3 x 3 cells around one, from the north-west. */
function nineCodes(codes: Uint16Array, steps: number, { row, col }: GaugeCell, out: Uint16Array, at: number) {
  for (let k = 0; k < CELLS; k++) {
    const [r, c] = [row - 1 + Math.floor(k / 3), col - 1 + (k % 3)]
    out[at + k] = r >= 0 && c >= 0 && r < steps && c < steps ? codes[r * steps + c] : RATE_NO_DATA
  }
}

interface Around {
  dayMs: number
  reach: number
  /** Frames of the neighbouring days, ms. */
  before: number
  after: number
}

/** Adds a day's frames: each stands for the time to the middles between its neighbours, at most one step on a side. */
function addDay(sum: NineBins, { offsets, codes }: DayFrames, { dayMs, reach, before, after }: Around): void {
  for (let i = 0; i < offsets.length; i++) {
    const time = dayMs + offsets[i]
    const left = (time - (i > 0 ? dayMs + offsets[i - 1] : before)) / 2
    const right = ((i + 1 < offsets.length ? dayMs + offsets[i + 1] : after) - time) / 2
    sum.add(time - Math.min(left, reach), time + Math.min(right, reach), codes, CELLS * i)
  }
}

/** Depths of nine cells in steps of five minutes. */
class NineBins {
  readonly #span: Span
  /** mm a cell and step. */
  readonly #mm: Float32Array
  /** ms a cell and step. */
  readonly #known: Float32Array
  readonly #steps: number

  constructor(span: Span) {
    this.#span = span
    this.#steps = binCount(span)
    this.#mm = new Float32Array(CELLS * this.#steps)
    this.#known = new Float32Array(CELLS * this.#steps)
  }

  add(fromMs: number, toMs: number, codes: Uint16Array, first: number): void {
    const { startMs, endMs } = this.#span
    let at = Math.max(fromMs, startMs)
    const last = Math.min(toMs, endMs)
    while (at < last) {
      const bin = Math.floor((at - startMs) / BIN_MS)
      const to = Math.min(last, startMs + (bin + 1) * BIN_MS)
      for (let k = 0; k < CELLS; k++) {
        const code = codes[first + k]
        if (code === RATE_NO_DATA) continue
        this.#known[CELLS * bin + k] += to - at
        if (code > 0) this.#mm[CELLS * bin + k] += (code * (to - at)) / 360_000_000
      }
      at = to
    }
  }

  result(): RadarBins {
    const out = {
      radar: new Float64Array(this.#steps).fill(Number.NaN),
      low: new Float64Array(this.#steps),
      high: new Float64Array(this.#steps),
    }
    for (let bin = 0; bin < this.#steps; bin++) {
      if (this.#known[CELLS * bin + 4] < 0.8 * BIN_MS) continue
      const centre = this.#mm[CELLS * bin + 4]
      let [low, high] = [centre, centre]
      for (let k = CELLS * bin; k < CELLS * (bin + 1); k++) {
        if (this.#known[k] < 0.8 * BIN_MS) continue
        if (this.#mm[k] < low) low = this.#mm[k]
        if (this.#mm[k] > high) high = this.#mm[k]
      }
      out.radar[bin] = centre
      out.low[bin] = low
      out.high[bin] = high
    }
    return out
  }
}
