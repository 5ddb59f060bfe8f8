import type { RainFrame } from '../field.ts'
import { atPlace, type MotionField } from '../motion-field.ts'
import { blend } from './blend.ts'
import { backwardPath } from './displacement.ts'
import { sampleAlong } from './sample.ts'

/** Between frames farther apart than this rain is not moved, minutes. */
export const LONGEST_BETWEEN_MIN = 15

/**
 * Rain at a moment between two frames: both moved to it along the motion and blended by nearness in time (Anagnostou and
 * Krajewski 1999), as `blend` says. Where only one of them is known, that one; where none is, missing.
 * @param minutes from `a`, 0 to the interval
 */
export function rainBetween(a: RainFrame, b: RainFrame, motion: MotionField, minutes: number): Float32Array {
  const interval = (b.timeMs - a.timeMs) / 60_000
  if (minutes === 0 || minutes === interval) return (minutes === 0 ? a : b).rateMmH.slice()
  const from = sampleAlong(a.rateMmH, backwardPath(motion).to(minutes))
  const to = sampleAlong(b.rateMmH, backwardPath(motion).to(minutes - interval))
  return blend(from, to, minutes / interval, motion.shape)
}

export interface MovedHalves {
  /** Mean rain over the first and over the second half of the interval, mm/h; NaN where some part of it is not known. */
  first: Float32Array
  second: Float32Array
  steps: number
}

/**
 * Rain between two frames, moved in steps of at most one cell, as the means of the two halves of their interval: what each
 * frame stands for on this side. Each step counts with the rain at its middle.
 * @returns null where they lie more than 15 min apart: the gap counts as missing
 */
export function movedHalves(a: RainFrame, b: RainFrame, motion: MotionField): MovedHalves | null {
  const interval = (b.timeMs - a.timeMs) / 60_000
  if (!(interval > 0 && interval <= LONGEST_BETWEEN_MIN)) return null
  const inHalf = Math.max(1, Math.ceil((fastest(motion) * interval) / 2))
  const cells = a.rateMmH.length
  const [first, second] = [new Float32Array(cells), new Float32Array(cells)]
  const [from, to] = [new Float32Array(cells), new Float32Array(cells)]
  const forth = backwardPath(motion)
  for (let k = 0; k < 2 * inHalf; k++) {
    const minute = ((k + 0.5) * interval) / (2 * inHalf)
    sampleAlong(a.rateMmH, forth.to(minute), from)
    // The way back in time grows from the second frame to the first, so that each step has a way of its own.
    sampleAlong(b.rateMmH, backwardPath(motion).to(minute - interval), to)
    const rate = blend(from, to, minute / interval, motion.shape)
    const sum = k < inHalf ? first : second
    for (let i = 0; i < cells; i++) sum[i] += rate[i] / inHalf
  }
  return { first, second, steps: 2 * inHalf }
}

export interface MovedSum {
  /** mm that fell between the two frames, NaN where some part of it is not known. */
  depthMm: Float32Array
  steps: number
}

/**
 * Rain that fell between two frames.
 * @returns null where they lie more than 15 min apart
 */
export function movedSum(a: RainFrame, b: RainFrame, motion: MotionField): MovedSum | null {
  const halves = movedHalves(a, b, motion)
  if (!halves) return null
  const { first, second, steps } = halves
  const hours = (b.timeMs - a.timeMs) / 3_600_000
  return { depthMm: first.map((rate, i) => ((rate + second[i]) / 2) * hours), steps }
}

/** Largest speed of the nodes on the grid, cells a minute. */
function fastest(motion: MotionField): number {
  const { shape, step } = motion
  let most = 0
  for (let y = 0; y < shape.nrows; y += step)
    for (let x = 0; x < shape.ncols; x += step)
      most = Math.max(most, Math.hypot(atPlace(motion.u, motion, x, y), atPlace(motion.v, motion, x, y)))
  return most
}
