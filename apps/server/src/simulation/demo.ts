import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DEFAULT_USER, type SimulationInput } from '@radx/contracts'
import type { App, Deps } from '../http/app.ts'
import { keepInOneProcess } from '../one-process.ts'
import { WorkerPool } from '../threads/worker-pool.ts'
import { CatchmentLibrary } from './catchment/library.ts'
import type { CatchmentTask } from './demo-catchment.worker.ts'
import { DEMO_RUNS, type DemoRun, delivered } from './demo-runs.ts'
import { MULTIHYDRO } from './multihydro.ts'

const LOOK_EVERY_MS = 3_000
/** What a newcomer's map shows is there before anything is computed. */
const FILM_MS = 3 * 3_600_000
const MAKING_MS = 10 * 60_000

/** On a demonstration's first start: its own catchment, and reference simulations of user `default`. */
export function registerSimulationDemo(app: App, deps: Deps): void {
  keepInOneProcess(app, deps, 'simulation-demo', (signal) => prepare(deps, signal))
}

async function prepare(deps: Deps, signal: AbortSignal): Promise<void> {
  await deps.database.whenReady()
  const library = new CatchmentLibrary(deps.db, deps.config)
  if ((await library.list()).length === 0) {
    const nowMs = deps.clock.now()
    await delivered({ deps, signal }, deps.site.defaultProduct, { startMs: nowMs - FILM_MS, endMs: nowMs })
    if (signal.aborted) return
    const dir = await mkdtemp(join(tmpdir(), 'radx-catchment-'))
    try {
      await writeDemoCatchment(dir)
      await library.import(dir)
      deps.log.info('Bassin versant de démonstration créé')
    } finally {
      await rm(dir, { recursive: true, force: true })
    }
  }
  for (const run of DEMO_RUNS) await submitMissing(deps, run, signal)
  // The leader keeps its place while the server runs.
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

/** In a thread of its own: it takes some seconds, in which calls would wait. */
async function writeDemoCatchment(folder: string): Promise<void> {
  const pool = new WorkerPool(new URL('./demo-catchment.worker.ts', import.meta.url), {}, 1, MAKING_MS)
  try {
    await pool.run({ folder } satisfies CatchmentTask)
  } finally {
    await pool.close()
  }
}

/** Submits a reference run unless one of its title is there. */
async function submitMissing(deps: Deps, run: DemoRun, signal: AbortSignal): Promise<void> {
  const known = await deps.db
    .selectFrom('job')
    .select('input')
    .where('kind', '=', MULTIHYDRO)
    .where('username', '=', DEFAULT_USER)
    .execute()
  if (known.some((row) => (row.input as SimulationInput).title === run.title)) return
  const input = await run.input(deps, signal)
  if (!input || signal.aborted) return
  for (;;) {
    try {
      await deps.jobs.queue().submit(MULTIHYDRO, input, { name: DEFAULT_USER, isManager: false })
      return
    } catch (error) {
      if (signal.aborted) return
      // The queue comes up beside us.
      deps.log.debug({ error: (error as Error).message }, 'simulation de référence en attente')
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
}
