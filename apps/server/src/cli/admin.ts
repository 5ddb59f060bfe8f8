import { constants, createReadStream } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { formatSpan } from '@radx/locale/duration'
import { formatDateTimeFr, formatNumberFr } from '@radx/locale/format-fr'
import { ingestForManagers, rejectedPath } from '../administration/ingest.ts'
import { jobsForManagers } from '../administration/jobs.ts'
import { storageForManagers } from '../administration/storage.ts'
import { byProgram, record } from '../audit/api.ts'
import { loadConfig } from '../config/config.ts'
import { jobKinds } from '../job-kinds.ts'
import { createQueues, JobQueue, startBoss } from '../jobs/queue.ts'
import { lastVerification } from '../keep-verified.ts'
import { commandGroup, defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'
import { table } from './table.ts'
import { type CommandContext, withDatabase } from './with-database.ts'

const JSON_OPTION = {
  json: { type: 'boolean', help: 'en JSON, comme les appels de l’administration' },
} as const
const ID = { label: 'ID', help: 'numéro du calcul', min: 1, max: 1 }
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const jobs = defineCommand({
  name: 'admin jobs',
  summary: 'montre les calculs en cours, en attente et en échec',
  options: JSON_OPTION,
  run: ({ values }) =>
    withDatabase(async ({ db, site }) => {
      const state = await jobsForManagers(db)
      if (values.json) console.log(JSON.stringify(state))
      else {
        const rows = state.jobs.map((job) => [
          job.id,
          job.kind,
          job.username,
          job.cancelled ? 'annulé' : job.status,
          formatDateTimeFr(job.finishedAt ?? job.startedAt ?? job.createdAt, site.timeZone),
          job.error ?? job.message,
        ])
        console.log(table(['ID', 'TYPE', 'COMPTE', 'ÉTAT', 'DEPUIS', 'MESSAGE'], rows))
      }
      return EXIT.ok
    }),
})

const retry = defineCommand({
  name: 'admin retry',
  summary: 'relance un calcul en échec ou annulé',
  positionals: ID,
  run: ({ positionals: [id] }) =>
    withQueue(id, async (queue, { db }) => {
      await queue.retry(id)
      await record(db, byProgram('command'), { action: 'run.retry', subject: id })
      console.log(`Calcul ${id} de nouveau en attente.`)
    }),
})

const cancel = defineCommand({
  name: 'admin cancel',
  summary: 'annule un calcul en attente ou en cours',
  positionals: ID,
  run: ({ positionals: [id] }) =>
    withQueue(id, async (queue, { db }) => {
      const { status } = await queue.cancel(id, { name: '', isManager: true })
      await record(db, byProgram('command'), { action: 'run.cancel', subject: id })
      console.log(`Calcul ${id} : ${status === 'running' ? 'arrêt demandé' : 'terminé'}.`)
    }),
})

const ingest = defineCommand({
  name: 'admin ingest',
  summary: 'montre les derniers fichiers, le retard des images, leurs lacunes et les fichiers refusés',
  options: JSON_OPTION,
  run: ({ values }) =>
    withDatabase(async ({ db, site, config }) => {
      const state = await ingestForManagers(db, {
        dataDir: config.dataDir,
        products: site.products,
        now: new Date(),
      })
      if (values.json) console.log(JSON.stringify(state))
      else {
        const at = (instant: string) => formatDateTimeFr(instant, site.timeZone)
        const files = state.sources.map((one) => [
          one.kind,
          one.product ?? '–',
          one.newestAt === null ? '–' : at(one.newestAt),
          at(one.receivedAt),
          one.name,
        ])
        console.log(table(['SOURCE', 'PRODUIT', 'DERNIÈRE DONNÉE', 'REÇU LE', 'DERNIER FICHIER'], files))
        const products = state.products.map((one) => [
          one.product,
          one.latencySeconds === null ? '–' : formatSpan(one.latencySeconds),
          String(one.gaps.length),
          formatSpan(one.missingSeconds),
        ])
        console.log(`\n${table(['PRODUIT', 'RETARD', 'LACUNES', 'EN TOUT'], products)}`)
        const rejected = state.rejected.map((one) => [at(one.at), one.name, one.reason ?? '–'])
        if (rejected.length > 0) console.log(`\n${table(['REFUSÉ LE', 'FICHIER', 'MOTIF'], rejected)}`)
      }
      return EXIT.ok
    }),
})

const rejected = defineCommand({
  name: 'admin rejected',
  summary: 'écrit un fichier refusé, tel qu’il est arrivé',
  description: 'Sur la sortie standard, ou dans le fichier de --out. admin ingest en donne les noms.',
  options: {
    out: { type: 'string', value: 'FICHIER', help: 'où l’écrire ; rien de ce qui existe n’est remplacé' },
  },
  positionals: { label: 'NOM', help: 'nom du fichier', min: 1, max: 1 },
  run: async ({ values, positionals: [name] }) => {
    const path = await rejectedPath(loadConfig().dataDir, name)
    if (path === null) throw new UsageError(`aucun fichier refusé ne s'appelle « ${name} ».`)
    if (values.out === undefined) await pipeline(createReadStream(path), process.stdout, { end: false })
    else await copyFile(path, values.out, constants.COPYFILE_EXCL)
    return EXIT.ok
  },
})

const storage = defineCommand({
  name: 'admin storage',
  summary: 'montre les tailles, la place qui reste, la base et la dernière relecture',
  options: JSON_OPTION,
  run: ({ values }) =>
    withDatabase(async ({ db, config }) => {
      const state = await storageForManagers(db, config.dataDir, await lastVerification(db))
      if (values.json) console.log(JSON.stringify(state))
      else {
        const mb = (bytes: number) => `${formatNumberFr(bytes / 1e6, 1)} Mo`
        const rows = [
          ['Version', state.version],
          ['Disque libre', state.disk === null ? '–' : mb(state.disk.freeBytes)],
          ['Fichiers d’instruments', mb(state.originals.bytes)],
          ['Images', String(state.frames)],
          ['Résultats', mb(state.resultBytes)],
          [`PostgreSQL ${state.postgres}`, mb(state.databaseBytes)],
          ['Relecture', state.verification?.at ?? '–'],
        ]
        console.log(table(['QUOI', 'VALEUR'], rows))
      }
      return EXIT.ok
    }),
})

export const command = commandGroup('admin', "montre et conduit ce que l'administration montre", {
  jobs,
  retry,
  cancel,
  ingest,
  rejected,
  storage,
})

function withQueue(
  id: string,
  use: (queue: JobQueue, context: CommandContext) => Promise<void>,
): Promise<number> {
  if (!UUID.test(id)) throw new UsageError(`« ${id} » n'est pas le numéro d'un calcul.`)
  return withDatabase(async (context) => {
    const boss = await startBoss(context.database, context.log)
    try {
      await createQueues(boss, jobKinds)
      await use(new JobQueue(context.db, boss, jobKinds, () => new Date()), context)
      return EXIT.ok
    } finally {
      await boss.stop({ graceful: false })
    }
  })
}
