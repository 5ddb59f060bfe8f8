import { type Limits, run, type Sample, startState } from './machine.ts'

export interface Period {
  startMs: number
  /** null: it goes on at the end. */
  endMs: number | null
}

/** An alert of a replay. */
export interface Replayed extends Period {
  /** When it would have been told, at the earliest. */
  toldMs: number
  value: number
}

/** Alerts that a rule would have raised over samples, by the evaluator of live rules. */
export function replayAlerts(samples: readonly Sample[], limits: Limits, startMs: number): Replayed[] {
  const found: Replayed[] = []
  for (const change of run(startState(startMs - 1), samples, limits).changes)
    if (change.what === 'raised')
      found.push({ startMs: change.crossingMs, toldMs: change.atMs, value: change.value, endMs: null })
    else if (change.what === 'ended') found[found.length - 1].endMs = change.atMs
  return found
}

/** Farther apart than this two crossings are two events, ms. */
const APART_MS = 60 * 60_000

/** What there was to warn of: times over a threshold, those that follow each other closely as one. */
export function eventsOf(samples: readonly Sample[], threshold: number, startMs: number): Period[] {
  const limits = { threshold, clear: threshold, minMs: 0, blindMs: null }
  const events: Period[] = []
  for (const { startMs: from, endMs } of replayAlerts(samples, limits, startMs)) {
    const before = events.at(-1)
    if (before && before.endMs !== null && from - before.endMs < APART_MS) before.endMs = endMs
    else events.push({ startMs: from, endMs })
  }
  return events
}

export interface Score {
  alerts: number
  hits: number
  misses: number
  falseAlarms: number
  /** Hits among events, and false alarms among alerts of which is known what came, 0 to 1; null without any. */
  pod: number | null
  far: number | null
  /** Half of the hits were told at least so long before their event, min; negative: after it began. */
  leadMin: number | null
}

/** Whether an alert is of an event: it was told from so long before it to its end. */
const isOf = ({ toldMs }: Replayed, { startMs, endMs }: Period, windowMs: number) =>
  toldMs >= startMs - windowMs && toldMs <= (endMs ?? Number.POSITIVE_INFINITY)

/** Events of which nobody was told. */
export const missedOf = (
  alerts: readonly Replayed[],
  events: readonly Period[],
  windowMs: number,
): Period[] => events.filter((event) => !alerts.some((alert) => isOf(alert, event, windowMs)))

/** Without a value for longer nobody knows whether there was anything to warn of, ms. */
const UNSEEN_MS = 30 * 60_000

/** Whether it was seen all through the time of which an alert warns that there was nothing to warn of. */
function wasSeen({ toldMs }: Replayed, samples: readonly Sample[], windowMs: number): boolean {
  const untilMs = toldMs + windowMs
  let knownMs = toldMs
  for (const { timeMs, value } of samples) {
    if (value === null || timeMs <= toldMs) continue
    if (timeMs - knownMs > UNSEEN_MS) return false
    knownMs = timeMs
    if (timeMs >= untilMs) break
  }
  return untilMs - knownMs <= UNSEEN_MS
}

/** What became of an alert: nobody knows it of one that was followed by no values. */
export function verdictOf(alert: Replayed, { events, samples, windowMs }: Held): 'hit' | 'false' | 'unknown' {
  if (events.some((event) => isOf(alert, event, windowMs))) return 'hit'
  return wasSeen(alert, samples, windowMs) ? 'false' : 'unknown'
}

/** What alerts are held against: events, and the values that they were found in. */
export interface Held {
  events: readonly Period[]
  samples: readonly Sample[]
  windowMs: number
}

/** Holds alerts against events. What is of no event is false, unless nobody could see one. */
export function scoreOf(alerts: readonly Replayed[], held: Held): Score {
  const { events, windowMs } = held
  const leads = events
    .flatMap((event) => {
      const first = alerts.find((alert) => isOf(alert, event, windowMs))
      return first ? [(event.startMs - first.toldMs) / 60_000] : []
    })
    .sort((a, b) => a - b)
  const verdicts = alerts.map((alert) => verdictOf(alert, held))
  const falseAlarms = verdicts.filter((verdict) => verdict === 'false').length
  const judged = verdicts.filter((verdict) => verdict !== 'unknown').length
  const hits = leads.length
  return {
    alerts: alerts.length,
    hits,
    misses: events.length - hits,
    falseAlarms,
    pod: events.length > 0 ? hits / events.length : null,
    far: judged > 0 ? falseAlarms / judged : null,
    leadMin: hits > 0 ? leads[Math.floor((hits - 1) / 2)] : null,
  }
}
