import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { LogWhat } from './tables.ts'

interface Line {
  alert: string
  username: string
  detail?: string
}

/** Adds a line to an account's log. */
export const log = (
  trx: Kysely<Database>,
  of: Omit<Line, 'detail'>,
  nowMs: number,
  what: LogWhat,
  detail = '',
): Promise<void> => logAll(trx, [{ ...of, detail }], nowMs, what)

/** Adds a line each to the logs of some accounts. */
export async function logAll(
  trx: Kysely<Database>,
  lines: readonly Line[],
  nowMs: number,
  what: LogWhat,
): Promise<void> {
  if (lines.length === 0) return
  const rows = lines.map(({ alert, username, detail = '' }) => ({
    ...{ alert_id: alert, username, at: new Date(nowMs), what },
    detail: detail.slice(0, 1_000),
  }))
  await trx.insertInto('alert_log').values(rows).execute()
}
