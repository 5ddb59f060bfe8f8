import type { Shape } from '../field.ts'
import { atBlocks, type BlockGrid, betweenBlocks, blocksOf, columnsOf, sumsAround } from './blocks.ts'
import { decibelsOf } from './decibels.ts'
import { KNOTS_MM_H, type SharesLeft } from './trend.ts'

/** Rain above this, 1 mm/h, is looked at place by place, dB; what is below has its distribution from the whole field. */
const FROM_DB = decibelsOf(1)
/** Side of a block, cells, and blocks on each side over which rates are counted. */
const BLOCK = 8
const REACH = 5
/** Bins of dB above `FROM_DB`: as many as the heaviest rain takes, at most these. */
const BIN_DB = 0.5
const MOST_BINS = 60
/** Cells of heavy rain at which a place counts half of what it shows. */
const FEW = 40

/** Heavy rain of a field by place: how many cells round each block have how much. */
interface LocalTail extends BlockGrid {
  /** Most of the field, dB above 0.1 mm/h. */
  mostDb: number
  bins: number
  /** `[block * bins + bin]`, cells in a bin or a higher one. */
  above: Float32Array
}

/**
 * Heavy rain by place. Ranks over the whole field give a forecast as much heavy rain as there was, but put it where rain is
 * widespread: where showers are small, smoothing leaves nothing of it.
 * @param decibels above 0.1 mm/h; what is below 1 mm/h, dry or missing does not count
 * @param mostDb of the field, or of another with which it is compared
 */
export function localTail(
  decibels: Float32Array,
  shape: Shape,
  mostDb = decibels.reduce((most, level) => (level > most ? level : most), FROM_DB),
): LocalTail {
  const { nrows, ncols } = shape
  const blocks = blocksOf(shape, BLOCK)
  const { across, down } = blocks
  const bins = Math.min(MOST_BINS, Math.floor((mostDb - FROM_DB) / BIN_DB) + 2)
  const counts = new Float32Array(across * down * bins)
  for (let row = 0, i = 0; row < nrows; row++) {
    const line = Math.floor(row / BLOCK) * across
    for (let col = 0; col < ncols; col++, i++) {
      const level = decibels[i]
      if (!(level >= FROM_DB)) continue
      const bin = Math.min(bins - 1, Math.floor((level - FROM_DB) / BIN_DB))
      counts[(line + Math.floor(col / BLOCK)) * bins + bin]++
    }
  }
  const above = sumsAround(counts, blocks, REACH, bins)
  for (let at = 0; at < above.length; at += bins)
    for (let bin = bins - 2; bin >= 0; bin--) above[at + bin] += above[at + bin + 1]
  return { ...blocks, mostDb, bins, above }
}

/**
 * Gives rain above 1 mm/h, in place, the local distribution of another field, by rank: of the cells above 1 mm/h round
 * a place the same share lies above each rate. Which cells lie above 1 mm/h stays.
 * @param decibels above 0.1 mm/h
 * @param wanted of the field whose heavy rain is taken, on the same grid
 * @param left how much of the area above each rate is left; all of it by default
 */
export function matchLocalTail(
  decibels: Float32Array,
  shape: Shape,
  wanted: LocalTail,
  left?: SharesLeft,
): void {
  const { across, down, mostDb, bins } = wanted
  const gains = gainsOf(localTail(decibels, shape, mostDb), left ? tailLeft(wanted, left) : wanted)
  const columns = columnsOf(wanted, shape.ncols)
  for (let row = 0, i = 0; row < shape.nrows; row++) {
    const [top, fy] = betweenBlocks(row, down, BLOCK)
    const below = top + 1 < down ? across * bins : 0
    for (let col = 0; col < shape.ncols; col++, i++) {
      const level = decibels[i]
      if (!(level >= FROM_DB)) continue
      const place = Math.min(bins - 1.001, (level - FROM_DB) / BIN_DB)
      const bin = Math.floor(place)
      const [block, fx] = [columns.block[col], columns.part[col]]
      const at = (top * across + block) * bins + bin
      const right = block + 1 < across ? bins : 0
      const upper = mixed(gains, at, at + right, fx, place - bin)
      const lower = mixed(gains, at + below, at + below + right, fx, place - bin)
      const matched = level + upper + fy * (lower - upper)
      decibels[i] = Math.max(FROM_DB, Math.min(matched, mostDb))
    }
  }
}

/** Gain within a bin, between two blocks side by side. */
function mixed(gains: Float32Array, left: number, right: number, fx: number, inBin: number): number {
  const a = gains[left] + inBin * (gains[left + 1] - gains[left])
  const b = gains[right] + inBin * (gains[right + 1] - gains[right])
  return a + fx * (b - a)
}

/** A tail of which only shares are left, those between 1 and 5 mm/h going over by decibels. */
function tailLeft(tail: LocalTail, left: SharesLeft): LocalTail {
  const { across, down, bins } = tail
  const above = new Float32Array(tail.above.length)
  const heavyDb = decibelsOf(KNOTS_MM_H[2]) - FROM_DB
  for (let row = 0; row < down; row++)
    for (let col = 0; col < across; col++) {
      const [y, x] = [(row + 0.5) * BLOCK, (col + 0.5) * BLOCK]
      const [moderate, heavy] = [1, 2].map((knot) => atBlocks(left.local[knot], left, y, x))
      const at = (row * across + col) * bins
      for (let bin = bins - 1; bin >= 0; bin--) {
        const part = Math.min(1, (bin * BIN_DB) / heavyDb)
        const cells = tail.above[at + bin] * (moderate + part * (heavy - moderate))
        above[at + bin] = bin + 1 < bins ? Math.max(cells, above[at + bin + 1]) : cells
      }
    }
  return { ...tail, above }
}

/** dB to add at the lower edge of each bin of each block. */
function gainsOf(have: LocalTail, wanted: LocalTail): Float32Array {
  const { bins } = have
  const gains = new Float32Array(have.above.length)
  for (let at = 0; at < gains.length; at += bins) {
    const [mine, theirs] = [have.above[at], wanted.above[at]]
    if (mine === 0 || theirs === 0) continue
    const trust = Math.min(mine, theirs) / (Math.min(mine, theirs) + FEW)
    let bin = 0
    for (let k = 0; k < bins; k++) {
      const cells = (have.above[at + k] / mine) * theirs
      if (have.above[at + k] === 0) {
        gains[at + k] = k > 0 ? gains[at + k - 1] : 0
        continue
      }
      // The rate above which as many cells lie in the field that is wanted.
      while (bin < bins - 1 && wanted.above[at + bin + 1] >= cells) bin++
      const [upper, lower] = [wanted.above[at + bin], bin < bins - 1 ? wanted.above[at + bin + 1] : 0]
      const part = upper > lower ? (upper - cells) / (upper - lower) : 0
      gains[at + k] = trust * (bin + Math.min(1, Math.max(0, part)) - k) * BIN_DB
    }
  }
  return gains
}
