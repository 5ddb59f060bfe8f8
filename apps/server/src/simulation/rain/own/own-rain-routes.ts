import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import {
  gaugeRainSchema,
  OWN_RAIN_MAX_HOURS,
  OWN_RAIN_UPLOAD_MAX,
  ownRainDetailSchema,
  ownRainSchema,
} from '@radx/contracts'
import { list } from '@radx/contracts/bounds'
import { instantSchema } from '@radx/contracts/radar'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { tellMore } from '../../../audit/api.ts'
import type { App, Deps } from '../../../http/app.ts'
import { holdCatchment, readerOf } from '../../../http/catchment-rights.ts'
import { spanOf } from '../../../http/rain-requests.ts'
import type { Session } from '../../../http/sessions.ts'
import { acceptFiles, receiveUpload } from '../../../http/uploads.ts'
import { answersOf } from '../../../threads/answers.ts'
import type { Submitter } from '../../submissions.ts'
import { gaugeRainOf } from '../gauge-rain.ts'
import { OwnRains, takeRainAnswer } from './own-rains.ts'

const tags = ['simulation']
const one = z.object({ rainId: z.uuid() })
const ofCatchment = z.object({ catchmentId: z.string().min(1).max(64) })

/** Rains that a run may have beside those of the archive: radar pictures of one's own, and what a gauge measured. */
export function registerOwnRains(
  app: App,
  deps: Deps,
  submitterOf: (request: FastifyRequest) => Submitter,
): void {
  const rains = new OwnRains(deps.db)
  const answers = answersOf(app, deps)
  const user = (request: FastifyRequest) => readerOf(request.session as Session)
  acceptFiles(app)

  app.get(
    '/api/multihydro/rains',
    {
      schema: {
        summary: 'Ses propres pluies d’images radar sur un bassin versant, les plus récentes d’abord',
        tags,
        querystring: ofCatchment,
        response: { 200: list(ownRainSchema) },
      },
    },
    (request) => rains.list(user(request).name, request.query.catchmentId),
  )

  app.post(
    '/api/multihydro/rains',
    {
      schema: {
        summary: 'Ajoute une pluie à soi : un zip d’images radar, coupées au bassin versant',
        description:
          'Images ODIM HDF5, Rainbow 5 ou netCDF-4 d’un seul produit, ou volumes avec réflectivité. La réponse dit ce qui en a été lu, avec le hyétogramme moyen et la carte du cumul. Une image qui ne va pas fait refuser l’envoi, par son nom.',
        tags,
        consumes: ['application/zip', 'application/octet-stream'],
        querystring: ofCatchment.extend({ name: z.string().min(1).max(200) }),
        response: { 200: ownRainDetailSchema },
      },
    },
    async (request) => {
      const { catchmentId } = request.query
      const owner = user(request)
      await holdCatchment(deps.db, owner, catchmentId)
      return receiveUpload(request, deps, OWN_RAIN_UPLOAD_MAX, async (path) => {
        const name = request.query.name.replace(/^.*[/\\]/, '')
        const dir = join(deps.config.dataDir, 'staging', randomUUID())
        const sent = { path, name, dir, catchmentId, owner: owner.name }
        const rain = await answers.make(takeRainAnswer, sent, request)
        tellMore(request, { name, catchment: catchmentId })
        return rain
      })
    },
  )

  app.get(
    '/api/multihydro/rains/gauge',
    {
      schema: {
        summary:
          'Ce qu’un pluviomètre a mesuré sur une période, minute par minute, comme une simulation le prendrait',
        tags,
        querystring: z.object({ g: z.string().min(1).max(64), s: instantSchema, e: instantSchema }),
        response: { 200: gaugeRainSchema },
      },
    },
    async (request) => {
      const { g, s, e } = request.query
      spanOf({ s, e }, OWN_RAIN_MAX_HOURS / 24)
      const { gauge: _gauge, ...rain } = await gaugeRainOf(
        deps,
        { id: g, start: s, end: e },
        submitterOf(request),
      )
      return rain
    },
  )

  app.get(
    '/api/multihydro/rains/:rainId',
    {
      schema: {
        summary: 'Une pluie d’images radar à soi, avec son hyétogramme moyen et la carte de son cumul',
        tags,
        params: one,
        response: { 200: ownRainDetailSchema },
      },
    },
    (request) => rains.detail(request.params.rainId, user(request)),
  )

  app.delete(
    '/api/multihydro/rains/:rainId',
    {
      schema: {
        summary:
          'Supprime une pluie d’images radar à soi ; les simulations terminées gardent leurs résultats',
        tags,
        params: one,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await rains.remove(request.params.rainId, user(request))
      return reply.status(204).send(null)
    },
  )
}
