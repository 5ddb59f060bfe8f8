import { RadxError } from '@radx/contracts'
import type { FastifyRequest } from 'fastify'
import type { App } from './app.ts'
import { Forbidden, Unauthenticated } from './errors.ts'
import { RIGHTS, type Right, rightOf } from './rights.ts'
import { scopeOf } from './scopes.ts'
import { isManager, isOutsideDates, mayBringCatchments, type Session, type Sessions } from './sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; null on public routes. */
    session: Session | null
    /** Set once the account's dates were held against what the call shows. */
    periodChecked: boolean
  }
  interface FastifyContextConfig {
    right?: Right
  }
}

/**
 * Enforces the rights table on every route, in one place:
 *
 * - a route without a row throws at registration;
 * - access is checked before anything is read from the request's body;
 * - a route of restriction `period` whose query has `s` and `e` is checked with them; every other one must
 *   call `allowPeriod` with the period that it shows. A success that nobody checked is not sent.
 */
export function installAuthorization(app: App, sessions: Sessions, table = RIGHTS): void {
  app.decorateRequest('session', null)
  app.decorateRequest('periodChecked', false)

  app.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) {
      const right = rightOf(method, route.url, table)
      if (!right)
        throw new Error(`Route ${method} ${route.url} has no row in http/rights.ts: declare who may call it`)
      route.config = { ...route.config, right }
    }
  })

  app.addHook('onRequest', async (request) => {
    const right = request.routeOptions.config.right
    if (!right || right.access === 'public') return
    if (right.access === 'live' || right.access === 'mixed') {
      // Who comes with a session that ended still sees what is public.
      const token = bearerToken(request)
      request.session = token === undefined ? null : await sessions.resolve(token, request.ip)
      holdScope(request, right)
      return
    }
    request.session = await authenticate(request, sessions, right.byItself === true)
    holdScope(request, right)
    if (right.access === 'manager' && request.session.awaitsFactor)
      throw new Forbidden(
        'secondFactor',
        'Les droits de gestionnaire demandent un second facteur : le mettre en place sur la page du compte.',
      )
    if (right.access === 'manager' && !isManager(request.session))
      throw new Forbidden('manager', 'Cette action est réservée aux gestionnaires.')
    if (right.access === 'catchments' && !mayBringCatchments(request.session))
      throw new Forbidden(
        'catchments',
        'Ajouter des bassins versants demande un droit que donne un gestionnaire. Demandez-le-lui.',
      )
  })

  // What only some may see stays out of every cache unless the route says how it may be kept.
  app.addHook('onSend', async (request, reply) => {
    const access = request.routeOptions.config.right?.access
    if (access !== 'public' && access !== 'live' && access !== undefined && !reply.hasHeader('cache-control'))
      reply.header('cache-control', 'no-store')
  })

  app.addHook('preHandler', async (request) => {
    const right = request.routeOptions.config.right
    if (right?.restriction !== 'period' || right.access === 'live') return
    const { s, e } = request.query as { s?: string | Date; e?: string | Date }
    if (s !== undefined && e !== undefined) allowPeriod(request, new Date(s), new Date(e))
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const restricted = request.routeOptions.config.right?.restriction === 'period'
    if (restricted && reply.statusCode < 400 && !request.periodChecked)
      throw new RadxError(
        'rights.unchecked',
        500,
        "La période de cette réponse n'a pas été vérifiée : elle n'est pas envoyée.",
        { details: { route: request.routeOptions.url } },
      )
    return payload
  })
}

/**
 * Holds a personal access token to its scopes.
 * @throws Forbidden for a call that it was not given, or that takes a session only
 */
function holdScope(request: FastifyRequest, right: Right): void {
  const session = request.session
  if (!session?.token) return
  const { scopes, ownRoles } = session.token
  const needed = scopeOf(request.method, request.routeOptions.url ?? '', right)
  if (needed === null)
    throw new Forbidden(
      'token',
      'Cet appel demande une session : un jeton d’accès ne change rien à la sécurité du compte.',
    )
  if (!scopes.includes(needed))
    throw new Forbidden('scope', `Ce jeton n’a pas la portée « ${needed} » que cet appel demande.`, {
      scope: needed,
      scopes,
    })
  if (needed === 'grids') session.roles = ownRoles
}

/** The token of a request's Authorization header, unchecked. */
export function bearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

async function authenticate(
  request: FastifyRequest,
  sessions: Sessions,
  byItself: boolean,
): Promise<Session> {
  const token = bearerToken(request)
  const address = byItself ? undefined : request.ip
  const session = token === undefined ? null : await sessions.resolve(token, address)
  if (!session) throw new Unauthenticated(token !== undefined)
  return session
}

/**
 * Holds [start, end) against the account's dates and notes that this was done.
 * @throws Forbidden when any of it lies outside
 */
export function allowPeriod(request: FastifyRequest, start: Date, end: Date): void {
  const allowed = request.session?.restriction
  if (isOutsideDates(allowed ?? null, start, end))
    throw new Forbidden(
      'period',
      "Votre compte utilisateur ne vous permet pas d'accéder aux données de cette période.",
      { start: allowed?.start?.toISOString() ?? null, end: allowed?.end?.toISOString() ?? null },
    )
  request.periodChecked = true
}

/**
 * For routes of access `live`: what lies in the live window is everyone's; the rest needs a session, whose
 * dates it is held against.
 * @throws Unauthenticated or Forbidden
 */
export function allowLiveOrPeriod(request: FastifyRequest, isLive: boolean, start: Date, end: Date): void {
  if (isLive) request.periodChecked = true
  else if (request.session) allowPeriod(request, start, end)
  else throw new Unauthenticated(bearerToken(request) !== undefined)
}
