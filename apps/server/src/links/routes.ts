import {
  LINK_NAME,
  LINK_NAME_MAX,
  linkBodySchema,
  removedLinkSchema,
  type ShortLink,
  shortLinkSchema,
  shortLinksSchema,
} from '@radx/contracts'
import { z } from 'zod'
import type { App, Deps } from '../http/app.ts'
import { NotFound } from '../http/errors.ts'
import type { Session } from '../http/sessions.ts'
import { linksOf, makeLink, pathOf, removeLink } from './service.ts'
import type { ShortLinkRow } from './tables.ts'

const tags = ['links']
const named = z.object({ name: z.string().max(LINK_NAME_MAX) })

/** Short names of this site's own addresses. They give no right: the page behind asks for its own. */
export function registerLinks(app: App, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  const now = () => new Date(clock.now())

  app.get(
    '/api/links',
    { schema: { summary: 'Ses liens courts', tags, response: { 200: shortLinksSchema } } },
    async (request) => {
      const { userId } = request.session as Session
      return { links: (await linksOf(db, userId, now())).map(toLink) }
    },
  )

  app.post(
    '/api/links',
    {
      schema: {
        summary: 'Fait un lien court vers une page de la plateforme',
        tags,
        body: linkBodySchema,
        response: { 200: shortLinkSchema },
      },
    },
    async (request) => {
      const { userId } = request.session as Session
      return toLink(await makeLink(db, userId, request.body, now()))
    },
  )

  app.delete(
    '/api/links/:name',
    {
      schema: {
        summary: 'Supprime un de ses liens courts',
        tags,
        params: named,
        response: { 200: removedLinkSchema },
      },
    },
    async (request) => {
      const { userId } = request.session as Session
      if (!(await removeLink(db, userId, request.params.name)))
        throw new NotFound("Ce lien n'existe plus, ou n'est pas le vôtre.")
      return { removed: true }
    },
  )

  app.get(
    '/l/:name',
    { schema: { summary: 'Ouvre un lien court', tags, params: z.object({ name: z.string().max(200) }) } },
    async (request, reply) => {
      const name = request.params.name.toLowerCase()
      const path = LINK_NAME.test(name) && name.length <= LINK_NAME_MAX ? await pathOf(db, name, now()) : null
      // It may be deleted or made anew at any time.
      reply.header('cache-control', 'no-store')
      if (path !== null) return reply.redirect(path, 302)
      if (!String(request.headers.accept ?? '').includes('text/html'))
        throw new NotFound("Ce lien n'existe pas, ou n'est plus valable.")
      // The application says so in words, on an address that it does not know.
      return reply.redirect('/lien-inconnu', 302)
    },
  )
}

const toLink = ({ name, path, created_at, expires_at }: ShortLinkRow): ShortLink => ({
  name,
  path,
  createdAt: created_at.toISOString(),
  expiresAt: expires_at.toISOString(),
})
