import { z } from 'zod'
import type { App, Deps } from '../../http/app.ts'
import { DataGauges } from './gauges.ts'

/** Characters: some two hundred routes with their buckets take a million. */
const MOST = 10_000_000

/** How the service fares, for Prometheus. */
export function registerMetrics(app: App, deps: Deps): void {
  const gauges = new DataGauges(deps, app.metrics)
  app.get(
    '/metrics',
    {
      logLevel: 'warn',
      schema: {
        summary: 'Mesures du service au format texte de Prometheus',
        tags: ['operation'],
        produces: ['text/plain'],
        response: { 200: z.string().max(MOST) },
      },
    },
    async (_, reply) => {
      const text = await gauges.text()
      return reply.type(app.metrics.contentType).send(text)
    },
  )
}
