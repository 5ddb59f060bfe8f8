import { DatabaseUnavailable, STARTING } from '../db/errors.ts'
import type { App, Deps } from './app.ts'

/** Calls that ask no table. */
const WITHOUT_TABLES = new Set(['/api/site', '/api/openapi.json', '/api/random'])
/** While the database starts as it should, a call waits this long: who opens the page early sees it load, not fail. */
const PATIENCE_MS = 10_000

/** Until the schema stands once, calls answer 503 with `Retry-After`, not the error of a table that is not there yet. */
export function installFirstSeconds(app: App, { database }: Pick<Deps, 'database'>): void {
  app.addHook('onRequest', async (request) => {
    if (database.stood()) return
    const route = request.routeOptions.url ?? ''
    if (!/^\/(api|images)\//.test(route) || route.startsWith('/api/docs') || WITHOUT_TABLES.has(route)) return
    const reason = database.unavailable()
    if (reason === STARTING) return database.whenReady(PATIENCE_MS)
    throw new DatabaseUnavailable(reason ?? STARTING)
  })
}
