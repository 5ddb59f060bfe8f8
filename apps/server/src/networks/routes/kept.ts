import { networkCrsSchema, networkDetailSchema, networkNameSchema, networkSchema } from '@radx/contracts'
import { list } from '@radx/contracts/bounds'
import { z } from 'zod'
import { tellMore } from '../../audit/api.ts'
import { pageOf, pageQuery, placeOf } from '../../http/page.ts'
import { nothing, one, type Parts, tags, userOf } from './parts.ts'

export function registerKept({ app, networks }: Parts): void {
  app.get(
    '/api/networks',
    {
      schema: {
        summary: 'Ses réseaux, les plus récents d’abord ; l’en-tête radx-next donne la suite',
        description: 'Avec all=1, un gestionnaire voit ceux de tous.',
        tags,
        querystring: pageQuery.extend({ all: z.enum(['0', '1']).default('0') }),
        response: { 200: list(networkSchema) },
      },
    },
    async (request, reply) => {
      const { limit, cursor, all } = request.query
      const rows = await networks.list(userOf(request), all === '1', placeOf(cursor), limit)
      return pageOf(rows, limit, reply).map(({ item }) => item)
    },
  )
  app.get(
    '/api/networks/:id',
    {
      schema: {
        summary: 'Un réseau et ses versions',
        tags,
        params: one,
        response: { 200: networkDetailSchema },
      },
    },
    (request) => networks.get(request.params.id, userOf(request)),
  )
  app.put(
    '/api/networks/:id/name',
    {
      schema: {
        summary: 'Renomme un réseau',
        tags,
        params: one,
        body: z.object({ name: networkNameSchema }),
        response: nothing,
      },
    },
    async (request, reply) => {
      await networks.rename(request.params.id, request.body.name, userOf(request))
      return reply.status(204).send(null)
    },
  )
  app.put(
    '/api/networks/:id/crs',
    {
      schema: {
        summary: 'Dit dans quel système sont les positions (EPSG:2154), ou null : un plan local',
        tags,
        params: one,
        body: z.object({ crs: networkCrsSchema.nullable() }),
        response: nothing,
      },
    },
    async (request, reply) => {
      await networks.place(request.params.id, request.body.crs, userOf(request))
      return reply.status(204).send(null)
    },
  )
  app.delete(
    '/api/networks/:id',
    {
      schema: {
        summary: 'Supprime un réseau avec ses versions, ses calculs et leurs résultats',
        tags,
        params: one,
        response: nothing,
      },
    },
    async (request, reply) => {
      tellMore(request, await networks.remove(request.params.id, userOf(request)))
      return reply.status(204).send(null)
    },
  )
}
