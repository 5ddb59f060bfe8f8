import { type Shape, WET_MM_H } from '../field.ts'
import { columnsOf, lineAt } from './blocks.ts'
import { DRY_DB, decibelsOf } from './decibels.ts'
import { KNOTS_MM_H, type SharesLeft } from './trend.ts'

/** Bins in which ranks are counted. */
const BINS = 8192

/** Rates by rank: what a field is matched to. */
export interface Distribution {
  /** Wet rates, mm/h, falling. */
  wet: Float32Array
  /** The same, dB above 0.1 mm/h. */
  decibels: Float32Array
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
  // So much more that a rate at a threshold comes back at or above it.
  const decibels = wet.map((rate) => decibelsOf(rate) + 2e-6)
  return { wet, decibels, share: known > 0 ? wet.length / known : 0 }
}

/** How much of the area above each rate is left, on a grid. */
export interface Left {
  shares: SharesLeft
  shape: Shape
}

/**
 * Gives a field the rates of a distribution, by rank, with its wet share: the cell of the highest value gets the highest
 * rate, and so on. Ranks are counted in 8192 bins and shared out within a bin by value.
 * @param values any unit
 * @param known 1 where a value counts; what is not known is missing
 * @param left by place and rate, how much of the area above is left; all of it by default
 * @returns mm/h
 */
export function matchDistribution(
  values: Float32Array,
  known: Uint8Array,
  distribution: Distribution,
  left?: Left,
  out = new Float32Array(values.length),
): Float32Array {
  const to = { byRank: distribution.wet, dry: 0, out }
  const ranks = ranksOf(values, known, distribution)
  return left ? matchLeft(values, known, ranks, distribution, left, to) : matchAll(values, known, ranks, to)
}

/** The same in dB above 0.1 mm/h; dry cells are `DRY_DB`. */
export function matchDecibels(
  values: Float32Array,
  known: Uint8Array,
  distribution: Distribution,
  left?: Left,
  out = new Float32Array(values.length),
): Float32Array {
  const to = { byRank: distribution.decibels, dry: DRY_DB, out }
  const ranks = ranksOf(values, known, distribution)
  return left ? matchLeft(values, known, ranks, distribution, left, to) : matchAll(values, known, ranks, to)
}

/** What ranks are turned into. */
interface Target {
  byRank: Float32Array
  dry: number
  out: Float32Array
}

function matchAll(
  values: Float32Array,
  known: Uint8Array,
  ranks: Ranks,
  { byRank, dry, out }: Target,
): Float32Array {
  const { least, scale, above } = ranks
  const wetFrom = lowestBin(ranks, byRank.length)
  for (let i = 0; i < out.length; i++) {
    const place = known[i] ? (values[i] - least) * scale : Number.NaN
    if (!(place >= wetFrom)) {
      out[i] = known[i] ? dry : Number.NaN
      continue
    }
    const bin = place | 0
    // Its top has the rank above[bin + 1], its bottom above[bin].
    const rank = above[bin] + (place - bin) * (above[bin + 1] - above[bin])
    const index = Math.max(0, Math.ceil(rank) - 1)
    out[i] = index < byRank.length ? byRank[index] : dry
  }
  return out
}

function matchLeft(
  values: Float32Array,
  known: Uint8Array,
  ranks: Ranks,
  { wet }: Distribution,
  { shares, shape }: Left,
  { byRank, dry, out }: Target,
): Float32Array {
  const { least, scale, above } = ranks
  const [light, moderate, heavy] = KNOTS_MM_H.map((knot) => countFrom(wet, knot))
  let most = 0
  for (const shareOfBlocks of shares.local) for (const share of shareOfBlocks) if (share > most) most = share
  const wetFrom = lowestBin(ranks, wet.length * most)
  const { block, part } = columnsOf(shares, shape.ncols)
  const [a, b, c] = KNOTS_MM_H.map(() => new Float32Array(shares.across + 1))
  for (let row = 0, i = 0; row < shape.nrows; row++) {
    for (const [knot, line] of [a, b, c].entries()) lineAt(shares.local[knot], shares, row, line)
    for (let col = 0; col < shape.ncols; col++, i++) {
      const place = known[i] ? (values[i] - least) * scale : Number.NaN
      // Dry, whatever is left here.
      if (!(place >= wetFrom)) {
        out[i] = known[i] ? dry : Number.NaN
        continue
      }
      const bin = place | 0
      const rank = above[bin] + (place - bin) * (above[bin + 1] - above[bin])
      const k = block[col]
      const along = part[col]
      const ofLight = a[k] + along * (a[k + 1] - a[k])
      const ofModerate = b[k] + along * (b[k + 1] - b[k])
      const ofHeavy = c[k] + along * (c[k + 1] - c[k])
      // Ranks down to which heavy, moderate and light rain reach here; between them the shares go over.
      const first = ofHeavy * heavy
      const second = ofModerate * moderate
      let share = ofLight
      if (rank <= first) share = ofHeavy
      else if (rank <= second) share = between(first, ofHeavy, second, ofModerate, rank)
      else if (rank <= ofLight * light)
        share = between(Math.max(first, second), ofModerate, ofLight * light, ofLight, rank)
      const index = Math.max(0, Math.ceil(rank / share) - 1)
      out[i] = index < byRank.length ? byRank[index] : dry
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

/** Ranks of values among the known ones, scaled to the wet rates of a distribution. */
interface Ranks {
  /** Least value, and bins for each unit above it. */
  least: number
  scale: number
  /** `[bin]`: rank at its bottom; at the top of the last one 0. */
  above: Float64Array
}

function ranksOf(values: Float32Array, known: Uint8Array, { wet, share }: Distribution): Ranks {
  let [least, most, total] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0]
  for (let i = 0; i < values.length; i++) {
    if (!known[i]) continue
    total++
    const value = values[i]
    if (value < least) least = value
    if (value > most) most = value
  }
  const scale = most > least ? (BINS - 1) / (most - least) : 0
  const above = new Float64Array(BINS + 1)
  for (let i = 0; i < values.length; i++) if (known[i]) above[((values[i] - least) * scale) | 0]++
  const toRank = total > 0 && share > 0 ? wet.length / (share * total) : 0
  let count = 0
  for (let bin = BINS - 1; bin >= 0; bin--) {
    const inside = above[bin]
    above[bin + 1] = count * toRank
    count += inside
  }
  above[0] = count * toRank
  return { least, scale, above }
}

/** The lowest bin in which ranks up to `rank` lie. */
function lowestBin({ above }: Ranks, rank: number): number {
  let bin = BINS - 1
  while (bin > 0 && above[bin] <= rank) bin--
  return bin
}
