import { reportSchema } from '@radx/contracts'
import { EXPORT_REPORT_DAYS } from '@radx/contracts/constants'
import { adjustKeySchema } from '@radx/contracts/gauges'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { adjustmentOfKey, Gauges } from '../gauges/api.ts'
import type { App, Deps } from '../http/app.ts'
import { allowPeriod } from '../http/authorize.ts'
import { NotFound } from '../http/errors.ts'
import { allowGauge, gaugePoints } from '../http/gauge-rights.ts'
import type { Session } from '../http/sessions.ts'
import { catchmentQuery, periodQuery, productOf, spanOf, zoneOf } from '../radar/api.ts'
import { type RunInput, Runs, radarPeriodOf } from '../simulation/api.ts'
import { storeOf } from '../store/open-store.ts'
import { MontanaTables } from '../storms/api.ts'
import { answersOf } from '../threads/answers.ts'
import { type ReportInput, reportAnswer, reportPdfAnswer } from './answers.ts'

const tags = ['reports']
/** Table of return periods; the first one when none is named. */
const chosenTable = { table: z.string().max(64).optional() }

/** Reports as pages (their blocks) and as PDF, made in threads. */
export function registerReports(app: App, deps: Deps): void {
  const { catchments } = deps
  const tables = new MontanaTables(deps)
  const gauges = new Gauges(deps)
  const answers = answersOf(app, deps)
  const querystring = periodQuery.extend(catchmentQuery).extend({
    /** Points as `lat,lng;lat,lng`. */
    g: z.string().max(600).default(''),
    ...chosenTable,
    title: z.string().max(1024).default(''),
    comment: z.string().max(4096).default(''),
    /** Also tells the product adjusted to gauges. */
    adjust: adjustKeySchema.optional(),
  })

  /** The table of that id, the first one without; null where there is none at all. */
  const tableOf = async ({ name }: Session, id: string | undefined) =>
    id === undefined && (await tables.list(name)).length === 0 ? null : tables.find(name, id)

  const event = async (query: z.infer<typeof querystring>, request: FastifyRequest): Promise<ReportInput> => {
    const session = request.session as Session
    const points = gaugePoints(query.g)
    for (const point of points) await allowGauge(deps.db, session, point, catchments)
    productOf(await storeOf(deps), query)
    return {
      of: 'event',
      event: {
        title: query.title,
        product: query.p,
        span: spanOf(query, EXPORT_REPORT_DAYS),
        zone: zoneOf(catchments, query)?.key ?? null,
        points,
        gauges: await gauges.visible(session),
        table: await tableOf(session, query.table),
        comment: query.comment,
        adjusted: await adjustmentOfKey(deps, request, query.adjust, {
          product: query.p,
          span: spanOf(query, EXPORT_REPORT_DAYS),
        }),
      },
    }
  }
  const pdf = async (input: ReportInput, request: FastifyRequest, reply: FastifyReply) => {
    const { name, body } = await answers.make(reportPdfAnswer, input, request)
    return reply
      .header('content-disposition', `attachment; filename="${name}"`)
      .type('application/pdf')
      .send(body)
  }

  app.get(
    '/api/reports/event',
    {
      schema: {
        summary: 'Rapport d’une période, en blocs',
        tags,
        querystring,
        response: { 200: reportSchema },
      },
    },
    async (request) => answers.make(reportAnswer, await event(request.query, request), request),
  )
  app.get(
    '/api/reports/event.pdf',
    { schema: { summary: 'Rapport d’une période, en PDF balisé', tags, querystring } },
    async (request, reply) => pdf(await event(request.query, request), request, reply),
  )

  const params = z.object({ jobId: z.uuid() })
  const runs = new Runs(deps.db)
  /** A run's report shows its rain, which is held against the reader's dates. */
  const run = async (
    jobId: string,
    id: string | undefined,
    request: FastifyRequest,
  ): Promise<ReportInput> => {
    const rain = radarPeriodOf((await runs.run(jobId)).input as RunInput)
    if (rain) allowPeriod(request, rain.start, rain.end)
    request.periodChecked = true
    return { of: 'run', jobId, table: await tableOf(request.session as Session, id) }
  }
  app.get(
    '/api/reports/run/:jobId',
    {
      schema: {
        summary: 'Rapport d’une simulation, en blocs',
        tags,
        params,
        querystring: z.object(chosenTable),
        response: { 200: reportSchema },
      },
    },
    async (request) =>
      answers.make(reportAnswer, await run(request.params.jobId, request.query.table, request), request),
  )
  app.get(
    '/api/reports/run/:jobId/:file',
    {
      schema: {
        summary: 'Rapport d’une simulation, en PDF balisé',
        tags,
        params: params.extend({ file: z.string().max(20) }),
        querystring: z.object(chosenTable),
      },
    },
    async (request, reply) => {
      if (request.params.file !== 'report.pdf') throw new NotFound()
      return pdf(await run(request.params.jobId, request.query.table, request), request, reply)
    },
  )
}
