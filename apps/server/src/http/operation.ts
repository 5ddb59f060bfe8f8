import { publicSiteSchema, RadxError, statusSchema, verificationSchema } from '@radx/contracts'
import { z } from 'zod'
import { publicSite } from '../config/site.ts'
import { DatabaseUnavailable, unavailableReason } from '../db/errors.ts'
import { QUEUE_STARTING } from '../jobs/api.ts'
import { productsNow } from '../store/open-store.ts'
import type { App, Deps } from './app.ts'
import { SELDOM, share } from './caching.ts'
import { NotFound } from './errors.ts'

const PROBE_MS = 2_000

/** What an operator or a load balancer asks, and what the page asks first. */
export function registerOperation(app: App, deps: Deps): void {
  app.get(
    '/healthz',
    {
      logLevel: 'warn',
      schema: {
        summary: 'Le processus répond',
        tags: ['operation'],
        response: { 200: z.object({ status: z.literal('ok') }) },
      },
    },
    () => ({ status: 'ok' as const }),
  )

  app.get(
    '/readyz',
    {
      logLevel: 'warn',
      schema: {
        summary: 'Le service peut travailler (base de données et file de calculs présentes)',
        tags: ['operation'],
        response: {
          200: z.object({
            status: z.literal('ready'),
            details: z.object({ verification: verificationSchema.nullable() }),
          }),
        },
      },
    },
    async () => {
      const reason = deps.database.unavailable() ?? (await probe(deps))
      if (reason) throw new DatabaseUnavailable(reason)
      if (deps.jobs.starting()) throw new DatabaseUnavailable(QUEUE_STARTING)
      const verification = (await deps.status.verification?.()) ?? null
      return { status: 'ready' as const, details: { verification } }
    },
  )

  app.get(
    '/api/site',
    {
      schema: {
        summary: 'Configuration publique du site',
        tags: ['operation'],
        response: { 200: publicSiteSchema },
      },
    },
    async (request, reply) => {
      share(request, reply, SELDOM)
      return { ...publicSite(deps.site, deps.config.demo), products: [...(await productsNow(deps))] }
    },
  )

  app.get(
    '/api/status',
    {
      schema: {
        summary: 'Avancement des acquisitions',
        tags: ['operation'],
        response: { 200: statusSchema },
      },
    },
    async (request, reply) => {
      if (!deps.status.read) throw new NotFound()
      share(request, reply, { seconds: 2 })
      const [status, verification] = await Promise.all([deps.status.read(), deps.status.verification?.()])
      return { ...status, verification: verification ?? null }
    },
  )
}

/** A statement of its own, since a network may fail without a word. */
async function probe({ database }: Deps): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, PROBE_MS, `pas de réponse en ${PROBE_MS / 1000} s`)
  })
  const asked = database.pool.query('select 1').then(
    () => null,
    (error) => unavailableReason(error) ?? (error instanceof RadxError ? error.message : String(error)),
  )
  return Promise.race([asked, late]).finally(() => clearTimeout(timer))
}
