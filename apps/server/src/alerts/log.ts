import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { LogWhat } from './tables.ts'

/** Adds a line to an account's log. */
export async function log(
  trx: Kysely<Database>,
  of: { alert: string; username: string },
  nowMs: number,
  what: LogWhat,
  detail = '',
): Promise<void> {
  const row = {
    alert_id: of.alert,
    username: of.username,
    at: new Date(nowMs),
    what,
    detail: detail.slice(0, 1_000),
  }
  await trx.insertInto('alert_log').values(row).execute()
}
