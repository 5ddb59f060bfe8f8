import type {
  AlertLogEntry,
  AlertMeasure,
  AlertSeverity,
  NoticeChannel,
  Notify,
  Quiet,
} from '@radx/contracts'
import type { Generated, GeneratedAlways, JSONColumnType, Selectable } from 'kysely'
import type { AlertState } from './machine.ts'

export interface RuleTable {
  id: Generated<string>
  username: string
  name: string
  measure: JSONColumnType<AlertMeasure, string, string>
  threshold: number
  clear: number
  min_minutes: number
  severity: AlertSeverity
  escalate_min: number | null
  enabled: boolean
  state: JSONColumnType<AlertState, string, string>
  value: number | null
  value_at: Date | null
  created_at: Generated<Date>
  version: Generated<number>
  notify: JSONColumnType<Notify, string | undefined, string>
  quiet: JSONColumnType<Quiet, string | null | undefined, string | null> | null
}

export interface AlertTable {
  id: Generated<string>
  rule_id: string
  username: string
  cause: 'crossing' | 'missing'
  crossing: Date
  severity: AlertSeverity
  threshold: number
  value: number | null
  peak: number | null
  last: number | null
  reason: string
  raised_at: Date
  acknowledged_at: Date | null
  snoozed_until: Date | null
  escalated_at: Date | null
  ended_at: Date | null
  ended_by: 'value' | 'person' | 'rule' | null
}

export type LogWhat = AlertLogEntry['what']

interface LogTable {
  id: GeneratedAlways<number>
  alert_id: string
  username: string
  at: Date
  what: LogWhat
  detail: string
}

export interface NoticeTable {
  id: Generated<string>
  alert_id: string
  username: string
  event: 'raised' | 'escalated'
  channel: NoticeChannel
  target: string
  status: 'waiting' | 'held' | 'sent' | 'failed'
  attempts: Generated<number>
  next_at: Date
  leased_until: Date | null
  error: string | null
  error_at: Date | null
  created_at: Date
  done_at: Date | null
}

interface PersonTable {
  username: string
  email: string | null
  email_confirmed_at: Date | null
  email_code: Buffer | null
  email_code_until: Date | null
  email_tries: Generated<number>
  quiet: JSONColumnType<Quiet, string | null, string | null> | null
}

interface PushTable {
  id: Generated<string>
  username: string
  endpoint: string
  p256dh: string
  auth: string
  label: string
  created_at: Generated<Date>
}

interface WebhookTable {
  id: Generated<string>
  name: string
  url: string
  username: string
  created_at: Generated<Date>
}

declare module '../db/schema.ts' {
  interface Database {
    alert_rule: RuleTable
    alert: AlertTable
    alert_log: LogTable
    alert_notice: NoticeTable
    alert_person: PersonTable
    alert_push: PushTable
    alert_webhook: WebhookTable
  }
}

export type RuleRow = Selectable<RuleTable>
export type AlertRow = Selectable<AlertTable>
export type NoticeRow = Selectable<NoticeTable>
export type PersonRow = Selectable<PersonTable>
export type PushRow = Selectable<PushTable>
export type WebhookRow = Selectable<WebhookTable>
