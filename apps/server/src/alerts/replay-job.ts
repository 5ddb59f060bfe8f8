import { ALERT_UNITS, type AlertReplay, type AlertReplayBody } from '@radx/contracts'
import { loadSite } from '../config/site.ts'
import { openDatabase } from '../db/database.ts'
import type { JobContext, JobKind } from '../jobs/api.ts'
import { createLogger } from '../log.ts'
import { openStore } from '../store/open-store.ts'
import type { Limits, Sample } from './machine.ts'
import { limitsOf } from './raise.ts'
import { eventsOf, type Held, missedOf, replayAlerts, scoreOf, verdictOf } from './replay.ts'
import { Series, type SeriesContext } from './series/series.ts'

export const ALERT_REPLAY_JOB = 'alert-replay'

export type AlertReplayInput = AlertReplayBody & { username: string }

/** Parts of the rule's own threshold that are tried as well. */
const TRIED = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const
const MOST_LISTED = 200
/** Periods are gone over in pieces of so much, so that a year's rain is never in memory at once. */
const PIECE_MS = 10 * 86_400_000

/** A rule tried on the archive before it is switched on. */
export const alertReplayJob: JobKind<AlertReplayInput, AlertReplay> = {
  name: ALERT_REPLAY_JOB,
  perUser: 1,
  timeoutSeconds: 3_600,
  memoryMb: 1_000,
  visibility: 'owner',
  keep: 'exports',
  radarPeriod: ({ start, end }) => ({ start: new Date(start), end: new Date(end) }),
  run: replay,
}

async function replay({
  config,
  input,
  signal,
  progress,
}: JobContext<AlertReplayInput>): Promise<AlertReplay> {
  const { site, catchments } = await loadSite(config.siteDir)
  const database = await openDatabase(config, { log: createLogger('silent'), poolSize: 2 })
  const { db } = database
  try {
    const store = await openStore({ db, config, site, catchments })
    try {
      return await replayRule({ db, store, site, catchments, config }, input, signal, (share) =>
        progress(Math.round(100 * share), 100, 'Valeurs de la période'),
      )
    } finally {
      await store.threads.close()
    }
  } finally {
    await database.close()
  }
}

/** The same series and the same evaluator as live. */
export async function replayRule(
  context: SeriesContext,
  { username, rule, event, start, end }: AlertReplayInput,
  signal: AbortSignal,
  progress: (share: number) => void,
): Promise<AlertReplay> {
  const span = { startMs: Date.parse(start), endMs: Date.parse(end) }
  /** How long a silence lasts depends on the threshold: such series are of one threshold each. */
  const isOfTime = ALERT_UNITS[rule.measure.kind] === 'min'
  const thresholds = TRIED.map((share) => rule.threshold * share).filter(
    (threshold) => ALERT_UNITS[rule.measure.kind] !== '%' || threshold <= 100,
  )
  const samplesOf = async (measure: AlertReplayBody['rule']['measure'], threshold: number, from: number) => {
    const samples: Sample[] = []
    for (let startMs = span.startMs; startMs < span.endMs; startMs += isOfTime ? span.endMs : PIECE_MS) {
      signal.throwIfAborted()
      const endMs = isOfTime ? span.endMs : Math.min(span.endMs, startMs + PIECE_MS)
      const at = (share: number) =>
        progress(
          from + (0.5 * (startMs - span.startMs + share * (endMs - startMs))) / (span.endMs - span.startMs),
        )
      at(0)
      const looked = { username, measure, threshold }
      samples.push(...(await new Series(context, { startMs, endMs }, [looked]).of(looked, at)))
    }
    return samples
  }
  const own = await samplesOf(rule.measure, rule.threshold, 0)
  const samples = await samplesOf(event.measure, event.threshold, 0.5)
  const events = eventsOf(samples, event.threshold, span.startMs)
  const held: Held = { events, samples, windowMs: event.windowMin * 60_000 }
  const rows: AlertReplay['rows'] = []
  for (const threshold of thresholds) {
    const values = isOfTime ? await samplesOf(rule.measure, threshold, 0.5) : own
    const alerts = replayAlerts(values, at(rule, threshold), span.startMs)
    rows.push({ threshold, ...scoreOf(alerts, held) })
  }
  const alerts = replayAlerts(own, at(rule, rule.threshold), span.startMs)
  const iso = (ms: number) => new Date(ms).toISOString()
  return {
    samples: own.length,
    unknown: own.filter(({ value }) => value === null).length,
    events: events.length,
    rows,
    alerts: alerts.slice(0, MOST_LISTED).map((alert) => ({
      ...{ crossing: iso(alert.startMs), told: iso(alert.toldMs), value: alert.value },
      ended: alert.endMs === null ? null : iso(alert.endMs),
      verdict: verdictOf(alert, held),
    })),
    missed: missedOf(alerts, events, held.windowMs)
      .slice(0, MOST_LISTED)
      .map(({ startMs, endMs }) => ({ start: iso(startMs), end: endMs === null ? null : iso(endMs) })),
  }
}

/** The rule with another threshold; its end moves along. */
const at = (rule: AlertReplayBody['rule'], threshold: number): Limits =>
  limitsOf({
    measure: rule.measure,
    threshold,
    clear: (rule.clear * threshold) / rule.threshold,
    min_minutes: rule.minMinutes,
  })
