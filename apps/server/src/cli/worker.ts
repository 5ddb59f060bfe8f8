import { systemClock } from '../clock.ts'
import { loadConfig } from '../config/config.ts'
import { ConfigError } from '../config/config-error.ts'
import { openDatabase } from '../db/database.ts'
import { JOB_KINDS_MODULE, jobKinds } from '../job-kinds.ts'
import { Jobs } from '../jobs/service.ts'
import { createLogger } from '../log.ts'
import { defineCommand } from './args.ts'
import { closeDataFolder } from './data-folder.ts'
import { untilStopped } from './until-stopped.ts'

export const command = defineCommand({
  name: 'worker',
  summary: 'mène les calculs en attente, sur cette machine ou une autre',
  description: [
    'Prend les calculs (simulations, exports) que les serveurs déposent dans la base et les mène à bien.',
    'Plusieurs « radx worker » se partagent le travail ; un calcul dont la machine tombe est repris ailleurs.',
    'DATABASE_URL et DATA_DIR (ou STORE_URL) sont ceux des serveurs, RADX_WORKERS le nombre de calculs menés de front.',
  ].join('\n'),
  options: {},
  run: async () => {
    const config = loadConfig()
    if (config.workers < 1)
      throw new ConfigError('environment', 'RADX_WORKERS=0 : ce processus ne mènerait aucun calcul.', {
        variable: 'RADX_WORKERS',
      })
    const log = createLogger(config.logLevel)
    closeDataFolder(config, log)
    return untilStopped(log, async () => {
      const database = await openDatabase(config, { log, wait: false })
      const jobs = new Jobs({
        deps: { config, database, db: database.db, log, clock: systemClock },
        kinds: jobKinds,
        kindsModule: JOB_KINDS_MODULE,
        work: true,
      })
      jobs.start()
      void jobs.ready().then(() => log.info({ workers: config.workers }, 'Prêt à calculer'))
      return {
        stop: async () => {
          await jobs.stop()
          await database.close()
        },
        hurry: () => database.close(),
      }
    })
  },
})
