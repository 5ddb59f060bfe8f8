import type { InstantRange } from '@radx/contracts/instants'

/** Finest step in which gauges and radar are compared. */
export const BIN_MS = 300_000
/** A step counts where this share of it is known. */
const KNOWN_SHARE = 0.8

/** Steps of five minutes of a span that starts and ends on such a step. */
export const binCount = ({ startMs, endMs }: InstantRange): number => Math.round((endMs - startMs) / BIN_MS)

/** Smallest span of whole steps of five minutes around another. */
export const wholeBins = ({ startMs, endMs }: InstantRange): InstantRange => ({
  startMs: Math.floor(startMs / BIN_MS) * BIN_MS,
  endMs: Math.ceil(endMs / BIN_MS) * BIN_MS,
})

/** Adds amounts over spans of time to steps of five minutes, in proportion to the time that they share. */
export class BinSum {
  private readonly span: InstantRange
  private readonly sum: Float64Array
  private readonly known: Float64Array

  constructor(span: InstantRange) {
    this.span = span
    this.sum = new Float64Array(binCount(span))
    this.known = new Float64Array(this.sum.length)
  }

  /** @param mm over the whole of [fromMs, toMs); NaN tells nothing */
  add(fromMs: number, toMs: number, mm: number): void {
    if (Number.isNaN(mm) || !(toMs > fromMs)) return
    const { startMs, endMs } = this.span
    const perMs = mm / (toMs - fromMs)
    let at = Math.max(fromMs, startMs)
    const last = Math.min(toMs, endMs)
    while (at < last) {
      const bin = Math.floor((at - startMs) / BIN_MS)
      const to = Math.min(last, startMs + (bin + 1) * BIN_MS)
      this.sum[bin] += perMs * (to - at)
      this.known[bin] += to - at
      at = to
    }
  }

  /** mm a step, NaN where less than 80 % of it is known. */
  result(): Float64Array {
    const [sum, known] = [this.sum, this.known]
    for (let i = 0; i < sum.length; i++) if (!(known[i] >= KNOWN_SHARE * BIN_MS - 1)) sum[i] = Number.NaN
    return sum
  }
}

/** Usual distance of readings, ms: the median of the gaps; five minutes for fewer than two. */
export function usualInterval(timesMs: ArrayLike<number>): number {
  const count = timesMs.length - 1
  if (count < 1) return BIN_MS
  // What more than half of the gaps are is their median (Boyer and Moore 1981), and most gauges have such a gap.
  let candidate = 0
  let lead = 0
  for (let i = 0; i < count; i++) {
    const gap = timesMs[i + 1] - timesMs[i]
    if (lead === 0) candidate = gap
    lead += gap === candidate ? 1 : -1
  }
  let same = 0
  for (let i = 0; i < count; i++) if (timesMs[i + 1] - timesMs[i] === candidate) same++
  if (same > count / 2) return candidate
  return Float64Array.from({ length: count }, (_, i) => timesMs[i + 1] - timesMs[i]).sort()[count >> 1]
}

/**
 * Readings as steps of five minutes. A reading ends at its time and lasts the usual interval.
 * @param timesMs rising
 * @param mm depth of each reading, NaN = missing
 */
export function gaugeBins(
  timesMs: ArrayLike<number>,
  mm: ArrayLike<number>,
  span: InstantRange,
  intervalMs = usualInterval(timesMs),
): Float64Array {
  const bins = new BinSum(span)
  for (let i = 0; i < timesMs.length; i++) {
    const before = i > 0 ? timesMs[i - 1] : Number.NEGATIVE_INFINITY
    bins.add(Math.max(before, timesMs[i] - intervalMs), timesMs[i], mm[i])
  }
  return bins.result()
}

/** Totals that only grow as depths between readings: NaN for the first, after a gap, and where a total falls back. */
export function risesOf(timesMs: ArrayLike<number>, totals: ArrayLike<number>): Float64Array {
  const usual = usualInterval(timesMs)
  const out = new Float64Array(totals.length).fill(Number.NaN)
  for (let i = 1; i < out.length; i++) {
    const rise = totals[i] - totals[i - 1]
    if (rise >= 0 && timesMs[i] - timesMs[i - 1] <= 3 * usual) out[i] = rise
  }
  return out
}

/**
 * Which steps of five minutes are joined: `count` of them from a multiple of their length since 1970. The first `skip`
 * belong to none.
 */
export function joinedSteps(
  length: number,
  startMs: number,
  count: number,
): { startMs: number; skip: number; steps: number; isKnown: (known: number) => boolean } {
  const skip = (count - (Math.round(startMs / BIN_MS) % count)) % count
  return {
    startMs: startMs + skip * BIN_MS,
    skip,
    steps: Math.max(0, Math.floor((length - skip) / count)),
    isKnown: (known) => known >= KNOWN_SHARE * count,
  }
}
