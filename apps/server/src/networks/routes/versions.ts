import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { networkCrsSchema, networkModelSchema, nodePathSchema } from '@radx/contracts'
import { z } from 'zod'
import { keptName } from '../../http/unzip.ts'
import { openFileStore } from '../../store/file-store.ts'
import { NetworkFileGone } from '../errors.ts'
import { versionDir } from '../files.ts'
import { held, type Parts, tags, userOf, versioned } from './parts.ts'

export function registerVersions({ app, deps, networks, sendJson }: Parts): void {
  const files = openFileStore(deps.config)
  app.get(
    '/api/networks/:id/versions/:version/model',
    {
      schema: {
        summary: 'Ce que le fichier dit : nœuds, liens, bassins, positions, avertissements du lecteur',
        description: 'Avec crs, les positions sont celles de ce système, rendues en degrés.',
        tags,
        params: versioned,
        querystring: z.object({ crs: networkCrsSchema.optional() }),
        response: { 200: networkModelSchema },
      },
    },
    async (request, reply) => {
      const { id, version } = request.params
      const of = await networks.version(id, version, userOf(request))
      // A version never changes.
      reply.header('cache-control', 'private, max-age=3600')
      return sendJson({ of: 'model', version: of, crs: request.query.crs ?? null }, request, reply)
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
