import {
  adminNoticesSchema,
  alertPersonBodySchema,
  alertPersonSchema,
  emailCodeSchema,
  newWebhookSchema,
  pushBodySchema,
  webhookBodySchema,
  webhookSchema,
  webhookTestSchema,
} from '@radx/contracts'
import { list } from '@radx/contracts/bounds'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { deviceLabel } from '../../accounts/api.ts'
import type { App, Deps } from '../../http/app.ts'
import type { Session } from '../../http/sessions.ts'
import { NoticeKeys } from './keys.ts'
import { Persons } from './person.ts'
import { noticesStatus } from './status.ts'
import { Webhooks } from './webhooks.ts'

const tags = ['alerts']
const of = (request: FastifyRequest) => request.session as Session
const params = z.object({ id: z.uuid() })

/** Who is told of alerts beside the page. @returns what rules are held against */
export function registerNotices(app: App, deps: Deps): Persons {
  const keys = new NoticeKeys(deps.config)
  const persons = new Persons(deps, keys)
  registerPerson(app, persons)
  registerWebhooks(app, new Webhooks(deps, keys, persons))
  app.get(
    '/api/admin/notices',
    { schema: { summary: 'Envoi des avis d’alerte', tags, response: { 200: adminNoticesSchema } } },
    async (_, reply) => {
      reply.header('cache-control', 'no-store')
      return noticesStatus(deps)
    },
  )
  return persons
}

function registerPerson(app: App, persons: Persons): void {
  const response = { 200: alertPersonSchema }
  app.get(
    '/api/alerts/person',
    { schema: { summary: 'Comment le compte est averti', tags, response } },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return persons.of(of(request))
    },
  )
  app.put(
    '/api/alerts/person',
    {
      schema: {
        summary: 'Adresse et heures calmes ; une autre adresse reçoit un code de confirmation',
        ...{ tags, body: alertPersonBodySchema, response },
      },
    },
    async (request) => persons.save(of(request), request.body),
  )
  app.post(
    '/api/alerts/person/confirm',
    { schema: { summary: 'Confirme l’adresse par son code', tags, body: emailCodeSchema, response } },
    async (request) => persons.confirm(of(request), request.body.code),
  )
  app.post(
    '/api/alerts/push',
    {
      schema: {
        summary: 'Abonne un navigateur aux alertes (Web Push)',
        tags,
        body: pushBodySchema,
        response,
      },
    },
    async (request) => {
      const label = deviceLabel(String(request.headers['user-agent'] ?? ''))
      return persons.subscribe(of(request), request.body, label)
    },
  )
  app.delete(
    '/api/alerts/push/:id',
    { schema: { summary: 'Retire un navigateur abonné', tags, params, response } },
    async (request) => persons.unsubscribe(of(request), request.params.id),
  )
}

function registerWebhooks(app: App, webhooks: Webhooks): void {
  app.get(
    '/api/alerts/webhooks',
    { schema: { summary: 'Webhooks des alertes', tags, response: { 200: list(webhookSchema) } } },
    async (_, reply) => {
      reply.header('cache-control', 'no-store')
      return webhooks.all()
    },
  )
  app.post(
    '/api/alerts/webhooks',
    {
      schema: {
        summary: 'Ajoute un webhook ; la réponse seule donne la clé de signature',
        ...{ tags, body: webhookBodySchema, response: { 200: newWebhookSchema } },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return webhooks.add(of(request), request.body)
    },
  )
  app.delete(
    '/api/alerts/webhooks/:id',
    { schema: { summary: 'Supprime un webhook', tags, params, response: { 204: z.null() } } },
    async (request, reply) => {
      await webhooks.remove(request.params.id)
      return reply.status(204).send(null)
    },
  )
  app.post(
    '/api/alerts/webhooks/:id/test',
    {
      schema: {
        summary: 'Appelle un webhook pour essai',
        tags,
        params,
        response: { 200: webhookTestSchema },
      },
    },
    async (request) => webhooks.test(of(request), request.params.id),
  )
}
