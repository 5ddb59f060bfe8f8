import { type AlertSeverity, NOTICE_CHANNELS, type NoticeChannel, ROLE_MANAGER } from '@radx/contracts'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { log } from '../log.ts'
import type { NoticeTable, RuleRow } from '../tables.ts'
import { heldUntil } from './quiet.ts'
import { CHANNELS_FR } from './words.ts'

type Told = Pick<RuleRow, 'username' | 'notify' | 'quiet'>

/**
 * Writes down who has to be told of an alert, in the transaction that raises it: each recipient has one row a crossing,
 * which stays until it is told. Quiet hours hold everything but what is critical.
 */
export async function enqueueNotices(
  trx: Kysely<Database>,
  rule: Told,
  alert: { id: string; severity: AlertSeverity },
  event: NoticeTable['event'],
  nowMs: number,
  timeZone: string,
): Promise<void> {
  const { username, notify } = rule
  if (!notify.email && !notify.push && notify.webhooks.length === 0) return
  const person = await trx
    .selectFrom('alert_person')
    .selectAll()
    .where('username', '=', username)
    .executeTakeFirst()
  const found = await recipients(trx, rule, person)
  if (found.length === 0) return
  const quiet = rule.quiet ?? person?.quiet ?? null
  const until = alert.severity === 'critical' ? null : heldUntil(quiet, nowMs, timeZone)
  const added = await trx
    .insertInto('alert_notice')
    .values(
      found.map(([channel, target]) => ({
        ...{ alert_id: alert.id, username, event, channel, target },
        status: until === null ? ('waiting' as const) : ('held' as const),
        next_at: new Date(until ?? nowMs),
        created_at: new Date(nowMs),
        ...{ leased_until: null, error: null, error_at: null, done_at: null },
      })),
    )
    .onConflict((c) => c.columns(['alert_id', 'event', 'channel', 'target']).doNothing())
    .returning('channel')
    .execute()
  if (added.length === 0) return
  if (until === null) return
  const ways = NOTICE_CHANNELS.filter((way) => added.some(({ channel }) => channel === way))
  const detail = `${ways.map((way) => CHANNELS_FR[way]).join(', ')}\u00a0: jusqu’au ${formatDateTimeFr(until, timeZone)}`
  await log(trx, { alert: alert.id, username }, nowMs, 'held', detail)
}

async function recipients(
  trx: Kysely<Database>,
  { username, notify }: Told,
  person: { email: string | null; email_confirmed_at: Date | null } | undefined,
): Promise<[NoticeChannel, string][]> {
  const found: [NoticeChannel, string][] = []
  if (notify.email && person?.email && person.email_confirmed_at) found.push(['email', person.email])
  if (notify.push) {
    const devices = await trx.selectFrom('alert_push').select('id').where('username', '=', username).execute()
    for (const { id } of devices) found.push(['push', id])
  }
  if (notify.webhooks.length > 0) {
    // Who is no manager any more calls none.
    const hooks = await trx
      .selectFrom('alert_webhook as w')
      .innerJoin('account as a', (join) => join.on('a.name', '=', username))
      .select('w.id')
      .where('w.id', 'in', notify.webhooks)
      .where(sql<boolean>`${ROLE_MANAGER} = any(a.roles)`)
      .execute()
    for (const { id } of hooks) found.push(['webhook', id])
  }
  return found
}

/** What is held of an alert that became critical goes out now. @returns whether anything was */
export async function releaseHeld(trx: Kysely<Database>, alertId: string, nowMs: number): Promise<boolean> {
  const released = await trx
    .updateTable('alert_notice')
    .set({ status: 'waiting', next_at: new Date(nowMs) })
    .where('alert_id', '=', alertId)
    .where('status', '=', 'held')
    .returning('id')
    .execute()
  return released.length > 0
}
