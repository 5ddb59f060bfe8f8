import { WET_MM_H } from '../field.ts'

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

/**
 * Gives a field the rates of a distribution, by rank, with its wet share: the cell of the highest value gets the highest
 * rate, and so on. Ranks are counted in 8192 bins and shared out within a bin by value.
 * @param values any unit; NaN stays missing
 * @param known 1 where a value counts for the ranks
 * @param left by cell, how much of the area above each rate is left; all of it by default
 */
export function matchDistribution(
  values: Float32Array,
  known: Uint8Array,
  { wet, share }: Distribution,
  left?: Float32Array,
  out = new Float32Array(values.length),
): Float32Array {
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
  for (let i = 0; i < values.length; i++) {
    const place = Math.min(Math.max((values[i] - least) * scale, 0), BINS - 1)
    const b = Math.floor(place)
    if (!(b >= 0)) {
      out[i] = Number.NaN
      continue
    }
    // Rank within the bin: its top is above[b + 1], its bottom above[b].
    const rank = (above[b] + (place - b) * (above[b + 1] - above[b])) / (left ? left[i] : 1)
    const index = Math.max(0, Math.ceil(rank) - 1)
    out[i] = index < wet.length ? wet[index] : 0
  }
  return out
}
