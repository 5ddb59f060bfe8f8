import type { Server, Socket } from 'socket.io'
import type { Session, Sessions } from '../http/sessions.ts'

/** How often the sessions behind open sockets are looked at again, ms. */
export const RECHECK_MS = 4_000

/** The sessions of sockets, looked up once a while and not with every event. */
export class Followers {
  private readonly sessions: Sessions
  private readonly now: () => number
  private readonly known = new WeakMap<Socket, { session: Session; atMs: number }>()

  constructor(sessions: Sessions, now: () => number) {
    this.sessions = sessions
    this.now = now
  }

  /** Who stands behind a socket, as of the last seconds; null when nobody does. */
  async sessionOf(socket: Socket): Promise<Session | null> {
    const known = this.known.get(socket)
    if (known && Math.abs(this.now() - known.atMs) < RECHECK_MS) return known.session
    const token = tokenOf(socket)
    const session = token === null ? null : await this.sessions.resolve(token)
    if (session) this.known.set(socket, { session, atMs: this.now() })
    else this.known.delete(socket)
    return session
  }

  /** Looks again at every session that follows something, one after the other, and cuts those that ended. */
  async recheck(io: Server, signal: AbortSignal): Promise<void> {
    const following = new Map<string, Socket[]>()
    for (const socket of io.of('/').sockets.values()) {
      const token = tokenOf(socket)
      if (token === null || socket.rooms.size < 2) continue
      following.set(token, [...(following.get(token) ?? []), socket])
    }
    for (const [token, sockets] of following) {
      if (signal.aborted) return
      // undefined: the database is away; only a clear no ends it.
      const session = await this.sessions.resolve(token).catch(() => undefined)
      if (session === null) for (const socket of sockets) socket.disconnect(true)
    }
  }
}

function tokenOf(socket: Socket): string | null {
  const { token } = socket.handshake.auth
  return typeof token === 'string' && token.length <= 200 ? token : null
}
