import { type Samples, scaleMoments } from './moments.ts'
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
import { type AnalysisWindow, cutWindow, type EventFrames } from './window.ts'

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
}

export interface EventScaling {
  window: AnalysisWindow
  /** All frames as samples of one ensemble. */
  space: ScalingOf
  /** The same over squares that are almost all wet; null where there are none. */
  wet: (ScalingOf & { wetShare: number }) | null
  /** Each cell's series over the longest power of 2 of frames with the most rain. */
  time: (ScalingOf & { firstFrame: number }) | null
  /** Over space, with H from it and K(2) of all scales; null where no frame is whole. */
  spectrum: (PowerSpectrum & { h: number | null }) | null
  frames: FrameScaling[]
}

export interface EventOptions {
  /** Ranges of box sides in cells beside all scales, `[from, to]`; powers of 2. */
  ranges?: readonly (readonly [number, number])[]
  /** A square counts as wet from this share of cells with rain. */
  wetShare?: number
  /** Called between the parts with the share done; may throw to cancel. */
  onProgress?: (share: number) => void
}

/** A square this large has the four scales that a fit wants at least. */
const WET_SIDE = 16
const WET_SHARE = 0.98
const SHORTEST_SERIES = 8

/** Multifractal analysis of an event over a window: over space, over wet squares, over time, and frame by frame. */
export function analyseEvent(
  frames: EventFrames,
  window: AnalysisWindow,
  { ranges = [], wetShare = WET_SHARE, onProgress = () => {} }: EventOptions = {},
): EventScaling {
  const fields = cutWindow(frames, window)
  const { side } = window
  onProgress(0)
  const space = scalingOf({ dimension: 2, side, fields }, ranges)
  onProgress(0.4)
  const wet = wetScaling(fields, side, wetShare)
  onProgress(0.5)
  const time = timeScaling(fields)
  onProgress(0.7)
  const single = fields.map((values, index): FrameScaling => {
    const samples: Samples = { dimension: 2, side, fields: [values] }
    const [all] = scalingOf(samples, []).fits
    onProgress(0.7 + (0.3 * (index + 1)) / fields.length)
    return { index, ...shares([values]), meanMmH: meanKnown(values), tm: all.tm, dtm: all.dtm }
  })
  return { window, space, wet, time, spectrum: spectrumOf(fields, space), frames: single }
}

function spectrumOf(fields: readonly Float64Array[], { side, fits }: ScalingOf): EventScaling['spectrum'] {
  const spectrum = powerSpectrum(fields, side)
  const k2 = fits[0].tm?.k.find(({ q }) => q === 2)?.k
  return spectrum && { ...spectrum, h: k2 === undefined ? null : fluctuationExponent(spectrum.beta, k2) }
}

/** Both analyses over all scales first, then over each range. */
export function scalingOf(samples: Samples, ranges: readonly (readonly [number, number])[]): ScalingOf {
  const { side, fields } = samples
  const moments = scaleMoments(samples, TRACE_QS)
  const powered = poweredMoments(samples)
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
function wetScaling(fields: readonly Float64Array[], side: number, wetShare: number): EventScaling['wet'] {
  for (let part = side; part >= WET_SIDE; part /= 2) {
    const wet = fields
      .flatMap((values) => squares(values, side, part))
      .filter((values) => {
        let count = 0
        for (const v of values) if (v > 0) count++
        return count >= wetShare * part * part
      })
    if (wet.length > 0) return { ...scalingOf({ dimension: 2, side: part, fields: wet }, []), wetShare }
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

/** Cells as series, over the longest power of 2 of frames that has the most rain. */
function timeScaling(fields: readonly Float64Array[]): EventScaling['time'] {
  const length = 2 ** Math.floor(Math.log2(fields.length))
  if (length < SHORTEST_SERIES) return null
  const sums = fields.map((values) => values.reduce((sum, v) => (v > 0 ? sum + v : sum), 0))
  let firstFrame = 0
  let most = -1
  for (let from = 0; from + length <= fields.length; from++) {
    const total = sums.slice(from, from + length).reduce((a, b) => a + b, 0)
    if (total > most) [firstFrame, most] = [from, total]
  }
  const cells = fields[0].length
  const series = Array.from({ length: cells }, (_, i) =>
    Float64Array.from({ length }, (_, t) => fields[firstFrame + t][i]),
  )
  return { ...scalingOf({ dimension: 1, side: length, fields: series }, []), firstFrame }
}
