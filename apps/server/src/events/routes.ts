import { savedEventBodySchema, savedEventSchema } from '@radx/contracts'
import { list } from '@radx/contracts/bounds'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App, Deps } from '../http/app.ts'
import { allowPeriod } from '../http/authorize.ts'
import { pageOf, pageQuery, placeOf } from '../http/page.ts'
import type { Session } from '../http/sessions.ts'
import { Events } from './service.ts'

const nameOf = (request: FastifyRequest): string => (request.session as Session).name

const CUMUL =
  'Un cumul envoyé est accepté et ignoré : le serveur enregistre, en mm, le cumul du bassin choisi sur la ' +
  'période : la dernière valeur de cumulated.moved.catchmentMm que donne /api/products/archive, ou de ' +
  'cumulated.catchmentMm tant que la pluie n’a pas été suivie entre toutes les images. cumulMethod dit laquelle ; la ' +
  'seconde devient la première dès que celle-ci existe. Sans bassin, aucun.'

export function registerEvents(app: App, deps: Deps): void {
  const events = new Events(deps)
  const params = z.object({ id: z.uuid() })

  app.get(
    '/api/users/events',
    {
      schema: {
        summary: 'Évènements pluvieux enregistrés ; l’en-tête radx-next donne la suite',
        tags: ['events'],
        querystring: pageQuery,
        response: { 200: list(savedEventSchema) },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { limit, cursor } = request.query
      const rows = await events.list(request.session as Session, placeOf(cursor), limit)
      return pageOf(rows, limit, reply).map(({ item }) => item)
    },
  )

  app.put(
    '/api/users/events',
    {
      schema: {
        summary: 'Enregistre un évènement ; le cumul est calculé par le serveur',
        description: CUMUL,
        tags: ['events'],
        body: savedEventBodySchema,
        response: { 200: savedEventSchema },
      },
    },
    async (request) => {
      const { start, end } = request.body.selectionDates
      allowPeriod(request, new Date(start), new Date(end))
      return events.create(nameOf(request), request.body)
    },
  )

  app.put(
    '/api/users/events/:id',
    {
      schema: {
        summary: 'Modifie un évènement enregistré',
        description: CUMUL,
        tags: ['events'],
        params,
        body: savedEventBodySchema,
        response: { 200: savedEventSchema },
      },
    },
    async (request) => {
      const { start, end } = request.body.selectionDates
      allowPeriod(request, new Date(start), new Date(end))
      return events.update(nameOf(request), request.params.id, request.body)
    },
  )

  app.delete(
    '/api/users/events/:id',
    {
      schema: {
        summary: 'Supprime un évènement enregistré',
        tags: ['events'],
        params,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await events.remove(nameOf(request), request.params.id)
      return reply.status(204).send(null)
    },
  )
}
