import { NOMINAL_FRAME_SECONDS } from '@radx/contracts/constants'
import type { InstantRange } from '@radx/contracts/instants'

/** What each frame stands for within a selection, and what nothing stands for. */
export interface Representativeness {
  /** Seconds that each frame stands for, in the order of the frames. */
  seconds: Float64Array
  /** Periods of the selection that no frame stands for, in order. */
  gaps: InstantRange[]
  /** Their total, s. */
  missingSeconds: number
}

/**
 * Time that frames stand for: from the middle to the neighbours' middles, at most one nominal step on
 * either side (so at most twice the nominal step), clipped to the selection. A frame without a neighbour
 * on a side reaches one nominal step there. What is left of the selection is a gap.
 *
 * @param timesMs instants of the frames, strictly ascending. Frames just outside the selection may be
 *   given too: they are neighbours, and stand for their own share of it; with them, sums over adjoining
 *   selections add up exactly.
 * @param bridgedSeconds frames up to this far apart share all that lies between them; 0 for rain that stands still
 * @throws RangeError when the times do not ascend or the selection is reversed
 */
export function representativeness(
  timesMs: readonly number[],
  selection: InstantRange,
  nominalSeconds = NOMINAL_FRAME_SECONDS,
  bridgedSeconds = 0,
): Representativeness {
  const { startMs, endMs } = selection
  if (!(endMs >= startMs)) throw new RangeError('selection ends before it starts')
  const reach = nominalSeconds * 1000
  const seconds = new Float64Array(timesMs.length)
  const gaps: InstantRange[] = []
  let covered = startMs
  timesMs.forEach((time, i) => {
    if (i > 0 && !(time > timesMs[i - 1])) throw new RangeError('frame times must ascend')
    const { from, to } = standsFor(timesMs, i, selection, reach, bridgedSeconds * 1000)
    seconds[i] = (to - from) / 1000
    if (from > covered) gaps.push({ startMs: covered, endMs: from })
    if (to > covered) covered = to
  })
  if (covered < endMs) gaps.push({ startMs: covered, endMs })
  return {
    seconds,
    gaps,
    missingSeconds: gaps.reduce((sum, gap) => sum + (gap.endMs - gap.startMs) / 1000, 0),
  }
}

/** Part of a selection that frame `i` stands for, ms; see `representativeness`. */
function standsFor(
  timesMs: readonly number[],
  i: number,
  { startMs, endMs }: InstantRange,
  reach: number,
  bridged = 0,
): { from: number; to: number } {
  const time = timesMs[i]
  const left = i > 0 ? halfOf(time - timesMs[i - 1], reach, bridged) : reach
  const right = i + 1 < timesMs.length ? halfOf(timesMs[i + 1] - time, reach, bridged) : reach
  return {
    from: Math.min(Math.max(time - left, startMs), endMs),
    to: Math.min(Math.max(time + right, startMs), endMs),
  }
}

/** How much of the time to its neighbour a frame stands for. */
export function halfOf(interval: number, reach: number, bridged: number): number {
  return interval <= bridged ? interval / 2 : Math.min(interval / 2, reach)
}

/** Steps in which frames stand for a selection. */
export interface FrameSteps {
  /** Minutes from the selection's start, strictly ascending, one more than steps. */
  edgesMin: Float64Array
  /** Which frame stands for each step; -1 where none does. */
  frames: Int32Array
}

/** Steps of frames within a selection, see `representativeness`: whatever is known of the frames, its steps are these. */
export function frameSteps(
  timesMs: readonly number[],
  selection: InstantRange,
  nominalSeconds = NOMINAL_FRAME_SECONDS,
  bridgedSeconds = 0,
): FrameSteps {
  // A gap before each frame at most, and one at the end.
  const edgesMin = new Float64Array(2 * timesMs.length + 2)
  const frames = new Int32Array(2 * timesMs.length + 1)
  let count = 0
  const until = (ms: number, frame: number) => {
    const minute = (ms - selection.startMs) / 60_000
    if (minute <= edgesMin[count]) return
    frames[count++] = frame
    edgesMin[count] = minute
  }
  for (let i = 0; i < timesMs.length; i++) {
    const { from, to } = standsFor(timesMs, i, selection, nominalSeconds * 1000, bridgedSeconds * 1000)
    until(from, -1)
    until(to, i)
  }
  until(selection.endMs, -1)
  return { edgesMin: edgesMin.slice(0, count + 1), frames: frames.slice(0, count) }
}

/** Rates of frames, null or NaN for none, over their steps; NaN where no frame stands. */
export function steppedRates(
  { edgesMin, frames }: FrameSteps,
  ratesMmH: ArrayLike<number | null>,
): { edgesMin: Float64Array; ratesMmH: Float64Array } {
  const rates = new Float64Array(frames.length)
  for (let k = 0; k < frames.length; k++)
    rates[k] = frames[k] < 0 ? Number.NaN : (ratesMmH[frames[k]] ?? Number.NaN)
  return { edgesMin, ratesMmH: rates }
}

/**
 * A series of frames as rain in steps: each value holds while its frame stands for the selection, and what no frame
 * stands for is missing. Minutes are counted from the selection's start, and the whole adds up to `cumulate`'s total.
 */
export function steppedRain(
  timesMs: readonly number[],
  ratesMmH: ArrayLike<number | null>,
  selection: InstantRange,
  nominalSeconds = NOMINAL_FRAME_SECONDS,
  bridgedSeconds = 0,
): { edgesMin: Float64Array; ratesMmH: Float64Array } {
  return steppedRates(frameSteps(timesMs, selection, nominalSeconds, bridgedSeconds), ratesMmH)
}

/** A running accumulation. */
export interface CumulatedSeries {
  /** mm fallen up to and including each frame's time, one a frame. */
  runningMm: number[]
  totalMm: number
  /** Seconds without a frame, or whose frame has no value there. */
  missingSeconds: number
}

/**
 * Running cumul in mm of a series of rates in mm/h, one a frame; null or NaN is missing and counts as such.
 */
export function cumulate(
  ratesMmH: ArrayLike<number | null>,
  time: Pick<Representativeness, 'seconds' | 'missingSeconds'>,
): CumulatedSeries {
  const runningMm: number[] = []
  let totalMm = 0
  let { missingSeconds } = time
  for (let i = 0; i < ratesMmH.length; i++) {
    const rate = ratesMmH[i]
    if (rate === null || Number.isNaN(rate)) missingSeconds += time.seconds[i]
    else totalMm += (rate * time.seconds[i]) / 3600
    runningMm.push(totalMm)
  }
  return { runningMm, totalMm, missingSeconds }
}

/** Expected number of frames of a selection, for the share that is missing. */
export function expectedFrames(selection: InstantRange, nominalSeconds = NOMINAL_FRAME_SECONDS): number {
  return Math.round((selection.endMs - selection.startMs) / 1000 / nominalSeconds)
}
