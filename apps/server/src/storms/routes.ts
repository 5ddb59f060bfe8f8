import {
  montanaTableBodySchema,
  montanaTableSchema,
  ownStatisticsSchema,
  RETURN_PERIODS_DAYS,
  rainMethodSchema,
  returnPeriodsSchema,
} from '@radx/contracts'
import { list, shortText } from '@radx/contracts/bounds'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App, Deps } from '../http/app.ts'
import { BadRequest } from '../http/errors.ts'
import { allowGauge, gaugePoints } from '../http/gauge-rights.ts'
import type { Session } from '../http/sessions.ts'
import { catchmentQuery, periodQuery, productOf, productQuery, spanOf, zoneOf } from '../radar/api.ts'
import { storeOf } from '../store/open-store.ts'
import { answersOf } from '../threads/answers.ts'
import { returnPeriodsAnswer } from './depths.ts'
import { MontanaTables } from './service.ts'
import { statisticsAnswer } from './statistics.ts'

const tags = ['storms']

const nameOf = (request: FastifyRequest): string => (request.session as Session).name

export function registerStorms(app: App, deps: Deps): void {
  registerTables(app, new MontanaTables(deps))
  registerDepths(app, deps)
}

function registerTables(app: App, tables: MontanaTables): void {
  app.get(
    '/api/storms/tables',
    {
      schema: {
        summary: 'Tableaux de périodes de retour : ceux du site, puis les siens',
        tags,
        response: { 200: list(montanaTableSchema) },
      },
    },
    (request) => tables.list(nameOf(request)),
  )
  app.put(
    '/api/storms/tables',
    {
      schema: {
        summary: 'Ajoute un tableau de coefficients de Montana, par lignes ou par CSV',
        tags,
        body: montanaTableBodySchema,
        response: { 200: montanaTableSchema },
      },
    },
    (request) => tables.add(nameOf(request), request.body),
  )
  app.delete(
    '/api/storms/tables/:id',
    {
      schema: {
        summary: 'Supprime un de ses tableaux',
        tags,
        params: z.object({ id: z.uuid() }),
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await tables.remove(nameOf(request), request.params.id)
      return reply.status(204).send(null)
    },
  )
}

function registerDepths(app: App, deps: Deps): void {
  const { catchments } = deps
  const tables = new MontanaTables(deps)
  const answers = answersOf(app, deps)

  app.get(
    '/api/storms/return-periods',
    {
      schema: {
        summary: 'Plus grandes hauteurs par durée d’un bassin et de pixels, avec leur période de retour',
        tags,
        querystring: periodQuery.extend(catchmentQuery).extend({
          /** Points as `lat,lng;lat,lng`. */
          g: z.string().max(600).default(''),
          table: z.string().max(64).optional(),
          /** Rain moved between frames, or frames that stand still. */
          method: rainMethodSchema.default('moved'),
        }),
        response: { 200: returnPeriodsSchema },
      },
    },
    async (request) => {
      const { query } = request
      const points = gaugePoints(query.g)
      for (const point of points) await allowGauge(deps.db, request.session as Session, point, catchments)
      productOf(await storeOf(deps), query)
      const zone = zoneOf(catchments, query)
      const input = {
        product: query.p,
        span: spanOf(query, RETURN_PERIODS_DAYS),
        zones: (zone ? [zone, ...catchments.childrenOf(zone.key)] : []).map(({ key, name }) => ({
          key,
          name,
        })),
        points,
        table: await tables.find(nameOf(request), query.table),
        method: query.method,
      }
      return answers.make(returnPeriodsAnswer, input, request)
    },
  )

  app.get(
    '/api/storms/statistics',
    {
      schema: {
        summary: 'Lois des maxima annuels de l’archive pour un bassin, là où elle a assez d’années',
        tags,
        querystring: productQuery.extend({ c: shortText(), sc: shortText().optional() }),
        response: { 200: ownStatisticsSchema },
      },
    },
    async (request) => {
      const { query } = request
      productOf(await storeOf(deps), query)
      const zone = zoneOf(catchments, query)
      if (!zone) throw new BadRequest('catchment', 'c', 'Choisissez un bassin versant.')
      const allowed = request.session?.restriction
      // Years that the account may not see are not counted, rather than refused.
      const span = {
        startMs: allowed?.start?.getTime() ?? 0,
        endMs: allowed?.end?.getTime() ?? Date.UTC(9999, 0),
      }
      return answers.make(statisticsAnswer, { product: query.p, zone: zone.key, span }, request)
    },
  )
}
