import type { Kysely } from 'kysely'
import type { Clock } from '../clock.ts'
import type { AccountRules } from '../config/account-rules.ts'
import type { Database } from '../db/schema.ts'
import { networkOf } from '../http/address.ts'
import type { Session, Sessions } from '../http/sessions.ts'
import {
  deleteExpiredSessions,
  deleteSession,
  insertSession,
  sessionHolder,
  touchSession,
} from './queries.ts'
import { awaitsFactor, rolesInForce } from './roles.ts'
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
  /** Begins a session. The token exists here and at the client only. */
  open(accountId: string, from: SessionOrigin): Promise<{ token: string; expiresIn: number }>
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
  return {
    async open(accountId, { address, userAgent }) {
      const token = newToken()
      const now = clock.now()
      await insertSession(db, {
        token_hash: hashToken(token)!,
        account_id: accountId,
        created_at: new Date(now),
        expires_at: new Date(now + SESSION_MS),
        last_used_at: new Date(now),
        address: networkOf(address),
        user_agent: userAgent?.slice(0, 400) ?? null,
      })
      return { token, expiresIn: SESSION_MS }
    },

    async resolve(token, address): Promise<Session | null> {
      const hash = hashToken(token)
      const now = clock.now()
      const holder = hash && (await sessionHolder(db, hash, new Date(now)))
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
