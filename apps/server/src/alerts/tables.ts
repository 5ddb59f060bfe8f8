import type { AlertMeasure, AlertSeverity } from '@radx/contracts'
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

export type LogWhat = 'raised' | 'acknowledged' | 'snoozed' | 'reminded' | 'escalated' | 'ended'

interface LogTable {
  id: GeneratedAlways<number>
  alert_id: string
  username: string
  at: Date
  what: LogWhat
  detail: string
}

declare module '../db/schema.ts' {
  interface Database {
    alert_rule: RuleTable
    alert: AlertTable
    alert_log: LogTable
  }
}

export type RuleRow = Selectable<RuleTable>
export type AlertRow = Selectable<AlertTable>
