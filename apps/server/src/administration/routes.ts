import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { adminIngestSchema, adminJobsSchema, adminStorageSchema, doneSchema } from '@radx/contracts'
import { z } from 'zod'
import { originOf, record } from '../audit/api.ts'
import type { App, Deps } from '../http/app.ts'
import { NotFound } from '../http/errors.ts'
import { ingestForManagers, rejectedPath } from './ingest.ts'
import { jobsForManagers } from './jobs.ts'
import { registerMetrics } from './metrics/routes.ts'
import { storageForManagers } from './storage.ts'

const tags = ['administration']

/** What managers see of work and data, beside accounts and the audit trail. */
export function registerAdministration(app: App, deps: Deps): void {
  const { db, clock, config, site } = deps

  app.get(
    '/api/admin/jobs',
    { schema: { summary: 'Files de calcul', tags, response: { 200: adminJobsSchema } } },
    () => jobsForManagers(db),
  )

  app.post(
    '/api/admin/jobs/:id/retry',
    {
      schema: {
        summary: 'Relance un calcul en échec',
        tags,
        params: z.object({ id: z.uuid() }),
        response: { 200: doneSchema },
      },
    },
    async (request) => {
      const { id } = request.params
      await deps.jobs.queue().retry(id)
      await record(db, originOf(request, clock.now()), { action: 'run.retry', subject: id })
      return { done: true as const }
    },
  )

  app.get(
    '/api/admin/ingest',
    { schema: { summary: 'État de l’acquisition', tags, response: { 200: adminIngestSchema } } },
    () =>
      ingestForManagers(db, {
        dataDir: config.dataDir,
        products: site.products,
        now: new Date(clock.now()),
      }),
  )

  app.get(
    '/api/admin/ingest/rejected/:name',
    {
      schema: {
        summary: 'Fichier refusé, tel qu’il est arrivé',
        tags,
        params: z.object({ name: z.string().min(1).max(200) }),
      },
    },
    async (request, reply) => {
      const path = await rejectedPath(config.dataDir, request.params.name)
      if (path === null) throw new NotFound()
      return reply
        .type('application/octet-stream')
        .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(basename(path))}`)
        .send(createReadStream(path))
    },
  )

  app.get(
    '/api/admin/storage',
    {
      schema: {
        summary: 'Stockage, relecture, base et version',
        tags,
        response: { 200: adminStorageSchema },
      },
    },
    async () => storageForManagers(db, config.dataDir, (await deps.status.verification?.()) ?? null),
  )

  registerMetrics(app, deps)
}
