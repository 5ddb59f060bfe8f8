import { createReadStream } from 'node:fs'
import {
  networkNodeSchema,
  nodePathSchema,
  outputFileSchema,
  outputPartSchema,
  simulationOutputSchema,
} from '@radx/contracts'
import { list, shortText } from '@radx/contracts/bounds'
import { z } from 'zod'
import type { App } from '../../http/app.ts'
import { dialectOf, sendCsv } from '../../http/csv.ts'
import type { CatchmentLibrary } from '../catchment/library.ts'
import { nodesOf, shortestPath } from '../catchment/network.ts'
import type { ResultMaker } from './result-maker.ts'
import type { MayRead, Results } from './results.ts'

/** Output files of a run, and what the sewer analysis reads of them and of the network. */
export function registerResults(
  app: App,
  results: Results,
  { make, sendJson }: ResultMaker,
  library: CatchmentLibrary,
  mayRead: MayRead,
): void {
  const tags = ['simulation']
  const job = z.object({ jobId: z.uuid() })
  const catchment = z.object({ catchmentId: z.string().max(64) })

  app.get(
    '/api/job/output/:jobId',
    {
      preHandler: mayRead,
      schema: {
        summary: 'Fichiers de sortie',
        tags,
        params: job,
        response: { 200: list(outputFileSchema) },
      },
    },
    ({ params }) => results.outputs(params.jobId),
  )

  app.get(
    '/api/job/output/:jobId/:name/data',
    {
      preHandler: mayRead,
      schema: { summary: 'Un fichier de sortie', tags, params: job.extend({ name: z.string().max(80) }) },
    },
    async (request, reply) => {
      const { params } = request
      if (params.name.endsWith('.csv')) {
        const body = await make({ of: 'output.csv', ...params, dialect: dialectOf(request) }, request)
        return sendCsv(reply, params.name, body)
      }
      const path = await results.outputPath(params.jobId, params.name)
      const type = /\.(txt|inp)$/.test(params.name)
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
      preHandler: mayRead,
      schema: {
        summary: 'Contenu d’un fichier de sortie pour l’analyse',
        tags,
        params: job,
        querystring: outputPartSchema.extend({ outputType: z.string().max(80) }),
        response: { 200: simulationOutputSchema },
      },
    },
    (request, reply) => {
      const { outputType: name, ...part } = request.query
      return sendJson({ of: 'output', ...request.params, name, part }, request, reply)
    },
  )

  /** Of the version that a run was made on; without one, of the current one. */
  const networkOf = (catchmentId: string, jobId: string | undefined) =>
    jobId ? results.catchment(jobId) : library.get(catchmentId)

  app.get(
    '/api/multihydro/:catchmentId/nodes',
    {
      schema: {
        summary: 'Nœuds du réseau, tel que la simulation jobId l’a vu quand elle est nommée',
        tags,
        params: catchment,
        querystring: z.object({ jobId: z.uuid().optional() }),
        response: { 200: list(networkNodeSchema) },
      },
    },
    async ({ params, query }) => nodesOf(await networkOf(params.catchmentId, query.jobId)),
  )

  app.get(
    '/api/multihydro/file/nodepath',
    {
      preHandler: mayRead,
      schema: {
        summary: 'Profil en long : hauteurs d’eau le long d’un chemin, toutes les 10 minutes',
        tags,
        querystring: z.object({ jobId: z.uuid(), nodePath: z.string().max(200_000) }),
        response: { 200: nodePathSchema },
      },
    },
    (request, reply) => {
      const { jobId, nodePath } = request.query
      const path = nodePath.split(',').filter((name) => name !== '')
      return sendJson({ of: 'path', jobId, path }, request, reply)
    },
  )

  app.get(
    '/api/pathfinder/catchmentId/:catchmentId',
    {
      schema: {
        summary: 'Plus court chemin le long des conduites',
        description:
          'Avec via, il passe par ce nœud sans passer deux fois par un autre : l’autre côté d’une boucle.',
        tags,
        params: catchment,
        querystring: z.object({
          start: z.string().max(100),
          end: z.string().max(100),
          via: z.string().max(100).optional(),
          jobId: z.uuid().or(z.literal('')).optional(),
        }),
        response: { 200: list(shortText()) },
      },
    },
    async ({ params, query }) => shortestPath(await networkOf(params.catchmentId, query.jobId), query),
  )
}
