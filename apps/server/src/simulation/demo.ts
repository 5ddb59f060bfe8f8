import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DEFAULT_USER, type SimulationInput } from '@radx/contracts'
import { demoCatchment } from '@radx/demo/catchment/package'
import { runAsLeader } from '../db/leader.ts'
import type { App, Deps } from '../http/app.ts'
import { CatchmentLibrary } from './catchment/library.ts'
import { DEMO_RUNS, type DemoRun } from './demo-runs.ts'
import { MULTIHYDRO } from './multihydro.ts'

const LOOK_EVERY_MS = 3_000

/** On a demonstration's first start: its own catchment, and reference simulations of user `default`. */
export function registerSimulationDemo(app: App, deps: Deps): void {
  if (!deps.config.demo) return
  const stop = new AbortController()
  let running: Promise<void> = Promise.resolve()
  app.addHook('onReady', async () => {
    running = runAsLeader(deps.database, 'simulation-demo', (signal) => prepare(deps, signal), {
      stop: stop.signal,
      log: deps.log,
    })
  })
  app.addHook('onClose', async () => {
    stop.abort()
    await running
  })
}

async function prepare(deps: Deps, signal: AbortSignal): Promise<void> {
  await deps.database.whenReady()
  const library = new CatchmentLibrary(deps.db, deps.config)
  if ((await library.list()).length === 0) {
    const dir = await mkdtemp(join(tmpdir(), 'radx-catchment-'))
    try {
      for (const [name, text] of demoCatchment()) await writeFile(join(dir, name), text)
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
