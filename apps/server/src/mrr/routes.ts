import {
  instantSchema,
  MRR_PERIOD_MAX_DAYS,
  mrrBinSchema,
  mrrDaySchema,
  mrrLatestSchema,
  mrrPeriodSchema,
  mrrRecordSchema,
  mrrVariableSchema,
} from '@radx/contracts'
import { list } from '@radx/contracts/bounds'
import { civilDayRange } from '@radx/locale/time'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App, Deps } from '../http/app.ts'
import { allowPeriod } from '../http/authorize.ts'
import { NEWEST, share } from '../http/caching.ts'
import { dialectOf, sendCsv } from '../http/csv.ts'
import { NotFound } from '../http/errors.ts'
import { periodQuery, productOf, spanOf } from '../radar/api.ts'
import type { Span } from '../store/frame-index.ts'
import { storeOf } from '../store/open-store.ts'
import { answersOf } from '../threads/answers.ts'
import { mrrExportAnswer, mrrHourAnswer, mrrPeriodAnswer } from './answers.ts'
import { MicroRainRadar, NoProfiles } from './service.ts'

const HOUR_MS = 3_600_000

export function registerMrr(app: App, deps: Deps): void {
  const mrr = new MicroRainRadar(deps, () => storeOf(deps))
  const answers = answersOf(app, deps)
  const variable = z.object({ v: mrrVariableSchema.default('LWC') })

  app.get(
    '/api/mrr/latest',
    {
      schema: {
        summary: 'Nom de la dernière image du micro radar, sous /images/mrr/',
        tags: ['mrr'],
        response: { 200: mrrLatestSchema },
      },
    },
    async (request, reply) => {
      share(request, reply, NEWEST)
      return { file: await mrr.latestFile(), dry: await mrr.isLatestDry() }
    },
  )

  app.get(
    '/images/mrr/:file',
    {
      schema: {
        summary: 'Dernière image du micro radar',
        tags: ['mrr'],
        params: z.object({ file: z.string().max(60) }),
        querystring: z.object({ scheme: z.enum(['light', 'dark']).optional() }),
      },
    },
    async (request, reply) => {
      const png = await mrr.latestImage(request.params.file, request.query.scheme)
      if (!png) throw new NotFound()
      return reply.header('cache-control', 'public, max-age=3600, s-maxage=60').type('image/png').send(png)
    },
  )

  app.get(
    '/api/mrr/demo',
    {
      schema: {
        summary: 'L’heure de démonstration, ouverte à tous',
        tags: ['mrr'],
        querystring: variable,
        response: { 200: list(mrrRecordSchema) },
      },
    },
    async (request, reply) => {
      const open = deps.site.microRainRadar?.openHour
      if (!open) throw new NoProfiles()
      const asked = { span: hourFrom(open), variable: request.query.v }
      return sendJson(reply, await answers.make(mrrHourAnswer, asked, request))
    },
  )

  app.get(
    '/api/mrr/calendar',
    {
      schema: {
        summary: 'Jours mesurés et leur maximum (g/m³) ; avec rain=1, aussi celui hors couche de fusion',
        tags: ['mrr'],
        querystring: z.object({ rain: z.literal('1').optional() }),
        response: { 200: list(mrrDaySchema) },
      },
    },
    async (request) => mrr.calendar(request.session?.restriction ?? null, request.query.rain !== undefined),
  )

  app.get(
    '/api/mrr/day/:day',
    {
      schema: {
        summary: 'Maxima de cinq minutes d’un jour civil (g/m³)',
        tags: ['mrr'],
        params: z.object({ day: z.iso.date() }),
        response: { 200: list(mrrBinSchema) },
      },
    },
    async (request) => {
      // A day on the edge of the account's period shows the part inside it.
      const span = clip(request, civilDayRange(request.params.day, deps.site.timeZone))
      allowPeriod(request, new Date(span.startMs), new Date(span.endMs))
      return span.endMs > span.startMs ? mrr.bins(span) : []
    },
  )

  const hourParams = z.object({ datetime: instantSchema })
  app.get(
    '/api/mrr/hour/:datetime',
    {
      schema: {
        summary: 'Profils de l’heure qui commence à cet instant',
        tags: ['mrr'],
        params: hourParams,
        querystring: variable,
        response: { 200: list(mrrRecordSchema) },
      },
    },
    async (request, reply) => {
      const span = allowedHour(request, request.params.datetime)
      return sendJson(reply, await answers.make(mrrHourAnswer, { span, variable: request.query.v }, request))
    },
  )

  app.get(
    '/api/mrr/period',
    {
      schema: {
        summary: 'Profils d’une période en colonnes, et le pixel du radar au-dessus de l’instrument',
        tags: ['mrr'],
        querystring: periodQuery,
        response: { 200: mrrPeriodSchema },
      },
    },
    async (request, reply) => {
      const { query } = request
      const span = spanOf(query, MRR_PERIOD_MAX_DAYS)
      allowPeriod(request, new Date(span.startMs), new Date(span.endMs))
      productOf(await storeOf(deps), query)
      return sendJson(reply, await answers.make(mrrPeriodAnswer, { product: query.p, span }, request))
    },
  )

  app.get(
    '/api/mrr/export/:datetime',
    {
      schema: {
        summary: 'Une heure de profils en CSV, netCDF ou PNG',
        tags: ['mrr'],
        params: hourParams,
        querystring: variable.extend({ format: z.enum(['csv', 'netcdf', 'png']) }),
      },
    },
    async (request, reply) => {
      const { format, v } = request.query
      const span = allowedHour(request, request.params.datetime)
      const stem = `mrr-${v}-${new Date(span.startMs).toISOString().slice(0, 16).replace(/[-:]/g, '')}Z`
      const asked = { span, variable: v, format, dialect: dialectOf(request) }
      const { body } = await answers.make(mrrExportAnswer, asked, request)
      if (format === 'csv') return sendCsv(reply, `${stem}.csv`, body)
      const [name, type] =
        format === 'png'
          ? [`${stem}.png`, 'image/png']
          : [`${stem.replace(`-${v}`, '')}.nc`, 'application/x-netcdf']
      return reply.header('content-disposition', `attachment; filename="${name}"`).type(type).send(body)
    },
  )
}

const sendJson = (reply: FastifyReply, { body }: { body: Uint8Array }): never =>
  reply.type('application/json; charset=utf-8').send(body) as never

function hourFrom(instant: string): Span {
  const startMs = Date.parse(instant)
  return { startMs, endMs: startMs + HOUR_MS }
}

function allowedHour(request: FastifyRequest, instant: string): Span {
  const span = hourFrom(instant)
  allowPeriod(request, new Date(span.startMs), new Date(span.endMs))
  return span
}

function clip(request: FastifyRequest, { startMs, endMs }: Span): Span {
  const { start, end } = request.session?.restriction ?? { start: null, end: null }
  return {
    startMs: Math.max(startMs, start?.getTime() ?? startMs),
    endMs: Math.min(endMs, end?.getTime() ?? endMs),
  }
}
