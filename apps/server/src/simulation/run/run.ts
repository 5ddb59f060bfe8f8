import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { RadxError } from '@radx/contracts/errors'
import type { LandUseClass } from '@radx/contracts/landuse'
import type { SoilState } from '@radx/contracts/simulation-constants'
import type { WaterBalance } from '@radx/hydrology/balance/balance'
import type { Rain } from '@radx/hydrology/rain/rain'
import type { Simulation } from '@radx/hydrology/simulation'
import type { SavedState } from '@radx/hydrology/state/state'
import type { BoundaryVolume } from '@radx/hydrology/surface/boundaries'
import type { SurfaceOptions } from '@radx/hydrology/surface/types'
import type { CatchmentPackage } from '../catchment/catchment-package.ts'
import { someOf } from '../catchment/package-network.ts'
import { shortSeries } from '../catchment/run-start.ts'
import type { RunOptions } from '../run-spec.ts'
import type { RunState } from '../state/run-state.ts'
import { assemble } from './assemble.ts'
import { endOf, type Intervals, intervalsOf } from './intervals.ts'
import { chooseKernel, fullChoice } from './kernel.ts'
import { OUTPUT, writeJson } from './outputs.ts'
import { Recorder } from './recorder.ts'
import { begunOf, checkState, refuseOtherScheme, schemeOf, stateOf, takeUp } from './resume.ts'
import type { SchemeChoice, SchemeTaken } from './scheme.ts'
import { FroudeWatch, NeedsFullScheme, needsFullScheme, reasonOf, schemeFr } from './scheme.ts'

/** A run with everything that it needs in memory. */
export interface RunTask {
  catchment: CatchmentPackage
  rain: Rain
  options: RunOptions
  /** Land-use codes that replace those of the package, `[row * ncols + col]`, NaN outside. */
  landUseCodes?: Float64Array
  classes?: readonly LandUseClass[]
  threads?: number
  kernel?: 'reference' | 'simd'
  /** Where the compiled kernels are, if not where the build puts them. */
  kernelFolder?: string
  surfaceOptions?: SurfaceOptions
  /** Equations of the surface. Default: inertial. */
  scheme?: SchemeChoice
  /** Order of the full scheme. Default: 2, and 1 where `auto` chooses it: see decision 0076. */
  order?: 1 | 2
  /** Time between two lines of the series, s; the rain's by default. */
  intervalS?: number
  /** Start of the rain, s since 1970-01-01; the network's own start by default. */
  startEpochS?: number
  /** The moment at which the run ends, s since its start: the end of an output interval. That of the rain by default. */
  untilS?: number
  /** State of an earlier part of this run, from which it goes on; the rain is still that of all of it. */
  from?: RunState
  /** Water of another run's state to begin with, instead of what the catchment says, and links that are set from the start on. */
  begin?: { engine: SavedState; settings: readonly { link: number; setting: number }[] }
  /** Given the state at the end. */
  onState?(state: RunState): void
  /** Result folder; it must not exist or be empty. */
  outDir: string
  /** Told before a run that will be slow for a reason that can be mended; French. */
  onWarning?(warning: string): void
  onProgress?(progress: { doneS: number; totalS: number }): void
  signal?: AbortSignal
}

export interface SimulationRun extends SchemeTaken {
  wallSeconds: number
  /** Since the start of the run, as `steps` and `boundaries` are. */
  simulatedSeconds: number
  /** Of a run that goes on from a state: its moment, s. */
  fromS?: number
  steps: number
  cells: number
  activeCells: number
  kernel: string
  threads: number
  /** What made the run slow and can be mended, French. */
  warnings: string[]
  /** What came in through boundaries and out of them, m3 in. */
  boundaries: BoundaryVolume[]
  /** activeCells x steps / wallSeconds: dry cells count, since they are part of the answer. */
  cellUpdatesPerSecond: number
}

export interface SimulationResult {
  balance: WaterBalance
  run: SimulationRun
}

class SimulationOutputError extends RadxError {
  override readonly name: string = 'SimulationOutputError'
}

/**
 * Runs a simulation and writes its result folder. Everything goes to a temporary folder beside it that gets its
 * name at the end, so that an interruption leaves nothing half-written.
 *
 * @throws SimulationOutputError `simulation.output` when the folder is taken; the signal's reason when aborted
 */
export async function runSimulation(task: RunTask): Promise<SimulationResult> {
  const outDir = resolve(task.outDir)
  if (existsSync(outDir) && readdirSync(outDir).length > 0)
    throw new SimulationOutputError(
      'simulation.output',
      409,
      `Le dossier ${task.outDir} contient déjà des fichiers. Donner un autre dossier, ou vider celui-ci.`,
    )
  const temporary = temporaryBeside(outDir)
  try {
    const result = await simulateByScheme(temporary, task)
    // mkdtemp makes folders for its owner alone; a result is for whoever may read its neighbours.
    chmodSync(temporary, 0o777 & ~process.umask())
    if (existsSync(outDir)) rmdirSync(outDir)
    renameSync(temporary, outDir)
    return result
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    throw error
  }
}

function temporaryBeside(outDir: string): string {
  try {
    mkdirSync(dirname(outDir), { recursive: true })
    return mkdtempSync(join(dirname(outDir), `.${basename(outDir)}-`))
  } catch (error) {
    throw new SimulationOutputError(
      'simulation.output',
      409,
      `Rien ne peut être écrit dans le dossier ${dirname(outDir)} (${(error as NodeJS.ErrnoException).code}). Vérifier le chemin et les droits.`,
    )
  }
}

/** `auto` begins with local inertia, and begins anew with the full equations where that is too fast for it or cannot go on. */
async function simulateByScheme(dir: string, task: RunTask): Promise<SimulationResult> {
  const { scheme = 'inertial', order } = task
  if (task.from) {
    const { taken, watch } = schemeOf(task.from)
    return simulateInto(dir, task, taken, watch).catch((error: unknown) => {
      throw refuseOtherScheme(watch ? needsFullScheme(error) : error)
    })
  }
  if (scheme === 'full')
    return simulateInto(dir, task, { scheme, order: order ?? 2, schemeReason: 'choix du calcul.' })
  if (scheme === 'inertial') return simulateInto(dir, task, { scheme, schemeReason: 'choix du calcul.' })
  try {
    return await simulateInto(dir, task, { scheme: 'inertial', schemeReason: '' }, new FroudeWatch())
  } catch (failure) {
    const error = needsFullScheme(failure)
    if (!(error instanceof NeedsFullScheme)) throw error
    for (const name of readdirSync(dir)) rmSync(join(dir, name))
    const { froude } = error
    const schemeReason = reasonOf('full', froude)
    return simulateInto(dir, task, {
      scheme: 'full',
      order: order ?? 1,
      schemeReason,
      ...(froude && { froude }),
    })
  }
}

async function simulateInto(
  dir: string,
  task: RunTask,
  taken: SchemeTaken,
  watch?: FroudeWatch,
): Promise<SimulationResult> {
  const started = performance.now()
  const kernel =
    taken.scheme === 'full'
      ? fullChoice(task, taken.order)
      : chooseKernel(task.threads, task.kernel, task.kernelFolder)
  const { choice } = kernel
  const warnings = kernel.warning ? [kernel.warning] : []
  warnings.push(...shortSeries(task.catchment.start.boundaries, task.rain.durationS))
  for (const warning of warnings) task.onWarning?.(warning)
  if (task.from) checkState(task, task.from, choice.kernel)
  const intervals = intervalsOf({ ...task, from: task.from && begunOf(task.from) })
  const simulation = assemble(task, task.rain, choice)
  const recorder = new Recorder(dir, task, simulation, intervals, watch)
  try {
    if (task.from) takeUp(task.from, simulation, recorder)
    if (task.begin) beginWith(task.begin, simulation)
    const stepsBefore = simulation.steps
    await advance(task, simulation, recorder, intervals)
    const balances = recorder.writeMaps()
    // What goes on may yet see more water.
    const froude = intervals.last < intervals.whole ? watch?.shares() : watch?.judge()
    const balance = balances[balances.length - 1]
    const wallSeconds = (performance.now() - started) / 1000
    const { surface } = simulation
    const told = { ...taken, ...(froude && { froude, schemeReason: reasonOf('inertial', froude) }) }
    const run: SimulationRun = {
      ...told,
      wallSeconds,
      simulatedSeconds: simulation.timeS,
      ...(task.from && { fromS: intervals.fromS }),
      steps: simulation.steps,
      cells: surface.grid.nrows * surface.grid.ncols,
      activeCells: surface.activeCells,
      kernel: choice.kernel,
      threads: kernel.threads,
      warnings,
      boundaries: surface.boundaryVolumes(),
      cellUpdatesPerSecond: Math.round(
        (surface.activeCells * (simulation.steps - stepsBefore)) / wallSeconds,
      ),
    }
    writeJson(dir, OUTPUT.balance, { ...balance, series: balances })
    writeJson(dir, OUTPUT.run, run)
    if (task.catchment.networkText !== null)
      writeFileSync(join(dir, OUTPUT.network), task.catchment.networkText)
    writeFileSync(join(dir, OUTPUT.log), logText(task, simulation, balance, run))
    task.onState?.(stateOf(task, simulation, recorder, { intervals, taken: told, kernel: choice.kernel }))
    return { balance, run }
  } finally {
    recorder.close()
    simulation.surface.dispose()
  }
}

function beginWith({ engine, settings }: NonNullable<RunTask['begin']>, simulation: Simulation): void {
  simulation.begin(engine)
  for (const { link, setting } of settings) simulation.sewer?.force(link, setting)
}

/** Advances interval by interval and lets the recorder write what belongs to each. */
async function advance(
  task: RunTask,
  simulation: Simulation,
  recorder: Recorder,
  intervals: Intervals,
): Promise<void> {
  const { rain, signal } = task
  const { intervalS, done, last } = intervals
  const end = (k: number) => endOf(k, intervalS, rain.durationS)
  recorder.begin()
  for (let k = done + 1; k <= last; k++) {
    // Lets an abort through, and a worker send its progress.
    await setImmediate()
    signal?.throwIfAborted()
    simulation.advance(end(k))
    recorder.add(k)
    task.onProgress?.({ doneS: simulation.timeS, totalS: end(last) })
  }
  recorder.finish()
}

/** Water of the start and through boundaries, in words; nothing without any. */
export function boundariesFr(
  { initialM3 }: Pick<WaterBalance, 'initialM3'>,
  { boundaries }: Pick<SimulationRun, 'boundaries'>,
): string[] {
  const m3 = (value: number) => `${Math.round(value).toLocaleString('fr-FR')} m³`
  const crossed = boundaries.map(({ name, inM3 }) => `${name} ${m3(inM3)}`)
  return [
    ...(initialM3 ? [`Eau au départ : ${m3(initialM3)}`] : []),
    ...(crossed.length > 0 ? [`Entré par les limites (sorti : négatif) : ${crossed.join(', ')}`] : []),
  ]
}

/** What measures did, in words; nothing without any. */
export function measuresFr(balance: WaterBalance): string[] {
  if (balance.measuresStoredM3 === undefined) return []
  const {
    measuresStoredM3,
    measuresInfiltratedM3 = 0,
    measuresEvaporatedM3 = 0,
    measuresDrainedM3 = 0,
  } = balance
  const m3 = (value: number) => `${Math.round(value)} m³`
  return [
    `Ouvrages de stockage : ${m3(measuresStoredM3)} de plus qu’au début, ${m3(measuresInfiltratedM3)} infiltrés, ${m3(measuresEvaporatedM3)} évaporés, ${m3(measuresDrainedM3)} rendus par les drains`,
  ]
}

const SOIL_FR: Record<SoilState, string> = { dry: 'sec', mean: 'moyen', wet: 'humide' }

function logText(task: RunTask, simulation: Simulation, balance: WaterBalance, run: SimulationRun): string {
  const { catchment, options, rain } = task
  const { warnings, fromS } = run
  const { coupling, sewer } = simulation
  const goesOn =
    fromS === undefined
      ? []
      : [`Suite d’un calcul à partir de ${fromS} s ; pas, maximums et bilan depuis son début`]
  const m3 = (value: number) => `${Math.round(value)} m³`
  const lines = [
    `Bassin versant : ${catchment.catchment.display} (${catchment.catchment.id})`,
    `Pluie : ${Math.round(rain.durationS / 60)} min au pas de ${rain.intervalS} s`,
    `Sol : ${options.soil ? `activé, ${SOIL_FR[options.soilState ?? 'mean']} avant la pluie` : 'désactivé'} ; drainage : ${options.drainage ? 'activé' : 'désactivé'}`,
    `Équations : ${schemeFr(run)}`,
    ...goesOn,
    `Pas de calcul : ${simulation.steps} en surface, ${sewer?.steps ?? 0} dans le réseau (${sewer?.rejectedSteps ?? 0} repris)`,
    `Avaloirs : ${m3(coupling?.takenM3 ?? 0)} pris, ${m3(coupling?.givenBackM3 ?? 0)} rendus`,
    `Bilan : pluie ${m3(balance.rainM3)}, interceptée ${m3(balance.interceptedM3)}, infiltrée ${m3(balance.infiltratedM3)}, en surface ${m3(balance.surfaceM3)}, plans d’eau ${m3(balance.waterM3)}, bords ${m3(balance.edgeOutM3)}, réseau ${m3(balance.sewerM3)}, exutoires ${m3(balance.outfallM3)}, erreur relative ${balance.relativeError.toExponential(1)}`,
    ...boundariesFr(balance, run),
    ...measuresFr(balance),
    ...[...warnings, ...catchment.warnings].map((warning) => `Attention : ${warning}`),
  ]
  const low = (coupling?.mismatches ?? []).map(
    ({ junction, rimM, groundM }) => `${junction} (${(rimM - groundM).toFixed(2)} m)`,
  )
  if (low.length > 0)
    lines.push(
      `Attention : ${low.length} regard(s) dont un avaloir est plus bas que le tampon ; le tampon les ferme : ${someOf(low)}.`,
    )
  return `${lines.join('\n')}\n`
}
