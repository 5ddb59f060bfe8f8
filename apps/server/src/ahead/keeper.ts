import { setTimeout as sleep } from 'node:timers/promises'
import { keepDoing } from '../background.ts'
import type { Deps, RegisterFeature } from '../http/app.ts'
import { keepInOneProcess } from '../one-process.ts'
import { openFileStore } from '../store/file-store.ts'
import { storeOf } from '../store/open-store.ts'
import { Begins } from './begins.ts'
import { Cycles } from './cycles.ts'
import { pruneCycles } from './prune.ts'
import { type LiveCatchment, Scheduler } from './scheduler.ts'
import { switchOffDeleted, switchOnDemonstration } from './switch.ts'

const PAUSE_MS = 1_000
/** How often a cycle under way is looked at, ms. */
const STEP_MS = 250
const PRUNE_EVERY_MS = 5 * 60_000

/** Forecasts floods after each frame, in one process; the work itself is done by jobs. */
export const keepAhead: RegisterFeature = (app, deps) => {
  keepInOneProcess(app, deps, 'flood-forecast', (signal) => keep(deps, signal))
}

async function keep(deps: Deps, signal: AbortSignal): Promise<void> {
  await deps.database.whenReady()
  const store = await storeOf(deps)
  const cycles = new Cycles(deps.db)
  const scheduler = new Scheduler(deps, store, cycles)
  const files = openFileStore(deps.config)
  let prunedMs = 0
  const begins = new Begins(deps.db)
  /** A cycle's steps follow each other closely. */
  const forward = async (catchment: LiveCatchment, waits: boolean) => {
    for (let looks = 0; looks < PAUSE_MS / STEP_MS && !signal.aborted; looks++) {
      await scheduler.round(catchment, waits)
      if (!(await cycles.open(catchment.id))) return
      await sleep(STEP_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  const round = async () => {
    if (deps.jobs.starting()) return
    await switchOnDemonstration(deps)
    await switchOffDeleted(deps.db)
    for (const catchment of await cycles.enabled()) {
      if (signal.aborted) return
      const waits = catchment.by_demo && (await begins.waits(catchment.id))
      await forward(catchment, waits)
    }
    await scheduler.endStopped()
    if (deps.clock.now() - prunedMs < PRUNE_EVERY_MS) return
    await pruneCycles(deps.db, files, deps.clock.now())
    prunedMs = deps.clock.now()
  }
  await keepDoing(round, {
    signal,
    pauseMs: PAUSE_MS,
    log: deps.log,
    failed: "La prévision d'inondation n'a pas pu avancer",
    excuse: () => deps.database.unavailable(),
  })
}
