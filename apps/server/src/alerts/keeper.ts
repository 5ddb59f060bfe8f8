import { keepDoing } from '../background.ts'
import type { Deps, RegisterFeature } from '../http/app.ts'
import { keepInOneProcess } from '../one-process.ts'
import { storeOf } from '../store/open-store.ts'
import { Evaluator } from './evaluator.ts'
import { pruneAlerts, sweepAlerts } from './sweep.ts'

const PAUSE_MS = 1_000
const PRUNE_EVERY_MS = 3_600_000
const DAY_MS = 86_400_000

/** Looks at rules as data come, in one process. Should two ever do so at once, the rows of the rules keep them apart. */
export const keepAlerts: RegisterFeature = (app, deps) => {
  keepInOneProcess(app, deps, 'alerts', (signal) => keep(deps, signal))
}

async function keep(deps: Deps, signal: AbortSignal): Promise<void> {
  await deps.database.whenReady()
  const evaluator = new Evaluator(deps, await storeOf(deps))
  let prunedMs = 0
  await keepDoing(
    async () => {
      await evaluator.round()
      const now = deps.clock.now()
      await sweepAlerts(deps.db, now, deps.site.timeZone)
      if (Math.abs(now - prunedMs) < PRUNE_EVERY_MS) return
      const { alerts } = deps.config.retention
      if (alerts > 0) await pruneAlerts(deps.db, now - alerts * DAY_MS)
      prunedMs = now
    },
    {
      signal,
      pauseMs: PAUSE_MS,
      log: deps.log,
      failed: "Les règles d'alerte n'ont pas pu être évaluées",
      excuse: () => deps.database.unavailable(),
    },
  )
}
