import {
  calibrationBodySchema,
  calibrationSchema,
  calibrationTrialsSchema,
  OBSERVED_CSV_MAX,
  observationBodySchema,
  observationSchema,
  observedColumnsSchema,
  observedFileSchema,
  observedRunsSchema,
} from '@radx/contracts'
import { list, shortText } from '@radx/contracts/bounds'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { tellMore } from '../../audit/api.ts'
import type { App, Deps } from '../../http/app.ts'
import { allowPeriod } from '../../http/authorize.ts'
import type { Session } from '../../http/sessions.ts'
import { jobUser } from '../../jobs/api.ts'
import type { CatchmentLibrary } from '../catchment/library.ts'
import type { MayRead, Results } from '../result/results.ts'
import { periodsOf } from './job.ts'
import { overlaid } from './overlay.ts'
import { type Calibrations, columnsIn, Observations } from './service.ts'
import type { CalibrationConfigRow } from './tables.ts'

const nothing = { 204: z.null() }
const one = z.object({ id: z.uuid() })
const ofCatchment = z.object({ catchmentId: shortText() })
const started = z.object({ id: z.uuid(), jobId: z.uuid() })
const userOf = (request: FastifyRequest) => jobUser(request.session as Session)

/** Rain of the archive on which a fit stands is held against the account's dates. */
const allowed = (request: FastifyRequest) => (row: Pick<CalibrationConfigRow, 'events'>) => {
  for (const { start, end } of periodsOf(row)) allowPeriod(request, start, end)
  request.periodChecked = true
}

/** Series of measurements, how runs stand to them, and fits. */
export function registerCalibration(
  app: App,
  deps: Deps,
  parts: { library: CatchmentLibrary; results: Results; calibrations: Calibrations; mayRead: MayRead },
): void {
  registerObservations(app, new Observations(deps, parts.library), parts)
  registerFits(app, parts.calibrations)
}

function registerObservations(
  app: App,
  observations: Observations,
  { results, mayRead }: { results: Results; mayRead: MayRead },
): void {
  const tags = ['calibration']
  // A character may take three bytes.
  const bodyLimit = 3 * OBSERVED_CSV_MAX + 10_000
  app.post(
    '/api/observations/columns',
    {
      bodyLimit,
      schema: {
        summary:
          'Ce qu’un fichier de mesures contient : colonnes, unités, période, lacunes ; rien n’est gardé',
        tags,
        body: observedFileSchema,
        response: { 200: observedColumnsSchema },
      },
    },
    (request) => columnsIn(request.body),
  )
  app.post(
    '/api/observations',
    {
      bodyLimit,
      schema: {
        summary: 'Garde une colonne d’un fichier de mesures à son lieu sur un bassin',
        tags,
        body: observationBodySchema,
        response: { 200: observationSchema },
      },
    },
    async (request) => {
      const kept = await observations.add(userOf(request), request.body)
      tellMore(request, { name: kept.name, catchment: kept.catchmentId })
      return kept
    },
  )
  app.get(
    '/api/observations',
    {
      schema: {
        summary: 'Ses séries de mesures d’un bassin',
        tags,
        querystring: ofCatchment,
        response: { 200: list(observationSchema) },
      },
    },
    (request) => observations.list(userOf(request), request.query.catchmentId),
  )
  app.delete(
    '/api/observations/:id',
    { schema: { summary: 'Supprime une série de mesures', tags, params: one, response: nothing } },
    async (request, reply) => {
      await observations.remove(userOf(request), request.params.id)
      return reply.status(204).send(null)
    },
  )
  app.get(
    '/api/multihydro/file/:jobId/observations',
    {
      preHandler: mayRead,
      schema: {
        summary: 'Ses mesures à côté d’une simulation terminée, avec leurs scores sur une période',
        tags,
        params: z.object({ jobId: z.uuid() }),
        querystring: z.object({ start: z.iso.datetime().optional(), end: z.iso.datetime().optional() }),
        response: { 200: observedRunsSchema },
      },
    },
    async (request) => {
      const run = await results.seen(request.params.jobId)
      const rows = await observations.of(userOf(request), run.catchmentId)
      const { start, end } = request.query
      return overlaid(run, rows, {
        ...(start !== undefined && { fromMs: Date.parse(start) }),
        ...(end !== undefined && { toMs: Date.parse(end) }),
      })
    },
  )
}

function registerFits(app: App, calibrations: Calibrations): void {
  const tags = ['calibration']
  app.get(
    '/api/calibrations',
    {
      schema: {
        summary: 'Ses calages d’un bassin, les plus récents d’abord',
        tags,
        querystring: ofCatchment,
        response: { 200: list(calibrationSchema) },
      },
    },
    (request) => calibrations.list(userOf(request), request.query.catchmentId),
  )
  app.post(
    '/api/calibrations',
    {
      schema: {
        summary: 'Lance un calage : paramètres et bornes, calculs terminés comme épisodes, mesures',
        tags,
        body: calibrationBodySchema,
        response: { 200: started },
      },
    },
    async (request) => {
      tellMore(request, { name: request.body.name, catchment: request.body.catchmentId })
      return calibrations.submit(request.session as Session, userOf(request), request.body, allowed(request))
    },
  )
  app.get(
    '/api/calibrations/:id',
    { schema: { summary: 'Un calage', tags, params: one, response: { 200: calibrationSchema } } },
    (request) => calibrations.get(userOf(request), request.params.id),
  )
  app.get(
    '/api/calibrations/:id/trials',
    {
      schema: {
        summary: 'Les essais d’un calage, aussi pendant qu’il tourne : valeurs et score de chacun',
        tags,
        params: one,
        response: { 200: calibrationTrialsSchema },
      },
    },
    (request) => calibrations.trials(userOf(request), request.params.id),
  )
  app.post(
    '/api/calibrations/:id/resume',
    {
      schema: {
        summary: 'Reprend un calage annulé ou échoué là où il en était',
        tags,
        params: one,
        response: { 200: started },
      },
    },
    (request) => calibrations.resume(userOf(request), request.params.id, allowed(request)),
  )
  app.delete(
    '/api/calibrations/:id',
    {
      schema: {
        summary: 'Supprime un calage et ses essais ; les simulations gardent leurs valeurs',
        tags,
        params: one,
        response: nothing,
      },
    },
    async (request, reply) => {
      const { name } = await calibrations.remove(userOf(request), request.params.id)
      tellMore(request, { name })
      return reply.status(204).send(null)
    },
  )
}
