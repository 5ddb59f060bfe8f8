import type { RainFrame } from '../field.ts'
import { atPlace, type MotionField } from '../motion-field.ts'
import { backwardPath } from './displacement.ts'
import { sampleAlong } from './sample.ts'

/** Between frames farther apart than this rain is not moved, minutes. */
export const LONGEST_BETWEEN_MIN = 15

/**
 * Rain at a moment between two frames: both moved to it along the motion and averaged by nearness in time (Anagnostou and
 * Krajewski 1999). Where only one of them is known, that one; where none is, missing.
 * @param minutes from `a`, 0 to the interval
 */
export function rainBetween(a: RainFrame, b: RainFrame, motion: MotionField, minutes: number): Float32Array {
  const interval = (b.timeMs - a.timeMs) / 60_000
  const from = sampleAlong(a.rateMmH, backwardPath(motion).to(minutes))
  const to = sampleAlong(b.rateMmH, backwardPath(motion).to(minutes - interval))
  return blended(from, to, minutes / interval)
}

/** `share` of b, the rest of a, into a. */
function blended(a: Float32Array, b: Float32Array, share: number): Float32Array {
  for (let i = 0; i < a.length; i++) {
    if (!(b[i] >= 0)) continue
    a[i] = a[i] >= 0 ? a[i] + share * (b[i] - a[i]) : b[i]
  }
  return a
}

export interface MovedSum {
  /** mm that fell between the two frames, NaN where some part of it is not known. */
  depthMm: Float32Array
  steps: number
}

/**
 * Rain that fell between two frames, moved in steps of at most one cell. Each step counts with the rain at its middle, so
 * that frames share their border evenly with the next interval.
 * @returns null where they lie more than 15 min apart: the gap counts as missing
 */
export function movedSum(a: RainFrame, b: RainFrame, motion: MotionField): MovedSum | null {
  const interval = (b.timeMs - a.timeMs) / 60_000
  if (!(interval > 0 && interval <= LONGEST_BETWEEN_MIN)) return null
  const steps = Math.max(1, Math.ceil(fastest(motion) * interval))
  const depthMm = new Float32Array(a.rateMmH.length)
  const stepH = interval / 60 / steps
  const forth = backwardPath(motion)
  const backs = middles(steps, interval).map((minute) => minute - interval)
  // The way back in time grows from the second frame to the first.
  const back = backwardPath(motion)
  const fromB = [...backs].reverse().map((minute) => sampleAlong(b.rateMmH, back.to(minute)))
  middles(steps, interval).forEach((minute, k) => {
    const rate = blended(sampleAlong(a.rateMmH, forth.to(minute)), fromB[steps - 1 - k], minute / interval)
    for (let i = 0; i < depthMm.length; i++) depthMm[i] += rate[i] * stepH
  })
  return { depthMm, steps }
}

const middles = (steps: number, interval: number) =>
  Array.from({ length: steps }, (_, k) => ((k + 0.5) * interval) / steps)

/** Largest speed of the nodes on the grid, cells a minute. */
function fastest(motion: MotionField): number {
  const { shape, step } = motion
  let most = 0
  for (let y = 0; y < shape.nrows; y += step)
    for (let x = 0; x < shape.ncols; x += step)
      most = Math.max(most, Math.hypot(atPlace(motion.u, motion, x, y), atPlace(motion.v, motion, x, y)))
  return most
}
