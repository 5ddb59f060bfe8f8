import { promisify } from 'node:util'
import { gzip, zstdDecompress } from 'node:zlib'
import { list, shortText } from '@radx/contracts/bounds'
import {
  radarVolumeEntrySchema,
  radarVolumeIdSchema,
  radarVolumeSchema,
  radarVolumeStagesSchema,
  sweepRaySchema,
  sweepStageSchema,
  volumeSectionSchema,
} from '@radx/contracts/radar-volumes'
import { SWEEP_BUNDLE_TYPE } from '@radx/contracts/sweep-bundle'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { encodingFor } from '../http/accept-encoding.ts'
import type { App, Deps } from '../http/app.ts'
import { allowPeriod } from '../http/authorize.ts'
import { vary } from '../http/caching.ts'
import { BadRequest, Forbidden, NotFound } from '../http/errors.ts'
import { NEXT_HEADER, pageQuery } from '../http/page.ts'
import { isManager } from '../http/sessions.ts'
import { sweepRayAnswer, volumeSectionAnswer } from './answers.ts'
import { SweepService } from './service.ts'
import { type KeptVolume, listVolumes, momentOf } from './volumes.ts'

const toPlain = promisify(zstdDecompress)
const toGzip = promisify(gzip)

const TAGS = { tags: ['radar'] }
/** More sweeps than any volume has. */
const MOST_SWEEPS = 99
const volumeParams = z.object({ id: radarVolumeIdSchema })
const sweepParams = volumeParams.extend({ n: z.coerce.number().int().min(1).max(MOST_SWEEPS) })
const azimuth = z.coerce.number().min(0).max(360)
const fieldQuery = z.object({ stage: sweepStageSchema.default('moments') })

/** Kept polar volumes: what was measured, and what each stage of the corrections made of it. */
export function registerSweeps(app: App, deps: Deps): void {
  const sweeps = new SweepService(app, deps)
  registerList(app, sweeps)
  registerVolume(app, sweeps)
  registerValues(app, sweeps)
}

function registerList(app: App, sweeps: SweepService): void {
  app.get(
    '/api/radar-volumes',
    {
      schema: {
        ...TAGS,
        summary: 'Volumes polaires gardés, du plus récent au plus ancien',
        querystring: pageQuery,
        response: { 200: list(radarVolumeEntrySchema) },
      },
    },
    async (request, reply) => {
      const { cursor, limit } = request.query
      if (cursor !== undefined && !/^\d{1,15}$/.test(cursor))
        throw new BadRequest('cursor', 'cursor', 'Cette suite de liste est inconnue. Reprendre au début.')
      const { context, catalog } = await sweeps.store()
      const found = await listVolumes(context.db, catalog.products.values(), {
        dates: request.session?.restriction ?? null,
        beforeMs: cursor === undefined ? null : Number(cursor),
        limit: limit + 1,
      })
      const page = found.slice(0, limit)
      if (found.length > limit) reply.header(NEXT_HEADER, String(Date.parse(page[limit - 1].datetime)))
      return page
    },
  )
}

function registerVolume(app: App, sweeps: SweepService): void {
  app.get(
    '/api/radar-volumes/:id',
    {
      schema: {
        ...TAGS,
        summary: 'Un volume polaire : ses balayages et ce qui y a été mesuré',
        params: volumeParams,
        response: { 200: radarVolumeSchema },
      },
    },
    (request) => ofVolume(sweeps, request, (volume) => sweeps.about(volume, request)),
  )

  app.get(
    '/api/radar-volumes/:id/stages',
    {
      schema: {
        ...TAGS,
        summary: 'Ce que chaque étape des corrections a fait d’un volume polaire ; calculé au premier appel',
        params: volumeParams,
        response: { 200: radarVolumeStagesSchema },
      },
    },
    (request) =>
      ofVolume(sweeps, request, async (volume) => {
        const stages = await sweeps.stages(volume, request)
        if (maySeeRates(request)) return stages
        return {
          ...stages,
          sweeps: stages.sweeps.map(({ fields }) => ({
            fields: fields.filter(({ unit }) => unit !== RATE_UNIT),
          })),
        }
      }),
  )
}

function registerValues(app: App, sweeps: SweepService): void {
  app.get(
    '/api/radar-volumes/:id/sweeps/:n/moments/:name',
    {
      schema: {
        ...TAGS,
        summary:
          'Une grandeur d’un balayage, mesurée ou après une étape des corrections (lot binaire) ; les intensités de pluie aux gestionnaires',
        params: sweepParams.extend({ name: shortText().min(1) }),
        querystring: fieldQuery,
      },
    },
    (request, reply) =>
      ofVolume(sweeps, request, async (volume) => {
        const { n, name } = request.params
        const asked = { sweep: n - 1, stage: request.query.stage, name }
        const { zstd, unit } = await sweeps.field(volume, asked, request)
        if (unit === RATE_UNIT && !maySeeRates(request))
          throw new Forbidden(
            'manager',
            'Les intensités de pluie de tout un balayage sont réservées aux gestionnaires ; celles d’un rayon se lisent sans l’être.',
          )
        return sendBundle(request, reply, zstd)
      }),
  )

  app.get(
    '/api/radar-volumes/:id/sweeps/:n/rays/:azimuth',
    {
      schema: {
        ...TAGS,
        summary: 'Un rayon d’un balayage, avant et après chaque étape des corrections',
        params: sweepParams.extend({ azimuth }),
        response: { 200: sweepRaySchema },
      },
    },
    (request, reply) =>
      ofVolume(sweeps, request, async (volume) => {
        await sweeps.pack(volume, 'measured', request)
        await sweeps.pack(volume, 'corrected', request)
        const { n, azimuth } = request.params
        const asked = { key: volume.key, sweep: n - 1, azimuth }
        const ray = await sweeps.answers.make(sweepRayAnswer, asked, request)
        if (!ray) throw new NotFound('Ce volume n’a pas de rayon vers cet azimut à ce balayage.')
        return sendJson(reply, ray.body)
      }),
  )

  app.get(
    '/api/radar-volumes/:id/section',
    {
      schema: {
        ...TAGS,
        summary: 'Coupe verticale d’une grandeur vers un azimut, à travers tous les balayages',
        params: volumeParams,
        querystring: fieldQuery.extend({ name: shortText().min(1), azimuth }),
        response: { 200: volumeSectionSchema },
      },
    },
    (request, reply) =>
      ofVolume(sweeps, request, async (volume) => {
        const { stage, name, azimuth } = request.query
        await sweeps.pack(volume, stage === 'moments' ? 'measured' : 'corrected', request)
        const asked = { key: volume.key, stage, name, azimuth }
        const { body } = await sweeps.answers.make(volumeSectionAnswer, asked, request)
        return sendJson(reply, body)
      }),
  )
}

const RATE_UNIT = 'mm h-1'

/**
 * Rates of a whole sweep are an exact grid of rain, as rasters are. What was measured, and rates along one ray, are values at
 * places, as those of gauges.
 */
const maySeeRates = ({ session }: FastifyRequest): boolean =>
  session !== null && isManager(session) && !session.awaitsFactor

/** The volume that a call names, once its moment was held against the account's dates. */
async function ofVolume<T>(
  sweeps: SweepService,
  request: FastifyRequest<{ Params: { id: string } }>,
  answer: (volume: KeptVolume) => Promise<T>,
): Promise<T> {
  const { timeMs } = momentOf(request.params.id)
  allowPeriod(request, new Date(timeMs), new Date(timeMs + 1))
  return sweeps.answers.prepare(request, async () => answer(await sweeps.volume(request.params.id)))
}

const sendJson = (reply: FastifyReply, body: Uint8Array): never =>
  reply.type('application/json; charset=utf-8').send(body) as never

/** Sends what lies as zstd, in the best encoding that the reader takes. */
async function sendBundle(request: FastifyRequest, reply: FastifyReply, zstd: Buffer): Promise<FastifyReply> {
  const encoding = encodingFor(request.headers['accept-encoding'])
  vary(reply, 'accept-encoding')
  reply.type(SWEEP_BUNDLE_TYPE).header('content-encoding', encoding)
  if (encoding === 'zstd') return reply.send(zstd)
  const plain = await toPlain(zstd)
  return reply.send(encoding === 'gzip' ? await toGzip(plain, { level: 3 }) : plain)
}
