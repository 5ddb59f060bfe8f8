import { randomUUID } from 'node:crypto'
import { ROLE_MANAGER } from '@radx/contracts'
import { civilDay, civilDayRange } from '@radx/locale/time'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { hashPassword } from './passwords.ts'
import { insertAccount } from './queries.ts'

/** Days before the first start from which the restricted account sees the demonstration's 30 days. */
const RESTRICTED_DAYS = 10

/** Known to everyone (README): they exist as long as the demonstration runs. */
const ACCOUNTS = [
  { name: 'demo', password: 'demo-radx', roles: [], restricted: false },
  { name: 'gestionnaire', password: 'gestionnaire-radx', roles: [ROLE_MANAGER], restricted: false },
  { name: 'restreint', password: 'restreint-radx', roles: [], restricted: true },
]

/**
 * Makes the demonstration's accounts, or closes them where it is off. An account that an administrator
 * changed since is theirs and is left alone, as is one of the same name that they made.
 *
 * @param timeZone zone of the civil day at which the restricted account's access begins
 */
export async function settleDemoAccounts(
  db: Kysely<Database>,
  demo: boolean,
  nowMs: number,
  timeZone: string,
): Promise<void> {
  if (!demo) {
    await db
      .updateTable('account')
      .set({ disabled_at: new Date(nowMs) })
      .where('is_demo', '=', true)
      .where('disabled_at', 'is', null)
      .execute()
    await db
      .deleteFrom('session')
      .where('account_id', 'in', (q) => q.selectFrom('account').select('id').where('is_demo', '=', true))
      .execute()
    return
  }
  for (const { name, password, roles, restricted } of ACCOUNTS) {
    const known = await db.selectFrom('account').select('id').where('name_key', '=', name).executeTakeFirst()
    if (known) continue
    const firstDay = civilDay(nowMs - RESTRICTED_DAYS * 86_400_000, timeZone)
    await insertAccount(db, {
      id: randomUUID(),
      name,
      name_key: name,
      password_hash: await hashPassword(password),
      roles,
      restriction_start: restricted ? new Date(civilDayRange(firstDay, timeZone).startMs) : null,
      is_demo: true,
    })
  }
  await db
    .updateTable('account')
    .set({ disabled_at: null })
    .where('is_demo', '=', true)
    .where('disabled_at', 'is not', null)
    .execute()
}
