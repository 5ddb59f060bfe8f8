import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { type FastifyBaseLogger, fastify, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { installAuditTrail } from '../audit/api.ts'
import { INSTALL_DIR } from '../config/config.ts'
import type { App, Deps, RegisterFeature } from './app.ts'
import { installAuthorization } from './authorize.ts'
import { installEntityTags } from './caching.ts'
import { installCallMetrics } from './call-metrics.ts'
import { installCatchmentGuard } from './catchment-rights.ts'
import { installCompression } from './compression.ts'
import { installOpenApi } from './docs.ts'
import { installErrorHandler } from './error-handler.ts'
import { installFirstSeconds } from './first-seconds.ts'
import { installLanguage, registerLanguage } from './language/routes.ts'
import { registerOperation } from './operation.ts'
import { installRequestLog } from './request-log.ts'
import type { Right } from './rights.ts'
import { installSecurity } from './security.ts'
import { installTextRules } from './texts.ts'
import { installTurns } from './turns.ts'
import { installWeb } from './web.ts'

export interface AppOptions {
  features: RegisterFeature[]
  /** Built web application. */
  webDir?: string
  /** Rights table; tests bring their own. */
  rights?: Record<string, Right>
}

/** The HTTP server with everything on it, not yet listening. @throws when a route has no row in the rights table */
export async function createApp(deps: Deps, options: AppOptions): Promise<App> {
  const app: App = fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: 1_048_576,
    // A slow or busy machine is no reason to refuse the start.
    pluginTimeout: 120_000,
    trustProxy: deps.config.trustProxy,
    // Finished requests of a browser that keeps its connection must not hold up a stop.
    forceCloseConnections: 'idle',
    // What arrives on an open connection during a stop is still answered, so that a restart fails nobody's call.
    return503OnClosing: false,
    // A body that trickles in holds a connection no longer than this.
    requestTimeout: 120_000,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
  }).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)

  installErrorHandler(app)
  installEndOfUnusedConnections(app)
  installEmptyBodies(app)
  installRequestLog(app)
  installCallMetrics(app)
  // Headers come first, so that refusals have them too.
  await installSecurity(app, deps.site)
  installFirstSeconds(app, deps)
  installAuthorization(app, deps.sessions, options.rights)
  installCatchmentGuard(app, deps)
  installAuditTrail(app, deps)
  installTextRules(app)
  installTurns(app)
  installLanguage(app)
  installEntityTags(app)
  await installCompression(app)
  await installOpenApi(app)
  registerOperation(app, deps)
  for (const feature of options.features)
    await app.register(async (scope) => feature(scope.withTypeProvider<ZodTypeProvider>(), deps))
  registerLanguage(app)
  await installWeb(app, options.webDir ?? join(INSTALL_DIR, 'apps/web/dist'), deps)
  await app.ready()
  return app
}

/** How long a connection may stay silent once the server stops, ms. */
const SILENT_MS = 1_000

/** Browsers open connections ahead of what they will ask, and Node would wait for the first call of each. */
function installEndOfUnusedConnections(app: App): void {
  const open = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', async () => {
    // A call may be on its way.
    setTimeout(() => {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    }, SILENT_MS)
  })
}

/** A DELETE without a body is taken, whatever content type a client puts on it. */
function installEmptyBodies(app: App): void {
  app.addHook('onRequest', async ({ method, headers }) => {
    const empty = (headers['content-length'] ?? '0') === '0' && headers['transfer-encoding'] === undefined
    if (method === 'DELETE' && empty) delete headers['content-type']
  })
}
