import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  DEFAULT_DOUBLE_TRIANGLE,
  DEFAULT_USER,
  EV7,
  type LuseConfig,
  type SimulationInput,
  VIRTUAL_START,
} from '@radx/contracts'
import { demoCatchment } from '@radx/demo/catchment/package'
import { virtualRain } from '@radx/rainfall/virtual-rain'
import { runAsLeader } from '../db/leader.ts'
import type { App, Deps } from '../http/app.ts'
import { storeOf } from '../store/open-store.ts'
import { CatchmentLibrary } from './library.ts'
import { referenceFile } from './luse-files.ts'
import { MULTIHYDRO } from './multihydro.ts'

/** ev7 lasts 6 h 50; once this many of its frames are stored its reference run can start. */
const EV7_FRAMES = 100
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
  await submitMissing(deps, virtualRun, signal)
  await submitMissing(deps, ev7Run, signal)
  // The leader keeps its place while the server runs.
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

type Run = (
  deps: Deps,
  base: Omit<SimulationInput, keyof Rain>,
  signal: AbortSignal,
) => Promise<SimulationInput | null>
type Rain = Pick<
  SimulationInput,
  | 'title'
  | 'rainfallSelection'
  | 'rainfallStart'
  | 'rainfallEnd'
  | 'simulationDuration'
  | 'virtualRainShape'
  | 'virtualParam'
  | 'virtualData'
  | 'product'
>

const virtualRun: Run = async (_deps, base) => {
  const virtualData = virtualRain('double', DEFAULT_DOUBLE_TRIANGLE)
  return {
    ...base,
    title: 'Référence, pluie de projet double triangle',
    rainfallSelection: 'virtual',
    rainfallStart: VIRTUAL_START,
    rainfallEnd: new Date(Date.parse(VIRTUAL_START) + virtualData.length * 60_000).toISOString(),
    simulationDuration: virtualData.length / 60,
    virtualRainShape: 'double',
    virtualParam: DEFAULT_DOUBLE_TRIANGLE,
    virtualData,
    product: null,
  }
}

/** Waits until the demonstration's radar has delivered the event. */
const ev7Run: Run = async (deps, base, signal) => {
  const { archive, catalog } = await storeOf(deps)
  const product = catalog.products.get(EV7.product)
  if (!product) return null
  const span = { startMs: Date.parse(EV7.start), endMs: Date.parse(EV7.end) }
  while ((await archive.count(product, span)) < EV7_FRAMES) {
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return null
  }
  return {
    ...base,
    title: 'Référence, évènement 7',
    rainfallSelection: 'ev7',
    rainfallStart: EV7.start,
    rainfallEnd: EV7.end,
    simulationDuration: EV7.durationHours,
    virtualRainShape: null,
    virtualParam: null,
    virtualData: [],
    product: EV7.product,
  }
}

/** Submits a reference run unless one of its title is there. */
async function submitMissing(deps: Deps, make: Run, signal: AbortSignal): Promise<void> {
  const file = await referenceFile(deps.db, 'melun').catch(() => null)
  if (!file) return
  const input = await make(deps, baseInput(file.id, file.configs), signal)
  if (!input || signal.aborted) return
  const known = await deps.db
    .selectFrom('job')
    .select(['id', 'input'])
    .where('kind', '=', MULTIHYDRO)
    .where('username', '=', DEFAULT_USER)
    .execute()
  if (known.some((row) => (row.input as SimulationInput).title === input.title)) return
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

const baseInput = (luseId: string, luseConfigs: LuseConfig[]): Omit<SimulationInput, keyof Rain> => ({
  catchmentId: 'melun',
  catchmentDisplay: 'Melun',
  caseStudyId: '',
  barrier: 'false',
  barrierHeight: '0',
  bassin: 'false',
  bassinDepth: '0',
  greenRoof: 'false',
  soilModule: 'true',
  drainageModule: 'true',
  luseId,
  luseIdSource: luseId,
  luseDesc: '',
  luseUpdates: [],
  luseConfigs,
})
