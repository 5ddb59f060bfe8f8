import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { RainMethod } from '@radx/contracts'
import { RATE_NO_DATA } from '@radx/rainfall'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { Span } from '../store/frame-index.ts'
import { BRIDGED_S } from '../store/moved/moved-frame.ts'
import type { Store } from '../store/open-store.ts'
import { nextUtcDayStart, utcDay, utcDayStart } from '../store/utc-day.ts'
import { addDay, CELLS, type DayFrames, NineBins, type RadarBins } from './nine-bins.ts'
import './tables.ts'

/** Cell of a product over which a gauge stands. */
export interface GaugeCell {
  row: number
  col: number
}

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

/** A product whose rain is read over gauges, as its frames have it or as it moved between them. */
interface Rain {
  product: StoredProduct
  method: RainMethod
}

/** Key of a cell: a product whose grid changes has other cells. */
function placeOf({ product: { bounds, steps }, method }: Rain, { row, col }: GaugeCell): string {
  const { ul, lr } = bounds
  const place = `${steps} ${ul.lat} ${ul.lng} ${lr.lat} ${lr.lng} ${row} ${col}`
  return method === 'moved' ? `moved ${place}` : place
}

/**
 * What the radar had over gauges in steps of five minutes. Frames are read once; what they had over gauges is kept.
 * @param cells one a gauge
 * @param span whole steps of five minutes
 * @param wanted `moved` takes the rain as it moved between the frames where that was followed for all of them
 * @returns what was done with the bins
 */
export async function radarBins(
  context: Context,
  product: StoredProduct,
  cells: readonly GaugeCell[],
  span: Span,
  wanted: RainMethod,
): Promise<{ method: RainMethod; bins: RadarBins[] }> {
  // Frames just outside stand for a part of the span too.
  const reach = product.frameSeconds * 1000
  const bridged = wanted === 'moved' ? BRIDGED_S * 1000 : 0
  const beyond = Math.max(reach, bridged)
  const wide = { startMs: span.startMs - beyond, endMs: span.endMs + beyond }
  if (wanted === 'moved' && !(await context.store.moved.isReady(product, wide)))
    return radarBins(context, product, cells, span, 'raw')
  if (cells.length === 0) return { method: wanted, bins: [] }
  const rain = { product, method: wanted }
  const sums = cells.map(() => new NineBins(span))
  const days = await frameDays(context.db, rain, wide)
  for (let i = 0; i < days.length; i += DAYS_AT_ONCE) {
    const part = days.slice(i, i + DAYS_AT_ONCE)
    const found = await keptDays(context, rain, cells, part)
    part.forEach(({ day }, k) => {
      const around = {
        dayMs: utcDayStart(day).getTime(),
        reach,
        bridged,
        before: days[i + k - 1]?.lastMs ?? Number.NEGATIVE_INFINITY,
        after: days[i + k + 1]?.firstMs ?? Number.POSITIVE_INFINITY,
      }
      for (const [g, cell] of cells.entries())
        addDay(sums[g], found.get(day)!.get(placeOf(rain, cell))!, around)
    })
  }
  return { method: wanted, bins: sums.map((sum) => sum.result()) }
}

interface FrameDay {
  day: string
  frames: number
  firstMs: number
  lastMs: number
  /** What the rain that moved on this day was made of: another one where a neighbour came since; null of frames. */
  stamp: string | null
}

/** Rain that moved is made anew when a frame comes beside it: how far off its neighbours are, and how much there is. */
const STAMP = sql`concat_ws(' ', count(m.time), sum(m.sum_codes), sum(m.valid_count),
  sum(extract(epoch from f.time - m.before)), sum(extract(epoch from m.after - f.time)))`

/** UTC days of a span that have frames. */
async function frameDays(
  db: Kysely<Database>,
  { product, method }: Rain,
  { startMs, endMs }: Span,
): Promise<FrameDay[]> {
  const first = utcDayStart(utcDay(startMs))
  const last = nextUtcDayStart(utcDay(endMs))
  const isMoved = method === 'moved'
  const { rows } = await sql<FrameDay>`
    select (f.time at time zone 'UTC')::date::text as day, count(*)::int as frames,
      (extract(epoch from min(f.time)) * 1000)::bigint as "firstMs",
      (extract(epoch from max(f.time)) * 1000)::bigint as "lastMs", ${isMoved ? STAMP : sql`null`} as stamp
    from radar_frame f
    ${isMoved ? sql`left join radar_moved m on m.product_id = f.product_id and m.time = f.time` : sql``}
    where f.product_id = ${product.id} and f.time >= ${first} and f.time < ${last}
    group by 1 order by 1`.execute(db)
  return rows
}

/** Frames over the cells by day, from what is kept and, where frames came since, from the frames themselves. */
async function keptDays(
  { db, store }: Context,
  rain: Rain,
  cells: readonly GaugeCell[],
  days: readonly FrameDay[],
): Promise<Map<string, Map<string, DayFrames>>> {
  const places = [...new Set(cells.map((cell) => placeOf(rain, cell)))]
  const rows = await db
    .selectFrom('gauge_radar')
    .select(['place', 'frames', 'stamp', sql<string>`utc_day::text`.as('day')])
    .where('product_id', '=', rain.product.id)
    .where('place', 'in', places)
    .where('utc_day', '>=', days[0].day)
    .where('utc_day', '<=', days[days.length - 1].day)
    .execute()
  const out = new Map<string, Map<string, DayFrames>>(days.map(({ day }) => [day, new Map()]))
  const stamps = new Map(days.map(({ day, stamp }) => [day, stamp]))
  for (const { place, day, frames, stamp } of rows)
    if (stamp === stamps.get(day)) out.get(day)?.set(place, decode(frames))
  for (const frameDay of days) {
    const kept = out.get(frameDay.day)!
    const missing = cells.filter((cell) => kept.get(placeOf(rain, cell))?.offsets.length !== frameDay.frames)
    if (missing.length > 0) await readDay({ db, store }, rain, missing, frameDay, kept)
  }
  return out
}

/** Reads what a day's frames had over cells, keeps it and puts it into `kept`. */
async function readDay(
  { db, store }: Context,
  rain: Rain,
  cells: readonly GaugeCell[],
  { day, stamp }: FrameDay,
  kept: Map<string, DayFrames>,
): Promise<void> {
  const { product } = rain
  const dayMs = utcDayStart(day).getTime()
  const places = await store.index.places(product, { startMs: dayMs, endMs: nextUtcDayStart(day).getTime() })
  const old = cells.map((cell) => kept.get(placeOf(rain, cell)) ?? NOTHING)
  const known = new Set(old[0].offsets)
  // What all cells have is not read again.
  const same = rain.method === 'raw' && old.every(({ offsets }) => offsets.length === known.size)
  const fresh = same ? places.filter(({ timeMs }) => !known.has(timeMs - dayMs)) : places
  const at = new Map(fresh.map(({ timeMs }, i) => [timeMs - dayMs, i]))
  const read = cells.map(() => new Uint16Array(CELLS * fresh.length))
  let k = 0
  for await (const codes of (rain.method === 'moved' ? store.moved : store.index).codes(product, fresh)) {
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
    const place = placeOf(rain, cell)
    kept.set(place, frames)
    const row = { product_id: product.id, place, utc_day: day, frames: encode(frames), stamp }
    await db
      .insertInto('gauge_radar')
      .values(row)
      .onConflict((c) =>
        c.columns(['product_id', 'place', 'utc_day']).doUpdateSet({ frames: row.frames, stamp }),
      )
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
