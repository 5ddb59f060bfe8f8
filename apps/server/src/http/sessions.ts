import { ROLE_MANAGER } from '@radx/contracts'

/** A signed-in user, as calls see them. */
export interface Session {
  userId: string
  name: string
  roles: string[]
  /** Period that the account may see, [start, end); null leaves a side, or everything, open. */
  restriction: { start: Date | null; end: Date | null } | null
}

/** Finds who holds a bearer token. */
export interface Sessions {
  /** @returns null for a token that is unknown, expired or revoked */
  resolve(token: string): Promise<Session | null>
}

/** Without accounts nobody has a session. */
export const noSessions: Sessions = { resolve: async () => null }

export function isManager(session: Session): boolean {
  return session.roles.includes(ROLE_MANAGER)
}
