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

/** More than sums of depths lose by rounding, mm. */
const ROUNDING_MM = 1e-6

/** Edges whose windows are ruled out together where they can be. */
const EDGES_AT_ONCE = 32

/**
 * Largest depth for each duration in minutes. The depth fallen is a broken line of time, so the largest over all
 * windows has an edge of the series at its start or at its end, and those alone are looked at. A duration that is
 * longer than the series is left out: what fell outside is not known. NaN where no window has any value.
 * @throws RangeError when edges do not ascend, or are not one more than rates
 */
export function largestDepths(rain: SteppedRain, durationsMin: readonly number[]): LargestDepth[] {
  const { ratesMmH } = rain
  if (rain.edgesMin.length !== ratesMmH.length + 1) throw new RangeError('edges must be one more than rates')
  const edgesMin = new Float64Array(rain.edgesMin.length)
  const mm = new Float64Array(edgesMin.length)
  const missing = new Float64Array(edgesMin.length)
  edgesMin[0] = rain.edgesMin[0]
  let n = 0
  for (let i = 0; i < ratesMmH.length; i++) {
    const [from, to, rate] = [rain.edgesMin[i], rain.edgesMin[i + 1], ratesMmH[i]]
    if (!(to > from)) throw new RangeError('edges must ascend')
    const isKnown = !Number.isNaN(rate)
    // Nothing has a corner between two dry steps, and most are dry.
    if (i === 0 || rate !== 0 || ratesMmH[i - 1] !== 0) n++
    edgesMin[n] = to
    mm[n] = isKnown && rate !== 0 ? mm[n - 1] + (rate * (to - from)) / 60 : mm[n - 1]
    missing[n] = missing[n - 1] + (isKnown ? 0 : to - from)
  }
  const [edges, depths, gaps] = [edgesMin, mm, missing].map((values) => values.subarray(0, n + 1))
  const length = edges[n] - edges[0]
  // A thousandth of a second: edges made of fractions of minutes end where they should but for rounding.
  return durationsMin
    .filter((d) => d > 0 && d <= length + ROUNDING_MIN)
    .map((d) => largest(edges, depths, gaps, d))
}

function largest(
  edges: Float64Array,
  mm: Float64Array,
  missing: Float64Array,
  durationMin: number,
): LargestDepth {
  const n = mm.length - 1
  const end = edges[n]
  const last = Math.max(edges[0], end - durationMin)
  let [depthMm, fromMin, missingMin] = [-1, edges[0], 0]
  const at = (values: Float64Array, k: number, minute: number) =>
    k >= n
      ? values[n]
      : values[k] + ((values[k + 1] - values[k]) * (minute - edges[k])) / (edges[k + 1] - edges[k])
  // Windows that begin at an edge, then those that end at one.
  for (const shift of [0, durationMin])
    for (let k = 0; k <= n; k += EDGES_AT_ONCE) {
      const beyond = Math.min(k + EDGES_AT_ONCE, n + 1)
      const [first, final] = [edges[k] - shift, edges[beyond - 1] - shift]
      if (final < edges[0] || first > last) continue
      let left = edgeUpTo(edges, first)
      // Most windows cannot hold as much as the best so far, which the edges round them tell.
      if (mm[Math.min(edgeUpTo(edges, final + durationMin) + 1, n)] - mm[left] < depthMm - ROUNDING_MM)
        continue
      let right = left
      for (let i = k; i < beyond; i++) {
        const from = edges[i] - shift
        if (from < edges[0] || from > last) continue
        const to = from + durationMin < end ? from + durationMin : end
        while (left < n && edges[left + 1] <= from) left++
        while (right < n && edges[right + 1] <= to) right++
        if (mm[right < n ? right + 1 : n] - mm[left] < depthMm - ROUNDING_MM) continue
        const mmHere = at(mm, right, to) - at(mm, left, from)
        if (mmHere < depthMm) continue
        const missingHere = at(missing, right, to) - at(missing, left, from)
        // Of windows that hold the same, the one known best (none of its depth is dry by ignorance), then the first.
        const isSame = mmHere === depthMm
        if (isSame && (missingHere > missingMin || (missingHere === missingMin && from >= fromMin))) continue
        depthMm = mmHere
        fromMin = from
        missingMin = missingHere
      }
    }
  const isUnknown = missingMin > durationMin - ROUNDING_MIN
  return { durationMin, depthMm: isUnknown ? Number.NaN : Math.max(0, depthMm), fromMin, missingMin }
}

/** The last edge that is not after a minute; 0 where none is. */
function edgeUpTo(edges: Float64Array, minute: number): number {
  let [low, high] = [0, edges.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (edges[middle] <= minute) low = middle
    else high = middle - 1
  }
  return low
}
