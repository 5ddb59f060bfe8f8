import { randomBytes } from 'node:crypto'
import { LINK_DAYS_DEFAULT, LINKS_MAX, type LinkBody } from '@radx/contracts'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { oneAtATime, QuotaReached } from '../http/quota.ts'
import { LinkNameTaken, NotOwnPath } from './errors.ts'
import { ownPath } from './own-path.ts'
import type { ShortLinkRow } from './tables.ts'

type Db = Kysely<Database>

const DAY_MS = 86_400_000
/** Letters and digits that are not taken for each other when somebody reads them out. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const DRAWN_LENGTH = 9

/** A name by lot, of 44 bits: who guesses finds nothing that the page behind would not refuse him anyway. */
const drawnName = (): string =>
  Array.from(randomBytes(DRAWN_LENGTH), (byte) => LETTERS[byte % LETTERS.length]).join('')

/** Links of an account that still lead somewhere, the newest first. */
export const linksOf = (db: Db, accountId: string, now: Date): Promise<ShortLinkRow[]> =>
  db
    .selectFrom('short_link')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('name')
    .limit(LINKS_MAX)
    .execute()

/** @throws NotOwnPath, LinkNameTaken, QuotaReached */
export async function makeLink(db: Db, accountId: string, body: LinkBody, now: Date): Promise<ShortLinkRow> {
  const path = ownPath(body.path)
  if (path === null) throw new NotOwnPath()
  const name = body.name ?? drawnName()
  return db.transaction().execute(async (trx) => {
    await oneAtATime(trx, 'short link', accountId)
    // A name is free again once its link has run out, whoever had it.
    await trx
      .deleteFrom('short_link')
      .where((e) => e.or([e('account_id', '=', accountId), e('name', '=', name)]))
      .where('expires_at', '<=', now)
      .execute()
    if ((await linksOf(trx, accountId, now)).length >= LINKS_MAX) throw new QuotaReached('lien', LINKS_MAX)
    const made = await trx
      .insertInto('short_link')
      .values({
        name,
        account_id: accountId,
        path,
        created_at: now,
        expires_at: new Date(now.getTime() + (body.days ?? LINK_DAYS_DEFAULT) * DAY_MS),
      })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (made === undefined) throw new LinkNameTaken(name)
    return made
  })
}

/** @returns false for one that is not of the account */
export async function removeLink(db: Db, accountId: string, name: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('short_link')
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Where a name leads; null when there is none, it has run out, or its owner's account is closed. */
export async function pathOf(db: Db, name: string, now: Date): Promise<string | null> {
  const row = await db
    .selectFrom('short_link')
    .innerJoin('account', 'account.id', 'short_link.account_id')
    .select('path')
    .where('short_link.name', '=', name)
    .where('expires_at', '>', now)
    .where('account.disabled_at', 'is', null)
    .executeTakeFirst()
  // What was a screen when it was kept may be none any more.
  return row === undefined ? null : ownPath(row.path)
}
