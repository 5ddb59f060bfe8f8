import {
  type CatchmentSummary,
  catchmentSummarySchema,
  comparableSimulationSchema,
  type SimulationInput,
  SUBMISSION_KEY_HEADER,
  simulationCreatedSchema,
  simulationListItemSchema,
  submissionKeySchema,
} from '@radx/contracts'
import { list, shortText } from '@radx/contracts/bounds'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { tellMore } from '../audit/api.ts'
import type { App, Deps } from '../http/app.ts'
import { allowPeriod } from '../http/authorize.ts'
import { BadRequest } from '../http/errors.ts'
import { acceptForms, withForm } from '../http/form.ts'
import { pageOf, pageQuery, placeOf } from '../http/page.ts'
import type { Session } from '../http/sessions.ts'
import { jobUser } from '../jobs/api.ts'
import { openFileStore } from '../store/file-store.ts'
import { registerBatteries } from './battery/battery-routes.ts'
import { registerCalibration } from './calibration/routes.ts'
import { Calibrations } from './calibration/service.ts'
import { type CatchmentFacts, CatchmentLibrary } from './catchment/library.ts'
import { registerOwnCatchments } from './catchment/own-routes.ts'
import { registerCatchmentUpload } from './catchment/upload.ts'
import { FORM_RULES } from './form.ts'
import { registerLandUses } from './land-use/land-use-routes.ts'
import { LandUses } from './land-use/land-uses.ts'
import { registerTown } from './land-use/town-routes.ts'
import { randomName } from './names.ts'
import { registerOwnRains } from './rain/own/own-rain-routes.ts'
import { radarPeriodOf } from './rain/rain-period.ts'
import { registerDepth } from './result/depth-routes.ts'
import { registerEnsemble } from './result/ensemble-routes.ts'
import { resultMaker } from './result/result-maker.ts'
import { registerResults } from './result/result-routes.ts'
import { Results } from './result/results.ts'
import { registerWorkspace } from './result/workspace-routes.ts'
import { Runs } from './runs.ts'
import { Submissions, type Submitter } from './submissions.ts'

export async function registerSimulation(app: App, deps: Deps): Promise<void> {
  const library = new CatchmentLibrary(deps.db, deps.config)
  const runs = new Runs(deps.db)
  const calibrations = new Calibrations(deps, library)
  const submissions = new Submissions(deps, library, calibrations)
  const results = new Results(runs, library, openFileStore(deps.config))
  const tags = ['simulation']
  const job = z.object({ jobId: z.uuid() })
  const user = (request: FastifyRequest) => jobUser(request.session as Session)

  acceptForms(app)
  registerCatchmentUpload(app, deps)
  registerOwnCatchments(app, deps)
  registerOwnRains(app, deps, submitterOf)
  registerBatteries(app, deps, submissions, submitterOf)
  // Other clients send a title or a note as plain text.
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => done(null, body))

  app.get(
    '/api/random',
    {
      schema: {
        summary: 'Un nom de simulation au hasard',
        tags,
        response: { 200: z.object({ name: shortText() }) },
      },
    },
    () => ({ name: randomName() }),
  )

  app.get(
    '/api/multihydro/catchments',
    {
      schema: {
        summary: 'Bassins versants à simuler',
        tags,
        response: { 200: list(catchmentSummarySchema) },
      },
    },
    async (request) => withSpeeds(await library.list(listedTo(request.session as Session)), runs),
  )

  app.get(
    '/api/jobs/multihydro',
    {
      schema: {
        summary:
          'Simulations de tous, sur les bassins que l’on voit, les plus récentes d’abord ; l’en-tête radx-next donne la suite',
        tags,
        querystring: pageQuery,
        response: { 200: list(simulationListItemSchema) },
      },
    },
    async (request, reply) => {
      const { limit, cursor } = request.query
      const rows = await runs.list(request.session as Session, placeOf(cursor), limit)
      return pageOf(rows, limit, reply).map(({ item }) => item)
    },
  )

  app.post(
    '/api/job/multihydro',
    {
      schema: {
        summary: 'Lance une simulation (formulaire multipart)',
        description:
          'Le même formulaire renvoyé avec la même clé (en-tête idempotency-key) ne lance rien de plus : la réponse est la simulation déjà lancée. Une clé qui a servi pour un autre formulaire est refusée (409).',
        tags,
        headers: z.looseObject({ [SUBMISSION_KEY_HEADER]: submissionKeySchema.optional() }),
        response: { 200: simulationCreatedSchema },
      },
    },
    async (request) => {
      // Virtual rain shows nothing of the archive; radar rain is held against the account's dates.
      request.periodChecked = true
      const by = user(request)
      const where = { dataDir: deps.config.dataDir, user: by.name }
      const key = request.headers[SUBMISSION_KEY_HEADER] ?? null
      const created = await withForm(request, where, FORM_RULES, (fields) => {
        tellMore(request, { title: fields.get('title') ?? '', catchment: fields.get('catchmentId') ?? '' })
        return submissions.submit(fields, submitterOf(request), key)
      })
      return { jobId: created.id, id: created.id }
    },
  )

  app.get(
    '/api/jobs/multihydro/similar/:jobId',
    {
      schema: {
        summary: 'Simulations comparables : même bassin, même pluie',
        tags,
        params: job,
        response: { 200: list(comparableSimulationSchema) },
      },
    },
    (request) => runs.similar(request.params.jobId, (request.session as Session).restriction),
  )

  const nothing = { 204: z.null() }
  app.put(
    '/api/multihydro/:jobId/title',
    { schema: { summary: 'Renomme une simulation', tags, params: job, response: nothing } },
    async (request, reply) => {
      await runs.rename(request.params.jobId, textOf(request.body, 'title'), user(request))
      return reply.status(204).send(null)
    },
  )

  app.get(
    '/api/multihydro/:jobId/comment',
    { schema: { summary: 'Notes d’une simulation, en texte', tags, params: job } },
    async ({ params }, reply) =>
      reply.type('text/plain; charset=utf-8').send(await runs.comment(params.jobId)),
  )

  app.put(
    '/api/multihydro/:jobId/comment',
    { schema: { summary: 'Enregistre les notes d’une simulation', tags, params: job, response: nothing } },
    async (request, reply) => {
      const { body, params } = request
      // Beyond the specification: whoever tells what the notes were overwrites nobody else's.
      const { before } = (typeof body === 'object' && body !== null ? body : {}) as { before?: unknown }
      const known = typeof before === 'string' ? before : null
      await runs.setComment(params.jobId, textOf(body, 'comment'), known, user(request))
      return reply.status(204).send(null)
    },
  )

  const landUses = new LandUses(deps.db, library)
  registerLandUses(app, landUses)
  registerTown(app, landUses)
  /** Results of radar rain are held against the reader's dates, as the rain itself is. */
  const mayRead = async (request: FastifyRequest) => {
    const { jobId } = { ...(request.query as object), ...(request.params as object) } as { jobId: string }
    const { reference } = request.query as { reference?: string }
    for (const id of reference === undefined ? [jobId] : [jobId, reference]) {
      const rain = radarPeriodOf((await runs.run(id)).input as SimulationInput)
      if (rain) allowPeriod(request, rain.start, rain.end)
    }
    request.periodChecked = true
  }
  const maker = resultMaker(app, deps)
  registerResults(app, results, maker, library, mayRead)
  registerDepth(app, results, maker, mayRead)
  registerEnsemble(app, results, maker, mayRead)
  registerWorkspace(app, maker, mayRead)
  registerCalibration(app, deps, { library, results, calibrations, mayRead })
}

/** Who asks, with what holds rain against their dates. */
const submitterOf = (request: FastifyRequest): Submitter => {
  const session = request.session as Session
  return {
    user: jobUser(session),
    session,
    allowPeriod: (start, end) => allowPeriod(request, start, end),
  }
}

/** A text sent as `{"name": text}` or as plain text. */
function textOf(body: unknown, name: string): string {
  if (typeof body === 'string') return body
  const value = (body as Record<string, unknown> | null)?.[name]
  if (typeof value === 'string') return value
  throw new BadRequest('text', name, `Envoyez {"${name}": "…"} ou le texte lui-même.`)
}

/** Private catchments of others are no choice of a manager's form either. */
const listedTo = ({ name }: Session) => ({ name, isManager: false })

/** Catchments with how long runs take here: of themselves, or by cells and steps of older versions, else of others. */
async function withSpeeds(catchments: readonly CatchmentFacts[], runs: Runs): Promise<CatchmentSummary[]> {
  const measured = await Promise.all(
    catchments.map(async (summary) => {
      const [recent, replaced] = await Promise.all([
        runs.recentMsPerHour(summary.id),
        runs.replacedMsPerHour(summary.id),
      ])
      const older = replaced.map((run) => run.ms / workPerHour(run))
      const own = recent.map((ms) => ms / workPerHour(summary))
      return { summary, recent, msPerWork: own.length > 0 ? own : older }
    }),
  )
  const all = measured.flatMap(({ msPerWork }) => msPerWork)
  return measured.map(({ summary, recent, msPerWork }) => {
    const known = msPerWork.length > 0 ? msPerWork : all
    return {
      ...summary,
      recentMsPerHour: recent,
      expectedMsPerHour: known.length === 0 ? null : median(known) * workPerHour(summary),
    }
  })
}

/** Cells times steps of an hour, but for a constant: a step is as long as a wave takes to cross a cell. */
const workPerHour = ({ activeCells, cellSizeM }: { activeCells: number; cellSizeM: number }): number =>
  activeCells / cellSizeM

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)]
