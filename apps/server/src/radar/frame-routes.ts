import { ARCHIVE_MAX_DAYS, paramsSchema } from '@radx/contracts'
import { shortText } from '@radx/contracts/bounds'
import { instantSchema } from '@radx/contracts/radar'
import { z } from 'zod'
import type { App } from '../http/app.ts'
import { allowLiveOrPeriod } from '../http/authorize.ts'
import { sendFrames } from './frames-answer.ts'
import { periodQuery, productQuery, spanOf } from './requests.ts'
import type { RadarService } from './service.ts'

/** Frames of a period, one frame as a picture, and how it was measured. */
export function registerFrames(app: App, radar: () => Promise<RadarService>): void {
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
