import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Clock } from '../clock.ts'
import type { Catchments } from '../config/catchments.ts'
import type { Config } from '../config/config.ts'
import type { LoadedSite } from '../config/site.ts'
import type { DatabaseHandle } from '../db/database.ts'
import type { JobsSeam } from '../jobs/api.ts'
import type { Logger } from '../log.ts'
import type { Sessions } from './sessions.ts'
import type { StatusSeam } from './status.ts'

/** Fastify with zod schemas: request parts are typed by the route's schema. */
export type App = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>

/** What the program hands to every feature. */
export interface Deps {
  config: Config
  site: LoadedSite['site']
  catchments: Catchments
  database: DatabaseHandle
  /** Short for `database.db`. */
  db: DatabaseHandle['db']
  log: Logger
  clock: Clock
  /** Who stands behind a bearer token; the accounts feature brings the real one. */
  sessions: Sessions
  /** Where the store tells its progress for `GET /api/status`. */
  status: StatusSeam
  /** Long work: submit, look, cancel. */
  jobs: JobsSeam
}

/**
 * How a feature joins the server: it declares its routes on `app` (each has its row in `http/rights.ts`)
 * and its background work by the hooks `onReady` and `onClose`.
 */
export type RegisterFeature = (app: App, deps: Deps) => void | Promise<void>
