import type { NoticeChannel } from '@radx/contracts'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { log } from '../log.ts'
import { tell } from '../raise.ts'
import type { NoticeRow } from '../tables.ts'
import { CHANNELS_FR } from './words.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
/** Pauses before the second, third... try; then the last one again. */
const PAUSES_MS = [10 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE]
/** What nobody took in so many tries, about a day of them, is given up. */
export const MOST_TRIES = 54
/** A try takes less; whoever has a notice for longer is gone. */
export const LEASE_MS: Record<NoticeChannel, number> = {
  email: 90 * SECOND,
  push: 30 * SECOND,
  webhook: 30 * SECOND,
}
/** Who failed a moment ago waits. */
const REST_MS = 10 * SECOND
/** Quiet hours are no longer than a day; what is due later is of a clock that was set back. */
const LONGEST_HELD_MS = 25 * 60 * MINUTE

/**
 * Takes notices that are due, each for one sender at a time. A lease that ends gives the notice to the next one: it is sent
 * at least once, under the same id, by which its receiver knows it.
 * @param busy receivers that get no more for now
 */
export async function takeDue(
  db: Kysely<Database>,
  channel: NoticeChannel,
  nowMs: number,
  most: number,
  busy: readonly string[] = [],
): Promise<NoticeRow[]> {
  const lease = LEASE_MS[channel]
  const at = (ms: number) => new Date(nowMs + ms)
  const { rows } = await sql<NoticeRow>`
    update alert_notice set leased_until = ${at(lease)}, attempts = attempts + 1
    where id in (
      select id from alert_notice n
      where status in ('waiting', 'held') and channel = ${channel} and n.target <> all(${[...busy]}::text[])
        and not exists (select from alert_notice f where f.channel = n.channel and f.target = n.target
          and f.status = 'waiting' and f.error_at > ${at(-REST_MS)} and f.error_at < ${at(REST_MS)})
        and (next_at <= ${at(0)}
          or (status = 'held' and next_at > ${at(LONGEST_HELD_MS)})
          or (status = 'waiting' and next_at > ${at(PAUSES_MS.at(-1)! + MINUTE)}))
        and (leased_until is null or leased_until <= ${at(0)} or leased_until > ${at(2 * lease)})
      order by attempts, next_at limit ${most} for update skip locked)
    returning *`.execute(db)
  return rows
}

export type Outcome = { ok: true; words: string } | { ok: false; words: string; isFinal: boolean }

/** Writes down what came of a try. Who had the notice for too long changes nothing any more. */
export async function settle(
  db: Kysely<Database>,
  notice: NoticeRow,
  outcome: Outcome,
  nowMs: number,
  timeZone: string,
): Promise<void> {
  const { id, alert_id: alert, username, attempts, channel } = notice
  const now = new Date(nowMs)
  const isOver = !outcome.ok && (outcome.isFinal || attempts >= MOST_TRIES)
  const nextMs = nowMs + PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1]
  await db.transaction().execute(async (trx) => {
    const settled = await trx
      .updateTable('alert_notice')
      .set(
        outcome.ok
          ? { status: 'sent', done_at: now, leased_until: null }
          : {
              ...{ error: outcome.words.slice(0, 500), error_at: now, leased_until: null },
              ...(isOver
                ? { status: 'failed' as const, done_at: now }
                : { status: 'waiting' as const, next_at: new Date(nextMs) }),
            },
      )
      .where('id', '=', id)
      .where('attempts', '=', attempts)
      .where('status', 'in', ['waiting', 'held'])
      .returning('id')
      .executeTakeFirst()
    if (!settled) return
    const words = `${CHANNELS_FR[channel]}\u00a0: ${outcome.words}`
    const of = { alert, username }
    if (outcome.ok) await log(trx, of, nowMs, 'sent', words)
    else if (isOver) await log(trx, of, nowMs, 'undelivered', words)
    // The log has the first try that failed; the others are on the page of the server's state.
    else if (attempts === 1)
      await log(trx, of, nowMs, 'delayed', `${words}, nouvel essai le ${formatDateTimeFr(nextMs, timeZone)}`)
    else return
    await tell(trx, username)
  })
}
