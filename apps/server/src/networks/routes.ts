import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  LINK_QUANTITIES,
  NETWORK_CSV_MAX,
  NETWORK_CURVES_MAX,
  NETWORK_RESULT_MAX,
  NETWORK_UPLOAD_MAX,
  NODE_QUANTITIES,
  networkComparisonSchema,
  networkCurvesSchema,
  networkDetailSchema,
  networkFileSchema,
  networkModelSchema,
  networkNameSchema,
  networkPeaksSchema,
  networkRunBodySchema,
  networkRunSchema,
  networkSchema,
  networkUploadedSchema,
  nodePathSchema,
  SUBMISSION_KEY_HEADER,
  submissionKeySchema,
} from '@radx/contracts'
import { list } from '@radx/contracts/bounds'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { tellMore } from '../audit/api.ts'
import type { App, Deps } from '../http/app.ts'
import { allowPeriod } from '../http/authorize.ts'
import { dialectOf, sendCsv } from '../http/csv.ts'
import { BadRequest } from '../http/errors.ts'
import { pageOf, pageQuery, placeOf } from '../http/page.ts'
import type { Session } from '../http/sessions.ts'
import { receiveFile, uploads } from '../http/uploads.ts'
import { type JobUser, jobOutput, jobUser } from '../jobs/api.ts'
import { openFileStore } from '../store/file-store.ts'
import { CHECKSUMS } from '../store/folder-checksums.ts'
import { answersOf } from '../threads/answers.ts'
import { type NetworkAsked, networkAnswer, takeAnswer } from './answers.ts'
import { NetworkFileGone } from './errors.ts'
import { outputPath, versionDir } from './files.ts'
import { NETWORK_OUTPUT } from './outputs.ts'
import { Networks } from './service.ts'
import { keptName } from './side-files.ts'

const tags = ['networks']
const one = z.object({ id: z.uuid() })
const versioned = one.extend({ version: z.coerce.number().int().min(1).max(1_000_000) })
const ofRun = z.object({ jobId: z.uuid() })
const nothing = { 204: z.null() }
const userOf = (request: FastifyRequest): JobUser => jobUser(request.session as Session)

/** What the parts of the routes share. */
interface Parts {
  app: App
  deps: Deps
  networks: Networks
  /** Has an answer made in a thread. */
  make(asked: NetworkAsked, request: FastifyRequest): Promise<Uint8Array>
  sendJson(asked: NetworkAsked, request: FastifyRequest, reply: FastifyReply): Promise<never>
}

export function registerNetworks(app: App, deps: Deps): void {
  const answers = answersOf(app, deps)
  const make: Parts['make'] = async (asked, request) =>
    (await answers.make(networkAnswer, asked, request)).body
  const parts: Parts = {
    app,
    deps,
    networks: new Networks(deps),
    make,
    sendJson: async (asked, request, reply) =>
      reply.type('application/json; charset=utf-8').send(await make(asked, request)) as never,
  }
  // Files come as they are; nothing is read before the handler takes them.
  for (const type of ['application/octet-stream', 'application/zip'])
    app.addContentTypeParser(type, (_request, _body, done) => done(null))
  registerKept(parts)
  registerUpload(parts)
  registerVersions(parts)
  registerRuns(parts)
  registerResults(parts)
  registerComparison(parts)
}

function registerKept({ app, networks }: Parts): void {
  app.get(
    '/api/networks',
    {
      schema: {
        summary: 'Ses réseaux, les plus récents d’abord ; l’en-tête radx-next donne la suite',
        description: 'Avec all=1, un gestionnaire voit ceux de tous.',
        tags,
        querystring: pageQuery.extend({ all: z.enum(['0', '1']).default('0') }),
        response: { 200: list(networkSchema) },
      },
    },
    async (request, reply) => {
      const { limit, cursor, all } = request.query
      const rows = await networks.list(userOf(request), all === '1', placeOf(cursor), limit)
      return pageOf(rows, limit, reply).map(({ item }) => item)
    },
  )
  app.get(
    '/api/networks/:id',
    {
      schema: {
        summary: 'Un réseau et ses versions',
        tags,
        params: one,
        response: { 200: networkDetailSchema },
      },
    },
    (request) => networks.get(request.params.id, userOf(request)),
  )
  app.put(
    '/api/networks/:id/name',
    {
      schema: {
        summary: 'Renomme un réseau',
        tags,
        params: one,
        body: z.object({ name: networkNameSchema }),
        response: nothing,
      },
    },
    async (request, reply) => {
      await networks.rename(request.params.id, request.body.name, userOf(request))
      return reply.status(204).send(null)
    },
  )
  app.delete(
    '/api/networks/:id',
    {
      schema: {
        summary: 'Supprime un réseau avec ses versions, ses calculs et leurs résultats',
        tags,
        params: one,
        response: nothing,
      },
    },
    async (request, reply) => {
      tellMore(request, await networks.remove(request.params.id, userOf(request)))
      return reply.status(204).send(null)
    },
  )
}

const uploadName = z.object({ name: z.string().min(1).max(200) })

function registerUpload({ app, deps, networks }: Parts): void {
  const answers = answersOf(app, deps)
  /** Takes a body in and apart, and keeps it. */
  const take = async (request: FastifyRequest, file: string, into: string | null) => {
    const user = userOf(request)
    return receiveUpload(request, deps, NETWORK_UPLOAD_MAX, async (path) => {
      const dir = networks.stagingDir()
      try {
        const taken = await answers.make(takeAnswer, { path, name: file, dir }, request)
        tellMore(request, { name: file })
        return await networks.keep(user, nameOf(file), dir, taken, into)
      } finally {
        await rm(dir, { recursive: true, force: true })
      }
    })
  }
  const schema = {
    tags,
    consumes: ['application/octet-stream', 'application/zip'],
    querystring: uploadName,
    response: { 200: networkUploadedSchema },
  }
  app.post(
    '/api/networks',
    {
      schema: {
        ...schema,
        summary: 'Ajoute un réseau : un .inp, ou un zip d’un .inp et des fichiers qu’il nomme',
        description:
          'Un de ses réseaux qui porte déjà ce nom reçoit une nouvelle version, sauf si rien n’a changé.',
      },
    },
    (request) => take(request, request.query.name, null),
  )
  app.post(
    '/api/networks/:id/versions',
    { schema: { ...schema, summary: 'Ajoute une version à un réseau', params: one } },
    async (request) => {
      await networks.get(request.params.id, userOf(request))
      return take(request, request.query.name, request.params.id)
    },
  )
}

/** The name that a person gave a file, without folders and its ending. */
const nameOf = (file: string): string => {
  const name = file
    .replace(/^.*[/\\]/, '')
    .replace(/\.(inp|zip)$/i, '')
    .trim()
  return (name || 'Réseau').slice(0, 120)
}

/** Has a body of bytes on disk while `use` runs. */
async function receiveUpload<T>(
  request: FastifyRequest,
  { config }: Deps,
  maxBytes: number,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const length = Number(request.headers['content-length'] ?? Number.NaN)
  const announced = Number.isNaN(length) ? null : length
  return uploads.run(userOf(request).name, announced, (take) =>
    receiveFile(
      request.raw,
      { folder: join(config.dataDir, 'uploads'), announced, maxBytes, take },
      async (path, bytes) => {
        if (bytes === 0) throw new BadRequest('file', 'body', 'Le fichier est vide.')
        return use(path)
      },
    ),
  )
}

function registerVersions({ app, deps, networks, sendJson }: Parts): void {
  const files = openFileStore(deps.config)
  app.get(
    '/api/networks/:id/versions/:version/model',
    {
      schema: {
        summary: 'Ce que le fichier dit : nœuds, liens, bassins, positions, avertissements du lecteur',
        tags,
        params: versioned,
        response: { 200: networkModelSchema },
      },
    },
    async (request, reply) => {
      const { id, version } = request.params
      const of = await networks.version(id, version, userOf(request))
      // A version never changes.
      reply.header('cache-control', 'private, max-age=3600')
      return sendJson({ of: 'model', version: of }, request, reply)
    },
  )
  app.get(
    '/api/networks/:id/versions/:version/profile',
    {
      schema: {
        summary: 'Profil en long entre deux nœuds, avec les hauteurs d’eau d’un calcul s’il est nommé',
        tags,
        params: versioned,
        querystring: z.object({
          start: z.string().min(1).max(200),
          end: z.string().min(1).max(200),
          run: z.uuid().optional(),
        }),
        response: { 200: nodePathSchema },
      },
    },
    async (request, reply) => {
      const { id, version } = request.params
      const { start, end, run: jobId } = request.query
      const user = userOf(request)
      const of = await networks.version(id, version, user)
      let run = null
      if (jobId === undefined) request.periodChecked = true
      else run = (await held(networks, jobId, request)).files
      return sendJson({ of: 'profile', version: of, start, end, run }, request, reply)
    },
  )
  app.get(
    '/api/networks/:id/versions/:version/files/:name',
    {
      schema: {
        summary: 'Un fichier d’une version, tel qu’il a été donné',
        tags,
        params: versioned.extend({ name: z.string().max(120) }),
      },
    },
    async (request, reply) => {
      const { id, version, name } = request.params
      const of = await networks.version(id, version, userOf(request))
      if (!of.files.includes(name)) throw new NetworkFileGone(keptName(name))
      const dir = await versionDir(files, of, [name])
      return reply
        .header('content-disposition', `attachment; filename="${name}"`)
        .type('application/octet-stream')
        .send(createReadStream(join(dir, name)))
    },
  )
}

/** A finished run whose rain is held against the reader's dates. */
async function held(networks: Networks, jobId: string, request: FastifyRequest) {
  const found = await networks.finished(jobId, userOf(request))
  const period = found.period
  if (period) allowPeriod(request, period.start, period.end)
  request.periodChecked = true
  return found
}

function registerRuns({ app, deps, networks }: Parts): void {
  app.get(
    '/api/networks/:id/runs',
    {
      schema: {
        summary: 'Calculs d’un réseau, les plus récents d’abord ; l’en-tête radx-next donne la suite',
        description: 'Le résultat d’une pluie radar hors des dates du compte est laissé de côté.',
        tags,
        params: one,
        querystring: pageQuery,
        response: { 200: list(networkRunSchema) },
      },
    },
    async (request, reply) => {
      const { limit, cursor } = request.query
      const rows = await networks.runs(request.params.id, userOf(request), placeOf(cursor), limit)
      return pageOf(rows, limit, reply).map(({ item }) => item)
    },
  )
  app.post(
    '/api/networks/:id/runs',
    {
      // A character may take three bytes.
      bodyLimit: 3 * NETWORK_CSV_MAX + 100_000,
      schema: {
        summary: 'Lance le calcul d’une version : sa pluie, un CSV, une pluie de projet ou une période radar',
        description:
          'Le même envoi renvoyé avec la même clé (en-tête idempotency-key) ne lance rien de plus : la réponse est le calcul déjà lancé.',
        tags,
        params: one,
        headers: z.looseObject({ [SUBMISSION_KEY_HEADER]: submissionKeySchema.optional() }),
        body: networkRunBodySchema,
        response: { 200: z.object({ id: z.uuid() }) },
      },
    },
    async (request) => {
      const { rain } = request.body
      if (rain.kind === 'radar') {
        const [start, end] = [new Date(rain.start), new Date(rain.end)]
        if (!(start < end))
          throw new BadRequest('period', 'end', 'La fin de la période doit venir après son début.')
        if (end.getTime() - start.getTime() > RADAR_DAYS * 86_400_000)
          throw new BadRequest('period-too-long', 'end', `La période dépasse ${RADAR_DAYS} jours.`)
        if (!deps.catchments.get(rain.catchment))
          throw new BadRequest('catchment', 'catchment', 'Ce bassin n’existe pas sur ce site.')
        allowPeriod(request, start, end)
      }
      request.periodChecked = true
      const given = request.headers[SUBMISSION_KEY_HEADER]
      const key =
        given === undefined
          ? null
          : {
              key: given,
              hash: createHash('sha256')
                .update(JSON.stringify([request.params.id, request.body]))
                .digest('hex'),
            }
      tellMore(request, { network: request.params.id })
      return { id: await networks.run(request.params.id, request.body, userOf(request), key) }
    },
  )
  app.get(
    '/api/networks/runs/:jobId',
    { schema: { summary: 'Un calcul de réseau', tags, params: ofRun, response: { 200: networkRunSchema } } },
    async (request) => (await networks.runOf(request.params.jobId, userOf(request))).run,
  )
}

const RADAR_DAYS = 31

const QUANTITIES: Record<'node' | 'link', readonly string[]> = {
  node: NODE_QUANTITIES,
  link: LINK_QUANTITIES,
}

/** Names of nodes or links, one a line. */
const namesQuery = z
  .string()
  .min(1)
  .max(NETWORK_CURVES_MAX * 200)
  .transform((text) => text.split('\n'))
  .refine((names) => names.length <= NETWORK_CURVES_MAX, `Au plus ${NETWORK_CURVES_MAX} courbes.`)

function registerResults({ app, deps, networks, make, sendJson }: Parts): void {
  const store = openFileStore(deps.config)
  app.get(
    '/api/networks/runs/:jobId/peaks',
    {
      schema: {
        summary: 'Maximums de chaque nœud, lien et bassin',
        tags,
        params: ofRun,
        response: { 200: networkPeaksSchema },
      },
    },
    async (request, reply) => {
      const { files } = await held(networks, request.params.jobId, request)
      const path = await outputPath(store, files.jobId, NETWORK_OUTPUT.peaks)
      return reply.type('application/json; charset=utf-8').send(createReadStream(path) as never)
    },
  )
  app.get(
    '/api/networks/runs/:jobId/curves',
    {
      schema: {
        summary: 'Courbes de nœuds ou de liens, une ligne par nom',
        tags,
        params: ofRun,
        querystring: z
          .object({ of: z.enum(['node', 'link']), what: z.string().max(20), names: namesQuery })
          .refine(({ of, what }) => QUANTITIES[of].includes(what), {
            path: ['what'],
            message: 'Cette grandeur n’existe pas.',
          }),
        response: { 200: networkCurvesSchema },
      },
    },
    async (request, reply) => {
      const { files: run } = await held(networks, request.params.jobId, request)
      const { of: kind, what: quantity, names } = request.query
      return sendJson({ of: 'curves', run, kind, quantity, names }, request, reply)
    },
  )
  app.get(
    '/api/networks/runs/:jobId/files',
    {
      schema: {
        summary: 'Fichiers de résultats',
        tags,
        params: ofRun,
        response: { 200: list(networkFileSchema) },
      },
    },
    async (request) => {
      const { files } = await held(networks, request.params.jobId, request)
      const dir = await store.folder(jobOutput(files.jobId))
      if (dir === null) throw new NetworkFileGone(NETWORK_OUTPUT.report)
      const names = (await readdir(dir)).filter((name) => name !== CHECKSUMS && name !== NETWORK_OUTPUT.peaks)
      return Promise.all(
        names.sort().map(async (name) => ({ name, bytes: (await stat(join(dir, name))).size })),
      )
    },
  )
  app.get(
    '/api/networks/runs/:jobId/files/:name',
    {
      schema: {
        summary: 'Un fichier de résultats',
        tags,
        params: ofRun.extend({ name: z.string().max(80) }),
      },
    },
    async (request, reply) => {
      const { files: run } = await held(networks, request.params.jobId, request)
      const { name } = request.params
      if (!Object.values<string>(NETWORK_OUTPUT).includes(name)) throw new NetworkFileGone(keptName(name))
      if (name.endsWith('.csv'))
        return sendCsv(
          reply,
          name,
          await make({ of: 'csv', run, name, dialect: dialectOf(request) }, request),
        )
      const path = await outputPath(store, run.jobId, name)
      return reply
        .header('content-disposition', `attachment; filename="${name}"`)
        .type(name.endsWith('.json') ? 'application/json' : 'application/octet-stream')
        .send(createReadStream(path))
    },
  )
}

function registerComparison({ app, deps, networks, sendJson }: Parts): void {
  const response = { 200: networkComparisonSchema }
  app.get(
    '/api/networks/runs/:jobId/compare',
    {
      schema: {
        summary: 'Compare un calcul à un autre, par les noms des nœuds et des liens',
        tags,
        params: ofRun,
        querystring: z.object({ with: z.uuid() }),
        response,
      },
    },
    async (request, reply) => {
      const { files: run } = await held(networks, request.params.jobId, request)
      const { files, run: other } = await held(networks, request.query.with, request)
      const name = `calcul du ${other.createdAt.slice(0, 10)}`
      return sendJson({ of: 'compare', run, other: { run: files, name } }, request, reply)
    },
  )
  app.post(
    '/api/networks/runs/:jobId/compare',
    {
      schema: {
        summary: 'Compare un calcul à un résultat d’EPA SWMM (.rpt ou .out), qui n’est pas gardé',
        tags,
        consumes: ['application/octet-stream'],
        params: ofRun,
        querystring: uploadName,
        response,
      },
    },
    async (request, reply) => {
      const { files: run } = await held(networks, request.params.jobId, request)
      return receiveUpload(request, deps, NETWORK_RESULT_MAX, async (path) =>
        sendJson({ of: 'compare', run, other: { path, name: request.query.name } }, request, reply),
      )
    },
  )
}
