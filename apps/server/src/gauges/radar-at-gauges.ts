import type { RainMethod } from '@radx/contracts'
import type { StoredProduct } from '../store/catalog.ts'
import type { Span } from '../store/frame-index.ts'
import { BRIDGED_S } from '../store/moved/moved-frame.ts'
import type { GridCell } from '../store/tile-file.ts'
import { utcDayStart } from '../store/utc-day.ts'
import { KeptBins } from './kept-bins.ts'
import {
  type Around,
  type DayFrames,
  type FrameParts,
  framePartsOf,
  NineBins,
  type RadarBins,
} from './nine-bins.ts'
import { type Context, type FrameDay, frameDays, keptDays, placeOf, type Rain } from './radar-days.ts'

/** Days that are read and turned into steps together: bounds memory. */
const DAYS_AT_ONCE = 31
/** Longer periods are not kept: a month with its edges, or two. */
const MOST_KEPT_DAYS = 2 * DAYS_AT_ONCE + 2

/** Two months of 50 gauges, 24 MB; a thread that makes answers keeps its own. */
const keptBins = new KeptBins(1_000_000)

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
  const days = await frameDays(context.db, rain, wide)
  const partsOf = days.map(({ day }, k) =>
    sharedParts(
      {
        dayMs: utcDayStart(day).getTime(),
        reach,
        bridged,
        before: days[k - 1]?.lastMs ?? Number.NEGATIVE_INFINITY,
        after: days[k + 1]?.firstMs ?? Number.POSITIVE_INFINITY,
      },
      span,
    ),
  )
  if (days.length > MOST_KEPT_DAYS) {
    const sums = cells.map(() => new NineBins(span))
    for (let from = 0; from < days.length; from += DAYS_AT_ONCE) {
      const frames = await framesOfCells(context, rain, cells, days.slice(from, from + DAYS_AT_ONCE))
      for (const [g, sum] of sums.entries()) addDays(sum, frames[g], partsOf.slice(from))
    }
    return { method: wanted, bins: sums.map((sum) => sum.result()) }
  }
  const frames = days.length === 0 ? cells.map(() => []) : await framesOfCells(context, rain, cells, days)
  const around = days.map(({ firstMs, lastMs }) => `${firstMs} ${lastMs}`).join()
  const bins = cells.map((cell, g) => {
    const key = `${product.id} ${reach} ${placeOf(rain, cell)} ${span.startMs} ${span.endMs} ${around}`
    return keptBins.of(key, frames[g], () => {
      const sum = new NineBins(span)
      addDays(sum, frames[g], partsOf)
      return sum.result()
    })
  })
  return { method: wanted, bins }
}

type PartsOf = (offsets: Int32Array) => FrameParts

function addDays(sum: NineBins, frames: readonly DayFrames[], partsOf: readonly PartsOf[]): void {
  for (const [k, day] of frames.entries()) sum.addDay(day, partsOf[k](day.offsets))
}

/** Frames over each cell, an entry a day. */
async function framesOfCells(
  context: Context,
  rain: Rain,
  cells: readonly GridCell[],
  days: readonly FrameDay[],
): Promise<DayFrames[][]> {
  const found = await keptDays(context, rain, cells, days)
  return cells.map((cell) => days.map(({ day }) => found.get(day)!.get(placeOf(rain, cell))!))
}

/** Parts of a day's frames; gauges have the same frames but where one came while they were read. */
function sharedParts(around: Around, span: Span): PartsOf {
  let known: { offsets: Int32Array; parts: FrameParts } | null = null
  const isSame = (a: Int32Array, b: Int32Array) => a.length === b.length && a.every((v, i) => v === b[i])
  return (offsets) => {
    if (known === null || !isSame(known.offsets, offsets))
      known = { offsets, parts: framePartsOf(offsets, around, span) }
    return known.parts
  }
}
