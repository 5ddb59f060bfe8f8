import { type FrameTime, frameSpans, joinSpans, type Span, sharedMs, usualStepMs } from './frame-spans.ts'
import type { GaugeSeries } from './gauge-text.ts'

/** Frames and gauges brought to totals of the same time. */
export interface CommonTotals {
  /** Convention of the frames' times that was taken. */
  frameTime: FrameTime
  /** What is added up, joined; empty where gauges and frames never meet. */
  spans: Span[]
  /** Hours that each frame counts with. */
  frameHours: number[]
  /** mm of each gauge over the spans; NaN where it misses more than a tenth of them. */
  gaugeMm: number[]
}

export interface TotalsOptions {
  /** Convention of the frames' times; the one that covers most of the readings otherwise. */
  frameTime?: FrameTime
  /** Time of each reading; the usual distance of a gauge's readings otherwise. */
  intervalMs?: number
}

/** A reading counts where frames cover this share of its time. */
const COVERED_SHARE = 0.8
/** A gauge counts where it has readings for this share of the spans. */
const KNOWN_SHARE = 0.9

/**
 * The times over which both gauges and frames say something, and the totals of the gauges over them. Readings of rates
 * are moments: each is met by the frame of that moment, and counts as an hour.
 * @param timesMs of the frames, rising
 */
export function commonTotals(
  timesMs: readonly number[],
  gauges: readonly GaugeSeries[],
  { frameTime, intervalMs }: TotalsOptions = {},
): CommonTotals {
  if (gauges[0]?.unit === 'mm/h') return commonRates(timesMs, gauges)
  const readings = gauges.map((gauge) => spansOf(gauge, timesMs, intervalMs))
  const kinds: FrameTime[] = frameTime ? [frameTime] : ['middle', 'start', 'end']
  const tried = kinds.map((kind) => {
    const frames = frameSpans(timesMs, kind)
    const used = readings.map((spans) => spans.map((span) => coverOf(span, frames) >= COVERED_SHARE))
    const covered = readings.flat().reduce((sum, span) => sum + coverOf(span, frames), 0)
    return { kind, frames, used, covered }
  })
  const best = tried.reduce((a, b) => (b.covered > a.covered + 1e-9 ? b : a))
  const spans = joinSpans(readings.flatMap((of, g) => of.filter((_, i) => best.used[g][i])))
  const frameHours = best.frames.map(
    (frame) => spans.reduce((sum, span) => sum + sharedMs(frame, span), 0) / 3_600_000,
  )
  const wanted = spans.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
  const gaugeMm = gauges.map(({ values }, g) => {
    let [total, known] = [0, 0]
    values.forEach((value, i) => {
      if (!best.used[g][i] || Number.isNaN(value)) return
      total += value
      known += readings[g][i].toMs - readings[g][i].fromMs
    })
    return wanted > 0 && known >= KNOWN_SHARE * wanted ? total : Number.NaN
  })
  return { frameTime: best.kind, spans, frameHours, gaugeMm }
}

function spansOf({ timesMs: ends }: GaugeSeries, frames: readonly number[], intervalMs?: number): Span[] {
  // One reading alone tells no interval: it is taken for all that the frames stand for.
  const all = frames.length * usualStepMs(frames)
  const usual = intervalMs ?? (ends.length > 1 ? usualStepMs(ends) : all)
  return ends.map((toMs) => ({ fromMs: toMs - usual, toMs }))
}

function coverOf(span: Span, frames: readonly Span[]): number {
  const shared = frames.reduce((sum, frame) => sum + sharedMs(frame, span), 0)
  return shared / (span.toMs - span.fromMs)
}

function commonRates(timesMs: readonly number[], gauges: readonly GaugeSeries[]): CommonTotals {
  const half = usualStepMs(timesMs) / 2
  const frameOf = (ms: number): number =>
    timesMs.findIndex((time) => Math.abs(time - ms) <= Math.min(half, 600_000))
  const met = gauges.map(({ timesMs: at }) => at.map(frameOf))
  const frames = [...new Set(met.flat())].filter((i) => i >= 0).sort((a, b) => a - b)
  const gaugeMm = gauges.map(({ values }, g) => {
    const known = values.filter((v, i) => met[g][i] >= 0 && !Number.isNaN(v))
    return frames.length > 0 && known.length >= KNOWN_SHARE * frames.length
      ? known.reduce((sum, v) => sum + v, 0)
      : Number.NaN
  })
  return {
    frameTime: 'middle',
    spans: frames.map((i) => ({ fromMs: timesMs[i], toMs: timesMs[i] })),
    frameHours: timesMs.map((_, i) => (frames.includes(i) ? 1 : 0)),
    gaugeMm,
  }
}
