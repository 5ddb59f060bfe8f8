import { availableParallelism } from 'node:os'
import {
  type AdjustedAtSource,
  DEFAULT_LAND_USE,
  type LuseConfig,
  RadxError,
  type RainMethod,
  type RunFigures,
  type WaterBalance,
} from '@radx/contracts'
import type { RadarRain, Rain } from '@radx/hydrology/rain/rain'
import { formatClock, formatSpan } from '@radx/locale/duration'
import { loadSite } from '../config/site.ts'
import { openDatabase } from '../db/database.ts'
import type { JobContext, JobKind } from '../jobs/api.ts'
import { createLogger } from '../log.ts'
import { RAIN_METHOD_FR } from '../store/moved/moved-rain.ts'
import { openStore } from '../store/open-store.ts'
import { parametersFr, withParameters } from './calibration/parameters.ts'
import type { CatchmentPackage } from './catchment/catchment-package.ts'
import { CatchmentLibrary } from './catchment/library.ts'
import { isKeptRun, removeOwnLandUse } from './kept.ts'
import { catchmentOfRun, codesOf, findLuseFile, landUseOf } from './land-use/luse-files.ts'
import { type LiveStart, readLiveStart, withSettings } from './live/start.ts'
import { adjustedFr } from './rain/adjusted-text.ts'
import type { CoarseOverModel } from './rain/member-rain.ts'
import { loadOwnRain } from './rain/own/own-rains.ts'
import { type MeasuredRain, StoredRain } from './rain/radar-rain.ts'
import { radarPeriodOf, withoutArchive } from './rain/rain-period.ts'
import { loadRain } from './rain/rain-source.ts'
import { figuresIn } from './result/figures-in.ts'
import { runEnsemble } from './run/ensemble.ts'
import { writeRain } from './run/rain-frames.ts'
import { type RunTask, runSimulation, type SimulationRun } from './run/run.ts'
import { schemeAsked, schemeFr } from './run/scheme.ts'
import { type RunInput, type RunSpec, rainSelection, runSpecOf } from './run-spec.ts'

export const MULTIHYDRO = 'multihydro'

/** What a finished run keeps beside its files. */
export interface MultihydroResult {
  balance: WaterBalance
  run: SimulationRun
  /** Area mean of the rain, mm/h, at most 60 values. */
  rainSparkline: number[]
  /** Share of radar cells and time without data, 0 to 1; null for virtual rain. */
  rainMissingShare: number | null
  /** How the rain was taken between frames; null for virtual rain. Runs of before do not have it. */
  rainMethod?: RainMethod | null
  /** What is said first of it. Runs of before do not have it. */
  figures?: RunFigures
  /** Images that came adjusted to gauges; null for virtual rain. Runs of before do not have it. */
  rainAdjusted?: AdjustedAtSource | null
}

const SPARKLINE = 60

/** A simulation as a job: surface, soil and sewer on the catchment's package, rain from the archive or the form. */
export const multihydro: JobKind<RunInput, MultihydroResult> = {
  name: MULTIHYDRO,
  perUser: 4,
  timeoutSeconds: 6 * 3600,
  memoryMb: 3_000,
  visibility: 'signed-in',
  keep: 'runs',
  isKept: isKeptRun,
  removeDerived: removeOwnLandUse,
  radarPeriod: radarPeriodOf,
  withheldInput: withoutArchive,
  // A run that older versions stored may still have it itself.
  wholeInput: async (db, input) => ({
    ...input,
    ...('luseConfigs' in input ? {} : await landUseOf(db, input)),
    ...(await catchmentOfRun(db, input)),
  }),
  run: simulate,
}

/** What a run reads before it computes. */
export interface Parts {
  catchment: CatchmentPackage
  codes: Int16Array
  configs: LuseConfig[]
  rain: Rain
  /** What members are made of; null for a run without an ensemble. */
  coarse: CoarseOverModel | null
  /** Of a run that begins with the water of a forecast. */
  begin: LiveStart['begin'] | null
}

async function simulate(context: JobContext<RunInput>): Promise<MultihydroResult> {
  const { input, config, outDir, signal, progress, log } = context
  const spec = runSpecOf(input)
  progress(0, 100, 'Lecture du bassin versant et de la pluie')
  const parts = await readParts(spec, config)
  signal.throwIfAborted()
  const { catchment, codes, configs, rain, coarse, begin } = parts
  if (codes.length !== catchment.landUse.data.length)
    throw new RadxError(
      'simulation.grid',
      422,
      'La carte d’occupation des sols n’a pas la grille du bassin versant. Choisissez une carte plus récente.',
    )
  const measured = 'method' in rain ? (rain as MeasuredRain) : null
  log(`${spec.catchment.name}, pluie ${rainSelection(spec.rain)}, ${(rain.durationS / 3600).toFixed(2)} h`)
  if (measured) {
    log(`Entre les images : ${RAIN_METHOD_FR[measured.method]}`)
    log(`Ajustement aux pluviomètres : ${adjustedFr(measured.adjusted)}`)
  }
  const activeCells = catchment.elevation.data.reduce((n, z) => n + (Number.isNaN(z) ? 0 : 1), 0)
  const runs = 1 + (spec.ensemble?.members ?? 0)
  const started = performance.now()
  const told = (share: number, text: string) => {
    const left = share > 0 ? ((performance.now() - started) / 1000) * (1 / share - 1) : 0
    progress(Math.round(1000 * share) / 10, 100, `${text}, encore ${formatSpan(Math.ceil(left))}`)
  }
  const parametered = withParameters(
    { catchment, classes: configs.length > 0 ? configs : DEFAULT_LAND_USE },
    spec.parameterSet?.values ?? [],
  )
  if (spec.parameterSet) log(parametersFr(spec.parameterSet, parametered.classes))
  const task: Omit<RunTask, 'rain' | 'outDir'> = {
    catchment: parametered.catchment,
    options: spec.options,
    landUseCodes: Float64Array.from(codes, (code) => (code < 0 ? Number.NaN : code)),
    classes: parametered.classes,
    // Every worker of this process may run one at once.
    threads: Math.max(1, Math.floor(availableParallelism() / Math.max(1, config.workers))),
    startEpochS: spec.startMs / 1000,
    ...(begin && { begin }),
    signal,
  }
  const { balance, run } = await runSimulation({
    ...task,
    ...schemeAsked(spec.options.equations),
    rain,
    outDir,
    onWarning: (warning) => log(`Attention : ${warning}`),
    onProgress: ({ doneS, totalS }) =>
      told(doneS / totalS / runs, `${formatClock(doneS)} simulées sur ${formatClock(totalS)}`),
  })
  log(
    `${run.steps} pas en ${run.wallSeconds.toFixed(1)} s, erreur de bilan ${balance.relativeError.toExponential(1)}`,
  )
  log(`Équations : ${schemeFr(run)}`)
  writeRain(outDir, rain, catchment.elevation)
  if (spec.ensemble && coarse) {
    const { members, alpha, c1, seed } = spec.ensemble
    await runEnsemble({
      // Members are compared with the run itself: they have its equations.
      task: { ...task, scheme: run.scheme, order: run.order },
      dir: outDir,
      control: { rain, result: { balance, run } },
      coarse,
      choice: spec.ensemble,
      onMember: (done) => told((1 + done) / runs, `${done} membres sur ${members}`),
    })
    log(`${members} membres : alpha ${alpha}, C1 ${c1}, graines ${seed} à ${seed + members - 1}`)
  }
  return {
    balance,
    run,
    rainSparkline: sparkline(rain, activeCells),
    rainMissingShare: 'missingShare' in rain ? (rain as RadarRain).missingShare : null,
    rainMethod: measured?.method ?? null,
    rainAdjusted: measured?.adjusted ?? null,
    figures: await figuresIn(outDir, { balance, run }),
  }
}

/** The run itself needs no database, and may take long. */
export async function readParts(spec: RunSpec, config: JobContext<RunInput>['config']): Promise<Parts> {
  const { site, catchments } = await loadSite(config.siteDir)
  const database = await openDatabase(config, { log: createLogger('silent'), poolSize: 2 })
  try {
    const library = new CatchmentLibrary(database.db, config)
    const catchment = await library.ofLandUse(spec.landUse.fileId, spec.catchment.id)
    const file = await findLuseFile(database.db, spec.landUse.fileId)
    const codes = await codesOf(file)
    if (spec.rain.kind === 'forecast') {
      const store = await openStore({ db: database.db, config, site, catchments })
      const { begin, rain } = await readLiveStart(store, spec.rain, catchment)
      const changed = withSettings(catchment, spec.rain.live.settings)
      return { catchment: changed, codes, configs: file.configs, rain, coarse: null, begin }
    }
    const place = [catchment.elevation, catchment.catchment.crs] as const
    if (spec.rain.kind === 'pictures') {
      const rain = await loadOwnRain(database.db, spec.rain.id, { grid: place[0], crs: place[1] })
      return { catchment, codes, configs: file.configs, rain, coarse: null, begin: null }
    }
    const archive =
      spec.rain.kind === 'virtual'
        ? null
        : new StoredRain(await openStore({ db: database.db, config, site, catchments }), site.events)
    const rain = await loadRain(spec.rain, ...place, archive)
    const measured = spec.rain.kind === 'event' ? spec.rain.event : spec.rain
    const coarse =
      spec.ensemble && archive && (typeof measured === 'string' || measured.kind === 'radar')
        ? await archive.coarseRain(measured, ...place)
        : null
    return { catchment, codes, configs: file.configs, rain, coarse, begin: null }
  } finally {
    await database.close()
  }
}

/** Mean rate over the model in mm/h, thinned to at most 60 means of equal time. */
function sparkline(rain: Rain, activeCells: number): number[] {
  const bins = new Float64Array(SPARKLINE)
  for (let k = 0; k + 1 < rain.edgesS.length; k++) {
    const rate = rain.rateMS(k)
    const mean = typeof rate === 'number' ? rate : rate.reduce((a, b) => a + b, 0) / activeCells
    const from = (rain.edgesS[k] / rain.durationS) * SPARKLINE
    const to = (rain.edgesS[k + 1] / rain.durationS) * SPARKLINE
    for (let b = Math.floor(from); b < Math.min(SPARKLINE, Math.ceil(to)); b++)
      bins[b] += mean * 3.6e6 * Math.max(0, Math.min(to, b + 1) - Math.max(from, b))
  }
  return Array.from(bins, (v) => Math.round(v * 100) / 100)
}
