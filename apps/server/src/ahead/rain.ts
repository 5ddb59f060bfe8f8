import type { RadarRainFrame } from '@radx/hydrology/rain/rain'
import { decodeRate, RATE_NO_DATA } from '@radx/rainfall'
import type { GridWindow, WindowMembers } from '../nowcast/api.ts'

/** Rain below this is none, codes of 0.01 mm/h. */
export const WET_CODE = 10

/** Where more of a town's rain is not known nothing is concluded from the rest: so much of it the screen warns of. */
export const MOST_UNSEEN = 0.1

/** A forecast over a model: rates of each lead, `[lead][cell]`, mm/h, NaN unknown. */
export type LeadRates = Float32Array[]

/** Where each of a product's cells lies in a window; -1 outside it. */
export function placesIn(
  { row, col, nrows, ncols }: GridWindow,
  cells: readonly number[],
  steps: number,
): Int32Array {
  return Int32Array.from(cells, (cell) => {
    const [r, c] = [Math.floor(cell / steps) - row, (cell % steps) - col]
    return r >= 0 && r < nrows && c >= 0 && c < ncols ? r * ncols + c : -1
  })
}

/** A member's rates at the given places of its window. */
export function memberRates(
  { window, leadsMin, codes }: WindowMembers,
  member: number,
  places: Int32Array,
): LeadRates {
  const size = window.nrows * window.ncols
  return leadsMin.map((_, lead) => ratesAt(codes.subarray((member * leadsMin.length + lead) * size), places))
}

/** Rates of coded cells; NaN where nothing was seen or the place is outside. */
export const ratesAt = (codes: Uint16Array, places: ArrayLike<number>): Float32Array =>
  Float32Array.from(places, (at) =>
    at < 0 || codes[at] === RATE_NO_DATA ? Number.NaN : decodeRate(codes[at]),
  )

/**
 * Rain of a forecast as pictures that hold from the middle between leads to the next: the last one that was seen from the
 * issue to half of the first lead.
 *
 * @param fromS the issue, s since the start of the run
 */
export function forecastFrames(
  seen: Float32Array,
  rates: readonly Float32Array[],
  leadsMin: readonly number[],
  fromS: number,
): RadarRainFrame[] {
  const times = [0, ...leadsMin].map((min) => min * 60)
  return [seen, ...rates]
    .map((ratesMmH, k) => ({
      ratesMmH,
      fromS: fromS + (k === 0 ? 0 : (times[k - 1] + times[k]) / 2),
      toS: fromS + (k + 1 < times.length ? (times[k] + times[k + 1]) / 2 : times[k]),
    }))
    .filter(({ fromS: from, toS }) => toS > from)
}

/** Mean over the model, mm/h, of what is known; and the share of it that is not. `weights`: model cells of each radar cell. */
export function meanRate(rates: Float32Array, weights: Float64Array): { mmH: number; unknown: number } {
  let [sum, known, all] = [0, 0, 0]
  for (let k = 0; k < rates.length; k++) {
    all += weights[k]
    if (Number.isNaN(rates[k])) continue
    known += weights[k]
    sum += weights[k] * rates[k]
  }
  return { mmH: known > 0 ? sum / known : 0, unknown: all > 0 ? 1 - known / all : 1 }
}

/** Whether some place of a window has rain at some lead in some member. */
export const isWet = (codes: Uint16Array): boolean =>
  codes.some((code) => code >= WET_CODE && code !== RATE_NO_DATA)

/** Share of coded cells of which nothing is known. */
export const unseenShare = (codes: Uint16Array): number =>
  codes.reduce((sum, code) => sum + (code === RATE_NO_DATA ? 1 : 0), 0) / codes.length

/** The same of members, at the lead up to one at which it is largest. */
export function unseenAtWorst({ window, leadsMin, members, codes }: WindowMembers, untilMin: number): number {
  const size = window.nrows * window.ncols
  const shares = leadsMin.map((leadMin, lead) => {
    let sum = 0
    for (let k = lead; leadMin <= untilMin && k < members * leadsMin.length; k += leadsMin.length)
      sum += unseenShare(codes.subarray(k * size, (k + 1) * size))
    return sum / members
  })
  return Math.max(...shares)
}

/** A part of a picture, row by row. */
export const cutWindow = (codes: Uint16Array, { row, col, nrows, ncols }: GridWindow, steps: number) =>
  Array.from({ length: nrows }, (_, r) =>
    codes.subarray((row + r) * steps + col, (row + r) * steps + col + ncols),
  )
