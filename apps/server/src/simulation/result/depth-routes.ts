import { depthFramesSchema, floodCourseSchema, MAX_DEPTH_FRAMES, rainFramesSchema } from '@radx/contracts'
import { z } from 'zod'
import type { App } from '../../http/app.ts'
import { dialectOf, sendCsv } from '../../http/csv.ts'
import { sendGrid } from '../../http/send-grid.ts'
import { RAIN_FRAMES } from '../run/outputs.ts'
import type { ResultMaker } from './result-maker.ts'
import type { MayRead, Results } from './results.ts'

/** Water depths of a finished run: over time, and the largest as files for other tools. */
export function registerDepth(
  app: App,
  results: Results,
  { make, sendJson }: ResultMaker,
  mayRead: MayRead,
): void {
  const tags = ['simulation']
  const job = z.object({ jobId: z.uuid() })
  const between = z
    .object({ from: z.coerce.number().int().min(0), to: z.coerce.number().int().min(1) })
    .refine(({ from, to }) => to > from && to - from <= MAX_DEPTH_FRAMES, {
      path: ['to'],
      message: `Demandez de 1 à ${MAX_DEPTH_FRAMES} instants.`,
    })

  app.get(
    '/api/multihydro/file/:jobId/depth',
    {
      preHandler: mayRead,
      schema: {
        summary: 'Hauteurs d’eau au cours du temps : grille et instants',
        tags,
        params: job,
        response: { 200: depthFramesSchema },
      },
    },
    ({ params }) => results.depthFrames(params.jobId),
  )

  app.get(
    '/api/multihydro/file/:jobId/depth/frames',
    {
      preHandler: mayRead,
      schema: {
        summary: `Hauteurs d’eau en mm, uint16 petit-boutiste, 65535 hors du bassin ; « to » exclu, au plus ${MAX_DEPTH_FRAMES} instants`,
        tags,
        params: job,
        querystring: between,
      },
    },
    async (request, reply) => {
      const { params, query } = request
      return sendGrid(request, reply, await results.framesBetween(params.jobId, query.from, query.to))
    },
  )

  app.get(
    '/api/multihydro/file/:jobId/rain',
    {
      preHandler: mayRead,
      schema: {
        summary: 'Pluie de chaque cellule au cours du temps : instants',
        tags,
        params: job,
        response: { 200: rainFramesSchema },
      },
    },
    ({ params }) => results.rain(params.jobId),
  )

  app.get(
    '/api/multihydro/file/:jobId/rain/frames',
    {
      preHandler: mayRead,
      schema: {
        summary: `Pluie en dixièmes de mm/h, uint16 petit-boutiste, 65535 sans donnée ; « to » exclu, au plus ${MAX_DEPTH_FRAMES} instants`,
        tags,
        params: job,
        querystring: between,
      },
    },
    async (request, reply) => {
      const { params, query } = request
      const { from, to } = query
      return sendGrid(request, reply, await results.framesBetween(params.jobId, from, to, RAIN_FRAMES))
    },
  )

  const moment = z.object({ at: z.coerce.number().min(0).max(1e9) })
  for (const [frames, summary, name] of [
    ['depth', 'Hauteur d’eau d’un instant en GeoTIFF (m)', 'hauteur'],
    ['rain', 'Pluie d’un instant en GeoTIFF (mm/h)', 'pluie'],
  ] as const)
    app.get(
      `/api/multihydro/file/:jobId/${frames}/geotiff`,
      { preHandler: mayRead, schema: { summary, tags, params: job, querystring: moment } },
      async (request, reply) => {
        const { at } = request.query
        return reply
          .header('content-disposition', `attachment; filename="${name}-${Math.round(at)}s.tif"`)
          .type('image/tiff')
          .send(await make({ of: 'frame.tif', ...request.params, frames, atS: at }, request))
      },
    )

  app.get(
    '/api/multihydro/file/:jobId/course',
    {
      preHandler: mayRead,
      schema: {
        summary: 'Surface inondée, volumes, pluie et débits au cours du temps',
        tags,
        params: job,
        response: { 200: floodCourseSchema },
      },
    },
    (request, reply) => sendJson({ of: 'course', jobId: request.params.jobId }, request, reply),
  )

  app.get(
    '/api/multihydro/file/:jobId/course.csv',
    { preHandler: mayRead, schema: { summary: 'La même évolution en CSV', tags, params: job } },
    async (request, reply) => {
      const { jobId } = request.params
      const body = await make({ of: 'course.csv', jobId, dialect: dialectOf(request) }, request)
      return sendCsv(reply, 'evolution.csv', body)
    },
  )

  const compared = z.object({ reference: z.uuid().optional() })
  app.get(
    '/api/multihydro/file/:jobId/max-depth.tif',
    {
      preHandler: mayRead,
      schema: {
        summary: 'Hauteur d’eau maximale en GeoTIFF (m), ou son écart à une simulation de référence',
        tags,
        params: job,
        querystring: compared,
      },
    },
    async (request, reply) => {
      const { params, query } = request
      const body = await make({ of: 'max-depth.tif', ...params, ...query }, request)
      return reply
        .header('content-disposition', 'attachment; filename="hauteur-maximale.tif"')
        .type('image/tiff')
        .send(body)
    },
  )

  app.get(
    '/api/multihydro/file/:jobId/max-depth.csv',
    {
      preHandler: mayRead,
      schema: {
        summary: 'Hauteur d’eau maximale de chaque cellule mouillée en CSV, avec l’écart à une référence',
        tags,
        params: job,
        querystring: compared,
      },
    },
    async (request, reply) => {
      const { params, query } = request
      const asked = { of: 'max-depth.csv', ...params, ...query, dialect: dialectOf(request) } as const
      return sendCsv(reply, 'hauteur-maximale.csv', await make(asked, request))
    },
  )
}
