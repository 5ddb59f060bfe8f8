import { DEPTH_FRAME_NO_DATA } from '@radx/contracts/flood-constants'

/** Frames around a moment, and how far it is from the first to the second, 0 to 1. */
export interface Moment {
  before: number
  after: number
  share: number
}

/** @param timesS ascending, not empty; a moment beyond either end is that end */
export function momentAt(timesS: readonly number[], timeS: number): Moment {
  let after = timesS.findIndex((time) => time >= timeS)
  if (after < 0) after = timesS.length - 1
  if (timesS[after] === timeS || after === 0) return { before: after, after, share: 0 }
  if (timeS > timesS[after]) return { before: after, after, share: 0 }
  const before = after - 1
  return { before, after, share: (timeS - timesS[before]) / (timesS[after] - timesS[before]) }
}

/** The frame that holds at a moment, as a moment without the next: rain stands until the next picture. */
export function heldAt(timesS: readonly number[], timeS: number): Moment {
  let before = 0
  while (before + 1 < timesS.length && timesS[before + 1] <= timeS) before++
  return { before, after: before, share: 0 }
}

/** Depths in cm between two frames in mm; NaN outside the basin. */
export function depthBetween(before: Uint16Array, after: Uint16Array, share: number): Float32Array {
  const cm = new Float32Array(before.length)
  for (let k = 0; k < cm.length; k++)
    cm[k] =
      before[k] === DEPTH_FRAME_NO_DATA || after[k] === DEPTH_FRAME_NO_DATA
        ? Number.NaN
        : (before[k] + share * (after[k] - before[k])) / 10
  return cm
}

/** Where a series is largest. */
export function peakOf(values: readonly number[]): number {
  let best = 0
  for (let k = 1; k < values.length; k++) if (values[k] > values[best]) best = k
  return best
}
