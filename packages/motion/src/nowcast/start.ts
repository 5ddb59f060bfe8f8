import { countCells, type RainFrame, type Shape } from '../field.ts'
import type { MotionField } from '../motion-field.ts'
import { estimateMotion } from '../tracking/estimate.ts'

/** Between two frames farther apart than this, minutes, rain is not followed. */
export const LONGEST_GAP_MIN = 15
/** Rain is followed over this many frames. */
const FRAMES = 3
/** Minutes before the issue of the frame that tells the trend. */
const TREND_MIN = 30

/** Minutes before the issue, and between the frames, that tell how much of the rain was heavy. */
const HOUR_MIN = 60
const APART_MIN = 15

/** Why there is no forecast. */
export type NoForecast = 'few-frames' | 'gap' | 'missing' | 'dry' | 'no-motion'

/** What a forecast starts from. */
export interface NowcastStart {
  shape: Shape
  /** Two or three, in order of time; the last is the issue. */
  frames: readonly RainFrame[]
  /** An earlier one, about half an hour before the last, which tells the trend; null where none is at hand. */
  earlier: RainFrame | null
  /** Those of the last hour before the last one, about a quarter of an hour apart, that tell how much of the rain was heavy. */
  hour: readonly RainFrame[]
  motion: MotionField
  followed: number
  kept: number
}

/** The last frames without a gap, up to three. */
export function framesForMotion(frames: readonly RainFrame[]): readonly RainFrame[] {
  let first = frames.length - 1
  while (
    first > 0 &&
    frames.length - first < FRAMES &&
    frames[first].timeMs - frames[first - 1].timeMs <= LONGEST_GAP_MIN * 60_000
  )
    first--
  return frames.slice(Math.max(0, first))
}

/** The frame nearest to half an hour before the last, without a gap between them. */
function earlierOf(frames: readonly RainFrame[]): RainFrame | null {
  const last = frames[frames.length - 1]
  let best: RainFrame | null = null
  for (let k = frames.length - 2; k >= 0; k--) {
    if (frames[k + 1].timeMs - frames[k].timeMs > LONGEST_GAP_MIN * 60_000) break
    const off = (frame: RainFrame) => Math.abs(last.timeMs - frame.timeMs - TREND_MIN * 60_000)
    if (!best || off(frames[k]) < off(best)) best = frames[k]
  }
  return best
}

/** Frames of the last hour, a quarter of an hour apart or more, without a gap between them. */
function hourOf(frames: readonly RainFrame[]): RainFrame[] {
  const last = frames[frames.length - 1]
  const out: RainFrame[] = []
  let [next, usual] = [last.timeMs, 30_000]
  for (let k = frames.length - 2; k >= 0; k--) {
    const { timeMs } = frames[k]
    if (frames[k + 1].timeMs - timeMs > LONGEST_GAP_MIN * 60_000) break
    if (last.timeMs - timeMs > HOUR_MIN * 60_000 + usual) break
    if (next - timeMs < APART_MIN * 60_000 - usual) continue
    out.push(frames[k])
    next = timeMs
  }
  return out
}

/**
 * Looks at the frames up to the issue and follows the rain in them.
 * @param frames in order of time, the last one is the issue
 * @param wasm bytes of the compiled loops of following points
 */
export function startNowcast(
  frames: readonly RainFrame[],
  shape: Shape,
  wasm?: Uint8Array,
): NowcastStart | NoForecast {
  if (frames.length === 0) return 'few-frames'
  const last = countCells(frames[frames.length - 1].rateMmH)
  if (last.known === 0) return 'missing'
  if (last.wet === 0) return 'dry'
  if (frames.length < 2) return 'few-frames'
  // A frame without measures bridges no gap.
  const measured = frames.filter(({ rateMmH }) => countCells(rateMmH).known > 0)
  const usable = framesForMotion(measured)
  if (usable.length < 2) return 'gap'
  const found = estimateMotion(usable, shape, wasm)
  if (!found) return 'no-motion'
  const { field: motion, followed, kept } = found
  const [earlier, hour] = [earlierOf(measured), hourOf(measured)]
  return { shape, frames: usable, earlier, hour, motion, followed, kept }
}
