import { NOWCAST_CHANCES_MM_H, NOWCAST_SCORED_MM_H } from '@radx/contracts'
import { backwardPath } from '@radx/motion/advection/displacement'
import { sampleAlong } from '@radx/motion/advection/sample'
import type { Shape } from '@radx/motion/field'
import type { MotionField } from '@radx/motion/motion-field'
import { addForecast, emptyScores } from '@radx/motion/scores/deterministic'
import { addChance, CHANCE_SUMS, toSums } from './sums.ts'

/** What was forecast for a moment near that of the frame that came. */
export interface ForecastOfMoment {
  leadMin: number
  motion: MotionField
  /** mm/h at the lead, NaN missing. */
  rateMmH: Float32Array
  /** Probabilities by threshold, 0 to 1, NaN missing; null without members. */
  chances: Float32Array[] | null
  /** The last frame that the forecast knew. */
  lastMmH: Float32Array
}

export interface MomentSums {
  forecast: number[]
  persistence: number[]
  chances: number[] | null
}

/** The lead, a whole number of steps, that is nearest to a frame that came; null for one nearest to the issue. */
export function leadOf(minutes: number, leadsMin: readonly number[], stepMin: number): number | null {
  const lead = Math.round(minutes / stepMin) * stepMin
  return leadsMin.includes(lead) ? lead : null
}

/**
 * Holds a forecast against the frame that came. Frames do not come at leads: what was forecast for the nearest one is moved
 * on, or back, by what lies between. Cells count that are known in the frame, in the last frame that the forecast knew and
 * in the forecast, so that persistence is scored on the same.
 * @param minutes from issue to frame
 */
export function scoreMoment(
  forecast: ForecastOfMoment,
  seen: Float32Array,
  minutes: number,
  shape: Shape,
): MomentSums {
  const { motion, lastMmH } = forecast
  const way = backwardPath(motion).to(minutes - forecast.leadMin)
  const moved = sampleAlong(forecast.rateMmH, way)
  const scored = Uint8Array.from(moved, (rate, i) => (rate >= 0 && lastMmH[i] >= 0 ? 1 : 0))
  const window = { row: 0, col: 0, ...shape }
  const [own, still] = [moved, lastMmH].map((field) => {
    const scores = emptyScores(NOWCAST_SCORED_MM_H, [])
    addForecast(scores, field, seen, scored, shape.ncols, window)
    return toSums(scores)
  })
  if (forecast.chances === null) return { forecast: own, persistence: still, chances: null }
  const chances = new Array<number>(CHANCE_SUMS).fill(0)
  forecast.chances.forEach((field, t) => {
    const at = Math.fround(NOWCAST_CHANCES_MM_H[t])
    const chance = sampleAlong(field, way)
    for (let i = 0; i < chance.length; i++)
      if (scored[i] && seen[i] >= 0 && chance[i] >= 0) addChance(chances, t, chance[i], seen[i] >= at)
  })
  return { forecast: own, persistence: still, chances }
}
