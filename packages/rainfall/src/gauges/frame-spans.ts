/** Which part of its time a frame's nominal time is. */
export type FrameTime = 'start' | 'middle' | 'end'

/** A span of time, ms. */
export interface Span {
  fromMs: number
  toMs: number
}

const DEFAULT_STEP_MS = 300_000
/** A frame stands for at most twice the usual step; what is beyond is a gap. */
const LONGEST_STEPS = 2

/** Usual distance of frames: the median of the gaps; five minutes for a single frame. */
export function usualStepMs(timesMs: readonly number[]): number {
  const gaps = timesMs.slice(1).map((time, i) => time - timesMs[i])
  if (gaps.length === 0) return DEFAULT_STEP_MS
  gaps.sort((a, b) => a - b)
  return gaps[gaps.length >> 1]
}

/**
 * The time that each frame stands for.
 * @param timesMs rising
 * @param usual what a frame stands for where no neighbour says it, ms
 */
export function frameSpans(
  timesMs: readonly number[],
  kind: FrameTime,
  usual = usualStepMs(timesMs),
): Span[] {
  const gap = (i: number): number => {
    const step = timesMs[i + 1] - timesMs[i]
    return step <= LONGEST_STEPS * usual ? step : usual
  }
  return timesMs.map((time, i) => {
    const after = i + 1 < timesMs.length ? gap(i) : usual
    const before = i > 0 ? gap(i - 1) : usual
    if (kind === 'start') return { fromMs: time, toMs: time + after }
    if (kind === 'end') return { fromMs: time - before, toMs: time }
    return { fromMs: time - before / 2, toMs: time + after / 2 }
  })
}

/** Milliseconds that two spans share. */
export const sharedMs = (a: Span, b: Span): number =>
  Math.max(0, Math.min(a.toMs, b.toMs) - Math.max(a.fromMs, b.fromMs))

/** Spans joined where they touch or overlap, in the order of time. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const out: Span[] = []
  for (const span of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = out[out.length - 1]
    if (last && span.fromMs <= last.toMs) last.toMs = Math.max(last.toMs, span.toMs)
    else out.push({ ...span })
  }
  return out
}
