import type { App } from './app.ts'

/** One line a finished call: quiet for files, never with the query, which may hold a signature. */
export function installRequestLog(app: App): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const path = request.url.split('?', 1)[0]
    const level = path.startsWith('/api/') ? 'info' : 'debug'
    request.log[level](
      {
        method: request.method,
        path,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        user: request.session?.userId,
      },
      'requête',
    )
  })
}
