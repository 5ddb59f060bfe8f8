import { jobSchema } from '@radx/contracts'
import { z } from 'zod'
import type { App, Deps } from '../http/app.ts'
import type { Session } from '../http/sessions.ts'
import { openFileStore } from '../store/file-store.ts'
import { jobUser } from './user.ts'

export function registerJobs(app: App, deps: Deps): void {
  const params = z.object({ id: z.uuid() })

  app.get(
    '/api/job/:id',
    {
      schema: {
        summary: 'État, avancement et journal d’un calcul',
        tags: ['jobs'],
        params,
        response: { 200: jobSchema },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return deps.jobs.queue().get(request.params.id, jobUser(request.session as Session))
    },
  )

  app.post(
    '/api/job/:id/cancel',
    {
      schema: {
        summary: 'Annule un calcul en attente ou en cours',
        tags: ['jobs'],
        params,
        response: { 200: jobSchema },
      },
    },
    async (request) => deps.jobs.queue().cancel(request.params.id, jobUser(request.session as Session)),
  )

  const files = openFileStore(deps.config)
  app.delete(
    '/api/job/:id',
    {
      schema: {
        summary: 'Supprime un calcul terminé, avec ses résultats, son journal et ses notes',
        tags: ['jobs'],
        params,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await deps.jobs.queue().remove(request.params.id, jobUser(request.session as Session), files)
      return reply.status(204).send(null)
    },
  )
}
