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
import { DEFAULT_LAND_USE } from '@radx/contracts/landuse'
import type { WaterBalance } from '@radx/hydrology/balance/balance'
import type { Rain } from '@radx/hydrology/rain/rain'
import { createSewer } from '@radx/hydrology/sewer/solver'
import { Simulation } from '@radx/hydrology/simulation'
import { createSurface } from '@radx/hydrology/surface/surface'
import type { KernelChoice, SurfaceOptions } from '@radx/hydrology/surface/types'
import type { CatchmentPackage } from '../catchment/catchment-package.ts'
import { someOf } from '../catchment/package-network.ts'
import { surfaceParams } from '../land-use/land-use-params.ts'
import type { RunOptions } from '../run-spec.ts'
import { chooseKernel, sewerWasm } from './kernel.ts'
import { FrameFile, OUTPUT, SeriesFile, writeField, writeJson } from './outputs.ts'
import { SewerResults } from './sewer-results.ts'

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
  /** Start of the rain, s since 1970-01-01; the network's own start by default. */
  startEpochS?: number
  /** Result folder; it must not exist or be empty. */
  outDir: string
  /** Told before a run that will be slow for a reason that can be mended; French. */
  onWarning?(warning: string): void
  onProgress?(progress: { doneS: number; totalS: number }): void
  signal?: AbortSignal
}

export interface SimulationRun {
  wallSeconds: number
  simulatedSeconds: number
  steps: number
  cells: number
  activeCells: number
  kernel: string
  threads: number
  /** What made the run slow and can be mended, French. */
  warnings: string[]
  /** activeCells x steps / wallSeconds: dry cells count, since they are part of the answer. */
  cellUpdatesPerSecond: number
}

export interface SimulationResult {
  balance: WaterBalance
  run: SimulationRun
}

/** Depth frames are not written more often than this, s. */
const MIN_FRAME_S = 300

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
  mkdirSync(dirname(outDir), { recursive: true })
  const temporary = mkdtempSync(join(dirname(outDir), `.${basename(outDir)}-`))
  try {
    const result = await simulateInto(temporary, task)
    // mkdtemp makes folders for its owner alone; a result is for whoever may read its neighbours.
    chmodSync(temporary, 0o755)
    if (existsSync(outDir)) rmdirSync(outDir)
    renameSync(temporary, outDir)
    return result
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    throw error
  }
}

async function simulateInto(dir: string, task: RunTask): Promise<SimulationResult> {
  const started = performance.now()
  const kernel = chooseKernel(task.threads, task.kernel, task.kernelFolder)
  const warnings = kernel.warning ? [kernel.warning] : []
  for (const warning of warnings) task.onWarning?.(warning)
  const simulation = assemble(task, kernel.choice)
  try {
    const balances = await advanceAndRecord(dir, task, simulation)
    const balance = balances[balances.length - 1]
    const wallSeconds = (performance.now() - started) / 1000
    const { surface } = simulation
    const run: SimulationRun = {
      wallSeconds,
      simulatedSeconds: simulation.timeS,
      steps: simulation.steps,
      cells: surface.grid.nrows * surface.grid.ncols,
      activeCells: surface.activeCells,
      kernel: kernel.choice.kernel,
      threads: kernel.threads,
      warnings,
      cellUpdatesPerSecond: Math.round((surface.activeCells * simulation.steps) / wallSeconds),
    }
    writeJson(dir, OUTPUT.balance, { ...balance, series: balances })
    writeJson(dir, OUTPUT.run, run)
    writeFileSync(join(dir, OUTPUT.network), task.catchment.networkText)
    writeFileSync(join(dir, OUTPUT.log), logText(task, simulation, balance, warnings))
    return { balance, run }
  } finally {
    simulation.surface.dispose()
  }
}

function assemble(task: RunTask, kernel: KernelChoice): Simulation {
  const { catchment, options } = task
  const { elevation } = catchment
  const surface = createSurface(
    {
      nrows: elevation.nrows,
      ncols: elevation.ncols,
      cellSizeM: elevation.cellSize,
      elevationM: elevation.data,
    },
    surfaceParams({
      codes: task.landUseCodes ?? catchment.landUse.data,
      classes: task.classes ?? DEFAULT_LAND_USE,
      permanentWaterCode: catchment.catchment.permanentWaterCode,
      soil: options.soil,
    }),
    kernel,
    task.surfaceOptions,
  )
  const coupling = { gullies: catchment.gullies, nodeCells: catchment.nodeCells, takes: options.drainage }
  const wasm = task.kernel === 'reference' ? undefined : sewerWasm(task.kernelFolder)
  const sewer = createSewer(catchment.network, { coupled: true, wasm })
  return new Simulation({ surface, rain: task.rain, sewer: { sewer, coupling } })
}

/** Advances interval by interval of the rain and writes what belongs to each; answers the balances. */
async function advanceAndRecord(dir: string, task: RunTask, simulation: Simulation): Promise<WaterBalance[]> {
  const { rain, signal } = task
  const { elevation, network } = task.catchment
  const flow = new SeriesFile(
    dir,
    OUTPUT.flow,
    network.links.map((link) => link.name),
    6,
  )
  const height = new SeriesFile(
    dir,
    OUTPUT.height,
    network.nodes.map((node) => node.name),
    4,
  )
  const frames = new FrameFile(dir, elevation)
  const results = new SewerResults(
    dir,
    simulation.sewer!,
    task.startEpochS ?? network.options.startEpochS,
    rain.intervalS,
  )
  simulation.onSewerMoved = (dtS) => results.observe(dtS)
  const balances: WaterBalance[] = []
  try {
    const intervals = Math.max(1, Math.ceil(rain.durationS / rain.intervalS - 1e-9))
    const perFrame = Math.max(1, Math.ceil(MIN_FRAME_S / rain.intervalS - 1e-9))
    frames.add(0, simulation.surface.snapshot('depth'))
    for (let k = 1; k <= intervals; k++) {
      // Lets an abort through, and a worker send its progress.
      await setImmediate()
      signal?.throwIfAborted()
      simulation.advance(Math.min(k * rain.intervalS, rain.durationS))
      const { flowsM3S, depthsM } = simulation.takeMeans()
      const { timeS } = simulation
      simulation.defer(() => flow.add(timeS, flowsM3S))
      simulation.defer(() => height.add(timeS, depthsM))
      simulation.defer(() => results.add(timeS))
      if (k % perFrame === 0 || k === intervals) {
        const depthM = simulation.surface.snapshot('depth')
        simulation.defer(() => frames.add(timeS, depthM))
        balances.push(simulation.balance())
      }
      task.onProgress?.({ doneS: simulation.timeS, totalS: rain.durationS })
    }
    simulation.settle()
    results.finish()
  } finally {
    flow.close()
    height.close()
    frames.close()
    results.close()
  }
  const { surface } = simulation
  writeField(dir, OUTPUT.maxDepth, elevation, surface.snapshot('maxDepth'), 4)
  writeField(dir, OUTPUT.maxSpeed, elevation, surface.snapshot('maxSpeed'), 3)
  writeField(dir, OUTPUT.maxDepthSpeed, elevation, surface.snapshot('maxDepthSpeed'), 4)
  writeField(dir, OUTPUT.finalDepth, elevation, surface.snapshot('depth'), 7)
  writeField(dir, OUTPUT.infiltration, elevation, surface.snapshot('infiltrated'), 7)
  return balances
}

function logText(task: RunTask, simulation: Simulation, balance: WaterBalance, warnings: string[]): string {
  const { catchment, options, rain } = task
  const { coupling, sewer } = simulation
  const m3 = (value: number) => `${Math.round(value)} m³`
  const lines = [
    `Bassin versant : ${catchment.catchment.display} (${catchment.catchment.id})`,
    `Pluie : ${Math.round(rain.durationS / 60)} min au pas de ${rain.intervalS} s`,
    `Sol : ${options.soil ? 'activé' : 'désactivé'} ; drainage : ${options.drainage ? 'activé' : 'désactivé'}`,
    `Pas de calcul : ${simulation.steps} en surface, ${sewer?.steps ?? 0} dans le réseau (${sewer?.rejectedSteps ?? 0} repris)`,
    `Avaloirs : ${m3(coupling?.takenM3 ?? 0)} pris, ${m3(coupling?.givenBackM3 ?? 0)} rendus`,
    `Bilan : pluie ${m3(balance.rainM3)}, interceptée ${m3(balance.interceptedM3)}, infiltrée ${m3(balance.infiltratedM3)}, en surface ${m3(balance.surfaceM3)}, plans d’eau ${m3(balance.waterM3)}, bords ${m3(balance.edgeOutM3)}, réseau ${m3(balance.sewerM3)}, exutoires ${m3(balance.outfallM3)}, erreur relative ${balance.relativeError.toExponential(1)}`,
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
