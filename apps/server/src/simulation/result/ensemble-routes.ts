import { ensembleAnswerSchema, ensembleElementSchema, ensembleMapSchema } from '@radx/contracts'
import { z } from 'zod'
import type { App } from '../../http/app.ts'
import type { ResultMaker } from './result-maker.ts'
import type { MayRead, Results } from './results.ts'

/** Members of a run whose rain was taken down to streets, and their bands. */
export function registerEnsemble(
  app: App,
  results: Results,
  { sendJson }: ResultMaker,
  mayRead: MayRead,
): void {
  const tags = ['simulation']
  const job = z.object({ jobId: z.uuid() })

  app.get(
    '/api/multihydro/file/:jobId/ensemble',
    {
      preHandler: mayRead,
      schema: {
        summary: 'Ensemble : membres, évolutions de chacun et bandes à 10, 50 et 90 %',
        tags,
        params: job,
        response: { 200: ensembleAnswerSchema },
      },
    },
    (request, reply) => sendJson({ of: 'ensemble', ...request.params }, request, reply),
  )

  app.get(
    '/api/multihydro/file/:jobId/ensemble/element',
    {
      preHandler: mayRead,
      schema: {
        summary:
          'Ensemble : débits d’une conduite (m³/s) ou hauteurs d’un regard (m), par membre et en bandes',
        tags,
        params: job,
        querystring: z.object({ kind: z.enum(['link', 'node']), name: z.string().min(1).max(100) }),
        response: { 200: ensembleElementSchema },
      },
    },
    (request, reply) => sendJson({ of: 'element', ...request.params, ...request.query }, request, reply),
  )

  app.get(
    '/api/multihydro/file/:jobId/ensemble/depth',
    {
      preHandler: mayRead,
      schema: {
        summary:
          'Ensemble : hauteurs maximales en mm, uint16 petit-boutiste, 65535 hors du bassin, d’une bande (p10, p50, p90) ou d’un membre (0, 1…)',
        tags,
        params: job,
        querystring: z.object({ of: ensembleMapSchema }),
      },
    },
    async ({ params, query }, reply) =>
      reply
        .type('application/octet-stream')
        .send(Buffer.from(await results.ensembleMap(params.jobId, query.of))),
  )
}
