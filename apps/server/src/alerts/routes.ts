import {
  ALERT_REPLAY_MAX_DAYS,
  alertLogSchema,
  alertReplayBodySchema,
  alertRuleBodySchema,
  alertRuleSchema,
  alertSchema,
  alertSnoozeSchema,
  alertsCurrentSchema,
  alertsSchema,
  jobSchema,
} from '@radx/contracts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { RegisterFeature } from '../http/app.ts'
import { allowPeriod } from '../http/authorize.ts'
import type { Session } from '../http/sessions.ts'
import { jobUser } from '../jobs/api.ts'
import { spanOf } from '../radar/api.ts'
import { registerNotices } from './notices/routes.ts'
import { ALERT_REPLAY_JOB } from './replay-job.ts'
import { lookBackMs } from './series/rain.ts'
import { AlertService } from './service.ts'

const tags = ['alerts']
const of = (request: FastifyRequest) => request.session as Session

/** Rules and alerts of the account that asks. */
export const registerAlerts: RegisterFeature = (app, deps) => {
  const service = new AlertService(deps, registerNotices(app, deps))
  const params = z.object({ id: z.uuid() })

  app.get(
    '/api/alerts',
    {
      schema: {
        summary: 'Règles d’alerte du compte et alertes en cours',
        tags,
        response: { 200: alertsSchema },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return service.all(of(request))
    },
  )

  app.get(
    '/api/alerts/current',
    { schema: { summary: 'Alertes en cours', tags, response: { 200: alertsCurrentSchema } } },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return service.current(of(request))
    },
  )

  app.get(
    '/api/alerts/log',
    {
      schema: {
        summary: 'Journal des alertes, la plus récente ligne d’abord',
        tags,
        querystring: z.object({
          /** Number of the last line of the page before. */
          before: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
        }),
        response: { 200: alertLogSchema },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return service.log(of(request), request.query.before)
    },
  )

  app.post(
    '/api/alerts/rules',
    {
      schema: {
        summary: 'Ajoute une règle d’alerte',
        tags,
        body: alertRuleBodySchema,
        response: { 200: alertRuleSchema },
      },
    },
    async (request) => service.create(of(request), request.body),
  )

  app.put(
    '/api/alerts/rules/:id',
    {
      schema: {
        summary: 'Modifie une règle d’alerte ; un autre seuil ou objet la fait recommencer',
        tags,
        params,
        body: alertRuleBodySchema,
        response: { 200: alertRuleSchema },
      },
    },
    async (request) => service.update(of(request), request.params.id, request.body),
  )

  app.delete(
    '/api/alerts/rules/:id',
    {
      schema: {
        summary: 'Supprime une règle, ses alertes et leur journal',
        tags,
        params,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await service.remove(of(request), request.params.id)
      return reply.status(204).send(null)
    },
  )

  app.post(
    '/api/job/alert-replay',
    {
      schema: {
        summary:
          'Essaie une règle sur une période de l’archive (tâche) : détections, manques, fausses alertes',
        tags,
        body: alertReplayBodySchema,
        response: { 200: jobSchema },
      },
    },
    async (request) => {
      const { start, end, rule, event } = request.body
      const span = spanOf({ s: start, e: end }, ALERT_REPLAY_MAX_DAYS)
      // Totals are of rain from before the first moment too.
      const backMs = Math.max(lookBackMs(rule.measure), lookBackMs(event.measure))
      allowPeriod(request, new Date(span.startMs - backMs), new Date(span.endMs))
      const session = of(request)
      for (const looked of [rule, event]) await service.check(session, looked)
      return deps.jobs
        .queue()
        .submit(ALERT_REPLAY_JOB, { ...request.body, username: session.name }, jobUser(session))
    },
  )

  const answers = { tags, params, response: { 200: alertSchema } }

  app.post(
    '/api/alerts/:id/acknowledge',
    { schema: { summary: 'Prend une alerte en charge', ...answers } },
    async (request) => service.acknowledge(of(request), request.params.id),
  )

  app.post(
    '/api/alerts/:id/snooze',
    { schema: { summary: 'Met une alerte en veille pour un temps', body: alertSnoozeSchema, ...answers } },
    async (request) => service.snooze(of(request), request.params.id, request.body.minutes),
  )

  app.post(
    '/api/alerts/:id/end',
    { schema: { summary: 'Termine une alerte ; un nouveau passage du seuil en fera une autre', ...answers } },
    async (request) => service.end(of(request), request.params.id),
  )
}
