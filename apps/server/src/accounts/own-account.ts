import type { Kysely } from 'kysely'
import { type Origin, record } from '../audit/api.ts'
import type { Database } from '../db/schema.ts'
import type { Session } from '../http/sessions.ts'
import { SharedAccount, TooManyLogins, WrongPassword } from './errors.ts'
import { checkNewPassword, hashPassword, verifyPassword } from './passwords.ts'
import { accountById, endSessions, setPassword } from './queries.ts'
import type { AccountRow } from './tables.ts'
import { forget, PAIR_BUDGET, take } from './throttle.ts'

type Db = Kysely<Database>

/**
 * The account of a session, once its password was given again. A stolen token guesses no faster than a stranger.
 * @throws TooManyLogins, WrongPassword, SharedAccount
 */
export async function confirmedAccount(
  db: Db,
  session: Session,
  password: string,
  nowMs: number,
): Promise<AccountRow> {
  const account = await ownAccount(db, session)
  const budget = `own:${account.id}`
  const waitMs = await take(db, budget, PAIR_BUDGET, nowMs)
  if (waitMs > 0) throw new TooManyLogins(waitMs)
  if (!(await verifyPassword(account.password_hash, password))) throw new WrongPassword()
  await forget(db, budget)
  return account
}

/** The account of a session, to be changed by its holder. @throws SharedAccount for one of the demonstration */
export async function ownAccount(db: Db, session: Session): Promise<AccountRow> {
  const account = await accountById(db, session.userId)
  if (account.is_demo) throw new SharedAccount()
  return account
}

/** Sets one's own password; every other session of the account ends. @returns the account as it is then */
export async function changeOwnPassword(
  db: Db,
  session: Session,
  { current, password }: { current: string; password: string },
  by: Origin,
): Promise<AccountRow> {
  const account = await confirmedAccount(db, session, current, by.at.getTime())
  await checkNewPassword(password, account.name)
  const password_hash = await hashPassword(password)
  await db.transaction().execute(async (trx) => {
    await setPassword(trx, account.id, password_hash)
    await endSessions(trx, account.id, { except: session.id! })
    await record(trx, by, { action: 'password.change', subject: account.name })
  })
  return { ...account, password_hash }
}
