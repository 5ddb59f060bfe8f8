import {
  ADJUST_MODES,
  CLASS_BUNDLE_TYPE,
  GAUGE_CSV_MAX,
  GAUGE_METHODS,
  GAUGE_STEPS_MIN,
  gaugeAdjustmentSchema,
  gaugeComparisonSchema,
  gaugeFlagBodySchema,
  gaugeFlagSchema,
  gaugeSchema,
  gaugeUploadedSchema,
  gaugeUploadSchema,
  rainMethodSchema,
} from '@radx/contracts'
import { list, shortText } from '@radx/contracts/bounds'
import { instantSchema } from '@radx/contracts/radar'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { encodingFor } from '../http/accept-encoding.ts'
import type { App, Deps } from '../http/app.ts'
import { dialectOf, sendCsv } from '../http/csv.ts'
import { BadRequest } from '../http/errors.ts'
import type { Session } from '../http/sessions.ts'
import { catchmentQuery, periodQuery, productOf, spanOf, zoneOf } from '../radar/api.ts'
import { storeOf } from '../store/open-store.ts'
import { answersOf } from '../threads/answers.ts'
import { adjustedCsvAnswer, adjustedFramesAnswer, adjustmentAnswer } from './adjusted-answers.ts'
import type { AdjustmentInput } from './adjustment.ts'
import { adjustmentAsked } from './asked.ts'
import { comparisonAnswer } from './comparison.ts'
import { Gauges } from './service.ts'

const MAX_DAYS = 400
const tags = ['gauges']
const periodOnly = z.object({ s: instantSchema, e: instantSchema })

const sessionOf = (request: { session: unknown }): Session => request.session as Session

export function registerGauges(app: App, deps: Deps): void {
  const gauges = new Gauges(deps)
  registerOwn(app, gauges)
  registerFlags(app, gauges)
  registerComparison(app, deps, gauges)
  registerAdjusted(app, deps)
}

function registerOwn(app: App, gauges: Gauges): void {
  app.get(
    '/api/gauges',
    {
      schema: {
        summary: 'Pluviomètres : ceux du site, puis les siens',
        tags,
        response: { 200: list(gaugeSchema) },
      },
    },
    (request) => gauges.visible(sessionOf(request)),
  )
  app.put(
    '/api/gauges',
    {
      // A character may take three bytes.
      bodyLimit: 3 * GAUGE_CSV_MAX + 10_000,
      schema: {
        summary: 'Ajoute ses propres pluviomètres, d’un fichier CSV',
        tags,
        body: gaugeUploadSchema,
        response: { 200: gaugeUploadedSchema },
      },
    },
    (request) => gauges.upload(sessionOf(request), request.body),
  )
  app.delete(
    '/api/gauges/:id',
    {
      schema: {
        summary: 'Supprime un de ses pluviomètres avec ses mesures',
        tags,
        params: z.object({ id: z.uuid() }),
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await gauges.remove(sessionOf(request), request.params.id)
      return reply.status(204).send(null)
    },
  )
}

function registerFlags(app: App, gauges: Gauges): void {
  app.get(
    '/api/gauges/flags',
    {
      schema: {
        summary: 'Périodes que des gestionnaires ont écartées ou gardées, avec qui et pourquoi',
        tags,
        querystring: periodOnly,
        response: { 200: list(gaugeFlagSchema) },
      },
    },
    (request) => gauges.flags(sessionOf(request), spanOf(request.query, MAX_DAYS)),
  )
  app.post(
    '/api/gauges/:id/flags',
    {
      schema: {
        summary: 'Écarte ou garde une période d’un pluviomètre',
        tags,
        params: z.object({ id: shortText() }),
        body: gaugeFlagBodySchema,
        response: { 200: gaugeFlagSchema },
      },
    },
    (request) => gauges.flag(sessionOf(request), request.params.id, request.body),
  )
  app.delete(
    '/api/gauges/flags/:id',
    {
      schema: {
        summary: 'Lève un marquage ; il reste dans l’historique',
        tags,
        params: z.object({ id: z.uuid() }),
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await gauges.unflag(sessionOf(request), request.params.id)
      return reply.status(204).send(null)
    },
  )
}

/** Gauges times days of one comparison: bounds its memory. */
const MOST_GAUGE_DAYS = 20_000

function registerComparison(app: App, deps: Deps, gauges: Gauges): void {
  const answers = answersOf(app, deps)
  app.get(
    '/api/gauges/comparison',
    {
      schema: {
        summary: 'Pluviomètres et radar sur une période : rapports, écarts, doubles cumuls, séries',
        tags,
        querystring: periodQuery.extend({
          /** Minutes of a step. */
          step: z.coerce
            .number()
            .refine((step) => GAUGE_STEPS_MIN.some((one) => one === step), 'pas de 5, 15, 60 ou 1440 min')
            .default(15),
          /** Gauge whose series is wanted. */
          g: z.string().max(64).optional(),
          /** 1: what checks find is told but not left out. */
          raw: z.enum(['0', '1']).default('0'),
          /** Rain moved between frames, or frames that stand still. */
          method: rainMethodSchema.default('moved'),
        }),
        response: { 200: gaugeComparisonSchema },
      },
    },
    async (request, reply) => {
      const { p, step, g = null, raw, method } = request.query
      productOf(await storeOf(deps), { p })
      const span = spanOf(request.query, MAX_DAYS)
      const visible = await gauges.visible(sessionOf(request))
      if ((visible.length * (span.endMs - span.startMs)) / 86_400_000 > MOST_GAUGE_DAYS)
        throw new BadRequest(
          'periodTooLong',
          'e',
          `${visible.length} pluviomètres sur une si longue période : choisir une période plus courte.`,
        )
      const input = {
        product: p,
        span,
        stepMin: step,
        gauges: visible,
        chosen: g,
        raw: raw === '1',
        method,
      }
      const { body } = await answers.make(comparisonAnswer, input, request)
      return reply
        .header('cache-control', 'private, no-cache')
        .type('application/json; charset=utf-8')
        .send(body as never)
    },
  )
}

/** Days of frames of one answer: they are in memory together. */
const FRAMES_DAYS = 2
const ADJUST_DAYS = 31

function registerAdjusted(app: App, deps: Deps): void {
  const answers = answersOf(app, deps)
  const querystring = periodQuery.extend({
    method: z.enum(GAUGE_METHODS).default('mfb'),
    /** `live`: gauges up to the end alone; `hindsight`: those of the whole period. */
    mode: z.enum(ADJUST_MODES).default('hindsight'),
  })
  /** Where frames are asked for in parts: the period that factors are made from. */
  const parts = { ws: instantSchema.optional(), we: instantSchema.optional() }

  const inputOf = async (
    request: FastifyRequest,
    query: z.output<typeof querystring> & { ws?: string; we?: string },
    maxDays: number,
  ): Promise<AdjustmentInput> => {
    const { p, method, mode, s, e, ws = s, we = e } = query
    productOf(await storeOf(deps), { p })
    const span = spanOf({ s, e }, maxDays)
    const period = spanOf({ s: ws, e: we }, ADJUST_DAYS)
    return adjustmentAsked(deps, request, { product: p, span, period, method, mode })
  }

  app.get(
    '/api/gauges/adjustment',
    {
      schema: {
        summary: 'Produit ajusté d’une période : facteur de chaque image, erreur de chaque méthode',
        tags,
        querystring: querystring.extend({
          /** 0: without the errors, for which every method is made. */
          errors: z.enum(['0', '1']).default('1'),
        }),
        response: { 200: gaugeAdjustmentSchema },
      },
    },
    async (request, reply) => {
      const input = await inputOf(request, request.query, ADJUST_DAYS)
      const asked = { ...input, errors: request.query.errors === '1' }
      const { body } = await answers.make(adjustmentAnswer, asked, request)
      return reply
        .header('cache-control', 'private, no-cache')
        .type('application/json; charset=utf-8')
        .send(body as never)
    },
  )
  for (const cumul of [false, true])
    app.get(
      cumul ? '/api/gauges/adjusted/accumulation' : '/api/gauges/adjusted/frames',
      {
        schema: {
          summary: cumul
            ? 'Cumul de la période du produit ajusté, en classes (lot binaire d’une image)'
            : 'Images ajustées en classes d’intensité (lot binaire), avec nom et facteurs',
          tags,
          querystring: querystring.extend(parts),
        },
      },
      async (request, reply) => {
        const input = await inputOf(request, request.query, cumul ? ADJUST_DAYS : FRAMES_DAYS)
        const packed = encodingFor(request.headers['accept-encoding']) !== 'identity'
        const { body } = await answers.make(adjustedFramesAnswer, { ...input, cumul, gzip: packed }, request)
        return reply
          .type(CLASS_BUNDLE_TYPE)
          .headers({ vary: 'accept-encoding', 'cache-control': 'private, no-cache' })
          .header('content-encoding', packed ? 'gzip' : 'identity')
          .send(body)
      },
    )
  app.get(
    '/api/gauges/adjusted.csv',
    {
      schema: {
        summary: 'Pluie d’un bassin, originale et ajustée, en CSV qui dit nom, facteurs et erreur',
        tags,
        querystring: querystring.extend(catchmentQuery),
      },
    },
    async (request, reply) => {
      const { query } = request
      const zone = zoneOf(deps.catchments, query)
      const input = await inputOf(request, query, ADJUST_DAYS)
      const asked = { ...input, zone: zone?.key ?? null, dialect: dialectOf(request) }
      const { body } = await answers.make(adjustedCsvAnswer, asked, request)
      return sendCsv(reply, `${input.product}-ajuste-${input.method}-${input.mode}.csv`, body)
    },
  )
}
