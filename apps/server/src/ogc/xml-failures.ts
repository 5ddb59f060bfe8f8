import type { RadxError } from '@radx/contracts'
import type { App } from '../http/app.ts'
import { toRadxError } from '../http/error-handler.ts'

/** Has every failure of a scope's calls answered in its standard's own document. */
export function answerFailures(app: App, type: string, report: (error: RadxError) => string): void {
  app.setErrorHandler((error: Error, request, reply) => {
    const known = toRadxError(error, request)
    if (known.status >= 500 && known.status !== 503) request.log.error({ err: error }, known.message)
    if (known.status === 401) reply.header('www-authenticate', 'Bearer')
    if (known.status === 503 || known.status === 429)
      reply.header('retry-after', Number(known.details.retryAfterSeconds ?? 5))
    reply.removeHeader('etag')
    return reply.code(known.status).header('cache-control', 'no-store').type(type).send(report(known))
  })
}
