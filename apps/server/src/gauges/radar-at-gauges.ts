import type { RainMethod } from '@radx/contracts'
import { BIN_MS, binCount } from '@radx/rainfall/gauges/bins'
import type { StoredProduct } from '../store/catalog.ts'
import type { Span } from '../store/frame-index.ts'
import { BRIDGED_S } from '../store/moved/moved-frame.ts'
import type { GridCell } from '../store/tile-file.ts'
import { type BinDay, binDays, DAY_MS, encodeBins, keepBins, readKeptBins } from './day-bins.ts'
import {
  type DayFrames,
  dayFrames,
  type FrameParts,
  framePartsOf,
  NineBins,
  type RadarBins,
} from './nine-bins.ts'
import { type Context, keptDays, nineAt, placeOf, type Rain } from './radar-days.ts'

/** Days that are read and turned into steps together: bounds memory. */
const DAYS_AT_ONCE = 31

/**
 * What the radar had over gauges in steps of five minutes. Frames are read once; what they had over gauges is kept, and of
 * days that are over their steps.
 * @param cells one a gauge
 * @param span whole steps of five minutes
 * @param wanted `moved` takes the rain as it moved between the frames where that was followed for all of them
 * @returns what was done with the bins; gauges of one cell share theirs
 */
export async function radarBins(
  context: Context,
  product: StoredProduct,
  cells: readonly GridCell[],
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
  const places = new Map(cells.map((cell) => [placeOf(rain, cell), cell]))
  const bins = new Map([...places.keys()].map((place) => [place, unknownBins(binCount(span))]))
  const days = await binDays(context.db, rain, span, `${reach} ${bridged}`)
  for (let from = 0; from < days.length; from += DAYS_AT_ONCE) {
    const some = days.slice(from, from + DAYS_AT_ONCE)
    const kept = await readKeptBins(context.db, rain, some, span, bins)
    const missing = some
      .map((day) => ({ day, places: [...places.keys()].filter((place) => !kept.get(place)?.has(day)) }))
      .filter(({ places: lacking }) => lacking.length > 0)
    if (missing.length > 0) await makeDays(context, rain, { missing, places, reach, bridged }, span, bins)
  }
  return { method: wanted, bins: cells.map((cell) => bins.get(placeOf(rain, cell))!) }
}

const unknownBins = (steps: number): RadarBins => ({
  radar: new Float64Array(steps).fill(Number.NaN),
  low: new Float64Array(steps),
  high: new Float64Array(steps),
})

interface Wanted {
  missing: readonly { day: BinDay; places: readonly string[] }[]
  places: ReadonlyMap<string, GridCell>
  reach: number
  bridged: number
}

/** Makes days from what frames had over the places, keeps those that are over, and puts them into the bins of a span. */
async function makeDays(
  context: Context,
  rain: Rain,
  { missing, places, reach, bridged }: Wanted,
  span: Span,
  out: ReadonlyMap<string, RadarBins>,
): Promise<void> {
  const lacking = [...new Set(missing.flatMap((one) => one.places))]
  const cells = lacking.map((place) => places.get(place)!)
  const own = missing.flatMap(({ day }) => (day.own ? [day.own] : []))
  const frames = own.length === 0 ? new Map() : await keptDays(context, rain, cells, own)
  /** The frame next to a day, by place. */
  const edge = async (dayOf: string | undefined, timeMs: number, which: 0 | -1) => {
    if (dayOf === undefined) return null
    const day: Map<string, DayFrames> | undefined = frames.get(dayOf)
    const nines = day ? null : await nineAt(context.store, rain, cells, timeMs)
    return new Map(
      lacking.map((place, g) => [place, { timeMs, codes: nines?.[g] ?? codesAt(day!.get(place)!, which) }]),
    )
  }
  const made: Parameters<typeof keepBins>[2][number][] = []
  for (const { day, places: these } of missing) {
    const { dayMs, before, after } = day
    const last = await edge(before?.day, before?.lastMs ?? 0, -1)
    const first = await edge(after?.day, after?.firstMs ?? 0, 0)
    const partsOf = sharedParts(dayMs, reach, bridged)
    for (const place of these) {
      const whole = joinedDay(dayMs, frames.get(day.day)?.get(place), last?.get(place), first?.get(place))
      const sum = new NineBins({ startMs: dayMs, endMs: dayMs + DAY_MS })
      sum.addDay(whole, partsOf(whole.offsets))
      const bins = sum.result()
      put(bins, (dayMs - span.startMs) / BIN_MS, out.get(place)!)
      if (day.key !== null) made.push({ place, day, bins: encodeBins(bins) })
    }
  }
  await keepBins(context.db, rain, made)
}

interface EdgeFrame {
  timeMs: number
  codes: Uint16Array
}

const codesAt = ({ offsets, codes }: DayFrames, which: 0 | -1): Uint16Array => {
  const nine = codes.length / Math.max(1, offsets.length)
  return which === 0 ? codes.slice(0, nine) : codes.slice(codes.length - nine)
}

/** Frames of a day between the last of the day before and the first of the day after. */
function joinedDay(
  dayMs: number,
  own: DayFrames | undefined,
  last: EdgeFrame | undefined,
  first: EdgeFrame | undefined,
): DayFrames {
  const parts = [
    ...(last ? [{ offsets: [last.timeMs - dayMs], codes: last.codes }] : []),
    ...(own ? [own] : []),
    ...(first ? [{ offsets: [first.timeMs - dayMs], codes: first.codes }] : []),
  ]
  const offsets = new Int32Array(parts.reduce((sum, part) => sum + part.offsets.length, 0))
  const codes = new Uint16Array(parts.reduce((sum, part) => sum + part.codes.length, 0))
  let [at, code] = [0, 0]
  for (const part of parts) {
    offsets.set(part.offsets, at)
    codes.set(part.codes, code)
    at += part.offsets.length
    code += part.codes.length
  }
  return dayFrames(offsets, codes)
}

/** Puts the bins of a day into those of a span from a place that may lie before it. */
function put(day: RadarBins, first: number, out: RadarBins): void {
  const from = Math.max(0, -first)
  const to = Math.min(day.radar.length, out.radar.length - first)
  if (to <= from) return
  for (const series of ['radar', 'low', 'high'] as const)
    out[series].set(day[series].subarray(from, to), first + from)
}

/** Parts of a day's frames; gauges have the same frames but where one came while they were read. */
function sharedParts(dayMs: number, reach: number, bridged: number): (offsets: Int32Array) => FrameParts {
  const around = {
    ...{ dayMs, reach, bridged },
    ...{ before: Number.NEGATIVE_INFINITY, after: Number.POSITIVE_INFINITY },
  }
  const span = { startMs: dayMs, endMs: dayMs + DAY_MS }
  let known: { offsets: Int32Array; parts: FrameParts } | null = null
  const isSame = (a: Int32Array, b: Int32Array) => a.length === b.length && a.every((v, i) => v === b[i])
  return (offsets) => {
    if (known === null || !isSame(known.offsets, offsets))
      known = { offsets, parts: framePartsOf(offsets, around, span) }
    return known.parts
  }
}
