import { countFr } from '@radx/locale/format-fr'
import { byProgram, record } from '../audit/api.ts'
import { jobKinds } from '../job-kinds.ts'
import { prune } from '../jobs/retention.ts'
import { pruneForecasts } from '../nowcast/api.ts'
import { openFileStore } from '../store/file-store.ts'
import { openStore } from '../store/open-store.ts'
import { defineCommand } from './args.ts'
import { EXIT } from './command.ts'
import { withDatabase } from './with-database.ts'

export const command = defineCommand({
  name: 'prune',
  summary: 'retire les résultats plus anciens que la conservation réglée',
  description: [
    'Réglages : RETENTION_EXPORTS_DAYS (30 jours) pour les exports, RETENTION_RUNS_DAYS (0) pour les simulations',
    'sans note, RETENTION_FORECASTS_DAYS (14) pour les prévisions, dont les scores restent ; 0 ne retire jamais. Le',
    'serveur le fait de lui-même plusieurs fois par jour.',
  ].join('\n'),
  options: {
    'dry-run': { type: 'boolean', help: 'dit seulement ce qui serait retiré' },
  },
  run: ({ values }) =>
    withDatabase(async (context) => {
      const { config, db } = context
      const dryRun = values['dry-run'] === true
      const { retention } = config
      const files = openFileStore(config)
      const gone = await prune({ db, files, kinds: jobKinds, retention, nowMs: Date.now(), dryRun })
      for (const { id, kind, username, bytes } of gone)
        console.log(`${kind} ${id} de ${username}, ${Math.round(bytes / 1e4) / 100} Mo`)
      const details = { jobs: String(gone.length) }
      if (!dryRun && gone.length > 0)
        await record(db, byProgram('command'), { action: 'run.delete', details })
      const bytes = gone.reduce((sum, job) => sum + job.bytes, 0)
      console.log(
        `${countFr(gone.length, 'résultat')} ${dryRun ? 'à retirer' : 'de moins'}, ${Math.round(bytes / 1e4) / 100} Mo`,
      )
      const store = await openStore(context)
      const forecasts = await pruneForecasts({ config, clock: { now: Date.now }, db }, store, dryRun)
      console.log(`${countFr(forecasts, 'prévision')} ${dryRun ? 'à retirer' : 'de moins'}`)
      await store.threads.close()
      return EXIT.ok
    }),
})
