import { backwardPath } from '../advection/displacement.ts'
import { sampleAlong } from '../advection/sample.ts'
import type { NowcastStart } from './start.ts'

/** Rain that is counted, mm/h. */
const RATE_MM_H = 1
/** Side of a block, cells, and blocks on each side over which rain is counted. */
const BLOCK = 16
const REACH = 6
/** Wet cells at which a place shows half of what its trend is. */
const FEW = 400
/** Minutes over which a trend was seen at which half of it is believed. */
const SHORT_MIN = 5
/** Growth is believed less than decay, and neither beyond these factors. */
const GROWTH = 0.3
const LEAST = 0.35
const MOST = 1.2

/** How fast rain spreads or shrinks, by place: parts a minute of the area above 1 mm/h. */
export interface Trend {
  across: number
  down: number
  perMinute: Float32Array
}

/**
 * Trend of the rain by place from the earliest frame at hand to the last: cells above 1 mm/h round each place, the early
 * frame moved to the last. Short series, few cells and growth are believed less.
 * @returns null where no earlier frame is at hand
 */
export function trendOf({ frames, earlier, motion, shape }: NowcastStart): Trend | null {
  const last = frames[frames.length - 1]
  const first = earlier ?? frames[0]
  const minutes = (last.timeMs - first.timeMs) / 60_000
  if (!(minutes > 0)) return null
  const before = sampleAlong(first.rateMmH, backwardPath(motion).to(minutes))
  const [across, down] = [Math.ceil(shape.ncols / BLOCK), Math.ceil(shape.nrows / BLOCK)]
  const [was, is] = [new Float32Array(across * down), new Float32Array(across * down)]
  for (let row = 0; row < shape.nrows; row++)
    for (let col = 0; col < shape.ncols; col++) {
      const i = row * shape.ncols + col
      if (!(before[i] >= 0 && last.rateMmH[i] >= 0)) continue
      const block = Math.floor(row / BLOCK) * across + Math.floor(col / BLOCK)
      if (before[i] >= RATE_MM_H) was[block]++
      if (last.rateMmH[i] >= RATE_MM_H) is[block]++
    }
  const [a, b] = [summed(was, across, down), summed(is, across, down)]
  const perMinute = a.map((cells, k) => {
    const few = Math.min(cells, b[k])
    const seen = Math.log((b[k] + 1) / (cells + 1)) / minutes
    const believed = (seen * (few / (few + FEW)) * minutes) / (minutes + SHORT_MIN)
    return believed > 0 ? believed * GROWTH : believed
  })
  return { across, down, perMinute }
}

/** Sums over `REACH` blocks on all sides. */
function summed(values: Float32Array, across: number, down: number): Float32Array {
  const out = new Float32Array(values.length)
  for (let row = 0; row < down; row++)
    for (let col = 0; col < across; col++)
      for (let r = Math.max(0, row - REACH); r <= Math.min(down - 1, row + REACH); r++)
        for (let c = Math.max(0, col - REACH); c <= Math.min(across - 1, col + REACH); c++)
          out[row * across + col] += values[r * across + c]
  return out
}

/**
 * Share of the rain's area that is left at a lead, by cell: `[row * ncols + col]`. A trend goes on to the bounds above: where
 * it was made to die out within some hours, rain above 1 mm/h was forecast over up to 1.28 of its area at 60 min.
 */
export function shareLeft(
  { across, down, perMinute }: Trend,
  { nrows, ncols }: { nrows: number; ncols: number },
  leadMin: number,
  out = new Float32Array(nrows * ncols),
): Float32Array {
  const shares = perMinute.map((rate) => Math.min(MOST, Math.max(LEAST, Math.exp(rate * leadMin))))
  for (let row = 0; row < nrows; row++) {
    const y = Math.min(Math.max((row + 0.5) / BLOCK - 0.5, 0), down - 1)
    const top = Math.floor(y)
    const below = top + 1 < down ? across : 0
    for (let col = 0; col < ncols; col++) {
      const x = Math.min(Math.max((col + 0.5) / BLOCK - 0.5, 0), across - 1)
      const left = Math.floor(x)
      const right = left + 1 < across ? 1 : 0
      const k = top * across + left
      const upper = shares[k] + (x - left) * (shares[k + right] - shares[k])
      const lower = shares[k + below] + (x - left) * (shares[k + below + right] - shares[k + below])
      out[row * ncols + col] = upper + (y - top) * (lower - upper)
    }
  }
  return out
}
