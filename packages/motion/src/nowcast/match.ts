import { type Shape, WET_MM_H } from '../field.ts'
import { alongRow } from './blocks.ts'
import { KNOTS_MM_H, type SharesLeft } from './trend.ts'

/** Bins in which ranks are counted. */
const BINS = 8192

/** Rates by rank: what a field is matched to. */
export interface Distribution {
  /** Wet rates, mm/h, falling. */
  wet: Float32Array
  /** Share of known cells that are wet. */
  share: number
}

/** @param rateMmH NaN missing */
export function distributionOf(rateMmH: Float32Array): Distribution {
  let known = 0
  for (const rate of rateMmH) if (rate >= 0) known++
  const wet = rateMmH
    .filter((rate) => rate >= WET_MM_H)
    .sort()
    .reverse()
  return { wet, share: known > 0 ? wet.length / known : 0 }
}

/** How much of the area above each rate is left, on a grid. */
export interface Left {
  shares: SharesLeft
  shape: Shape
}

/**
 * Gives a field the rates of a distribution, by rank, with its wet share: the cell of the highest value gets the highest
 * rate, and so on. Ranks are counted in 8192 bins and shared out within a bin by value.
 * @param values any unit; NaN stays missing
 * @param known 1 where a value counts for the ranks
 * @param left by place and rate, how much of the area above is left; all of it by default
 */
export function matchDistribution(
  values: Float32Array,
  known: Uint8Array,
  distribution: Distribution,
  left?: Left,
  out = new Float32Array(values.length),
): Float32Array {
  const { wet } = distribution
  const ranks = ranksOf(values, known, distribution)
  const rateAt = (rank: number) => {
    const index = Math.max(0, Math.ceil(rank) - 1)
    return index < wet.length ? wet[index] : 0
  }
  if (!left) {
    for (let i = 0; i < values.length; i++) {
      const rank = ranks(values[i])
      out[i] = rank >= 0 ? rateAt(rank) : Number.NaN
    }
    return out
  }
  const { shares, shape } = left
  const [light, moderate, heavy] = KNOTS_MM_H.map((knot) => countFrom(wet, knot))
  const [a, b, c] = KNOTS_MM_H.map(() => new Float32Array(shape.ncols))
  // Ranks from here on are dry wherever they are.
  let most = 0
  for (const values of shares.local) for (const share of values) if (share > most) most = share
  const dryFrom = wet.length * most
  for (let row = 0; row < shape.nrows; row++) {
    for (const [knot, cells] of [a, b, c].entries()) alongRow(shares.local[knot], shares, row, cells)
    for (let col = 0; col < shape.ncols; col++) {
      const i = row * shape.ncols + col
      const rank = ranks(values[i])
      if (!(rank >= 0) || rank > dryFrom) {
        out[i] = rank >= 0 ? 0 : Number.NaN
        continue
      }
      // Ranks down to which heavy, moderate and light rain reach here; between them the shares go over.
      const [first, second, third] = [c[col] * heavy, b[col] * moderate, a[col] * light]
      let share = a[col]
      if (rank <= first) share = c[col]
      else if (rank <= second) share = between(first, c[col], second, b[col], rank)
      else if (rank <= third) share = between(Math.max(first, second), b[col], third, a[col], rank)
      out[i] = rateAt(rank / share)
    }
  }
  return out
}

const between = (from: number, a: number, to: number, b: number, at: number) =>
  to > from ? a + ((at - from) / (to - from)) * (b - a) : b

/** How many of falling rates are at or above one. */
export function countFrom(wet: Float32Array, rate: number): number {
  const at = Math.fround(rate)
  let [low, high] = [0, wet.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (wet[middle] >= at) low = middle + 1
    else high = middle
  }
  return low
}

/** Rank of a value among the known ones, scaled to the wet rates of the distribution; NaN for NaN. */
function ranksOf(
  values: Float32Array,
  known: Uint8Array,
  { wet, share }: Distribution,
): (value: number) => number {
  let [least, most, total] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0]
  for (let i = 0; i < values.length; i++) {
    if (!known[i]) continue
    total++
    if (values[i] < least) least = values[i]
    if (values[i] > most) most = values[i]
  }
  const scale = most > least ? (BINS - 1) / (most - least) : 0
  const above = new Float64Array(BINS + 1)
  for (let i = 0; i < values.length; i++) if (known[i]) above[Math.floor((values[i] - least) * scale)]++
  // above[b]: cells in higher bins, as a rank among the wet rates.
  const toRank = total > 0 && share > 0 ? wet.length / (share * total) : 0
  let count = 0
  for (let b = BINS - 1; b >= 0; b--) {
    const inside = above[b]
    above[b + 1] = count * toRank
    count += inside
  }
  above[0] = count * toRank
  return (value) => {
    const place = Math.min(Math.max((value - least) * scale, 0), BINS - 1)
    const b = Math.floor(place)
    // Rank within the bin: its top is above[b + 1], its bottom above[b].
    return b >= 0 ? above[b] + (place - b) * (above[b + 1] - above[b]) : Number.NaN
  }
}
