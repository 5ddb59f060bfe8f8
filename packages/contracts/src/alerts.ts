import { z } from 'zod'
import { AHEAD_DEPTHS_MM } from './ahead.ts'
import { NOTIFY_NOBODY, notifySchema, quietSchema } from './alert-notices.ts'
import { ALERT_KINDS, ALERT_SEVERITIES } from './alerts-constants.ts'
import { list, shortText } from './bounds.ts'
import { NOWCAST_CHANCES_MM_H } from './nowcast.ts'
import { instantSchema } from './radar.ts'

const name = () => z.string().min(1).max(200)
const product = () => z.string().min(1).max(64)

/** A catchment or one of its parts, or a point. */
export const alertPlaceSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('zone'),
    catchment: z.string().min(1).max(64),
    subcatchment: z.string().min(1).max(64).nullable(),
  }),
  z.object({
    kind: z.literal('point'),
    lat: z.number().min(-90).max(90),
    lng: z.number().min(-180).max(180),
  }),
])
export type AlertPlace = z.infer<typeof alertPlaceSchema>

const withinMin = () => z.int().min(5).max(120)
const ofCatchment = { catchmentId: z.string().min(1).max(64) }

/** What a rule looks at, by kind. */
export const alertMeasureSchema = z.discriminatedUnion('kind', [
  /** Rain of a frame, mm/h. */
  z.object({ kind: z.literal('rain-rate'), product: product(), place: alertPlaceSchema }),
  /** Rain of the last minutes, mm. */
  z.object({
    kind: z.literal('rain-total'),
    product: product(),
    place: alertPlaceSchema,
    minutes: z.int().min(5).max(1_440),
  }),
  /** Largest return period of the totals up to now, years; without a table that of the site. */
  z.object({
    kind: z.literal('rain-return'),
    product: product(),
    place: alertPlaceSchema,
    table: z.string().max(64).nullable(),
  }),
  /** Largest chance of rain over a rate at a point within a time, %. */
  z.object({
    kind: z.literal('rain-chance'),
    lat: z.number().min(-90).max(90),
    lng: z.number().min(-180).max(180),
    aboveMmH: z.literal([...NOWCAST_CHANCES_MM_H]),
    withinMin: withinMin(),
  }),
  /** Largest chance of water over a depth in a cell, %. */
  z.object({
    kind: z.literal('flood-cell'),
    ...ofCatchment,
    cell: z.int().min(0).max(100_000_000),
    /** What the place is called; the server says it when the rule is saved. */
    where: z.string().max(200).optional(),
    aboveMm: z.literal([...AHEAD_DEPTHS_MM]),
    withinMin: withinMin(),
  }),
  /** Largest chance of water out of a node, %. */
  z.object({ kind: z.literal('flood-node'), ...ofCatchment, name: name(), withinMin: withinMin() }),
  /** Largest chance of a full pipe, %. */
  z.object({ kind: z.literal('flood-link'), ...ofCatchment, name: name(), withinMin: withinMin() }),
  /** Time without an image, min. */
  z.object({ kind: z.literal('radar-down'), product: product() }),
  /** Rain of the radar over a gauge that says none, mm. */
  z.object({
    kind: z.literal('gauge-stuck'),
    gauge: z.string().min(1).max(64),
    minutes: z.int().min(30).max(1_440),
  }),
  /** Time without a forecast of floods, min. */
  z.object({ kind: z.literal('no-cycle'), ...ofCatchment }),
])
export type AlertMeasure = z.infer<typeof alertMeasureSchema>

const threshold = () => z.number().min(0.01).max(100_000)

/** A rule as a form gives it. */
export const alertRuleBodySchema = z
  .object({
    name: z.string().trim().min(1).max(100),
    measure: alertMeasureSchema,
    threshold: threshold(),
    /** The alert ends below it. */
    clear: threshold(),
    /** The value stays so long over the threshold before anybody is told, min. */
    minMinutes: z.int().min(0).max(1_440),
    severity: z.enum(ALERT_SEVERITIES),
    /** Without an acknowledgement after so many minutes, told again and as critical. */
    escalateMin: z.int().min(1).max(1_440).nullable(),
    enabled: z.boolean(),
    notify: notifySchema.default(NOTIFY_NOBODY),
    /** Instead of the owner's; null for those. */
    quiet: quietSchema.nullable().default(null),
    /** Count of edits that this one starts from. */
    version: z.int().min(0).max(1_000_000_000).optional(),
  })
  .refine(({ threshold, clear }) => clear <= threshold, {
    path: ['clear'],
    error: 'le seuil de fin ne peut dépasser le seuil d’alerte',
  })
export type AlertRuleBody = z.infer<typeof alertRuleBodySchema>

/** Where a rule stands. `blind`: it has had no value for too long. */
export const alertPhaseSchema = z.enum(['off', 'below', 'pending', 'raised', 'blind'])

export const alertRuleSchema = z.object({
  ...alertRuleBodySchema.shape,
  id: z.uuid(),
  version: z.int(),
  phase: alertPhaseSchema,
  /** The last value, and when that was. */
  value: z.number().nullable(),
  valueAt: instantSchema.nullable(),
  /** Moment up to which everything was looked at; null before the first. */
  seen: instantSchema.nullable(),
})
export type AlertRule = z.infer<typeof alertRuleSchema>

/** What an alert is of: a value over its threshold, or no value. */
export const alertCauseSchema = z.enum(['crossing', 'missing'])

const logWhat = z.enum([
  ...(['raised', 'acknowledged', 'snoozed', 'reminded', 'escalated', 'ended'] as const),
  // Of notices: kept for the end of quiet hours, sent, not yet taken, given up.
  ...(['held', 'sent', 'delayed', 'undelivered'] as const),
])

export const alertSchema = z.object({
  id: z.uuid(),
  ruleId: z.uuid(),
  rule: shortText(),
  kind: z.enum(ALERT_KINDS),
  cause: alertCauseSchema,
  severity: z.enum(ALERT_SEVERITIES),
  threshold: z.number(),
  /** The moment of the radar frame, forecast or instrument at which it began. */
  crossing: instantSchema,
  /** When it was told. */
  raised: instantSchema,
  /** The value that raised it; of a missing one null. */
  value: z.number().nullable(),
  /** The largest since, and the last one. */
  peak: z.number().nullable(),
  last: z.number().nullable(),
  /** In words: what was seen, and from which image or forecast. */
  reason: shortText(),
  acknowledged: instantSchema.nullable(),
  snoozedUntil: instantSchema.nullable(),
  escalated: instantSchema.nullable(),
  ended: instantSchema.nullable(),
  /** Who or what ended it. */
  endedBy: z.enum(['value', 'person', 'rule']).nullable(),
})
export type Alert = z.infer<typeof alertSchema>

/** `GET /api/alerts`: rules and what goes on. */
export const alertsSchema = z.object({
  now: instantSchema,
  timeZone: shortText(),
  most: z.int(),
  rules: list(alertRuleSchema),
  current: list(alertSchema),
})
export type Alerts = z.infer<typeof alertsSchema>

/** `GET /api/alerts/current`: what the header shows. */
export const alertsCurrentSchema = z.object({ rules: z.int(), current: list(alertSchema) })
export type AlertsCurrent = z.infer<typeof alertsCurrentSchema>

export const alertLogEntrySchema = z.object({
  id: z.int(),
  alertId: z.uuid(),
  at: instantSchema,
  what: logWhat,
  detail: shortText(),
  rule: shortText(),
  kind: z.enum(ALERT_KINDS),
  cause: alertCauseSchema,
  severity: z.enum(ALERT_SEVERITIES),
  value: z.number().nullable(),
  reason: shortText(),
})
export type AlertLogEntry = z.infer<typeof alertLogEntrySchema>

/** `GET /api/alerts/log`: newest first. */
export const alertLogSchema = z.object({ entries: list(alertLogEntrySchema), next: z.int().nullable() })
export type AlertLog = z.infer<typeof alertLogSchema>

/** `POST /api/alerts/{id}/snooze` */
export const alertSnoozeSchema = z.object({ minutes: z.int().min(5).max(1_440) })

/** Event of the socket: something of the account's alerts changed. */
export const ALERTS_JOIN = 'alerts-join'
export const ALERTS_CHANGED = 'alerts-changed'

/** `POST /api/job/alert-replay`: a rule over a period of the archive, held against rain that there was to warn of. */
export const alertReplayBodySchema = z.object({
  rule: z.object({
    measure: alertMeasureSchema,
    threshold: threshold(),
    clear: threshold(),
    minMinutes: z.int().min(0).max(1_440),
  }),
  start: instantSchema,
  end: instantSchema,
  event: z.object({
    measure: alertMeasureSchema,
    threshold: threshold(),
    /** An alert counts for an event that begins at most so long after it, min. */
    windowMin: z.int().min(0).max(1_440),
  }),
})
export type AlertReplayBody = z.infer<typeof alertReplayBodySchema>

/** What that job answers. */
export interface AlertReplay {
  /** Values looked at, and those of them that are not known. */
  samples: number
  unknown: number
  events: number
  /** By threshold, the rule's own among them. */
  rows: {
    threshold: number
    alerts: number
    hits: number
    misses: number
    falseAlarms: number
    pod: number | null
    far: number | null
    leadMin: number | null
  }[]
  /** What the rule as it is would have told, the first of them; what came of some nobody has seen. */
  alerts: {
    crossing: string
    told: string
    ended: string | null
    value: number
    verdict: 'hit' | 'false' | 'unknown'
  }[]
  /** What it would not have told of, the first of them. */
  missed: { start: string; end: string | null }[]
}
