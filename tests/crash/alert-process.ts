/**
 * What a server does for alerts, and nothing else, as a process of its own for tests that kill it: watches rules, raises alerts
 * and sends notices, each in one process of all. Its settings are a server's.
 */

import { keepAlerts } from '../../apps/server/src/alerts/keeper.ts'
import { keepNotices } from '../../apps/server/src/alerts/notices/keeper.ts'
import { systemClock } from '../../apps/server/src/clock.ts'
import { loadConfig } from '../../apps/server/src/config/config.ts'
import { loadSite } from '../../apps/server/src/config/site.ts'
import { openDatabase } from '../../apps/server/src/db/database.ts'
import type { App, Deps } from '../../apps/server/src/http/app.ts'
import { createLogger } from '../../apps/server/src/log.ts'

const config = loadConfig()
const log = createLogger(config.logLevel)
const { site, catchments } = await loadSite(config.siteDir)
const database = await openDatabase(config, { log })
const begins: (() => unknown)[] = []
// They ask a server for nothing but when it is ready.
const app = {
  addHook: (name: string, begin: () => unknown) => void (name === 'onReady' && begins.push(begin)),
} as unknown as App
const deps = { config, site, catchments, database, db: database.db, log, clock: systemClock } as Deps
await keepAlerts(app, deps)
await keepNotices(app, deps)
for (const begin of begins) await begin()
console.log('watches')
