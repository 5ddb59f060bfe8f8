import { ROLE_MANAGER, SESSIONS_MAX, type UserShapefile } from '@radx/contracts'
import { type Insertable, type Kysely, sql, type Updateable } from 'kysely'
import type { Database } from '../db/schema.ts'
import { HOLDER, type Holder } from './holder.ts'
import type { AccountRow, AccountTable, SessionRow, SessionTable } from './tables.ts'

type Db = Kysely<Database>

export function accountByKey(db: Db, nameKey: string): Promise<AccountRow | undefined> {
  return db.selectFrom('account').selectAll().where('name_key', '=', nameKey).executeTakeFirst()
}

export function accountById(db: Db, id: string): Promise<AccountRow> {
  return db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** Holds a change of what lets somebody in until the transaction ends; logins under way wait for it. */
export async function lockAccount(trx: Db, id: string): Promise<void> {
  await trx.selectFrom('account').select('id').where('id', '=', id).forUpdate().execute()
}

export function listAccounts(db: Db): Promise<AccountRow[]> {
  return db.selectFrom('account').selectAll().orderBy('name_key').execute()
}

/** @returns false when the name is taken */
export async function insertAccount(db: Db, account: Insertable<AccountTable>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('account')
    .values(account)
    .onConflict((c) => c.column('name_key').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function updateAccount(db: Db, id: string, change: Updateable<AccountTable>): Promise<void> {
  await db.updateTable('account').set(change).where('id', '=', id).execute()
}

/** As `updateAccount`, for what an administrator changes: the demonstration no longer owns the account. */
export async function editedAccount(db: Db, id: string, change: Updateable<AccountTable>): Promise<void> {
  await db
    .updateTable('account')
    .set((e) => ({ ...change, is_demo: false, version: e('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Keeps a password that its holder or an administrator chose; a link that was handed out ends. */
export async function setPassword(db: Db, id: string, password_hash: string): Promise<void> {
  await editedAccount(db, id, { password_hash, invited: false })
  await deleteLinksOf(db, id)
}

export async function deleteLinksOf(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('password_link').where('account_id', '=', accountId).execute()
}

/** Layers of an account with their colours, by name. */
export function shapefilesOf(db: Db, accountId: string): Promise<UserShapefile[]> {
  return db
    .selectFrom('account_shapefile')
    .innerJoin('shapefile', 'shapefile.name', 'account_shapefile.shapefile_name')
    .select(['shapefile.name', 'shapefile.color'])
    .where('account_shapefile.account_id', '=', accountId)
    .orderBy('shapefile.name')
    .execute()
}

/** Which of the layers there are. */
export async function knownShapefiles(db: Db, names: string[]): Promise<string[]> {
  // No list may be empty in SQL; no layer has an empty name.
  const rows = await db
    .selectFrom('shapefile')
    .select('name')
    .where('name', 'in', [...names, ''])
    .execute()
  return rows.map(({ name }) => name)
}

/** Gives an account these layers instead of its own. */
export async function replaceShapefiles(db: Db, accountId: string, names: string[]): Promise<void> {
  await db.deleteFrom('account_shapefile').where('account_id', '=', accountId).execute()
  if (names.length > 0)
    await db
      .insertInto('account_shapefile')
      .values(names.map((name) => ({ account_id: accountId, shapefile_name: name })))
      .execute()
}

/** Who holds a token that is still good; undefined for an ended session and for a disabled account. */
export function sessionHolder(
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<
  | (Holder & {
      session_id: string
      last_used_at: Date
    })
  | undefined
> {
  return db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .select([...HOLDER, 'session.id as session_id', 'session.last_used_at'])
    .where('session.token_hash', '=', tokenHash)
    .where('session.expires_at', '>', now)
    .where('account.disabled_at', 'is', null)
    .executeTakeFirst()
}

export async function insertSession(db: Db, session: Insertable<SessionTable>): Promise<void> {
  await db.insertInto('session').values(session).execute()
  await sql`
    delete from session where token_hash in (
      select token_hash from session where account_id = ${session.account_id}
      order by created_at desc offset ${SESSIONS_MAX})`.execute(db)
}

export async function deleteSession(db: Db, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('session').where('token_hash', '=', tokenHash).execute()
}

export async function deleteSessionsOf(db: Db, accountId: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('session')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** @param unusedSince sessions that nobody used from here on have ended as well; null where use does not matter */
export async function deleteExpiredSessions(db: Db, now: Date, unusedSince: Date | null): Promise<void> {
  await db
    .deleteFrom('session')
    .where((e) =>
      e.or([
        e('expires_at', '<=', now),
        ...(unusedSince === null ? [] : [e('last_used_at', '<=', unusedSince)]),
      ]),
    )
    .execute()
}

export async function touchSession(db: Db, tokenHash: Buffer, now: Date, address: string): Promise<void> {
  await db
    .updateTable('session')
    .set({ last_used_at: now, address })
    .where('token_hash', '=', tokenHash)
    .where('last_used_at', '<', now)
    .execute()
}

/** Sessions of an account that have not ended, the last used first. */
export function sessionsOf(db: Db, accountId: string, now: Date): Promise<SessionRow[]> {
  return db
    .selectFrom('session')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(SESSIONS_MAX)
    .execute()
}

/**
 * Ends sessions of an account.
 * @param which one of them, or all but one
 * @returns how many
 */
export async function endSessions(
  db: Db,
  accountId: string,
  which: { id: string } | { except: string },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('session')
    .where('account_id', '=', accountId)
    .where('id', 'id' in which ? '=' : '!=', 'id' in which ? which.id : which.except)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Whether another account could administer the platform. */
export const otherManagers = async (db: Db, exceptId: string): Promise<boolean> =>
  (await managerNames(db, exceptId)).length > 0

/**
 * Managers in force but one. Those of the demonstration come and go and do not count, and neither does one who was
 * invited and never came: his link may end unused.
 */
export async function managerNames(db: Db, exceptId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('account')
    .select('name')
    .where('id', '!=', exceptId)
    .where(sql<boolean>`${ROLE_MANAGER} = any(roles)`)
    .where('disabled_at', 'is', null)
    .where('is_demo', '=', false)
    .where('invited', '=', false)
    .orderBy('name_key')
    .limit(1_000)
    .execute()
  return rows.map(({ name }) => name)
}
