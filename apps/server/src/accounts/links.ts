import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { type Origin, record } from '../audit/api.ts'
import type { Database } from '../db/schema.ts'
import { LinkOver } from './errors.ts'
import { checkNewPassword, hashPassword } from './passwords.ts'
import { accountById, deleteSessionsOf, setPassword } from './queries.ts'
import { type AccountSettings, addAccount, findAccount, holdAccount } from './service.ts'
import type { AccountRow } from './tables.ts'
import { hashToken, newToken } from './tokens.ts'

type Db = Kysely<Database>

export const LINK_MS = 24 * 3_600_000

export interface PasswordLink {
  /** For the fragment of an address, which no server and no log sees. */
  token: string
  expiresAt: Date
}

/** Makes an account whose holder sets its password with a link. @throws as `addAccount` */
export async function inviteAccount(
  db: Db,
  name: string,
  settings: AccountSettings,
  by: Origin,
): Promise<PasswordLink> {
  // Nobody knows it; it is replaced with the link.
  await addAccount(db, name, randomBytes(32).toString('base64url'), { ...settings, invited: true }, by)
  return makeLink(db, await findAccount(db, name), by)
}

/** A link with which a new password is set once; an earlier one ends. The password stays good until then. */
export async function makeLink(db: Db, account: AccountRow, by: Origin): Promise<PasswordLink> {
  const token = newToken()
  const expiresAt = new Date(by.at.getTime() + LINK_MS)
  const link = { token_hash: hashToken(token)!, expires_at: expiresAt }
  await db.transaction().execute(async (trx) => {
    await holdAccount(trx, account, by, { ofOthers: true })
    await trx
      .insertInto('password_link')
      .values({ account_id: account.id, ...link })
      .onConflict((c) => c.column('account_id').doUpdateSet(link))
      .execute()
    await record(trx, by, { action: 'password.link', subject: account.name })
  })
  return { token, expiresAt }
}

/** Sets the password of a link and ends every session of its account. @returns its name. @throws LinkOver, RadxError */
export async function useLink(db: Db, token: string, password: string, by: Origin): Promise<string> {
  const hash = hashToken(token)
  const find = (trx: Db) =>
    trx
      .selectFrom('password_link')
      .select('account_id')
      .where('token_hash', '=', hash)
      .where('expires_at', '>', by.at)
      .executeTakeFirst()
  const found = hash === null ? undefined : await find(db)
  if (!found) throw new LinkOver()
  const account = await accountById(db, found.account_id)
  await checkNewPassword(password, account.name)
  const password_hash = await hashPassword(password)
  await db.transaction().execute(async (trx) => {
    await holdAccount(trx, account, by)
    const { numDeletedRows } = await trx
      .deleteFrom('password_link')
      .where('token_hash', '=', hash)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new LinkOver()
    await setPassword(trx, account.id, password_hash)
    await deleteSessionsOf(trx, account.id)
    await record(trx, { ...by, name: account.name }, { action: 'password.reset', subject: account.name })
  })
  return account.name
}
