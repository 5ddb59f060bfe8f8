import { type Config, loadConfig } from '../config/config.ts'
import { type LoadedSite, loadSite } from '../config/site.ts'
import { type DatabaseHandle, openDatabase } from '../db/database.ts'
import { createLogger, type Logger } from '../log.ts'
import { closeDataFolder } from './data-folder.ts'

export interface CommandContext extends LoadedSite {
  config: Config
  database: DatabaseHandle
  db: DatabaseHandle['db']
  log: Logger
}

/**
 * Gives a command the installation's site and database, and gives them back whatever happens. Beside a
 * running server its PostgreSQL is joined; without one ours is started and stopped again.
 * The log goes to standard error, warnings only, so that standard output is the command's.
 */
export async function withDatabase(use: (context: CommandContext) => Promise<number>): Promise<number> {
  const config = loadConfig()
  const log = createLogger(process.env.RADX_LOG ? config.logLevel : 'warn', 2)
  const { site, catchments } = await loadSite(config.siteDir, config.demo)
  closeDataFolder(config, log)
  const database = await openDatabase(config, { log })
  try {
    return await use({ config, site, catchments, database, db: database.db, log })
  } finally {
    await database.close()
  }
}
