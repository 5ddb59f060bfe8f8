import { type FrameTime, frameSpans, joinSpans, type Span, sharedMs, usualStepMs } from './frame-spans.ts'
import type { GaugeSeries } from './gauge-text.ts'

/** Frames and gauges brought to totals of the same time. */
export interface CommonTotals {
  /** Convention of the frames' times that was taken. */
  frameTime: FrameTime
  /** Nobody said that convention: it may be another, and the frames then are off by up to a step. */
  isGuessed: boolean
  /** What is added up, joined; empty where gauges and frames never meet. */
  spans: Span[]
  /** Hours that each frame counts with. */
  frameHours: number[]
  /** mm of each gauge over what it knows of the spans; NaN where it misses more than a tenth of them. */
  gaugeMm: number[]
  /** Hours of each frame that a gauge knows, of gauges that miss some of the spans; null of all others. */
  knownHours: (number[] | null)[]
}

export interface TotalsOptions {
  /** Convention of the frames' times; the one that covers most of the readings otherwise. */
  frameTime?: FrameTime
  /** Time of each reading; the usual distance of a gauge's readings otherwise. */
  intervalMs?: number
  /** What a single frame stands for. @default five minutes */
  frameMs?: number
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
  options: TotalsOptions = {},
): CommonTotals {
  if (gauges[0]?.unit === 'mm/h') return commonRates(timesMs, gauges, options.frameTime)
  const stepMs = timesMs.length > 1 ? usualStepMs(timesMs) : options.frameMs
  const all = gauges.map((gauge) => spansOf(gauge, timesMs, stepMs, options.intervalMs))
  // A total's first reading, or a line without a value, says nothing of its time.
  const known = gauges.map(({ values }) => values.map((value) => !Number.isNaN(value)))
  const readings = all.map((spans, g) => spans.filter((_, i) => known[g][i]))
  const depths = gauges.map(({ values }, g) => values.filter((_, i) => known[g][i]))
  const kinds: FrameTime[] = options.frameTime ? [options.frameTime] : ['middle', 'start', 'end']
  const tried = kinds.map((kind) => {
    const frames = frameSpans(timesMs, kind, stepMs)
    const used = readings.map((spans) => spans.map((span) => coverOf(span, frames) >= COVERED_SHARE))
    const covered = readings.flat().reduce((sum, span) => sum + coverOf(span, frames), 0)
    return { kind, frames, used, covered }
  })
  // A picture alone covers as much of readings about its middle, but none of them whole.
  const telling = tried.filter(({ used }) => used.some((of) => of.includes(true)))
  const best = (telling.length > 0 ? telling : tried).reduce((a, b) => (b.covered > a.covered + 1e-9 ? b : a))
  const covered = readings.map((of, g) => of.filter((_, i) => best.used[g][i]))
  const common = knownToHalf(covered)
  const used = readings.map((of, g) =>
    of.map((span, i) => best.used[g][i] && coverOf(span, common) >= COVERED_SHARE),
  )
  const taken = readings.map((of, g) => joinSpans(of.filter((_, i) => used[g][i])))
  const spans = joinSpans(taken.flat())
  const wanted = lengthOf(spans)
  const gaugeMm: number[] = []
  const knownHours: (number[] | null)[] = []
  depths.forEach((mm, g) => {
    const share = wanted > 0 ? lengthOf(taken[g]) / wanted : 0
    const total = mm.reduce((sum, v, i) => sum + (used[g][i] ? v : 0), 0)
    gaugeMm.push(share >= KNOWN_SHARE ? total : Number.NaN)
    knownHours.push(share >= KNOWN_SHARE && share < 1 - 1e-9 ? hoursWithin(best.frames, taken[g]) : null)
  })
  return {
    frameTime: best.kind,
    isGuessed: options.frameTime === undefined,
    spans,
    frameHours: hoursWithin(best.frames, spans),
    gaugeMm,
    knownHours,
  }
}

/** Times that half of the gauges know, of those that know any: one with a longer record than others does not decide. */
function knownToHalf(readings: readonly (readonly Span[])[]): Span[] {
  const joined = readings.map(joinSpans).filter(({ length }) => length > 0)
  const edges = joined.flatMap((spans) =>
    spans.flatMap(({ fromMs, toMs }) => [
      { at: fromMs, more: 1 },
      { at: toMs, more: -1 },
    ]),
  )
  edges.sort((a, b) => a.at - b.at || b.more - a.more)
  const common: Span[] = []
  let [count, since] = [0, Number.NaN]
  for (const { at, more } of edges) {
    const before = 2 * count >= joined.length
    count += more
    const now = 2 * count >= joined.length
    if (now && !before) since = at
    if (before && !now && at > since) common.push({ fromMs: since, toMs: at })
  }
  return common
}

const lengthOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)

/** Hours that each frame shares with spans. */
const hoursWithin = (frames: readonly Span[], spans: readonly Span[]): number[] =>
  frames.map((frame) => spans.reduce((sum, span) => sum + sharedMs(frame, span), 0) / 3_600_000)

function spansOf(
  { timesMs: ends }: GaugeSeries,
  frames: readonly number[],
  stepMs = usualStepMs(frames),
  intervalMs?: number,
): Span[] {
  // One reading alone tells no interval: it is taken for all that the frames stand for.
  const usual = intervalMs ?? (ends.length > 1 ? usualStepMs(ends) : frames.length * stepMs)
  return ends.map((toMs) => ({ fromMs: toMs - usual, toMs }))
}

function coverOf(span: Span, frames: readonly Span[]): number {
  const shared = frames.reduce((sum, frame) => sum + sharedMs(frame, span), 0)
  return shared / (span.toMs - span.fromMs)
}

function commonRates(
  timesMs: readonly number[],
  gauges: readonly GaugeSeries[],
  said: FrameTime | undefined,
): CommonTotals {
  const half = Math.min(usualStepMs(timesMs) / 2, 600_000)
  const frameOf = (ms: number): number => timesMs.findIndex((time) => Math.abs(time - ms) <= half)
  const met = gauges.map(({ timesMs: at }) => at.map(frameOf))
  const frames = [...new Set(met.flat())].filter((i) => i >= 0).sort((a, b) => a - b)
  const rates = gauges.map(({ values }, g) => meansOf(values, met[g], timesMs.length))
  const known = rates.map((of) => of.filter((v) => !Number.isNaN(v)))
  const isKnown = known.map(({ length }) => frames.length > 0 && length >= KNOWN_SHARE * frames.length)
  return {
    frameTime: 'middle',
    isGuessed: said !== 'middle',
    spans: frames.map((i) => ({ fromMs: timesMs[i], toMs: timesMs[i] })),
    frameHours: timesMs.map((_, i) => Number(frames.includes(i))),
    gaugeMm: known.map((of, g) => (isKnown[g] ? of.reduce((sum, v) => sum + v, 0) : Number.NaN)),
    knownHours: rates.map((of, g) =>
      isKnown[g] && known[g].length < frames.length ? of.map((v) => Number(!Number.isNaN(v))) : null,
    ),
  }
}

/** Mean of the readings that a frame meets, frame by frame; NaN where it meets none. */
function meansOf(values: readonly number[], met: readonly number[], frames: number): number[] {
  const sums = new Float64Array(frames)
  const counts = new Float64Array(frames)
  values.forEach((v, i) => {
    if (met[i] < 0 || Number.isNaN(v)) return
    sums[met[i]] += v
    counts[met[i]]++
  })
  return Array.from(sums, (sum, i) => (counts[i] > 0 ? sum / counts[i] : Number.NaN))
}
