/** Trials that may count as good, with how much each counts (Beven and Binley 1992). */
export interface Behavioural {
  /** Places of the trials in the list. */
  trials: number[]
  /** Sum 1, in the order of `trials`. */
  weights: number[]
  threshold: number
}

/** A trial this far below the best still counts as good where nobody says otherwise. */
export const DEFAULT_MARGIN = 0.05

/**
 * The trials with a score above a threshold, each by how far it stands above it.
 *
 * @param scores NaN for a trial that failed
 * @param threshold default: the best score less `DEFAULT_MARGIN`
 * @returns the best alone where none stands above the threshold
 */
export function behavioural(scores: readonly number[], threshold?: number): Behavioural {
  const best = scores.reduce(
    (at, score, k) => (score > (at < 0 ? Number.NEGATIVE_INFINITY : scores[at]) ? k : at),
    -1,
  )
  if (best < 0) return { trials: [], weights: [], threshold: threshold ?? Number.NaN }
  const above = threshold ?? scores[best] - DEFAULT_MARGIN
  const trials = scores.flatMap((score, k) => (score > above ? [k] : []))
  if (trials.length === 0) return { trials: [best], weights: [1], threshold: above }
  const total = trials.reduce((sum, k) => sum + (scores[k] - above), 0)
  return { trials, weights: trials.map((k) => (scores[k] - above) / total), threshold: above }
}

/**
 * Weighted quantiles.
 *
 * @param shares each 0 to 1
 * @returns NaN where no value is a number
 */
export function weightedQuantiles(
  values: readonly number[],
  weights: readonly number[],
  shares: readonly number[],
): number[] {
  const order = values
    .map((value, k) => ({ value, weight: weights[k] }))
    .filter(({ value }) => !Number.isNaN(value))
    .sort((a, b) => a.value - b.value)
  const total = order.reduce((sum, { weight }) => sum + weight, 0)
  return shares.map((share) => {
    let sum = 0
    for (const { value, weight } of order) {
      sum += weight
      if (sum >= share * total - 1e-12) return value
    }
    return Number.NaN
  })
}
