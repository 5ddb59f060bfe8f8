import { ROLE_CATCHMENTS, ROLE_MANAGER, type TokenScope } from '@radx/contracts'
import type { CsvDialect } from '@radx/locale/csv'

/** A signed-in user, as calls see them. */
export interface Session {
  userId: string
  /** Which of the account's sessions this is. */
  id?: string
  name: string
  roles: string[]
  /** Rights of the account wait until it has a second factor. */
  awaitsFactor?: boolean
  /** Period that the account may see, [start, end); null leaves a side, or everything, open. */
  restriction: { start: Date | null; end: Date | null } | null
  /** What a personal access token may do, where the call comes with one instead of a session. */
  token?: {
    id: string
    scopes: readonly TokenScope[]
    /** The account's roles in force; `roles` has of them what the token may use. */
    ownRoles: string[]
  }
  /** How CSV files are written for this account; semicolons and decimal commas unless it chose otherwise. */
  csv?: CsvDialect
}

/** Finds who holds a bearer token. */
export interface Sessions {
  /**
   * @param address where the call comes from, for the account's list of sessions
   * @returns null for a token that is unknown, expired or revoked
   */
  resolve(token: string, address?: string): Promise<Session | null>
}

/** Whether any of [start, end) lies outside the dates of an account. */
export function isOutsideDates(dates: Session['restriction'], start: Date, end: Date): boolean {
  // Said so that an invalid date lies outside.
  const early = dates?.start && !(start.getTime() >= dates.start.getTime())
  const late = dates?.end && !(end.getTime() <= dates.end.getTime())
  return Boolean(early || late)
}

/** Without accounts nobody has a session. */
export const noSessions: Sessions = { resolve: async () => null }

export function isManager(session: Session): boolean {
  return session.roles.includes(ROLE_MANAGER)
}

/** Whether somebody may add catchments of their own. */
export const mayBringCatchments = (session: Session): boolean =>
  isManager(session) || session.roles.includes(ROLE_CATCHMENTS)
