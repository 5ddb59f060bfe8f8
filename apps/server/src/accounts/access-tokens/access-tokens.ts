import { ROLE_MANAGER, TOKEN_SCOPES, TOKENS_MAX, type TokenBody, type TokenScope } from '@radx/contracts'
import type { Kysely } from 'kysely'
import { type Origin, record } from '../../audit/api.ts'
import type { Database } from '../../db/schema.ts'
import { oneAtATime, QuotaReached } from '../../http/quota.ts'
import { BadTokenDates, BadTokenScope } from '../errors.ts'
import { HOLDER, type Holder } from '../holder.ts'
import type { AccountRow } from '../tables.ts'
import { hashToken, newToken } from '../tokens.ts'
import type { AccessTokenRow } from './tables.ts'

type Db = Kysely<Database>

const DAY_MS = 86_400_000
/** How a personal access token begins, so that scanners of published code and people tell it from a session's. */
const PREFIX = 'radx_'

/** What of a new token is given; as in the contract, with its defaults in place. */
export type NewAccessToken = Required<TokenBody>

/** A new token: the prefix and 256 random bits. Only its hash is stored. */
const newAccessToken = (): string => `${PREFIX}${newToken()}`

/** SHA-256 of the random part, or null for a text that cannot be a personal access token. */
export const hashAccessToken = (token: string): Buffer | null =>
  token.startsWith(PREFIX) ? hashToken(token.slice(PREFIX.length)) : null

/** What somebody with these roles may let a program do. */
export const scopesOf = (roles: readonly string[]): TokenScope[] =>
  TOKEN_SCOPES.filter((scope) => scope === 'read' || scope === 'run' || roles.includes(ROLE_MANAGER))

/** Tokens of an account that have not expired, the newest first. */
export function tokensOf(db: Db, accountId: string, now: Date): Promise<AccessTokenRow[]> {
  return db
    .selectFrom('access_token')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(TOKENS_MAX)
    .execute()
}

/**
 * Makes a token of an account.
 * @param roles those in force
 * @returns the token, which is shown once, and its row
 * @throws BadTokenScope, BadTokenDates, QuotaReached
 */
export async function makeToken(
  db: Db,
  account: Pick<AccountRow, 'id' | 'name'>,
  roles: readonly string[],
  given: NewAccessToken,
  by: Origin,
): Promise<{ token: string; row: AccessTokenRow }> {
  const allowed = scopesOf(roles)
  const refused = given.scopes.find((scope) => !allowed.includes(scope))
  if (refused !== undefined) throw new BadTokenScope(refused)
  const [start, end] = [given.from, given.to].map((text) => (text === null ? null : new Date(text)))
  if (start && end && start >= end) throw new BadTokenDates()
  const token = newAccessToken()
  const row = await db.transaction().execute(async (trx) => {
    await oneAtATime(trx, 'access token', account.id)
    await trx
      .deleteFrom('access_token')
      .where('account_id', '=', account.id)
      .where('expires_at', '<=', by.at)
      .execute()
    if ((await tokensOf(trx, account.id, by.at)).length >= TOKENS_MAX)
      throw new QuotaReached('jeton', TOKENS_MAX)
    const made = await trx
      .insertInto('access_token')
      .values({
        account_id: account.id,
        name: given.name,
        token_hash: hashAccessToken(token)!,
        scopes: given.scopes,
        restriction_start: start,
        restriction_end: end,
        created_at: by.at,
        expires_at: new Date(by.at.getTime() + given.days * DAY_MS),
        last_used_at: null,
        address: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await record(trx, by, {
      action: 'token.create',
      subject: account.name,
      details: { name: given.name, scopes: given.scopes.join(' '), expires: made.expires_at.toISOString() },
    })
    return made
  })
  return { token, row }
}

/** Ends a token at once, on every server. @returns false for one that is not of the account */
export async function revokeToken(
  db: Db,
  account: Pick<AccountRow, 'id' | 'name'>,
  id: string,
  by: Origin,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const gone = await trx
      .deleteFrom('access_token')
      .where('account_id', '=', account.id)
      .where('id', '=', id)
      .returning('name')
      .executeTakeFirst()
    if (!gone) return false
    await record(trx, by, {
      action: 'token.revoke',
      subject: account.name,
      details: { name: gone.name },
    })
    return true
  })
}

export type TokenHolder = Pick<AccessTokenRow, 'scopes' | 'last_used_at'> & {
  token_id: string
  token_start: Date | null
  token_end: Date | null
} & Holder

/** Who holds a token that is still good; undefined for one that expired or was revoked, and for a disabled account. */
export function tokenHolder(db: Db, tokenHash: Buffer, now: Date): Promise<TokenHolder | undefined> {
  return db
    .selectFrom('access_token')
    .innerJoin('account', 'account.id', 'access_token.account_id')
    .select([
      ...HOLDER,
      'access_token.id as token_id',
      'access_token.scopes',
      'access_token.last_used_at',
      'access_token.restriction_start as token_start',
      'access_token.restriction_end as token_end',
    ])
    .where('access_token.token_hash', '=', tokenHash)
    .where('access_token.expires_at', '>', now)
    .where('account.disabled_at', 'is', null)
    .executeTakeFirst()
}

export async function touchToken(db: Db, id: string, now: Date, address: string): Promise<void> {
  await db
    .updateTable('access_token')
    .set({ last_used_at: now, address })
    .where('id', '=', id)
    .where((e) => e.or([e('last_used_at', 'is', null), e('last_used_at', '<', now)]))
    .execute()
}
