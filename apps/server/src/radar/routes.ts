import {
  ARCHIVE_MAX_DAYS,
  archiveResponseSchema,
  CLASS_BUNDLE_TYPE,
  catchmentsSchema,
  liveResponseSchema,
  paramsSchema,
  pixelResponseSchema,
  productSchema,
} from '@radx/contracts'
import { list, shortText } from '@radx/contracts/bounds'
import { instantSchema } from '@radx/contracts/radar'
import { cellOf } from '@radx/rainfall'
import { z } from 'zod'
import { encodingFor } from '../http/accept-encoding.ts'
import type { RegisterFeature } from '../http/app.ts'
import { allowLiveOrPeriod, allowPeriod } from '../http/authorize.ts'
import { BadRequest } from '../http/errors.ts'
import { allowGauge } from '../http/gauge-rights.ts'
import { answersOf } from '../threads/answers.ts'
import { accumulationAnswer, pixelSeriesAnswer } from './answers.ts'
import { sendFrames } from './frames-answer.ts'
import { catchmentQuery, periodQuery, productQuery, spanOf, zoneOf } from './requests.ts'
import { registerSelection } from './selection-routes.ts'
import { RadarService } from './service.ts'

/** Longest period of a pixel's series and of an accumulation, days. */
const SERIES_MAX_DAYS = 366
const ACCUMULATION_MAX_DAYS = 31
/** Shorter series of a pixel are read at once: the way to a thread takes longer than they do. */
const SHORT_SERIES_MS = 3 * 86_400_000

/** The radar's calls (specification 1, section 7) and those of ours that the page uses. */
export const registerRadar: RegisterFeature = (app, deps) => {
  const { site, catchments, db } = deps
  const answers = answersOf(app, deps)
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

  registerSelection(app, catchments, radar)

  app.get(
    '/api/products/params/:datetime',
    {
      schema: {
        summary: "Paramètres d'acquisition d'une image",
        tags: ['radar'],
        params: z.object({ datetime: instantSchema }),
        querystring: productQuery,
        response: { 200: paramsSchema },
      },
    },
    async ({ params, query }) => {
      const service = await radar()
      return service.params(service.product(query), Date.parse(params.datetime))
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

  app.get(
    '/api/products/frames',
    {
      schema: {
        summary: "Images d'une période en classes d'intensité (lot binaire)",
        tags: ['radar'],
        querystring: periodQuery,
      },
    },
    async (request, reply) => {
      const service = await radar()
      const product = service.product(request.query)
      const span = spanOf(request.query, ARCHIVE_MAX_DAYS)
      const live = await service.isLive(product, span)
      allowLiveOrPeriod(request, live, new Date(span.startMs), new Date(span.endMs))
      reply.header('cache-control', live ? 'no-cache' : 'private, no-cache')
      return sendFrames(request, reply, await service.frames(product, span))
    },
  )

  app.get(
    '/api/products/accumulation',
    {
      schema: {
        summary: "Cumul d'une période, cellule par cellule, en classes (lot binaire d'une image)",
        tags: ['radar'],
        querystring: periodQuery,
      },
    },
    async (request, reply) => {
      const { shortName } = (await radar()).product(request.query)
      const span = spanOf(request.query, ACCUMULATION_MAX_DAYS)
      const packed = encodingFor(request.headers['accept-encoding']) !== 'identity'
      const { body } = await answers.make(accumulationAnswer, { p: shortName, span, gzip: packed }, request)
      return reply
        .type(CLASS_BUNDLE_TYPE)
        .headers({ vary: 'accept-encoding', 'cache-control': 'private, no-cache' })
        .header('content-encoding', packed ? 'gzip' : 'identity')
        .send(body)
    },
  )

  app.get(
    '/api/products/pixel',
    {
      schema: {
        summary: "Série et cumul d'un pixel",
        tags: ['radar'],
        querystring: productQuery.extend({
          s: instantSchema.optional(),
          e: instantSchema.optional(),
          lat: z.coerce.number().min(-90).max(90),
          lng: z.coerce.number().min(-180).max(180),
        }),
        response: { 200: pixelResponseSchema },
      },
    },
    async (request, reply) => {
      const { p, s, e, lat, lng } = request.query
      const service = await radar()
      const product = service.product({ p })
      if ((s === undefined) !== (e === undefined))
        throw new BadRequest(
          'period',
          s === undefined ? 's' : 'e',
          'Donner le début et la fin, ou aucun des deux.',
        )
      const span =
        s === undefined || e === undefined
          ? await service.liveSpan(product)
          : spanOf({ s, e }, SERIES_MAX_DAYS)
      allowPeriod(request, new Date(span.startMs), new Date(span.endMs))
      // Outside the product there is nothing to see, so nothing to refuse.
      if (cellOf(product, { lat, lng })) await allowGauge(db, request.session!, { lat, lng }, catchments)
      reply.header('cache-control', 'private, no-cache')
      if (span.endMs - span.startMs <= SHORT_SERIES_MS) return service.pixel(product, { lat, lng }, span)
      const asked = { p: product.shortName, span, point: { lat, lng } }
      const { body } = await answers.make(pixelSeriesAnswer, asked, request)
      return reply.type('application/json; charset=utf-8').send(body as never)
    },
  )

  app.get(
    '/images/radar/:product/:file',
    {
      schema: {
        summary: "Une image en PNG : ouverte pour le direct, à adresse signée pour l'archive",
        tags: ['radar'],
        params: z.object({ product: shortText(), file: shortText() }),
        querystring: z.object({ x: z.coerce.number().optional(), k: z.string().max(64).optional() }),
      },
    },
    async ({ params, query }, reply) => {
      const service = await radar()
      const { png, live } = await service.picture(service.product({ p: params.product }), params.file, query)
      reply.type('image/png').header('cache-control', `${live ? 'public' : 'private'}, max-age=3600`)
      return png
    },
  )
}
