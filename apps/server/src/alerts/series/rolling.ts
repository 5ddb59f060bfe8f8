/** Rain of the last minutes at a frame. */
export interface Total {
  mm: number
  /** Part of the minutes without a value, 0 to 1. */
  missing: number
}

/**
 * Rain up to each frame over the minutes before it. Between two frames falls the mean of both; frames farther apart than
 * `bridgedMs` say nothing of what lies between. Nothing later than a frame counts, so that it is the same at once and in
 * hindsight.
 * @param ratesMmH null or NaN without a value
 * @returns one a frame
 */
export function rollingTotals(
  timesMs: readonly number[],
  ratesMmH: ArrayLike<number | null>,
  minutes: number,
  bridgedMs: number,
): Total[] {
  const n = timesMs.length
  const mm = new Float64Array(n)
  const knownMs = new Float64Array(n)
  for (let i = 1; i < n; i++) {
    const [before, now] = [ratesMmH[i - 1], ratesMmH[i]]
    const ms = timesMs[i] - timesMs[i - 1]
    const isKnown = isRate(before) && isRate(now) && ms <= bridgedMs
    mm[i] = mm[i - 1] + (isKnown ? (((before + now) / 2) * ms) / 3_600_000 : 0)
    knownMs[i] = knownMs[i - 1] + (isKnown ? ms : 0)
  }
  const windowMs = 60_000 * minutes
  let left = 0
  return timesMs.map((timeMs, i) => {
    const fromMs = timeMs - windowMs
    while (left + 1 < i && timesMs[left + 1] <= fromMs) left++
    const at = (sums: Float64Array) => {
      if (timesMs[left] >= fromMs || left + 1 > i) return sums[left]
      const share = (fromMs - timesMs[left]) / (timesMs[left + 1] - timesMs[left])
      return sums[left] + (sums[left + 1] - sums[left]) * Math.min(1, share)
    }
    return { mm: mm[i] - at(mm), missing: 1 - Math.min(1, (knownMs[i] - at(knownMs)) / windowMs) }
  })
}

const isRate = (value: number | null): value is number => value !== null && !Number.isNaN(value)
