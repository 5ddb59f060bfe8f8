import {
  adminHomeMessageSchema,
  HOME_MESSAGE_MAX,
  homeMessageBodySchema,
  publicHomeMessageSchema,
} from '@radx/contracts'
import type { App, Deps } from '../http/app.ts'
import { share } from '../http/caching.ts'
import { readHomeMessage } from './queries.ts'
import { publishedHomeMessage, saveHomeMessage } from './service.ts'

/** A character may take six bytes in JSON. */
const BODY_BYTES = HOME_MESSAGE_MAX * 6 + 1024

export function registerArticles(app: App, { db, clock }: Deps): void {
  app.get(
    '/api/article/home-message',
    {
      schema: {
        summary: "Message d'accueil publié",
        tags: ['articles'],
        response: { 200: publicHomeMessageSchema },
      },
    },
    async (request, reply) => {
      // Never stale: browsers, too, would show the message before once more. Whoever saves it and looks shall see it.
      share(request, reply, { seconds: 10 })
      return publishedHomeMessage(db)
    },
  )

  app.get(
    '/api/admin/article/home-message',
    {
      schema: {
        summary: "Message d'accueil, publié ou non",
        tags: ['articles'],
        response: { 200: adminHomeMessageSchema },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      const message = await readHomeMessage(db)
      return message ? [message] : []
    },
  )

  app.put(
    '/api/article/home-message',
    {
      bodyLimit: BODY_BYTES,
      schema: {
        summary: "Enregistre le message d'accueil",
        tags: ['articles'],
        body: homeMessageBodySchema,
        response: { 200: adminHomeMessageSchema },
      },
    },
    async (request) => {
      const by = { name: request.session!.name, at: new Date(clock.now()) }
      return [await saveHomeMessage(db, request.body, by)]
    },
  )
}
