import {
  endedSessionsSchema,
  type OwnSession,
  ownPasswordAnswerSchema,
  ownPasswordBodySchema,
  ownSessionsSchema,
  sessionStateSchema,
} from '@radx/contracts'
import { z } from 'zod'
import { originOf, record } from '../audit/api.ts'
import { installationSecret } from '../db/secret.ts'
import type { App, Deps } from '../http/app.ts'
import type { Session } from '../http/sessions.ts'
import { DEVICE_SECRET, newDevice } from './devices.ts'
import { changeOwnPassword } from './own-account.ts'
import { accountById, endSessions, sessionsOf } from './queries.ts'
import type { SessionRow } from './tables.ts'
import { deviceLabel } from './user-agent.ts'

/** What people do with their own account: password and sessions. */
export function registerOwnAccount(app: App, { db, clock, config }: Deps): void {
  const tags = ['accounts']

  app.put(
    '/api/users/password',
    {
      schema: {
        summary: 'Change son propre mot de passe et ferme ses autres sessions',
        tags,
        body: ownPasswordBodySchema,
        response: { 200: ownPasswordAnswerSchema },
      },
    },
    async (request) => {
      const by = originOf(request, clock.now())
      const account = await changeOwnPassword(db, request.session as Session, request.body, by)
      return { device: newDevice(await installationSecret(db, DEVICE_SECRET), account) }
    },
  )

  app.get(
    '/api/users/session',
    {
      schema: {
        summary: 'Dit si la session dure encore, et les rôles en vigueur',
        tags,
        response: { 200: sessionStateSchema },
      },
    },
    async (request) => ({ roles: (request.session as Session).roles }),
  )

  app.get(
    '/api/users/sessions',
    { schema: { summary: 'Sessions ouvertes de son compte', tags, response: { 200: ownSessionsSchema } } },
    async (request) => {
      const session = request.session as Session
      const [rows, account] = await Promise.all([
        sessionsOf(db, session.userId, new Date(clock.now())),
        accountById(db, session.userId),
      ])
      // An account of the demonstration is everyone's: where others come from is not.
      const shown = account.is_demo ? rows.filter(({ id }) => id === session.id) : rows
      return {
        sessions: shown.map((row) => toOwnSession(row, session.id)),
        idleMinutes: config.accounts.idleMinutes || null,
      }
    },
  )

  registerEndingSessions(app, { db, clock })
}

function registerEndingSessions(app: App, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  const end = async (
    request: Parameters<typeof originOf>[0],
    which: (session: Session) => Parameters<typeof endSessions>[2],
  ) => {
    const session = request.session as Session
    const account = await accountById(db, session.userId)
    if (account.is_demo) return { ended: 0 }
    const ended = await endSessions(db, session.userId, which(session))
    if (ended > 0)
      await record(db, originOf(request, clock.now()), {
        action: 'session.end',
        subject: session.name,
        details: { sessions: String(ended) },
      })
    return { ended }
  }
  const params = z.object({ id: z.uuid() })
  app.delete(
    '/api/users/sessions/:id',
    {
      schema: {
        summary: 'Ferme une session de son compte',
        tags: ['accounts'],
        params,
        response: { 200: endedSessionsSchema },
      },
    },
    async (request) => end(request, () => ({ id: request.params.id })),
  )
  app.delete(
    '/api/users/sessions',
    {
      schema: {
        summary: 'Ferme les autres sessions de son compte',
        tags: ['accounts'],
        response: { 200: endedSessionsSchema },
      },
    },
    async (request) => end(request, (session) => ({ except: session.id! })),
  )
}

const toOwnSession = (row: SessionRow, current: string | undefined): OwnSession => ({
  id: row.id,
  device: deviceLabel(row.user_agent),
  address: row.address,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  current: row.id === current,
})
