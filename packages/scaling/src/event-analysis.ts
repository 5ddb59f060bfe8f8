import { logSlope, type Samples, scaleMoments } from './moments.ts'
import { fluctuationExponent, type PowerSpectrum, powerSpectrum } from './spectrum.ts'
import {
  type DoubleTraceMoments,
  doubleTraceMomentsOf,
  poweredMoments,
  type ScaleRange,
  TRACE_QS,
  type TraceMoments,
  traceMomentsOf,
} from './trace-moments.ts'
import { type AnalysisWindow, chooseWindow, cutWindow, type EventFrames } from './window.ts'

/** Both analyses over one range of scales; null where a range has nothing to fit. */
export interface RangeFit {
  /** Box sides that the fit takes, in cells (or in frames), both included. */
  fromCells: number
  toCells: number
  tm: TraceMoments | null
  dtm: DoubleTraceMoments | null
}

/** What samples of one kind tell over scales. */
export interface ScalingOf {
  /** How many series or squares. */
  samples: number
  /** Cells (or frames) of a side. */
  side: number
  /** Shares of all cells. */
  zeroShare: number
  missingShare: number
  fits: RangeFit[]
  /** ln-ln points of the moments: `moments[scale][q]` at box sides `cells[scale]`, fine first. */
  points: { cells: number[]; q: readonly number[]; moments: number[][] } | null
}

export interface FrameScaling {
  index: number
  zeroShare: number
  missingShare: number
  meanMmH: number
  tm: TraceMoments | null
  dtm: DoubleTraceMoments | null
  /** Over all scales, then over each range. */
  fits: RangeFit[]
}

/** The spectrum's slope over a range of scales, with H from it and K(2) of the same range. */
export interface SpectrumFit {
  fromCells: number
  toCells: number
  beta: number
  r2: number
  h: number | null
}

export interface EventScaling {
  window: AnalysisWindow
  /** All frames as samples of one ensemble. */
  space: ScalingOf
  /** The same over squares that are almost all wet; null where there are none. */
  wet: (ScalingOf & { wetShare: number }) | null
  /** Each cell's series over the longest power of 2 of frames with the most rain. */
  time: (ScalingOf & { firstFrame: number }) | null
  /** Over the largest square of `side` cells without a gap, with H from it and K(2) of all scales; null without one. */
  spectrum: (PowerSpectrum & { side: number; h: number | null; fits: SpectrumFit[] }) | null
  frames: FrameScaling[]
}

type Ranges = readonly (readonly [number, number])[]

export interface EventOptions {
  /**
   * Ranges of box sides in cells beside all scales, `[from, to]`; powers of 2. A list is for space; a function gives
   * those of each part and frame by its side.
   */
  ranges?: Ranges | ((side: number) => Ranges)
  /** Frames that follow each other without a gap, `[from, to[`, for the analysis in time; all of them by default. */
  even?: readonly [number, number]
  /** A square counts as wet from this share of cells with rain. */
  wetShare?: number
  /** Called between the parts with the share done; may throw to cancel. */
  onProgress?: (share: number) => void
}

/** A square this large has the four scales that a fit wants at least. */
const WET_SIDE = 16
const WET_SHARE = 0.98
/** Fewer wet cells than those of the smallest square that is analysed show where it rained, not how rain scales. */
const FEWEST_WET = WET_SIDE
const SHORTEST_SERIES = 8

/** Multifractal analysis of an event over a window: over space, over wet squares, over time, and frame by frame. */
export function analyseEvent(
  frames: EventFrames,
  window: AnalysisWindow,
  { ranges = [], even, wetShare = WET_SHARE, onProgress = () => {} }: EventOptions = {},
): EventScaling {
  const rangesOf = typeof ranges === 'function' ? ranges : () => []
  const fields = cutWindow(frames, window)
  const { side } = window
  onProgress(0)
  const space = scalingOf(
    { dimension: 2, side, fields },
    typeof ranges === 'function' ? ranges(side) : ranges,
  )
  onProgress(0.4)
  const wet = wetScaling(fields, { side, wetShare, rangesOf })
  onProgress(0.5)
  const time = timeScaling(fields, even ?? [0, fields.length], rangesOf)
  onProgress(0.7)
  const single = fields.map((values, index): FrameScaling => {
    const samples: Samples = { dimension: 2, side, fields: [values] }
    const { fits } = scalingOf(samples, rangesOf(side))
    const [all] = fits
    onProgress(0.7 + (0.3 * (index + 1)) / fields.length)
    return { index, ...shares([values]), meanMmH: meanKnown(values), tm: all.tm, dtm: all.dtm, fits }
  })
  return { window, space, wet, time, spectrum: spectrumOf(frames, window, space), frames: single }
}

/** A spectrum takes no gap: of a window with some, that of the largest square without. */
function spectrumOf(
  frames: EventFrames,
  window: AnalysisWindow,
  { fits, missingShare }: ScalingOf,
): EventScaling['spectrum'] {
  const whole = missingShare === 0 ? window : chooseWindow(frames, window.side, 0)
  const spectrum = whole && powerSpectrum(cutWindow(frames, whole), whole.side)
  if (!spectrum) return null
  const { side } = whole
  const { wavenumber, power } = spectrum
  const hOf = (beta: number, tm: TraceMoments | null) => {
    const k2 = tm?.k.find(({ q }) => q === 2)?.k
    return k2 === undefined ? null : fluctuationExponent(beta, k2)
  }
  const slopes = fits.flatMap(({ fromCells, toCells, tm }): SpectrumFit[] => {
    // Waves are as long as two boxes: the shortest of a grid of cells is two cells.
    const line = logSlope(wavenumber, power, side / (2 * toCells), side / (2 * fromCells) - 1e-9)
    return line ? [{ fromCells, toCells, beta: -line.slope, r2: line.r2, h: hOf(-line.slope, tm) }] : []
  })
  return { ...spectrum, side, h: hOf(spectrum.beta, fits[0].tm), fits: slopes }
}

/** Every range of box sides from 1 to `side` that holds three scales at least. */
export function everyRange(side: number): [number, number][] {
  const ranges: [number, number][] = []
  for (let from = 1; from < side; from *= 2)
    for (let to = 4 * from; to <= side; to *= 2) if (to < side || from > 1) ranges.push([from, to])
  return ranges
}

/** Both analyses over all scales first, then over each range; no fit for fewer than 16 wet cells. */
export function scalingOf(samples: Samples, ranges: readonly (readonly [number, number])[]): ScalingOf {
  const { side, fields } = samples
  const enough = wetCells(fields) >= FEWEST_WET
  const moments = enough ? scaleMoments(samples, TRACE_QS) : null
  const powered = enough ? poweredMoments(samples) : [null]
  const fits = [[1, side] as const, ...ranges].map(([fromCells, toCells]): RangeFit => {
    const range: ScaleRange = { low: side / toCells, high: side / fromCells }
    return {
      fromCells,
      toCells,
      tm: moments && traceMomentsOf(moments, range),
      dtm: doubleTraceMomentsOf(powered, range),
    }
  })
  const points = moments && {
    cells: moments.lambda.map((lambda) => side / lambda).reverse(),
    q: TRACE_QS,
    moments: moments.moments.toReversed(),
  }
  return { samples: fields.length, side, ...shares(fields), fits, points }
}

function wetCells(fields: readonly Float64Array[]): number {
  let wet = 0
  for (const values of fields) for (const v of values) if (v > 0) wet++
  return wet
}

function shares(fields: readonly Float64Array[]): { zeroShare: number; missingShare: number } {
  let [zero, missing, cells] = [0, 0, 0]
  for (const values of fields) {
    cells += values.length
    for (const v of values) {
      if (v === 0) zero++
      else if (!(v > 0)) missing++
    }
  }
  return { zeroShare: zero / cells, missingShare: missing / cells }
}

function meanKnown(values: Float64Array): number {
  let [sum, known] = [0, 0]
  for (const v of values)
    if (v >= 0) {
      sum += v
      known++
    }
  return sum / known
}

/** Squares of 16 cells and more that are almost all wet, of the largest side of which there are some. */
function wetScaling(
  fields: readonly Float64Array[],
  { side, wetShare, rangesOf }: { side: number; wetShare: number; rangesOf: (side: number) => Ranges },
): EventScaling['wet'] {
  for (let part = side; part >= WET_SIDE; part /= 2) {
    const wet = fields
      .flatMap((values) => squares(values, side, part))
      .filter((values) => {
        let count = 0
        for (const v of values) if (v > 0) count++
        return count >= wetShare * part * part
      })
    if (wet.length > 0)
      return { ...scalingOf({ dimension: 2, side: part, fields: wet }, rangesOf(part)), wetShare }
  }
  return null
}

function squares(values: Float64Array, side: number, part: number): Float64Array[] {
  const out: Float64Array[] = []
  for (let row = 0; row < side; row += part)
    for (let col = 0; col < side; col += part)
      out.push(
        Float64Array.from(
          { length: part * part },
          (_, i) => values[(row + Math.floor(i / part)) * side + col + (i % part)],
        ),
      )
  return out
}

/** Cells as series, over the longest power of 2 of even frames that has the most rain. */
function timeScaling(
  fields: readonly Float64Array[],
  [start, end]: readonly [number, number],
  rangesOf: (side: number) => Ranges,
): EventScaling['time'] {
  const length = 2 ** Math.floor(Math.log2(end - start))
  if (!(length >= SHORTEST_SERIES)) return null
  const sums = fields.map((values) => values.reduce((sum, v) => (v > 0 ? sum + v : sum), 0))
  let firstFrame = start
  let most = -1
  for (let from = start; from + length <= end; from++) {
    const total = sums.slice(from, from + length).reduce((a, b) => a + b, 0)
    if (total > most) [firstFrame, most] = [from, total]
  }
  const cells = fields[0].length
  const series = Array.from({ length: cells }, (_, i) =>
    Float64Array.from({ length }, (_, t) => fields[firstFrame + t][i]),
  )
  return { ...scalingOf({ dimension: 1, side: length, fields: series }, rangesOf(length)), firstFrame }
}
