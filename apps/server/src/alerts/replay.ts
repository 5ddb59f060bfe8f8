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
  /** Hits among events, and false alarms among alerts, 0 to 1; null without any. */
  pod: number | null
  far: number | null
  /** Half of the hits were told at least so long before their event, min; negative: after it began. */
  leadMin: number | null
}

/** Whether an alert is of an event: it was told from so long before it to its end. */
const isOf = ({ toldMs }: Replayed, { startMs, endMs }: Period, windowMs: number) =>
  toldMs >= startMs - windowMs && toldMs <= (endMs ?? Number.POSITIVE_INFINITY)

/** Whether there was anything to warn of. */
export const isHit = (alert: Replayed, events: readonly Period[], windowMs: number): boolean =>
  events.some((event) => isOf(alert, event, windowMs))

/** Events of which nobody was told. */
export const missedOf = (
  alerts: readonly Replayed[],
  events: readonly Period[],
  windowMs: number,
): Period[] => events.filter((event) => !alerts.some((alert) => isOf(alert, event, windowMs)))

/** Holds alerts against events. What is of no event is false. */
export function scoreOf(alerts: readonly Replayed[], events: readonly Period[], windowMs: number): Score {
  const leads = events
    .flatMap((event) => {
      const first = alerts.find((alert) => isOf(alert, event, windowMs))
      return first ? [(event.startMs - first.toldMs) / 60_000] : []
    })
    .sort((a, b) => a - b)
  const falseAlarms = alerts.filter((alert) => !isHit(alert, events, windowMs)).length
  const hits = leads.length
  return {
    alerts: alerts.length,
    hits,
    misses: events.length - hits,
    falseAlarms,
    pod: events.length > 0 ? hits / events.length : null,
    far: alerts.length > 0 ? falseAlarms / alerts.length : null,
    leadMin: hits > 0 ? leads[Math.floor((hits - 1) / 2)] : null,
  }
}
