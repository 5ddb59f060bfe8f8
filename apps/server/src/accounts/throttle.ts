import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import { networkOf } from '../http/address.ts'
import './tables.ts'

/** A budget of `burst` tries, refilled by one every `intervalMs` (generic cell rate algorithm, ITU-T I.371). */
export interface Budget {
  burst: number
  intervalMs: number
}

/** A name from one address, or from a browser that signed in to it before. */
export const PAIR_BUDGET: Budget = { burst: 10, intervalMs: 30_000 }
/** Wider, since a whole laboratory may share an address. */
export const ADDRESS_BUDGET: Budget = { burst: 40, intervalMs: 2_000 }
/**
 * What all strangers together may try on one name. Wide, so that hundreds of addresses that fail do not keep its owner
 * out at a new browser; still far too little to guess a password: some 8,600 tries a day after the first.
 */
export const STRANGERS_BUDGET: Budget = { burst: 2_000, intervalMs: 10_000 }

/** Codes beside a right password: some 720 tries a day of a million, three of which are good at a time. */
export const CODE_BUDGET: Budget = { burst: 20, intervalMs: 120_000 }

/** A fixed-length key, so that whatever is typed as a name cannot fill the table with long texts. */
const digest = (...texts: string[]) => createHash('sha256').update(texts.join('\n')).digest('base64url')
const typedName = (typed: string) => typed.normalize('NFKC').trim().toLowerCase()

export const accountKey = (typed: string) => `account:${digest(typedName(typed))}`
export const pairKey = (typed: string, ip: string) => `pair:${digest(typedName(typed), networkOf(ip))}`
/** An IPv6 customer has a whole /64, so that counts as one address. */
export const addressKey = (ip: string) => `address:${networkOf(ip)}`

/**
 * Takes one try from a budget that all processes share, in one statement, so that tries at the same
 * moment cannot pass together.
 *
 * @returns 0 when granted, else the milliseconds until the next try would be
 */
export async function take(
  db: Kysely<Database>,
  key: string,
  budget: Budget,
  nowMs: number,
): Promise<number> {
  const now = new Date(nowMs)
  const step = sql<string>`${budget.intervalMs} * interval '1 millisecond'`
  const depth = sql<string>`${budget.intervalMs * budget.burst} * interval '1 millisecond'`
  const { rows } = await sql`
    insert into login_throttle (key, whole_at) values (${key}, ${now}::timestamptz + ${step})
    on conflict (key) do update
      set whole_at = greatest(login_throttle.whole_at, ${now}::timestamptz) + ${step}
      where greatest(login_throttle.whole_at, ${now}::timestamptz) + ${step} <= ${now}::timestamptz + ${depth}
    returning key`.execute(db)
  if (rows.length > 0) return 0
  const row = await db
    .selectFrom('login_throttle')
    .select('whole_at')
    .where('key', '=', key)
    .executeTakeFirst()
  if (!row) return 1
  return Math.max(1, row.whole_at.getTime() + budget.intervalMs - nowMs - budget.intervalMs * budget.burst)
}

/** Gives a whole budget back, after a try that succeeded. */
export async function forget(db: Kysely<Database>, key: string): Promise<void> {
  await db.deleteFrom('login_throttle').where('key', '=', key).execute()
}

/** Gives one try back. */
export async function giveBack(db: Kysely<Database>, key: string, budget: Budget): Promise<void> {
  await sql`
    update login_throttle set whole_at = whole_at - ${budget.intervalMs} * interval '1 millisecond'
    where key = ${key}`.execute(db)
}

/** Removes budgets that are whole again. */
export async function sweepThrottle(db: Kysely<Database>, nowMs: number): Promise<void> {
  await db.deleteFrom('login_throttle').where('whole_at', '<=', new Date(nowMs)).execute()
}
