import type { Kysely } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/schema.ts'
import type { Session, Sessions } from '../http/sessions.ts'
import { deleteExpiredSessions, deleteSession, insertSession, sessionHolder } from './queries.ts'
import { hashToken, newToken } from './tokens.ts'

/** A working day and its evening; then the page asks to sign in again. */
export const SESSION_MS = 12 * 3600 * 1000

export interface AccountSessions extends Sessions {
  /** Begins a session. The token exists here and at the client only. */
  open(accountId: string): Promise<{ token: string; expiresIn: number }>
  /** Ends a session; an unknown token is no error. */
  close(token: string): Promise<void>
  sweep(): Promise<void>
}

/**
 * Sessions in the database. Every call asks it (an indexed look-up, well under a millisecond), so that a
 * session that was ended and an account that was disabled are out at their next call, on every server.
 */
export function accountSessions(db: Kysely<Database>, clock: Clock): AccountSessions {
  return {
    async open(accountId) {
      const token = newToken()
      const now = clock.now()
      await insertSession(db, {
        token_hash: hashToken(token)!,
        account_id: accountId,
        created_at: new Date(now),
        expires_at: new Date(now + SESSION_MS),
      })
      return { token, expiresIn: SESSION_MS }
    },

    async resolve(token): Promise<Session | null> {
      const hash = hashToken(token)
      const holder = hash && (await sessionHolder(db, hash, new Date(clock.now())))
      if (!holder) return null
      const { restriction_start: start, restriction_end: end } = holder
      return {
        userId: holder.id,
        name: holder.name,
        roles: holder.roles,
        restriction: start || end ? { start, end } : null,
        csv: holder.csv,
      }
    },

    async close(token) {
      const hash = hashToken(token)
      if (hash) await deleteSession(db, hash)
    },

    sweep: () => deleteExpiredSessions(db, new Date(clock.now())),
  }
}
