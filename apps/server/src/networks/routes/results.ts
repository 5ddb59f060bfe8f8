import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  LINK_QUANTITIES,
  NETWORK_CURVES_MAX,
  NODE_QUANTITIES,
  networkCurvesSchema,
  networkFileSchema,
  networkPeaksSchema,
  SUBCATCHMENT_QUANTITIES,
} from '@radx/contracts'
import { list } from '@radx/contracts/bounds'
import { z } from 'zod'
import { dialectOf, sendCsv } from '../../http/csv.ts'
import { keptName } from '../../http/unzip.ts'
import { jobOutput } from '../../jobs/api.ts'
import { openFileStore } from '../../store/file-store.ts'
import { CHECKSUMS } from '../../store/folder-checksums.ts'
import { NetworkFileGone } from '../errors.ts'
import { outputPath } from '../files.ts'
import { NETWORK_OUTPUT } from '../outputs.ts'
import { held, ofRun, type Parts, tags } from './parts.ts'

export function registerResults({ app, deps, networks, make, sendJson }: Parts): void {
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
        summary: 'Courbes de nœuds, de liens ou de bassins, une ligne par nom',
        tags,
        params: ofRun,
        querystring: z
          .object({
            of: z.enum(['node', 'link', 'subcatchment']),
            what: z.string().max(20),
            names: namesQuery,
          })
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
      const names = (await readdir(dir)).filter((name) => name !== CHECKSUMS && !OWN.includes(name))
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

const QUANTITIES: Record<'node' | 'link' | 'subcatchment', readonly string[]> = {
  node: NODE_QUANTITIES,
  link: LINK_QUANTITIES,
  subcatchment: SUBCATCHMENT_QUANTITIES,
}
/** Files that the page alone reads. */
const OWN: readonly string[] = [NETWORK_OUTPUT.peaks, NETWORK_OUTPUT.measures]
/** Names of nodes or links, one a line. */
const namesQuery = z
  .string()
  .min(1)
  .max(NETWORK_CURVES_MAX * 200)
  .transform((text) => text.split('\n'))
  .refine((names) => names.length <= NETWORK_CURVES_MAX, `Au plus ${NETWORK_CURVES_MAX} courbes.`)
