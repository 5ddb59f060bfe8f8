import {
  ACCUMULATION_MAX_DAYS,
  CLASS_BUNDLE_TYPE,
  pixelResponseSchema,
  SERIES_MAX_DAYS,
} from '@radx/contracts'
import { instantSchema, rainMethodSchema } from '@radx/contracts/radar'
import { cellOf } from '@radx/rainfall'
import { z } from 'zod'
import { encodingFor } from '../http/accept-encoding.ts'
import type { App, Deps } from '../http/app.ts'
import { allowPeriod } from '../http/authorize.ts'
import { BadRequest } from '../http/errors.ts'
import { allowGauge } from '../http/gauge-rights.ts'
import { periodQuery, productQuery, spanOf } from '../http/rain-requests.ts'
import { answersOf } from '../threads/answers.ts'
import { accumulationAnswer, pixelSeriesAnswer } from './answers.ts'
import type { RadarService } from './service.ts'

/** Shorter series of a pixel are read at once: the way to a thread takes longer than they do. */
const SHORT_SERIES_MS = 3 * 86_400_000

/** What is summed or followed over a period: the accumulation of every cell, the series of one. */
export function registerSeries(app: App, deps: Deps, radar: () => Promise<RadarService>): void {
  const { catchments, db } = deps
  const answers = answersOf(app, deps)

  app.get(
    '/api/products/accumulation',
    {
      schema: {
        summary: "Cumul d'une période, cellule par cellule, en classes (lot binaire d'une image)",
        tags: ['radar'],
        querystring: periodQuery.extend({
          /** Rain moved between frames, or frames that stand still. */
          method: rainMethodSchema.default('moved'),
        }),
      },
    },
    async (request, reply) => {
      const { shortName } = (await radar()).product(request.query)
      const span = spanOf(request.query, ACCUMULATION_MAX_DAYS)
      const packed = encodingFor(request.headers['accept-encoding']) !== 'identity'
      const { body } = await answers.make(
        accumulationAnswer,
        { p: shortName, span, method: request.query.method, gzip: packed },
        request,
      )
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
}
