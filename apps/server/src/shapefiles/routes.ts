import { type Shapefile, shapefileSchema } from '@radx/contracts'
import { z } from 'zod'
import type { App, Deps } from '../http/app.ts'
import { NotFound } from '../http/errors.ts'
import { shapefileOf } from './queries.ts'

const NAME_MAX = 200

export function registerShapefiles(app: App, { db }: Deps): void {
  app.get(
    '/api/shapefile/:name',
    {
      schema: {
        summary: 'Couche géographique du compte',
        tags: ['shapefiles'],
        params: z.object({ name: z.string().max(NAME_MAX) }),
        response: { 200: shapefileSchema },
      },
    },
    async (request, reply) => {
      // PostgreSQL takes no NUL in a text; no layer has one in its name.
      const name = request.params.name.replaceAll('\0', '')
      const layer = await shapefileOf(db, request.session!.userId, name)
      if (!layer) throw new NotFound("Cette couche n'est pas associée à votre compte.")
      const { long_name: longName, description: desc, color, bounds } = layer
      const head = JSON.stringify({ name: layer.name, longName, desc, color, bounds })
      reply.header('cache-control', 'private, no-cache').type('application/json; charset=utf-8')
      // The content was checked at import; as text it needs no second reading of up to 500,000 positions.
      const text = `${head.slice(0, -1)},"shapefile":${layer.content}}`
      return reply.serializer(() => text).send(text as unknown as Shapefile)
    },
  )
}
