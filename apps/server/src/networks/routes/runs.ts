import { createHash } from 'node:crypto'
import {
  NETWORK_CSV_MAX,
  networkRunBodySchema,
  networkRunSchema,
  SUBMISSION_KEY_HEADER,
  submissionKeySchema,
} from '@radx/contracts'
import { list } from '@radx/contracts/bounds'
import { z } from 'zod'
import { tellMore } from '../../audit/api.ts'
import { allowPeriod } from '../../http/authorize.ts'
import { BadRequest } from '../../http/errors.ts'
import { pageOf, pageQuery, placeOf } from '../../http/page.ts'
import { ofRun, one, type Parts, tags, userOf } from './parts.ts'

export function registerRuns({ app, deps, networks }: Parts): void {
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
          throw new BadRequest('periodTooLong', 'end', `La période dépasse ${RADAR_DAYS} jours.`)
        if (rain.catchment !== undefined && !deps.catchments.get(rain.catchment))
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
