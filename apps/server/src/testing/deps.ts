import { join } from 'node:path'
import { type Config, INSTALL_DIR, loadConfig } from '../config/config.ts'
import { loadSite } from '../config/site.ts'
import type { DatabaseHandle } from '../db/database.ts'
import type { Deps } from '../http/app.ts'
import { noSessions } from '../http/sessions.ts'
import { noJobs } from '../jobs/service.ts'
import { createLogger } from '../log.ts'
import type { TestDatabase } from './database.ts'

/** The default site and quiet settings; `overrides` replaces any part. */
export async function testDeps(overrides: Partial<Deps> = {}): Promise<Deps> {
  const { site, catchments } = await loadSite(join(INSTALL_DIR, 'site'))
  const database = overrides.database ?? awayDatabase()
  return {
    config: testConfig(),
    site,
    catchments,
    database,
    db: database.db,
    log: createLogger('silent'),
    clock: { now: () => Date.parse('2026-06-15T12:00:00Z') },
    sessions: noSessions,
    status: { read: null },
    jobs: noJobs,
    ...overrides,
  }
}

export function testConfig(env: Record<string, string> = {}): Config {
  return loadConfig({ PORT: '0', DATA_DIR: '/nonexistent', RADX_LOG: 'silent', ...env })
}

/** A handle as the server holds it, on a test's database. */
export function handleOf({ db, pool, url }: TestDatabase): DatabaseHandle {
  return {
    db,
    pool,
    connection: () => ({ connectionString: url }),
    unavailable: () => null,
    stood: () => true,
    whenReady: async () => undefined,
    close: async () => undefined,
  }
}

/** The handle while no database answers, for routes that need none. */
export function awayDatabase(): DatabaseHandle {
  return {
    db: undefined as never,
    pool: undefined as never,
    connection: () => ({}),
    unavailable: () => 'connexion refusée',
    stood: () => true,
    whenReady: () => new Promise(() => undefined),
    close: async () => undefined,
  }
}
