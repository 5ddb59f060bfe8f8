import { createReadStream } from 'node:fs'
import multipart from '@fastify/multipart'
import {
  catchmentSummarySchema,
  comparableSimulationSchema,
  luseComparisonSchema,
  luseDataSchema,
  luseFileSchema,
  maskSchema,
  networkNodeSchema,
  nodePathSchema,
  outputFileSchema,
  outputPartSchema,
  simulationCreatedSchema,
  simulationListItemSchema,
  simulationOutputSchema,
} from '@radx/contracts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App, Deps } from '../http/app.ts'
import { allowPeriod } from '../http/authorize.ts'
import { BadRequest } from '../http/errors.ts'
import type { Session } from '../http/sessions.ts'
import { jobUser } from '../jobs/routes.ts'
import { openFileStore } from '../store/file-store.ts'
import { registerDepth } from './depth-routes.ts'
import { LandUses } from './land-uses.ts'
import { CatchmentLibrary } from './library.ts'
import { randomName } from './names.ts'
import { nodesOf, shortestPath } from './network.ts'
import { Results } from './results.ts'
import { Runs } from './runs.ts'
import { Submissions } from './submissions.ts'

/** A painted grid of a million cells fits; the whole form stays bounded. */
const FIELD_BYTES = 32 * 2 ** 20

export async function registerSimulation(app: App, deps: Deps): Promise<void> {
  const library = new CatchmentLibrary(deps.db, deps.config)
  const runs = new Runs(deps.db)
  const submissions = new Submissions(deps, library)
  const landUses = new LandUses(deps.db, library)
  const results = new Results(runs, library, openFileStore(deps.config))
  const tags = ['simulation']
  const job = z.object({ jobId: z.uuid() })
  const file = z.object({ id: z.uuid() })
  const catchment = z.object({ catchmentId: z.string().max(64) })
  const user = (request: FastifyRequest) => jobUser(request.session as Session)

  await app.register(multipart, {
    limits: { fieldSize: FIELD_BYTES, fields: 60, files: 0, fieldNameSize: 100 },
    throwFileSizeLimit: true,
  })
  // Other clients send a title or a note as plain text.
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => done(null, body))

  app.get(
    '/api/random',
    {
      schema: {
        summary: 'Un nom de simulation au hasard',
        tags,
        response: { 200: z.object({ name: z.string() }) },
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
        response: { 200: z.array(catchmentSummarySchema) },
      },
    },
    async () => {
      const summaries = await library.list()
      return Promise.all(
        summaries.map(async (summary) => ({
          ...summary,
          recentMsPerHour: await runs.recentMsPerHour(summary.id),
        })),
      )
    },
  )

  app.get(
    '/api/jobs/multihydro',
    {
      schema: { summary: 'Simulations de tous', tags, response: { 200: z.array(simulationListItemSchema) } },
    },
    () => runs.list(),
  )

  app.post(
    '/api/job/multihydro',
    {
      schema: {
        summary: 'Lance une simulation (formulaire multipart)',
        tags,
        response: { 200: simulationCreatedSchema },
      },
    },
    async (request) => {
      const fields = await formFields(request)
      // Virtual rain shows nothing of the archive; radar rain is held against the account's dates.
      request.periodChecked = true
      const created = await submissions.submit(fields, user(request), (start, end) =>
        allowPeriod(request, start, end),
      )
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
        response: { 200: z.array(comparableSimulationSchema) },
      },
    },
    ({ params }) => runs.similar(params.jobId),
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

  app.get(
    '/api/multihydro/files',
    {
      schema: {
        summary: 'Cartes d’occupation des sols d’un bassin',
        tags,
        querystring: z.object({ c: z.string().max(64), n: z.literal('luse.asc').default('luse.asc') }),
        response: { 200: z.array(luseFileSchema) },
      },
    },
    ({ query }) => landUses.files(query.c),
  )

  app.get(
    '/api/multihydro/file/:id',
    {
      schema: {
        summary: 'Une carte d’occupation des sols',
        tags,
        params: file,
        response: { 200: luseFileSchema },
      },
    },
    ({ params }) => landUses.file(params.id),
  )

  app.get(
    '/api/multihydro/file/:id/data',
    { schema: { summary: 'La carte en grille ESRI ASCII (luse.asc)', tags, params: file } },
    async ({ params }, reply) =>
      reply
        .header('content-disposition', 'attachment; filename="luse.asc"')
        .type('text/plain; charset=utf-8')
        .send(await landUses.text(params.id)),
  )

  const yes = z.enum(['true', 'false']).default('false')
  app.get(
    '/api/multihydro/file/:id/dataJson',
    {
      schema: {
        summary: 'La carte en lignes, avec le relief et la table des codes sur demande',
        tags,
        params: file,
        querystring: z.object({ elevation: yes, allCodes: yes }),
        response: { 200: luseDataSchema },
      },
    },
    ({ params, query }) =>
      landUses.data(params.id, {
        elevation: query.elevation === 'true',
        allCodes: query.allCodes === 'true',
      }),
  )

  app.get(
    '/api/multihydro/file/:id/imageluse',
    {
      schema: {
        summary: 'Adresse de l’image de la carte, pour la vue 3D',
        tags,
        params: file,
        response: { 200: z.object({ path: z.string() }) },
      },
    },
    async ({ params }) => {
      await landUses.file(params.id)
      return { path: `/api/multihydro/file/${params.id}/image.jpg` }
    },
  )

  app.get(
    '/api/multihydro/file/:id/image.jpg',
    { schema: { summary: 'Image de la carte, un pixel par cellule', tags, params: file } },
    async ({ params }, reply) =>
      reply
        .header('cache-control', 'private, max-age=86400')
        .type('image/jpeg')
        .send(await landUses.jpeg(params.id)),
  )

  app.get(
    '/api/multihydro/file/mask/:caseStudyId',
    {
      schema: {
        summary: 'Cellules modifiables d’un cas d’étude',
        tags,
        params: z.object({ caseStudyId: z.string().max(64) }),
        response: { 200: maskSchema },
      },
    },
    async ({ params }) => ({ data: await landUses.mask(params.caseStudyId) }),
  )

  app.get(
    '/api/multihydro/file/compare',
    {
      schema: {
        summary: 'Changements d’occupation des sols par rapport à la carte du bassin',
        tags,
        querystring: z.object({
          catchmentId: z.string().max(64),
          luseId: z.uuid(),
          caseStudyId: z.string().max(64).default(''),
        }),
        response: { 200: luseComparisonSchema },
      },
    },
    ({ query }) => landUses.compare(query.catchmentId, query.luseId, query.caseStudyId),
  )

  app.get(
    '/api/job/output/:jobId',
    {
      schema: {
        summary: 'Fichiers de sortie',
        tags,
        params: job,
        response: { 200: z.array(outputFileSchema) },
      },
    },
    ({ params }) => results.outputs(params.jobId),
  )

  app.get(
    '/api/job/output/:jobId/:name/data',
    { schema: { summary: 'Un fichier de sortie', tags, params: job.extend({ name: z.string().max(80) }) } },
    async ({ params }, reply) => {
      const path = await results.outputPath(params.jobId, params.name)
      const type = /\.(txt|csv|inp)$/.test(params.name)
        ? 'text/plain; charset=utf-8'
        : params.name.endsWith('.json')
          ? 'application/json'
          : 'application/octet-stream'
      return reply
        .header('content-disposition', `attachment; filename="${params.name}"`)
        .type(type)
        .send(createReadStream(path))
    },
  )

  app.get(
    '/api/multihydro/file/:jobId/output',
    {
      schema: {
        summary: 'Contenu d’un fichier de sortie pour l’analyse',
        tags,
        params: job,
        querystring: outputPartSchema.extend({ outputType: z.string().max(80) }),
        response: { 200: simulationOutputSchema },
      },
    },
    ({ params, query: { outputType, ...part } }) => results.output(params.jobId, outputType, part),
  )

  app.get(
    '/api/multihydro/:catchmentId/nodes',
    {
      schema: {
        summary: 'Nœuds du réseau',
        tags,
        params: catchment,
        response: { 200: z.array(networkNodeSchema) },
      },
    },
    async ({ params }) => nodesOf(await library.get(params.catchmentId)),
  )

  app.get(
    '/api/multihydro/file/nodepath',
    {
      schema: {
        summary: 'Profil en long : hauteurs d’eau le long d’un chemin, toutes les 10 minutes',
        tags,
        querystring: z.object({ jobId: z.uuid(), nodePath: z.string().max(200_000) }),
        response: { 200: nodePathSchema },
      },
    },
    ({ query }) =>
      results.nodePath(
        query.jobId,
        query.nodePath.split(',').filter((name) => name !== ''),
      ),
  )

  app.get(
    '/api/pathfinder/catchmentId/:catchmentId',
    {
      schema: {
        summary: 'Plus court chemin le long des conduites',
        tags,
        params: catchment,
        querystring: z.object({
          start: z.string().max(100),
          end: z.string().max(100),
          jobId: z.string().max(64).optional(),
        }),
        response: { 200: z.array(z.string()) },
      },
    },
    async ({ params, query }) => shortestPath(await library.get(params.catchmentId), query.start, query.end),
  )

  registerDepth(app, results)
}

/** Fields of a multipart form; JSON is not multipart and files are not taken. */
async function formFields(request: FastifyRequest): Promise<Map<string, string>> {
  if (!request.isMultipart())
    throw new BadRequest('multipart', 'body', 'Un formulaire multipart est attendu.')
  const fields = new Map<string, string>()
  for await (const part of request.parts()) {
    if (part.type !== 'field')
      throw new BadRequest('file', part.fieldname, 'Ce formulaire ne prend pas de fichier.')
    fields.set(part.fieldname, String(part.value))
  }
  return fields
}

/** A text sent as `{"name": text}` or as plain text. */
function textOf(body: unknown, name: string): string {
  if (typeof body === 'string') return body
  const value = (body as Record<string, unknown> | null)?.[name]
  if (typeof value === 'string') return value
  throw new BadRequest('text', name, `Envoyez {"${name}": "…"} ou le texte lui-même.`)
}
