import { WET_MM_H } from '../field.ts'

/**
 * Rates as decibels above the smallest rain, 0.1 mm/h: ranks, tails and areas are worked on in them, so that a forecast needs
 * no logarithm or power for each of its cells.
 */
export const DRY_DB = -1

const STEPS_A_DB = 64
const MOST_DB = 64
/** mm/h; between two steps straight lines are 2e-6 off. */
const RATES = Float32Array.from(
  { length: STEPS_A_DB * MOST_DB + 2 },
  (_, k) => WET_MM_H * 10 ** (k / STEPS_A_DB / 10),
)

export const decibelsOf = (rateMmH: number) => 10 * Math.log10(rateMmH / WET_MM_H)

/**
 * @param decibels `DRY_DB` where dry, NaN where missing
 * @returns mm/h
 */
export function ratesOf(decibels: Float32Array, out = new Float32Array(decibels.length)): Float32Array {
  for (let i = 0; i < out.length; i++) {
    const level = decibels[i]
    if (Number.isNaN(level)) out[i] = level
    else if (level >= 0) {
      const place = Math.min(level, MOST_DB) * STEPS_A_DB
      const k = Math.floor(place)
      out[i] = RATES[k] + (place - k) * (RATES[k + 1] - RATES[k])
    } else out[i] = 0
  }
  return out
}
