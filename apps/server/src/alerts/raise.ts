import { ALERT_BLIND_MIN, type AlertMeasure } from '@radx/contracts'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import { log, logAll } from './log.ts'
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

/** What a rule's state came through, in the order of time. */
export interface Course {
  rule: RuleRow
  changes: readonly Change[]
}

type Rise = Extract<Change, { what: 'raised' | 'blind' }>
type End = Extract<Change, { what: 'ended' | 'seeing' }>
/** At most one of each rule. */
type OfRules<C extends Change> = readonly { rule: RuleRow; change: C }[]

/**
 * Writes what rules came through, in the transaction that keeps their states: a crossing has one alert. An image may make
 * hundreds cross, so that what is written of all of them is written at once.
 */
export async function keepChanges(
  trx: Kysely<Database>,
  courses: readonly Course[],
  nowMs: number,
  wording: Wording,
): Promise<void> {
  const told = new Set<string>()
  const most = Math.max(0, ...courses.map(({ changes }) => changes.length))
  for (let k = 0; k < most; k++) {
    const own = courses.flatMap(({ rule, changes }) => (changes[k] ? [{ rule, change: changes[k] }] : []))
    const rises = own.filter((one): one is OfRules<Rise>[number] => isRise(one.change))
    const ends = own.filter((one): one is OfRules<End>[number] => !isRise(one.change))
    for (const name of await raise(trx, rises, nowMs, wording)) told.add(name)
    for (const name of await end(trx, ends, nowMs)) told.add(name)
  }
  for (const name of told) await tell(trx, name)
}

const isRise = ({ what }: Change) => what === 'raised' || what === 'blind'

/** @returns whose alerts changed */
async function raise(
  trx: Kysely<Database>,
  rises: OfRules<Rise>,
  nowMs: number,
  wording: Wording,
): Promise<string[]> {
  if (rises.length === 0) return []
  const made = await trx
    .insertInto('alert')
    .values(rises.map(({ rule, change }) => alertOf(rule, change, nowMs, wording)))
    .onConflict((c) => c.columns(['rule_id', 'cause', 'crossing']).doNothing())
    .returning(['id', 'rule_id', 'username', 'reason', 'severity'])
    .execute()
  const lines = made.map(({ id, username, reason }) => ({ alert: id, username, detail: reason }))
  await logAll(trx, lines, nowMs, 'raised')
  const rules = new Map(rises.map(({ rule }) => [rule.id, rule]))
  for (const { rule_id, id, severity } of made)
    await enqueueNotices(trx, rules.get(rule_id)!, { id, severity }, 'raised', nowMs, wording.timeZone)
  return made.map(({ username }) => username)
}

function alertOf(rule: RuleRow, change: Rise, nowMs: number, wording: Wording) {
  const { id, username, severity, threshold, measure } = rule
  const value = change.what === 'raised' ? change.value : null
  const reason =
    value === null
      ? missingFr(measure, change.crossingMs, wording)
      : crossingFr(measure, threshold, value, change.atMs, wording)
  return {
    ...{ rule_id: id, username, severity, threshold, reason },
    cause: value === null ? ('missing' as const) : ('crossing' as const),
    crossing: new Date(change.crossingMs),
    ...{ value, peak: value, last: value },
    raised_at: new Date(nowMs),
  }
}

/** @returns whose alerts changed */
async function end(trx: Kysely<Database>, ends: OfRules<End>, nowMs: number): Promise<string[]> {
  const told: string[] = []
  for (const what of ['ended', 'seeing'] as const) {
    const details = new Map(
      ends.flatMap(({ rule, change }) =>
        change.what === what
          ? [[rule.id, change.what === 'ended' ? quantityFr(rule.measure.kind, change.value) : '']]
          : [],
      ),
    )
    if (details.size === 0) continue
    const ended = await trx
      .updateTable('alert')
      .set({ ended_at: new Date(nowMs), ended_by: 'value', snoozed_until: null })
      .where('rule_id', 'in', [...details.keys()])
      .where('cause', '=', what === 'ended' ? 'crossing' : 'missing')
      .where('ended_at', 'is', null)
      .returning(['id', 'rule_id', 'username'])
      .execute()
    const lines = ended.map(({ id, rule_id, username }) => ({
      ...{ alert: id, username },
      detail: details.get(rule_id)!,
    }))
    await logAll(trx, lines, nowMs, 'ended')
    told.push(...ended.map(({ username }) => username))
  }
  return told
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

/** Keeps the largest and the last value of alerts that go on, by rule. */
export async function keepPeaks(
  trx: Kysely<Database>,
  peaks: readonly { id: string; peak: number; last: number }[],
): Promise<void> {
  if (peaks.length === 0) return
  await sql`
    update alert a set last = n.last, peak = greatest(a.peak, n.peak)
    from jsonb_to_recordset(${JSON.stringify(peaks)}::jsonb) as n(id uuid, peak float8, last float8)
    where a.rule_id = n.id and a.cause = 'crossing' and a.ended_at is null`.execute(trx)
}
