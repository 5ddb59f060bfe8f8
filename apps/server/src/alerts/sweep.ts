import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import { log } from './log.ts'
import { enqueueNotices, releaseHeld } from './notices/enqueue.ts'
import { tell } from './raise.ts'

/** Alerts that nobody took on in time, and those whose rest is over, once each. */
export async function sweepAlerts(db: Kysely<Database>, nowMs: number, timeZone: string): Promise<void> {
  const now = new Date(nowMs)
  await db.transaction().execute(async (trx) => {
    const rested = await trx
      .updateTable('alert')
      .set({ snoozed_until: null })
      .where('ended_at', 'is', null)
      .where('snoozed_until', '<=', now)
      .returning(['id', 'username'])
      .execute()
    for (const { id, username } of rested) {
      await log(trx, { alert: id, username }, nowMs, 'reminded')
      await tell(trx, username)
    }
  })
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string; username: string; rule_id: string }>`
      update alert set severity = 'critical', escalated_at = ${now}
      where id in (
        select a.id from alert a join alert_rule r on r.id = a.rule_id
        where a.ended_at is null and a.acknowledged_at is null and a.escalated_at is null
          and a.snoozed_until is null and r.escalate_min is not null
          and a.raised_at + r.escalate_min * interval '1 minute' <= ${now}
        for update of a skip locked)
      returning id, username, rule_id`.execute(trx)
    for (const { id, username, rule_id } of rows) {
      await log(trx, { alert: id, username }, nowMs, 'escalated')
      await tell(trx, username)
      if (await releaseHeld(trx, id, nowMs)) continue
      const rule = await trx.selectFrom('alert_rule').selectAll().where('id', '=', rule_id).executeTakeFirst()
      if (rule) await enqueueNotices(trx, rule, { id, severity: 'critical' }, 'escalated', nowMs, timeZone)
    }
  })
}

/** Removes what ended long ago, with its log. */
export async function pruneAlerts(db: Kysely<Database>, beforeMs: number): Promise<void> {
  await db.deleteFrom('alert').where('ended_at', '<', new Date(beforeMs)).execute()
}
