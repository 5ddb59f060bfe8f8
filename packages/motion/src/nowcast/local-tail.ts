import type { Shape } from '../field.ts'
import { atBlocks, type BlockGrid, betweenBlocks, blocksOf, sumsAround } from './blocks.ts'
import { KNOTS_MM_H, type SharesLeft } from './trend.ts'

/** Rain above this is looked at place by place, mm/h; what is below has its distribution from the whole field. */
const FROM_MM_H = 1
/** Side of a block, cells, and blocks on each side over which rates are counted. */
const BLOCK = 8
const REACH = 5
/** Bins of dB above `FROM_MM_H`. */
const BIN_DB = 0.5
const BINS = 60
/** Cells of heavy rain at which a place counts half of what it shows. */
const FEW = 40

/** Heavy rain of a field by place: how many cells round each block have how much. */
interface LocalTail extends BlockGrid {
  /** Largest rate of the field, mm/h. */
  most: number
  /** `[block * BINS + bin]`, cells in a bin or a higher one. */
  above: Float32Array
}

/**
 * Heavy rain by place. Ranks over the whole field give a forecast as much heavy rain as there was, but put it where rain is
 * widespread: where showers are small, smoothing leaves nothing of it.
 * @param rateMmH NaN missing
 */
export function localTail(rateMmH: Float32Array, shape: Shape): LocalTail {
  const { nrows, ncols } = shape
  const blocks = blocksOf(shape, BLOCK)
  const { across, down } = blocks
  const counts = new Float32Array(across * down * BINS)
  let most = 0
  for (let row = 0; row < nrows; row++)
    for (let col = 0; col < ncols; col++) {
      const rate = rateMmH[row * ncols + col]
      if (!(rate >= FROM_MM_H)) continue
      if (rate > most) most = rate
      counts[(Math.floor(row / BLOCK) * across + Math.floor(col / BLOCK)) * BINS + binOf(rate)]++
    }
  const above = sumsAround(counts, blocks, REACH, BINS)
  for (let at = 0; at < above.length; at += BINS)
    for (let bin = BINS - 2; bin >= 0; bin--) above[at + bin] += above[at + bin + 1]
  return { ...blocks, most, above }
}

const binOf = (rate: number) => Math.min(BINS - 1, Math.floor((10 * Math.log10(rate / FROM_MM_H)) / BIN_DB))

/**
 * Gives rain above 1 mm/h, in place, the local distribution of another field, by rank: of the cells above 1 mm/h round
 * a place the same share lies above each rate. Which cells lie above 1 mm/h stays.
 * @param wanted of the field whose heavy rain is taken, on the same grid
 * @param left how much of the area above each rate is left; all of it by default
 */
export function matchLocalTail(
  rateMmH: Float32Array,
  shape: Shape,
  wanted: LocalTail,
  left?: SharesLeft,
): void {
  const { across, down, most } = wanted
  const gains = gainsOf(localTail(rateMmH, shape), left ? tailLeft(wanted, left) : wanted)
  for (let row = 0; row < shape.nrows; row++) {
    const [top, fy] = betweenBlocks(row, down, BLOCK)
    for (let col = 0; col < shape.ncols; col++) {
      const i = row * shape.ncols + col
      const rate = rateMmH[i]
      if (!(rate >= FROM_MM_H)) continue
      const place = Math.min(BINS - 1.001, (10 * Math.log10(rate / FROM_MM_H)) / BIN_DB)
      const [block, fx] = betweenBlocks(col, across, BLOCK)
      const gain = (of: number) => {
        const at = of * BINS + Math.floor(place)
        return gains[at] + (place - Math.floor(place)) * (gains[at + 1] - gains[at])
      }
      const upper = top * across + block
      const right = block + 1 < across ? 1 : 0
      const lower = upper + (top + 1 < down ? across : 0)
      const above = gain(upper) + fx * (gain(upper + right) - gain(upper))
      const below = gain(lower) + fx * (gain(lower + right) - gain(lower))
      const matched = rate * 10 ** ((above + fy * (below - above)) / 10)
      rateMmH[i] = Math.max(FROM_MM_H, Math.min(matched, most))
    }
  }
}

/** A tail of which only shares are left, those between 1 and 5 mm/h going over by decibels. */
function tailLeft(tail: LocalTail, left: SharesLeft): LocalTail {
  const { across, down } = tail
  const above = new Float32Array(tail.above.length)
  const heavyDb = 10 * Math.log10(KNOTS_MM_H[2] / FROM_MM_H)
  for (let row = 0; row < down; row++)
    for (let col = 0; col < across; col++) {
      const [y, x] = [(row + 0.5) * BLOCK, (col + 0.5) * BLOCK]
      const [moderate, heavy] = [1, 2].map((knot) => atBlocks(left.local[knot], left, y, x))
      const at = (row * across + col) * BINS
      for (let bin = BINS - 1; bin >= 0; bin--) {
        const part = Math.min(1, (bin * BIN_DB) / heavyDb)
        const cells = tail.above[at + bin] * (moderate + part * (heavy - moderate))
        above[at + bin] = bin + 1 < BINS ? Math.max(cells, above[at + bin + 1]) : cells
      }
    }
  return { ...tail, above }
}

/** dB to add at the lower edge of each bin of each block. */
function gainsOf(have: LocalTail, wanted: LocalTail): Float32Array {
  const gains = new Float32Array(have.above.length)
  for (let at = 0; at < gains.length; at += BINS) {
    const [mine, theirs] = [have.above[at], wanted.above[at]]
    if (mine === 0 || theirs === 0) continue
    const trust = Math.min(mine, theirs) / (Math.min(mine, theirs) + FEW)
    let bin = 0
    for (let k = 0; k < BINS; k++) {
      const cells = (have.above[at + k] / mine) * theirs
      if (have.above[at + k] === 0) {
        gains[at + k] = k > 0 ? gains[at + k - 1] : 0
        continue
      }
      // The rate above which as many cells lie in the field that is wanted.
      while (bin < BINS - 1 && wanted.above[at + bin + 1] >= cells) bin++
      const [upper, lower] = [wanted.above[at + bin], bin < BINS - 1 ? wanted.above[at + bin + 1] : 0]
      const part = upper > lower ? (upper - cells) / (upper - lower) : 0
      gains[at + k] = trust * (bin + Math.min(1, Math.max(0, part)) - k) * BIN_DB
    }
  }
  return gains
}
