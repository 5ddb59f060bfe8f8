import { Readable } from 'node:stream'
import {
  archiveResponseSchema,
  catchmentsSchema,
  liveResponseSchema,
  PERIOD_MAX_DAYS,
  productSchema,
} from '@radx/contracts'
import { list } from '@radx/contracts/bounds'
import type { RegisterFeature } from '../http/app.ts'
import { NEWEST, SELDOM, share } from '../http/caching.ts'
import {
  catchmentQuery,
  periodQuery,
  productQuery,
  spanOf,
  stepQuery,
  zoneOf,
} from '../http/rain-requests.ts'
import { productsNow } from '../store/open-store.ts'
import { isShort } from './archive.ts'
import { registerFrames } from './frame-routes.ts'
import { registerSelection } from './selection-routes.ts'
import { registerSeries } from './series-routes.ts'
import { RadarService } from './service.ts'

/** The radar's calls (specification 1, section 7) and those of ours that the page uses. */
export const registerRadar: RegisterFeature = (app, deps) => {
  const { catchments } = deps
  const radar = RadarService.opener(deps)

  app.get(
    '/api/products',
    { schema: { summary: 'Produits du radar', tags: ['radar'], response: { 200: list(productSchema) } } },
    async (request, reply) => {
      share(request, reply, SELDOM)
      return (await productsNow(deps)).map(({ shortName, longName, activeStatus, bounds, steps }) => ({
        shortName,
        longName,
        activeStatus,
        bounds,
        steps,
      }))
    },
  )

  app.get(
    '/api/catchments',
    { schema: { summary: 'Bassins et sous-bassins', tags: ['radar'], response: { 200: catchmentsSchema } } },
    (request, reply) => {
      share(request, reply, SELDOM)
      return catchments.collection()
    },
  )

  app.get(
    '/api/products/latestImages',
    {
      schema: {
        summary: 'Les trois dernières heures',
        tags: ['radar'],
        querystring: productQuery.extend(catchmentQuery),
        response: { 200: liveResponseSchema },
      },
    },
    async (request, reply) => {
      const service = await radar()
      share(request, reply, NEWEST)
      return service.live(service.product(request.query), zoneOf(catchments, request.query))
    },
  )

  app.get(
    '/api/products/archive',
    {
      schema: {
        summary: "Images, cumuls et station d'une période",
        description:
          "Au-delà de 7 jours, la réponse est envoyée au fil de sa lecture ; l'en-tête radx-images dit combien " +
          "d'images elle aura. Avec step (secondes), la première image de chaque pas est donnée ; les cumuls " +
          'tiennent compte de toutes.',
        tags: ['radar'],
        querystring: periodQuery.extend({ ...catchmentQuery, ...stepQuery }),
        response: { 200: archiveResponseSchema },
      },
    },
    async ({ query }, reply) => {
      const service = await radar()
      reply.header('cache-control', 'private, no-cache')
      const product = service.product(query)
      const span = spanOf(query, PERIOD_MAX_DAYS)
      const { step } = query
      const question = { product, span, zone: zoneOf(catchments, query)?.key ?? null, step }
      if (isShort(span)) return service.archive(question)
      const { slides } = await service.weight(product, span, step)
      const text = Readable.from(service.archiveText(question), { objectMode: false })
      return reply
        .header('radx-images', slides)
        .type('application/json; charset=utf-8')
        .send(text as never)
    },
  )

  registerSelection(app, catchments, radar)
  registerFrames(app, radar)
  registerSeries(app, deps, radar)
}
