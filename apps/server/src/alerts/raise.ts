import { ALERT_BLIND_MIN, type AlertMeasure } from '@radx/contracts'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import { log } from './log.ts'
import type { Change, Limits } from './machine.ts'
import { enqueueNotices } from './notices/enqueue.ts'
import type { RuleRow } from './tables.ts'
import { crossingFr, missingFr, quantityFr, type Wording } from './words.ts'

/** Channel on which every server hears whose alerts changed. */
export const ALERT_CHANNEL = 'radx_alert'

export const limitsOf = (
  rule: Pick<RuleRow, 'threshold' | 'clear' | 'min_minutes'> & { measure: AlertMeasure },
): Limits => {
  const blindMin = ALERT_BLIND_MIN[rule.measure.kind]
  return {
    threshold: rule.threshold,
    clear: rule.clear,
    minMs: rule.min_minutes * 60_000,
    blindMs: blindMin === undefined ? null : blindMin * 60_000,
  }
}

/** Tells every server, once the transaction is through, that somebody's alerts changed. */
export const tell = async (trx: Kysely<Database>, username: string): Promise<void> => {
  await sql`select pg_notify(${ALERT_CHANNEL}, ${username})`.execute(trx)
}

/** Writes what a rule's state came through, in the transaction that keeps the state: a crossing has one alert. */
export async function keepChange(
  trx: Kysely<Database>,
  rule: RuleRow,
  change: Change,
  nowMs: number,
  wording: Wording,
): Promise<void> {
  if (change.what === 'raised' || change.what === 'blind') await raise(trx, rule, change, nowMs, wording)
  else await end(trx, rule, change, nowMs)
}

async function raise(
  trx: Kysely<Database>,
  rule: RuleRow,
  change: Extract<Change, { what: 'raised' | 'blind' }>,
  nowMs: number,
  wording: Wording,
): Promise<void> {
  const { id, username, severity, threshold, measure } = rule
  const value = change.what === 'raised' ? change.value : null
  const reason =
    value === null
      ? missingFr(measure, change.crossingMs, wording)
      : crossingFr(measure, threshold, value, change.atMs, wording)
  const alert = await trx
    .insertInto('alert')
    .values({
      rule_id: id,
      username,
      cause: value === null ? 'missing' : 'crossing',
      crossing: new Date(change.crossingMs),
      severity,
      threshold,
      value,
      peak: value,
      last: value,
      reason,
      raised_at: new Date(nowMs),
    })
    .onConflict((c) => c.columns(['rule_id', 'cause', 'crossing']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!alert) return
  await log(trx, { alert: alert.id, username }, nowMs, 'raised', reason)
  await enqueueNotices(trx, rule, { id: alert.id, severity }, 'raised', nowMs, wording.timeZone)
  await tell(trx, username)
}

async function end(
  trx: Kysely<Database>,
  { id, username, measure }: RuleRow,
  change: Extract<Change, { what: 'ended' | 'seeing' }>,
  nowMs: number,
): Promise<void> {
  const ended = await trx
    .updateTable('alert')
    .set({ ended_at: new Date(nowMs), ended_by: 'value', snoozed_until: null })
    .where('rule_id', '=', id)
    .where('cause', '=', change.what === 'ended' ? 'crossing' : 'missing')
    .where('ended_at', 'is', null)
    .returning('id')
    .execute()
  const detail = change.what === 'ended' ? quantityFr(measure.kind, change.value) : ''
  for (const alert of ended) await log(trx, { alert: alert.id, username }, nowMs, 'ended', detail)
  if (ended.length > 0) await tell(trx, username)
}

/** Ends all that goes on of a rule that was changed, switched off or is looked at no more. */
export async function endOfRule(trx: Kysely<Database>, ruleId: string, nowMs: number): Promise<void> {
  const ended = await trx
    .updateTable('alert')
    .set({ ended_at: new Date(nowMs), ended_by: 'rule', snoozed_until: null })
    .where('rule_id', '=', ruleId)
    .where('ended_at', 'is', null)
    .returning(['id', 'username'])
    .execute()
  for (const { id, username } of ended) await log(trx, { alert: id, username }, nowMs, 'ended')
}

/** Keeps the largest and the last value of an alert that goes on. */
export async function keepPeak(
  trx: Kysely<Database>,
  ruleId: string,
  peak: number,
  last: number,
): Promise<void> {
  await trx
    .updateTable('alert')
    .set({ last, peak: sql<number>`greatest(peak, ${peak})` })
    .where('rule_id', '=', ruleId)
    .where('cause', '=', 'crossing')
    .where('ended_at', 'is', null)
    .execute()
}
