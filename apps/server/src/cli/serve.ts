import type { AddressInfo } from 'node:net'
import { accountSessions } from '../accounts/sessions.ts'
import { systemClock } from '../clock.ts'
import { loadConfig } from '../config/config.ts'
import { ConfigError } from '../config/config-error.ts'
import { loadSite } from '../config/site.ts'
import { openDatabase } from '../db/database.ts'
import type { App } from '../http/app.ts'
import { JOB_KINDS_MODULE, jobKinds } from '../job-kinds.ts'
import { Jobs } from '../jobs/service.ts'
import { createLogger } from '../log.ts'
import { createServer } from '../server.ts'
import { defineCommand } from './args.ts'
import { closeDataFolder } from './data-folder.ts'
import { type Service, untilStopped, within } from './until-stopped.ts'

const DRAIN_MS = 10_000
/** One part that does not come to its end must not keep the others, and PostgreSQL, from theirs. */
const STOP_MS = 15_000

export const command = defineCommand({
  name: 'serve',
  summary: 'lance le serveur : site, appels, acquisitions',
  description: [
    "Réglages par variables d'environnement :",
    "  PORT, HOST      adresse d'écoute (3000, 127.0.0.1)",
    '  DATA_DIR        dossier des données (./data)',
    '  DATA_GROUP      groupe qui partage ce dossier avec le compte de RadX (aucun)',
    '  DATABASE_URL    PostgreSQL à utiliser ; sans elle, RadX lance le sien dans DATA_DIR',
    '  STORE_URL       seau S3 pour images, originaux et résultats (docs/operations.md)',
    '  DEMO            0 désactive la source et les comptes de démonstration (1)',
    '  DEMO_FLOODS     0 : la démonstration ne prévoit pas d’inondations (1)',
    '  SITE_DIR        configuration du site (site)',
    '  RADX_WORKERS    calculs menés de front ; 0 les laisse aux « radx worker »',
    '  RADX_VERIFY_DAYS  jours entre deux relectures de tout ce qui est enregistré (7) ; 0 jamais',
    '  RADX_FOLLOW_RAIN  1 (suivre la pluie entre les images, par défaut) ou 0 (cumuls d’images fixes)',
    '  TRUST_PROXY     mandataires dont X-Forwarded-For est cru',
    '  RADX_LOG        niveau du journal (info)',
  ].join('\n'),
  options: {
    port: { type: 'string', short: 'p', value: 'PORT', help: "port d'écoute, avant la variable PORT" },
  },
  run: async ({ values }) => {
    const config = loadConfig(values.port === undefined ? process.env : { ...process.env, PORT: values.port })
    const log = createLogger(config.logLevel)
    closeDataFolder(config, log)
    return untilStopped(log, async (): Promise<Service> => {
      const { site, catchments } = await loadSite(config.siteDir, config.demo)
      const database = await openDatabase(config, { log, wait: false })
      const base = {
        config,
        site,
        catchments,
        database,
        db: database.db,
        log,
        clock: systemClock,
        sessions: accountSessions(database.db, systemClock, config.accounts),
        status: { read: null },
      }
      const jobs = new Jobs({
        deps: base,
        kinds: jobKinds,
        kindsModule: JOB_KINDS_MODULE,
        work: config.workers > 0,
      })
      const deps = { ...base, jobs }
      let app: App | undefined
      try {
        app = await createServer(deps)
        await listen(app, config.host, config.port)
        jobs.start()
      } catch (error) {
        await app?.close().catch((err) => log.error({ err }, 'Fermeture incomplète'))
        await database.close()
        throw error
      }
      const { address, port, family } = app.server.address() as AddressInfo
      const host = family === 'IPv6' ? `[${address}]` : address
      log.info(
        { site: site.id, dataDir: config.dataDir, demo: config.demo },
        `RadX écoute sur http://${host}:${port}`,
      )
      return {
        stop: async () => {
          await within(STOP_MS, 'appels et acquisitions', drain(app), log)
          await within(STOP_MS, 'calculs', jobs.stop(), log)
          await within(STOP_MS, 'base de données', database.close(), log)
        },
        hurry: () => database.close(),
      }
    })
  },
})

/**
 * Callers that may wait for a busy server, if the system allows so many; Node's 511 are those of some fifty browsers.
 */
const BACKLOG = 4_096

async function listen(app: App, host: string, port: number): Promise<void> {
  try {
    await app.listen({ host, port, backlog: BACKLOG })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const why: Record<string, string> = {
      EADDRINUSE: `Le port ${port} est déjà pris, peut-être par un autre RadX. Arrêter ce programme, ou choisir un autre port par PORT.`,
      EACCES: `Le port ${port} est réservé au compte root. Choisir un port au-dessus de 1023 par PORT.`,
      EADDRNOTAVAIL: `L'adresse ${host} n'est pas à cette machine. Corriger HOST.`,
      ENOTFOUND: `L'adresse ${host} est inconnue. Corriger HOST.`,
    }
    throw new ConfigError(
      'listen',
      why[code ?? ''] ?? `Écoute impossible sur ${host}:${port} (${code}).`,
      {},
      cause,
    )
  }
}

/** Finishes the calls under way; those that last longer than the limit are cut. */
async function drain(app: App): Promise<void> {
  const limit = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
  await app.close()
  clearTimeout(limit)
}
