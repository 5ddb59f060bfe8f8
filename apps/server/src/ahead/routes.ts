import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip, zstdCompress } from 'node:zlib'
import {
  AHEAD_DEPTHS_MM,
  aheadCycleSchema,
  aheadCyclesSchema,
  aheadFanSchema,
  aheadNetworkSchema,
  aheadOverviewSchema,
  aheadScoresSchema,
  SUBMISSION_KEY_HEADER,
  submissionKeySchema,
  whatIfBodySchema,
  whatIfSchema,
} from '@radx/contracts'
import { instantSchema } from '@radx/contracts/radar'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { tellMore } from '../audit/api.ts'
import { encodingFor } from '../http/accept-encoding.ts'
import type { RegisterFeature } from '../http/app.ts'
import { allowPeriod } from '../http/authorize.ts'
import { holdCatchment, readerOf } from '../http/catchment-rights.ts'
import { BadRequest } from '../http/errors.ts'
import { isOutsideDates, type Session } from '../http/sessions.ts'
import { jobUser } from '../jobs/api.ts'
import { storeOf } from '../store/open-store.ts'
import { answersOf } from '../threads/answers.ts'
import { type AheadPart, aheadAnswer } from './answers.ts'
import { askToBegin } from './begins.ts'
import { type Cycle, Cycles } from './cycles.ts'
import { overview, summaryOf } from './overview.ts'
import { KEPT_MS } from './prune.ts'
import { CycleNotFound, headOf, scoresOf } from './results.ts'
import { DRAIN_MIN, RAIN_MIN } from './steps.ts'
import { switchLive } from './switch.ts'
import { WhatIfs } from './what-if.ts'

const tags = ['ahead']
const toGzip = promisify(gzip)
const toZstd = promisify(zstdCompress)
const LASTS_MS = (RAIN_MIN + DRAIN_MIN) * 60_000
/** Cycles of two days, one a frame. */
const MOST_CYCLES = 1_000

const catchment = z.object({ catchmentId: z.string().max(64) })
const atIssue = z.object({
  /** The newest forecast at or before it. @default now */
  issued: instantSchema.optional(),
})

/** Forecasts of floods: for signed-in users within their dates; managers switch them on. */
export const registerAhead: RegisterFeature = (app, deps) => {
  const cycles = new Cycles(deps.db)
  const answers = answersOf(app, deps)
  const whatIfs = new WhatIfs(deps)
  /** What a thread reads of a cycle. */
  const read = async (request: FastifyRequest, cycle: Cycle, what: AheadPart) => {
    const input = { catchmentId: cycle.catchment_id, issued: cycle.issued.toISOString(), ...what }
    return (await answers.make(aheadAnswer, input, request)).body
  }
  const sendJson = async (request: FastifyRequest, reply: FastifyReply, cycle: Cycle, what: AheadPart) =>
    reply.type('application/json; charset=utf-8').send(await read(request, cycle, what)) as never

  /** The cycle that is asked for, held against the dates: first as it was asked for, then as it is. */
  async function asked(
    request: FastifyRequest<{ Params: { catchmentId: string }; Querystring: { issued?: string } }>,
  ): Promise<Cycle> {
    const { issued } = request.query
    const at = issued === undefined ? new Date(deps.clock.now()) : new Date(issued)
    if (issued !== undefined) allowPeriod(request, at, new Date(at.getTime() + LASTS_MS))
    const cycle = await cycles.before(request.params.catchmentId, at)
    if (!cycle) throw new CycleNotFound()
    allowPeriod(request, cycle.issued, new Date(cycle.issued.getTime() + LASTS_MS))
    return cycle
  }

  app.get(
    '/api/ahead',
    {
      schema: {
        summary: 'Bassins dont l’inondation est prévue, et où en est le calcul',
        tags,
        response: { 200: aheadOverviewSchema },
      },
    },
    async ({ session }) => {
      askToBegin(deps.db)
      return overview(deps, await storeOf(deps), cycles, readerOf(session as Session))
    },
  )

  app.put(
    '/api/ahead/:catchmentId',
    {
      schema: {
        summary: 'Met en marche ou arrête la prévision d’inondation d’un bassin',
        tags,
        params: catchment,
        body: z.object({ enabled: z.boolean() }),
        response: { 200: aheadOverviewSchema },
      },
    },
    async (request) => {
      const { params, body } = request
      const { id, corners } = await summaryOf(deps.db, params.catchmentId)
      if (body.enabled && Object.values(corners).every(([lng, lat]) => lng === 0 && lat === 0))
        throw new BadRequest(
          'place',
          'catchmentId',
          'La position de ce bassin n’est pas connue : sa pluie ne peut être prévue.',
        )
      await switchLive(deps, { id, corners }, body.enabled)
      tellMore(request, { enabled: String(body.enabled) })
      return overview(deps, await storeOf(deps), cycles, readerOf(request.session as Session))
    },
  )

  app.get(
    '/api/ahead/:catchmentId/cycles',
    {
      schema: {
        summary: 'Prévisions gardées, la plus récente d’abord',
        tags,
        params: catchment,
        response: { 200: aheadCyclesSchema },
      },
    },
    async ({ params, session }) => {
      const now = deps.clock.now()
      const kept = await cycles.between(
        params.catchmentId,
        new Date(now - KEPT_MS),
        new Date(now + 60_000),
        MOST_CYCLES,
      )
      const { restriction } = session as Session
      const mine = kept.filter(
        ({ issued }) => !isOutsideDates(restriction, issued, new Date(issued.getTime() + LASTS_MS)),
      )
      return { cycles: mine.map(headOf) }
    },
  )

  app.get(
    '/api/ahead/:catchmentId/cycle',
    {
      schema: {
        summary: 'Une prévision : pluie, ce qui est à surveiller, réseau',
        tags,
        params: catchment,
        querystring: atIssue,
        response: { 200: aheadCycleSchema },
      },
    },
    async (request, reply) => sendJson(request, reply, await asked(request), { of: 'cycle' }),
  )

  app.get(
    '/api/ahead/:catchmentId/network',
    {
      schema: {
        summary: 'Réseau sur lequel une prévision est faite',
        tags,
        params: catchment,
        querystring: atIssue,
        response: { 200: aheadNetworkSchema },
      },
    },
    async (request, reply) => sendJson(request, reply, await asked(request), { of: 'network' }),
  )

  app.get(
    '/api/ahead/:catchmentId/chances',
    {
      schema: {
        summary:
          'Probabilité de dépasser une hauteur d’eau, en % entiers par instant et maille, 255 hors du modèle',
        tags,
        params: catchment,
        querystring: atIssue.extend({ above: z.coerce.number().pipe(z.literal(AHEAD_DEPTHS_MM)) }),
      },
    },
    async (request, reply) => {
      const cycle = await asked(request)
      const bytes = Buffer.from(await read(request, cycle, { of: 'chances', depthMm: request.query.above }))
      const encoding = encodingFor(request.headers['accept-encoding'])
      reply
        .type('application/octet-stream')
        .header('vary', 'accept-encoding')
        .header('content-encoding', encoding)
      if (encoding === 'identity') return reply.send(bytes)
      return reply.send(await (encoding === 'zstd' ? toZstd(bytes) : toGzip(bytes, { level: 1 })))
    },
  )

  app.get(
    '/api/ahead/:catchmentId/fan',
    {
      schema: {
        summary: 'Éventail des membres en une maille, un nœud ou une conduite',
        tags,
        params: catchment,
        querystring: atIssue.extend({
          kind: z.enum(['cell', 'node', 'link']),
          /** Of a node or a link; of a cell its number, `row * ncols + col`. */
          name: z.string().min(1).max(200),
        }),
        response: { 200: aheadFanSchema },
      },
    },
    async (request, reply) => {
      const cycle = await asked(request)
      const { kind, name } = request.query
      if (kind !== 'cell') return sendJson(request, reply, cycle, { of: 'element', kind, name })
      if (!/^\d{1,9}$/.test(name)) throw new BadRequest('cell', 'name', 'Le numéro d’une maille est attendu.')
      return sendJson(request, reply, cycle, { of: 'cell', cell: Number(name) })
    },
  )

  app.post(
    '/api/job/what-if',
    {
      schema: {
        summary: 'Et si, maintenant : la suite d’une prévision avec un réglage du réseau ou un sol changé',
        description:
          'Lance deux simulations depuis l’état de la prévision, avec sa pluie moyenne : l’une telle quelle, l’autre avec les changements. Elles se comparent comme les autres. Le même envoi avec la même clé (en-tête idempotency-key) ne lance rien de plus.',
        tags,
        headers: z.looseObject({ [SUBMISSION_KEY_HEADER]: submissionKeySchema.optional() }),
        body: whatIfBodySchema,
        response: { 200: whatIfSchema },
      },
    },
    async (request) => {
      const { body } = request
      const at = new Date(body.issued)
      allowPeriod(request, at, new Date(at.getTime() + LASTS_MS))
      await holdCatchment(deps.db, readerOf(request.session as Session), body.catchmentId)
      const cycle = await cycles.at(body.catchmentId, at)
      if (!cycle) throw new CycleNotFound()
      tellMore(request, { catchment: body.catchmentId, title: body.title ?? '' })
      const key = request.headers[SUBMISSION_KEY_HEADER]
      const again =
        typeof key === 'string'
          ? { key, hash: createHash('sha256').update(JSON.stringify(body)).digest('hex') }
          : null
      return whatIfs.submit(cycle, body, jobUser(request.session as Session), again)
    },
  )

  app.get(
    '/api/ahead/:catchmentId/scores',
    {
      schema: {
        summary: 'Valeur des prévisions d’une période, tenues contre l’état calculé de la pluie observée',
        tags,
        params: catchment,
        querystring: z.object({ s: instantSchema, e: instantSchema }),
        response: { 200: aheadScoresSchema },
      },
    },
    ({ params, query }) => scoresOf(deps.db, params.catchmentId, new Date(query.s), new Date(query.e)),
  )
}
