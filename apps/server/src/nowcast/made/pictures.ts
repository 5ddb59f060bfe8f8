import { countCells, type RainFrame, type Shape } from '@radx/motion/field'
import type { MotionField } from '@radx/motion/motion-field'
import { forecastSprog } from '@radx/motion/nowcast/sprog'
import { type NoForecast, type NowcastStart, startNowcast } from '@radx/motion/nowcast/start'
import { type CatchmentWeights, encodeRates } from '@radx/rainfall'
import { motionKernel } from '../../store/motion-kernel.ts'
import { zoneMean } from './zone-mean.ts'

/** Frames back to here tell motion, trend and how much of the rain was heavy, minutes. */
export const LOOK_BACK_MIN = 60

/** The deterministic forecast of an issue. */
export interface Pictures {
  /** Why there is none; then nothing else is there. */
  reason: NoForecast | null
  motion: MotionField | null
  /** Minutes; ends where nothing upstream was seen any more. */
  leadsMin: number[]
  /** Rate codes, a lead each. */
  codes: Uint16Array[]
  /** mm/h, `[lead][zone ordinal - 1]`, the issue first; null where too little of the zone is known. */
  zoneMean: (number | null)[][]
}

/** A start and what comes of it, for who goes on with members. */
export interface Made {
  start: NowcastStart | NoForecast
  pictures: Pictures
}

/**
 * S-PROG from the last frame on.
 * @param frames in order of time, the last is the issue
 * @param leadsMin minutes, rising
 */
export function makePictures(
  frames: readonly RainFrame[],
  shape: Shape,
  leadsMin: readonly number[],
  zones: readonly CatchmentWeights[],
): Made {
  const start = startNowcast(frames, shape, motionKernel('follow'))
  if (typeof start === 'string')
    return { start, pictures: { reason: start, motion: null, leadsMin: [], codes: [], zoneMean: [] } }
  const fields = forecastSprog(start, leadsMin, { wasm: motionKernel('fft'), trend: true })
  const reached = fields.filter((field) => countCells(field).known > 0)
  const seen = frames[frames.length - 1].rateMmH
  return {
    start,
    pictures: {
      reason: null,
      motion: start.motion,
      leadsMin: leadsMin.slice(0, reached.length),
      codes: reached.map((field) => encodeRates(field)),
      zoneMean: [seen, ...reached].map((field) => zones.map((zone) => zoneMean(field, zone))),
    },
  }
}
