import { PERIOD_MAX_DAYS, paramsSchema } from '@radx/contracts'
import { shortText } from '@radx/contracts/bounds'
import { frameLayerSchema, instantSchema } from '@radx/contracts/radar'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../http/app.ts'
import { allowLiveOrPeriod } from '../http/authorize.ts'
import { keepPrivate, NEWEST, SELDOM, share } from '../http/caching.ts'
import { periodQuery, productQuery, spanOf, stepQuery } from '../http/rain-requests.ts'
import { sendFrames } from './frames-answer.ts'
import type { RadarService } from './service.ts'

/**
 * Frames of the live window are everyone's. An address that names its content is kept as long as they are sure to stay in
 * the window; one whose content became another, as by a frame that came late, is not kept at all.
 */
function shareFrames(
  request: FastifyRequest<{ Querystring: { v?: string } }>,
  reply: FastifyReply,
  version: string,
  seconds: number,
): void {
  const { v } = request.query
  if (v === undefined) share(request, reply, NEWEST)
  else share(request, reply, { seconds: v === version ? seconds : 0, immutable: true })
}

/** Frames of a period, one frame as a picture, and how it was measured. */
export function registerFrames(app: App, radar: () => Promise<RadarService>): void {
  app.get(
    '/api/products/frames',
    {
      schema: {
        summary:
          "Images d'une période en classes d'intensité, ou la qualité de leur pluie en dixièmes (lot binaire)",
        tags: ['radar'],
        querystring: periodQuery.extend({
          ...stepQuery,
          /** What its content is called: kept by caches where that is so. */
          v: shortText().optional(),
          /** The rain, or its quality in tenths (classes 1 to 10, 15 where nobody knows). */
          layer: frameLayerSchema.optional(),
        }),
      },
    },
    async (request, reply) => {
      const service = await radar()
      const product = service.product(request.query)
      const span = spanOf(request.query, PERIOD_MAX_DAYS)
      const live = await service.isLive(product, span)
      allowLiveOrPeriod(request, live, new Date(span.startMs), new Date(span.endMs))
      const bundle = await service.frames(product, span, request.query.step, request.query.layer)
      if (live) shareFrames(request, reply, bundle.version, service.secondsOpen(product, span.startMs))
      else keepPrivate(reply)
      return sendFrames(request, reply, bundle)
    },
  )

  app.get(
    '/api/products/params/:datetime',
    {
      schema: {
        summary: "Paramètres d'acquisition d'une image, à une heure près",
        tags: ['radar'],
        params: z.object({ datetime: instantSchema }),
        querystring: productQuery,
        response: { 200: paramsSchema },
      },
    },
    async (request, reply) => {
      const { params, query } = request
      const service = await radar()
      share(request, reply, SELDOM)
      return service.params(service.product(query), Date.parse(params.datetime))
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
      const asked = service.product({ p: params.product })
      const { png, live, timeMs } = await service.picture(asked, params.file, query)
      const seconds = live ? service.secondsOpen(asked, timeMs) : 0
      reply
        .type('image/png')
        .header('cache-control', live ? `public, max-age=3600, s-maxage=${seconds}` : 'private, max-age=3600')
      return png
    },
  )
}
