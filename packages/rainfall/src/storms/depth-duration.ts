/** Rain in steps that need not be equal: `ratesMmH[i]` (NaN is missing) holds from `edgesMin[i]` to `edgesMin[i + 1]`. */
export interface SteppedRain {
  /** Minutes, strictly ascending, one more than rates. */
  edgesMin: ArrayLike<number>
  ratesMmH: ArrayLike<number>
}

/** The largest depth within a duration, over every window of the series. */
export interface LargestDepth {
  durationMin: number
  depthMm: number
  /** Minute at which that window begins. */
  fromMin: number
  /** Minutes of that window without a value: the depth then is a lower bound. */
  missingMin: number
}

/** Time without a value that rounding leaves in a window that has all, min. */
const HARDLY_MISSING_MIN = 0.05

/** Whether a depth is a lower bound, as part of its window has no value. */
export const isAtLeast = ({ missingMin }: Pick<LargestDepth, 'missingMin'>): boolean =>
  missingMin > HARDLY_MISSING_MIN

/** Durations of the tables and screens, min: from 6 minutes to a day. */
export const DURATIONS_MIN = [6, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 360, 720, 1440] as const

/** Edges made of fractions of minutes are where they should be but for this, min. */
const ROUNDING_MIN = 1e-5

/**
 * Largest depth for each duration in minutes. The depth fallen is a broken line of time, so the largest over all
 * windows has an edge of the series at its start or at its end, and those alone are looked at. A duration that is
 * longer than the series is left out: what fell outside is not known. NaN where no window has any value.
 * @throws RangeError when edges do not ascend, or are not one more than rates
 */
export function largestDepths(rain: SteppedRain, durationsMin: readonly number[]): LargestDepth[] {
  const { edgesMin, ratesMmH } = rain
  const n = ratesMmH.length
  if (edgesMin.length !== n + 1) throw new RangeError('edges must be one more than rates')
  const mm = new Float64Array(n + 1)
  const missing = new Float64Array(n + 1)
  for (let i = 0; i < n; i++) {
    const minutes = edgesMin[i + 1] - edgesMin[i]
    if (!(minutes > 0)) throw new RangeError('edges must ascend')
    const known = !Number.isNaN(ratesMmH[i])
    mm[i + 1] = mm[i] + (known ? (ratesMmH[i] * minutes) / 60 : 0)
    missing[i + 1] = missing[i] + (known ? 0 : minutes)
  }
  const length = edgesMin[n] - edgesMin[0]
  // A thousandth of a second: edges made of fractions of minutes end where they should but for rounding.
  return durationsMin
    .filter((d) => d > 0 && d <= length + ROUNDING_MIN)
    .map((d) => largest(edgesMin, mm, missing, d))
}

function largest(
  edges: ArrayLike<number>,
  mm: Float64Array,
  missing: Float64Array,
  durationMin: number,
): LargestDepth {
  const n = mm.length - 1
  const best: LargestDepth = { durationMin, depthMm: -1, fromMin: edges[0], missingMin: 0 }
  const at = (values: Float64Array, k: number, minute: number) =>
    k >= n
      ? values[n]
      : values[k] + ((values[k + 1] - values[k]) * (minute - edges[k])) / (edges[k + 1] - edges[k])
  const last = Math.max(edges[0], edges[n] - durationMin)
  let [left, right] = [0, 0]
  const look = (from: number) => {
    const to = Math.min(from + durationMin, edges[n])
    while (left < n && edges[left + 1] <= from) left++
    while (right < n && edges[right + 1] <= to) right++
    const depthMm = at(mm, right, to) - at(mm, left, from)
    if (depthMm < best.depthMm) return
    const missingMin = at(missing, right, to) - at(missing, left, from)
    // Of windows that hold the same, the one that is known best: none of its depth is dry by ignorance.
    if (depthMm === best.depthMm && missingMin >= best.missingMin) return
    best.depthMm = depthMm
    best.fromMin = from
    best.missingMin = missingMin
  }
  // Starts at an edge and starts that end at one, merged in order: the two cursors only ever go forward.
  let [i, j] = [0, 0]
  while (i <= n || j <= n) {
    const start = i <= n ? edges[i] : Number.POSITIVE_INFINITY
    const end = j <= n ? edges[j] - durationMin : Number.POSITIVE_INFINITY
    const from = Math.min(start, end)
    if (start <= end) i++
    else j++
    if (from >= edges[0] && from <= last) look(from)
  }
  if (best.depthMm < 0) look(last)
  best.depthMm = best.missingMin > durationMin - ROUNDING_MIN ? Number.NaN : Math.max(0, best.depthMm)
  return best
}
