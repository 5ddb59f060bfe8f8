import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Clock } from '../clock.ts'
import type { AccountRules } from '../config/account-rules.ts'
import type { Database } from '../db/schema.ts'
import { networkOf } from '../http/address.ts'
import type { Session, Sessions } from '../http/sessions.ts'
import { AccessTokens } from './access-tokens/resolve.ts'
import { AccountDisabled, WrongCredentials } from './errors.ts'
import {
  deleteExpiredSessions,
  deleteSession,
  insertSession,
  sessionHolder,
  touchSession,
} from './queries.ts'
import { awaitsFactor, rolesInForce } from './roles.ts'
import { FactorNeeded } from './second-factor/errors.ts'
import { factorsOf, hasFactor, methodsOf } from './second-factor/factors.ts'
import type { AccountRow } from './tables.ts'
import { hashToken, newToken } from './tokens.ts'

/** A working day and its evening; then the page asks to sign in again. */
export const SESSION_MS = 12 * 3600 * 1000
/** How often the last use of a session is written down. */
const USE_STEP_MS = 60_000

/** Where a session is opened. */
export interface SessionOrigin {
  address: string
  /** What the browser calls itself. */
  userAgent: string | undefined
}

export interface AccountSessions extends Sessions {
  /**
   * Begins a session. The token exists here and at the client only.
   * @param account as it was when its holder showed who he is; what ended sessions since then ends this login, too
   * @throws WrongCredentials, AccountDisabled, FactorNeeded
   */
  open(
    account: Pick<AccountRow, 'id' | 'password_hash'>,
    from: SessionOrigin,
    withFactor: boolean,
  ): Promise<{ token: string; expiresIn: number }>
  /** Ends a session; an unknown token is no error. */
  close(token: string): Promise<void>
  sweep(): Promise<void>
}

/**
 * Sessions in the database. Every call asks it (an indexed look-up, well under a millisecond), so that a
 * session that was ended and an account that was disabled are out at their next call, on every server.
 */
export function accountSessions(
  db: Kysely<Database>,
  clock: Clock,
  rules: Pick<AccountRules, 'idleMinutes' | 'require2fa'> = { idleMinutes: 0, require2fa: null },
): AccountSessions {
  const idleMs = rules.idleMinutes === 0 ? Number.POSITIVE_INFINITY : rules.idleMinutes * 60_000
  const stepMs = Math.min(USE_STEP_MS, idleMs / 4)
  const tokens = new AccessTokens(db, clock, rules)
  const asked = new Map<string, ReturnType<typeof sessionHolder>>()
  /** Calls come in bursts: those that come in one turn ask for a session once, and before its statement is sent. */
  function holderOf(hash: Buffer): ReturnType<typeof sessionHolder> {
    const key = hash.toString('latin1')
    let holder = asked.get(key)
    if (!holder) {
      holder = nextTurn().then(() => {
        asked.delete(key)
        return sessionHolder(db, hash, new Date(clock.now()))
      })
      asked.set(key, holder)
    }
    return holder
  }
  return {
    async open(account, { address, userAgent }, withFactor) {
      const token = newToken()
      const now = clock.now()
      await db.transaction().execute(async (trx) => {
        await holdStanding(trx, account, withFactor)
        await insertSession(trx, {
          token_hash: hashToken(token)!,
          account_id: account.id,
          created_at: new Date(now),
          expires_at: new Date(now + SESSION_MS),
          last_used_at: new Date(now),
          address: networkOf(address),
          user_agent: userAgent?.slice(0, 400) ?? null,
        })
      })
      return { token, expiresIn: SESSION_MS }
    },

    async resolve(token, address): Promise<Session | null> {
      const hash = hashToken(token)
      if (!hash) return tokens.resolve(token, address)
      const now = clock.now()
      const holder = await holderOf(hash)
      if (!holder) return null
      const unusedMs = now - holder.last_used_at.getTime()
      if (unusedMs >= idleMs) return null
      // A socket that stands open asks without an address: it is no use of the session.
      if (unusedMs >= stepMs && address !== undefined)
        await touchSession(db, hash, new Date(now), networkOf(address))
      const { restriction_start: start, restriction_end: end } = holder
      return {
        userId: holder.id,
        id: holder.session_id,
        name: holder.name,
        roles: rolesInForce(holder, holder.has_factor, rules),
        awaitsFactor: awaitsFactor(holder, holder.has_factor, rules),
        restriction: start || end ? { start, end } : null,
        csv: holder.csv,
      }
    },

    async close(token) {
      const hash = hashToken(token)
      if (hash) await deleteSession(db, hash)
    },

    async sweep() {
      const now = clock.now()
      await deleteExpiredSessions(db, new Date(now), Number.isFinite(idleMs) ? new Date(now - idleMs) : null)
    },
  }
}

/** A password takes a while to be checked: it may have been changed, or the account closed, since it was read. */
async function holdStanding(
  trx: Kysely<Database>,
  { id, password_hash }: Pick<AccountRow, 'id' | 'password_hash'>,
  withFactor: boolean,
): Promise<void> {
  const now = await trx
    .selectFrom('account')
    .select(['password_hash', 'disabled_at'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  if (now?.password_hash !== password_hash) throw new WrongCredentials()
  if (now.disabled_at) throw new AccountDisabled()
  const factors = withFactor ? null : await factorsOf(trx, id)
  if (factors && hasFactor(factors)) throw new FactorNeeded(methodsOf(factors))
}
