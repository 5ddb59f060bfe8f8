import {
  newTokenSchema,
  type OwnToken,
  ownTokensSchema,
  revokedTokenSchema,
  tokenBodySchema,
} from '@radx/contracts'
import { z } from 'zod'
import { originOf } from '../../audit/api.ts'
import type { App, Deps } from '../../http/app.ts'
import { NotFound } from '../../http/errors.ts'
import type { Session } from '../../http/sessions.ts'
import { ownAccount } from '../own-account.ts'
import { accountById } from '../queries.ts'
import { makeToken, revokeToken, scopesOf, tokensOf } from './access-tokens.ts'
import type { AccessTokenRow } from './tables.ts'

const tags = ['accounts']

/** Personal access tokens of one's own account. They are made and seen in a session only, never with a token. */
export function registerAccessTokens(app: App, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  app.get(
    '/api/users/tokens',
    { schema: { summary: "Jetons d'accès de son compte", tags, response: { 200: ownTokensSchema } } },
    async (request) => {
      const session = request.session as Session
      const account = await accountById(db, session.userId)
      // An account of the demonstration is everyone's.
      const rows = account.is_demo ? [] : await tokensOf(db, session.userId, new Date(clock.now()))
      return { tokens: rows.map(toOwnToken), scopes: scopesOf(session.roles) }
    },
  )

  app.post(
    '/api/users/tokens',
    {
      schema: {
        summary: "Crée un jeton d'accès, montré une seule fois",
        tags,
        body: tokenBodySchema,
        response: { 200: newTokenSchema },
      },
    },
    async (request) => {
      const session = request.session as Session
      const account = await ownAccount(db, session)
      const by = originOf(request, clock.now())
      const { token, row } = await makeToken(db, account, session.roles, request.body, by)
      return { token, created: toOwnToken(row) }
    },
  )

  app.delete(
    '/api/users/tokens/:id',
    {
      schema: {
        summary: "Révoque un jeton d'accès de son compte, tout de suite",
        tags,
        params: z.object({ id: z.uuid() }),
        response: { 200: revokedTokenSchema },
      },
    },
    async (request) => {
      const account = await ownAccount(db, request.session as Session)
      const by = originOf(request, clock.now())
      if (!(await revokeToken(db, account, request.params.id, by)))
        throw new NotFound("Ce jeton n'existe plus.")
      return { revoked: true }
    },
  )
}

const toOwnToken = (row: AccessTokenRow): OwnToken => ({
  id: row.id,
  name: row.name,
  scopes: row.scopes,
  from: row.restriction_start?.toISOString() ?? null,
  to: row.restriction_end?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  address: row.address,
})
