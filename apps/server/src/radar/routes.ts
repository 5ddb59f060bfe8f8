import {
  ARCHIVE_MAX_DAYS,
  archiveResponseSchema,
  catchmentsSchema,
  liveResponseSchema,
  productSchema,
} from '@radx/contracts'
import { list } from '@radx/contracts/bounds'
import type { RegisterFeature } from '../http/app.ts'
import { registerFrames } from './frame-routes.ts'
import { catchmentQuery, periodQuery, productQuery, spanOf, zoneOf } from './requests.ts'
import { registerSelection } from './selection-routes.ts'
import { registerSeries } from './series-routes.ts'
import { RadarService } from './service.ts'

/** The radar's calls (specification 1, section 7) and those of ours that the page uses. */
export const registerRadar: RegisterFeature = (app, deps) => {
  const { site, catchments } = deps
  const radar = RadarService.opener(deps)

  app.get(
    '/api/products',
    { schema: { summary: 'Produits du radar', tags: ['radar'], response: { 200: list(productSchema) } } },
    (_request, reply) => {
      reply.header('cache-control', 'no-cache')
      return site.products.map(({ shortName, longName, activeStatus, bounds, steps }) => ({
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
    (_request, reply) => {
      reply.header('cache-control', 'no-cache')
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
    async ({ query }, reply) => {
      const service = await radar()
      reply.header('cache-control', 'no-cache')
      return service.live(service.product(query), zoneOf(catchments, query))
    },
  )

  app.get(
    '/api/products/archive',
    {
      schema: {
        summary: "Images, cumuls et station d'une période",
        tags: ['radar'],
        querystring: periodQuery.extend(catchmentQuery),
        response: { 200: archiveResponseSchema },
      },
    },
    async ({ query }, reply) => {
      const service = await radar()
      reply.header('cache-control', 'private, no-cache')
      return service.archive(
        service.product(query),
        spanOf(query, ARCHIVE_MAX_DAYS),
        zoneOf(catchments, query),
      )
    },
  )

  registerSelection(app, catchments, radar)
  registerFrames(app, radar)
  registerSeries(app, deps, radar)
}
