import type { UserShapefile } from '@radx/contracts'
import { type Insertable, type Kysely, sql, type Updateable } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { AccountRow, AccountTable } from './tables.ts'

type Db = Kysely<Database>

/** Oldest sessions beyond this many are ended when another begins. */
const SESSIONS_PER_ACCOUNT = 50

export function accountByKey(db: Db, nameKey: string): Promise<AccountRow | undefined> {
  return db.selectFrom('account').selectAll().where('name_key', '=', nameKey).executeTakeFirst()
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
  Pick<AccountRow, 'id' | 'name' | 'roles' | 'restriction_start' | 'restriction_end' | 'csv'> | undefined
> {
  return db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .select([
      'account.id',
      'account.name',
      'account.roles',
      'account.restriction_start',
      'account.restriction_end',
      'account.csv',
    ])
    .where('session.token_hash', '=', tokenHash)
    .where('session.expires_at', '>', now)
    .where('account.disabled_at', 'is', null)
    .executeTakeFirst()
}

export async function insertSession(
  db: Db,
  session: { token_hash: Buffer; account_id: string; created_at: Date; expires_at: Date },
): Promise<void> {
  await db.insertInto('session').values(session).execute()
  await sql`
    delete from session where token_hash in (
      select token_hash from session where account_id = ${session.account_id}
      order by created_at desc offset ${SESSIONS_PER_ACCOUNT})`.execute(db)
}

export async function deleteSession(db: Db, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('session').where('token_hash', '=', tokenHash).execute()
}

export async function deleteSessionsOf(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('session').where('account_id', '=', accountId).execute()
}

export async function deleteExpiredSessions(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('session').where('expires_at', '<=', now).execute()
}
