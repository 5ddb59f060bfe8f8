import { keepDoing } from '../../background.ts'
import type { RegisterFeature } from '../../http/app.ts'
import { keepInOneProcess } from '../../one-process.ts'
import { sweepCatchments } from './own-catchments.ts'

/** How often files that no run stands on any more are looked for, ms. */
const SWEEP_EVERY_MS = 10 * 60_000

/** Removes what is left of deleted catchments once their last run is gone, in one process. */
export const keepCatchmentsSwept: RegisterFeature = (app, deps) => {
  keepInOneProcess(app, deps, 'catchments', async (signal) => {
    await deps.database.whenReady()
    await keepDoing(() => sweepCatchments(deps), {
      signal,
      pauseMs: SWEEP_EVERY_MS,
      log: deps.log,
      failed: "Les bassins versants supprimés n'ont pas pu être retirés",
      excuse: () => deps.database.unavailable(),
    })
  })
}
