import { townSchema } from '@radx/contracts'
import { z } from 'zod'
import type { App } from '../../http/app.ts'
import { sendGrid } from '../../http/send-grid.ts'
import { townGrid, townOf } from '../catchment/town.ts'
import type { LandUses } from './land-uses.ts'

/** The ground under the maps of a catchment, or of a run on one of its land uses. */
export function registerTown(app: App, landUses: LandUses): void {
  const tags = ['simulation']
  const town = {
    params: z.object({ catchmentId: z.string().max(64) }),
    querystring: z.object({ luseId: z.uuid().optional() }),
  }
  app.get(
    '/api/multihydro/:catchmentId/town',
    {
      schema: {
        summary:
          'Le fond de carte d’un bassin versant, avec la carte d’occupation des sols luseId quand elle est nommée',
        tags,
        ...town,
        response: { 200: townSchema },
      },
    },
    async ({ params, query }) => {
      const { catchment, file } = await landUses.ground(params.catchmentId, query.luseId)
      return townOf(catchment, file.configs)
    },
  )

  app.get(
    '/api/multihydro/:catchmentId/town/grid',
    {
      schema: {
        summary:
          'Ses cellules : altitudes (uint16 petit-boutiste, 65535 hors du bassin), puis occupation des sols (uint8, rang dans la table, 255 hors du bassin)',
        tags,
        ...town,
      },
    },
    async (request, reply) => {
      const { catchment, land } = await landUses.painted(request.params.catchmentId, request.query.luseId)
      return sendGrid(request, reply, townGrid(catchment, land))
    },
  )
}
