import { zstdDecompressSync } from 'node:zlib'
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
import { DatabaseUnavailable } from '../db/errors.ts'
import { encodingFor } from '../http/accept-encoding.ts'
import type { RegisterFeature } from '../http/app.ts'
import { allowLiveOrPeriod, allowPeriod } from '../http/authorize.ts'
import { BadRequest, NotFound } from '../http/errors.ts'
import { allowGauge } from '../http/gauge-rights.ts'
import { storeOf } from '../store/open-store.ts'
import { answersOf } from '../threads/answers.ts'
import { accumulationAnswer, pixelSeriesAnswer } from './answers.ts'
import { framePng } from './frame-png.ts'
import { sendFrames } from './frames-answer.ts'
import { ImageAddresses, timeOfImage } from './image-address.ts'
import { isLive, liveSpan } from './live-window.ts'
import { pixelAnswer } from './pixel-answer.ts'
import { catchmentQuery, periodQuery, productOf, productQuery, spanOf, zoneOf } from './requests.ts'
import { registerSelection } from './selection-routes.ts'
import { RadarService } from './service.ts'

/** Longest period of a pixel's series and of an accumulation, days. */
const SERIES_MAX_DAYS = 366
const ACCUMULATION_MAX_DAYS = 31
/** Shorter series of a pixel are read at once: the way to a thread takes longer than they do. */
const SHORT_SERIES_MS = 3 * 86_400_000

/** The radar's calls (specification 1, section 7) and those of ours that the page uses. */
export const registerRadar: RegisterFeature = (app, deps) => {
  const { site, catchments, db, clock } = deps
  const answers = answersOf(app, deps)
  let addresses: Promise<ImageAddresses> | null = null
  const services = async () => {
    // Before the schema is ready, tables may be missing: that is an absence too.
    const away = deps.database.unavailable()
    if (away !== null) throw new DatabaseUnavailable(away)
    addresses ??= ImageAddresses.open(db).catch((error) => {
      addresses = null
      throw error
    })
    const [store, own] = await Promise.all([storeOf(deps), addresses])
    return { store, addresses: own, service: new RadarService(deps, store, own) }
  }

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
      const { store, service } = await services()
      reply.header('cache-control', 'no-cache')
      return service.live(productOf(store, query), zoneOf(catchments, query))
    },
  )

  registerSelection(app, catchments, services)

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
      const { store, service } = await services()
      return service.params(productOf(store, query), Date.parse(params.datetime))
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
      const { store, service } = await services()
      reply.header('cache-control', 'private, no-cache')
      return service.archive(
        productOf(store, query),
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
      const { store } = await services()
      const product = productOf(store, request.query)
      const span = spanOf(request.query, ARCHIVE_MAX_DAYS)
      const live = isLive(span, await store.index.latest(product))
      allowLiveOrPeriod(request, live, new Date(span.startMs), new Date(span.endMs))
      reply.header('cache-control', live ? 'no-cache' : 'private, no-cache')
      return sendFrames(request, reply, store, product, await store.index.places(product, span))
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
      const { store } = await services()
      const { shortName } = productOf(store, request.query)
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
      const { store } = await services()
      const product = productOf(store, { p })
      if ((s === undefined) !== (e === undefined))
        throw new BadRequest(
          'period',
          s === undefined ? 's' : 'e',
          'Donner le début et la fin, ou aucun des deux.',
        )
      const span =
        s === undefined || e === undefined
          ? liveSpan((await store.index.latest(product)) ?? clock.now())
          : spanOf({ s, e }, SERIES_MAX_DAYS)
      allowPeriod(request, new Date(span.startMs), new Date(span.endMs))
      // Outside the product there is nothing to see, so nothing to refuse.
      if (cellOf(product, { lat, lng })) await allowGauge(db, request.session!, { lat, lng }, catchments)
      reply.header('cache-control', 'private, no-cache')
      if (span.endMs - span.startMs <= SHORT_SERIES_MS) return pixelAnswer(store, product, { lat, lng }, span)
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
      const { store, addresses: own } = await services()
      const product = productOf(store, { p: params.product })
      const timeMs = timeOfImage(params.file)
      if (timeMs === null) throw new NotFound()
      const span = { startMs: timeMs, endMs: timeMs + 1 }
      const live = isLive(span, await store.index.latest(product))
      const { x, k } = query
      const signed =
        x !== undefined && k !== undefined && own.isSigned(product.shortName, timeMs, clock.now(), x, k)
      if (!live && !signed)
        throw new NotFound("Cette image n'est pas ouverte, ou son adresse a expiré. Recharger la sélection.")
      const places = await store.index.places(product, span)
      if (places.length === 0) throw new NotFound("Il n'y a pas d'image de ce produit à cet instant.")
      const [segment] = await Array.fromAsync(store.index.classSegments(product, places))
      reply.type('image/png').header('cache-control', `${live ? 'public' : 'private'}, max-age=3600`)
      return framePng(zstdDecompressSync(segment.zstd), product.steps)
    },
  )
}
