import { zstdCompressSync } from 'node:zlib'
import type { RainMethod } from '@radx/contracts'
import { RATE_NO_DATA } from '@radx/rainfall'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { Span } from '../store/frame-index.ts'
import type { FramePlace } from '../store/frame-reader.ts'
import { inflateAll } from '../store/inflate-all.ts'
import type { Store } from '../store/open-store.ts'
import type { GridCell } from '../store/tile-file.ts'
import { nextUtcDayStart, utcDay, utcDayStart } from '../store/utc-day.ts'
import { CELLS, type DayFrames, dayFrames } from './nine-bins.ts'
import './tables.ts'

const NOTHING = dayFrames(new Int32Array(0), new Uint16Array(0))
function encode({ offsets, codes }: Pick<DayFrames, 'offsets' | 'codes'>): Buffer {
  const steps = offsets.map((offset, i) => (i === 0 ? offset : offset - offsets[i - 1]))
  return zstdCompressSync(
    Buffer.concat([
      Buffer.from(steps.buffer, 0, steps.byteLength),
      Buffer.from(codes.buffer, codes.byteOffset, codes.byteLength),
    ]),
  )
}

/** Bytes of a day of frames at most. */
const MOST_DAY_BYTES = 2 ** 24

function decode(bytes: Uint8Array): DayFrames {
  const count = bytes.length / (4 + 2 * CELLS)
  const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
  const offsets = new Int32Array(copy, 0, count)
  for (let i = 1; i < count; i++) offsets[i] += offsets[i - 1]
  return dayFrames(offsets, new Uint16Array(copy, 4 * count, CELLS * count))
}

export interface Context {
  db: Kysely<Database>
  store: Store
}

/** A product whose rain is read over gauges, as its frames have it or as it moved between them. */
export interface Rain {
  product: StoredProduct
  method: RainMethod
}

/** Key of a cell: a product whose grid changes has other cells. */
export function placeOf({ product: { bounds, steps }, method }: Rain, { row, col }: GridCell): string {
  const { ul, lr } = bounds
  const place = `${steps} ${ul.lat} ${ul.lng} ${lr.lat} ${lr.lng} ${row} ${col}`
  return method === 'moved' ? `moved ${place}` : place
}

/** A UTC day that has frames of a product. */
export interface FrameDay {
  day: string
  frames: number
  firstMs: number
  lastMs: number
  /** What the rain that moved on this day was made of: another one where a neighbour came since; null of frames. */
  stamp: string | null
  /** The rain between all of its frames was followed. */
  followed: boolean
}

/** Rain that moved is made anew when a frame comes beside it: how far off its neighbours are, and how much there is. */
const STAMP = sql`concat_ws(' ', count(m.time), sum(m.sum_codes), sum(m.valid_count),
  sum(extract(epoch from f.time - m.before)), sum(extract(epoch from m.after - f.time)))`

/** UTC days of a span that have frames. */
export async function frameDays(
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
      (extract(epoch from max(f.time)) * 1000)::bigint as "lastMs", ${isMoved ? STAMP : sql`null`} as stamp,
      bool_and(f.moved) as followed
    from radar_frame f
    ${isMoved ? sql`left join radar_moved m on m.product_id = f.product_id and m.time = f.time` : sql``}
    where f.product_id = ${product.id} and f.time >= ${first} and f.time < ${last}
    group by 1 order by 1`.execute(db)
  return rows
}

/** Frames over the cells by day, from what is kept and, where frames came since, from the frames themselves. */
export async function keptDays(
  { db, store }: Context,
  rain: Rain,
  cells: readonly GridCell[],
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
  const sound = rows.filter(({ day, stamp }) => out.has(day) && stamp === stamps.get(day))
  const opened = inflateAll(
    sound.map(({ frames }) => frames),
    MOST_DAY_BYTES,
  )
  for (const [k, { place, day }] of sound.entries()) out.get(day)!.set(place, decode(opened[k]))
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
  cells: readonly GridCell[],
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
  const wanted = same ? places.filter(({ timeMs }) => !known.has(timeMs - dayMs)) : places
  const fresh = await readFresh(store, rain, cells, wanted)
  const at = new Map(fresh.timesMs.map((timeMs, i) => [timeMs - dayMs, i]))
  const offsets = Int32Array.from(places, ({ timeMs }) => timeMs - dayMs).filter(
    (offset) => at.has(offset) || known.has(offset),
  )
  const rows = cells.map((cell, g) => {
    const codes = new Uint16Array(CELLS * offsets.length)
    const before = new Map(Array.from(old[g].offsets, (offset, i) => [offset, i]))
    offsets.forEach((offset, i) => {
      const j = at.get(offset)
      const place = j ?? before.get(offset)!
      codes.set(
        (j === undefined ? old : fresh.nines)[g].codes.subarray(CELLS * place, CELLS * (place + 1)),
        CELLS * i,
      )
    })
    const frames = dayFrames(offsets, codes)
    const place = placeOf(rain, cell)
    kept.set(place, frames)
    return {
      product_id: product.id,
      place,
      utc_day: day,
      frames: encode(frames),
      frame_count: offsets.length,
      stamp,
    }
  })
  const once = [...new Map(rows.map((row) => [row.place, row])).values()]
  await db
    .insertInto('gauge_radar')
    .values(once)
    .onConflict((c) =>
      c.columns(['product_id', 'place', 'utc_day']).doUpdateSet((row) => ({
        frames: row.ref('excluded.frames'),
        frame_count: row.ref('excluded.frame_count'),
        stamp: row.ref('excluded.stamp'),
      })),
    )
    .execute()
}

/** Codes of the 3 x 3 cells around each cell in some frames of a day, from the north-west. */
async function readFresh(
  { pixels, moved }: Store,
  { product, method }: Rain,
  cells: readonly GridCell[],
  places: readonly Pick<FramePlace, 'timeMs'>[],
): Promise<{ timesMs: number[]; nines: { codes: Uint16Array }[] }> {
  if (places.length === 0) return { timesMs: [], nines: cells.map(() => NOTHING) }
  const around = cells.map(nineCells)
  const isInside = ({ row, col }: GridCell) =>
    row >= 0 && col >= 0 && row < product.steps && col < product.steps
  const inside = around.flat().filter(isInside)
  const span = { startMs: places[0].timeMs, endMs: places[places.length - 1].timeMs + 1 }
  const followed = method === 'moved' ? await moved.readCells(product, inside, span) : null
  const { timesMs, codes } = followed ?? (await pixels.readCells(product, inside, span))
  let column = 0
  const nines = around.map((nine) => {
    const out = new Uint16Array(CELLS * timesMs.length).fill(RATE_NO_DATA)
    for (const [k, cell] of nine.entries()) {
      if (!isInside(cell)) continue
      const values = codes[column++]
      for (let i = 0; i < values.length; i++) out[CELLS * i + k] = values[i]
    }
    return { codes: out }
  })
  return { timesMs, nines }
}

/** Codes of the 3 x 3 cells around each cell in one frame. */
export async function nineAt(
  store: Store,
  rain: Rain,
  cells: readonly GridCell[],
  timeMs: number,
): Promise<Uint16Array[]> {
  const { nines } = await readFresh(store, rain, cells, [{ timeMs }])
  // A frame that is gone meanwhile tells nothing.
  return nines.map(({ codes }) => (codes.length > 0 ? codes : new Uint16Array(CELLS).fill(RATE_NO_DATA)))
}

const nineCells = ({ row, col }: GridCell): GridCell[] =>
  Array.from({ length: CELLS }, (_, k) => ({ row: row - 1 + Math.floor(k / 3), col: col - 1 + (k % 3) }))
