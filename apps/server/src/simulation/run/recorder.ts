import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WaterBalance } from '@radx/hydrology/balance/balance'
import type { Simulation } from '@radx/hydrology/simulation'
import type { Stateful, StateVisitor } from '@radx/hydrology/state/state'
import { HazardMaps } from '@radx/hydrology/surface/hazard'
import { writeExposure } from './exposure.ts'
import { HAZARD_LOOK_S, writeHazard } from './hazard.ts'
import type { Intervals } from './intervals.ts'
import { measuresTable, placedMeasures } from './measures.ts'
import { FrameFile, OUTPUT, SeriesFile, writeField, writeKeptField } from './outputs.ts'
import { PointSeries } from './points.ts'
import type { RunTask } from './run.ts'
import type { FroudeWatch } from './scheme.ts'
import { SewerResults } from './sewer-results.ts'
import { VelocityFile } from './velocity-frames.ts'

/** Figures of a balance, as a state keeps them. */
const BALANCE = Object.keys({
  timeS: 0,
  rainM3: 0,
  initialM3: 0,
  boundaryInM3: 0,
  networkInflowM3: 0,
  interceptedM3: 0,
  infiltratedM3: 0,
  surfaceM3: 0,
  waterM3: 0,
  edgeOutM3: 0,
  sewerM3: 0,
  outfallM3: 0,
  measuresStoredM3: 0,
  measuresInfiltratedM3: 0,
  measuresEvaporatedM3: 0,
  measuresDrainedM3: 0,
  errorM3: 0,
  relativeError: 0,
} satisfies Required<WaterBalance>) as (keyof WaterBalance)[]

/**
 * Writes what belongs to each interval of a run, and at the end what is left of all of it. Of a run that goes on from a state
 * maxima, sums and balances are those since the run's start.
 */
export class Recorder implements Stateful {
  private readonly dir: string
  private readonly task: RunTask
  private readonly simulation: Simulation
  private readonly intervals: Intervals
  private readonly watch?: FroudeWatch
  private readonly flow: SeriesFile
  private readonly height: SeriesFile
  private readonly frames: FrameFile
  private readonly velocities: VelocityFile
  private readonly points: PointSeries
  private readonly results?: SewerResults
  private readonly maps: HazardMaps
  /** Of `BALANCE` those that this run has. */
  private readonly balanceNames: (keyof WaterBalance)[]
  private nextLookS: number
  /** One a depth frame. */
  private balances: WaterBalance[] = []

  constructor(dir: string, task: RunTask, simulation: Simulation, intervals: Intervals, watch?: FroudeWatch) {
    const { elevation, network, start } = task.catchment
    const { intervalS } = intervals
    this.dir = dir
    this.task = task
    this.simulation = simulation
    this.intervals = intervals
    this.watch = watch
    const names = (items: { name: string }[]) => items.map(({ name }) => name)
    this.flow = new SeriesFile(dir, OUTPUT.flow, names(network.links), 6)
    this.height = new SeriesFile(dir, OUTPUT.height, names(network.nodes), 4)
    this.frames = new FrameFile(dir, elevation)
    this.velocities = new VelocityFile(dir, elevation, simulation.surface)
    const startS = task.startEpochS ?? network.options.startEpochS
    const { sewer } = simulation
    this.results = sewer && new SewerResults(dir, sewer, startS, intervalS, intervals.fromS)
    simulation.onSewerMoved = (dtS) => this.results?.observe(dtS)
    this.points = new PointSeries(dir, start.points, simulation.surface)
    this.maps = new HazardMaps(simulation.surface)
    this.balanceNames = BALANCE.filter((name) => simulation.measures || !name.startsWith('measures'))
    const lookS = Math.min(HAZARD_LOOK_S, intervalS)
    this.nextLookS = lookS
    simulation.onStep = (timeS) => {
      if (timeS < this.nextLookS - 1e-9) return
      this.maps.look(timeS, watch && ((depthM, speedMS) => watch.see(depthM, speedMS)))
      watch?.decide()
      this.nextLookS = timeS + lookS
    }
  }

  visit(state: StateVisitor): void {
    this.nextLookS = state.number('nextLookS', this.nextLookS)
    const names = this.balanceNames
    const figures = this.balances.flatMap((balance) => names.map((name) => balance[name] ?? 0))
    const kept = state.list('balances', Float64Array.from(figures))
    this.balances = Array.from({ length: kept.length / names.length }, (_, k) =>
      balanceOf(names, kept.subarray(k * names.length, (k + 1) * names.length)),
    )
    state.part('hazard', (own) => this.maps.visit(own))
    state.part('froude', (own) => this.watch?.visit(own))
    state.part('sewer', (own) => this.results?.visit(own))
  }

  /** How it stands when this part of the run begins. */
  begin(): void {
    const { fromS } = this.intervals
    this.points.add(fromS)
    const { surface } = this.simulation
    this.frames.add(fromS, surface.snapshot('depth'))
    this.velocities.add(fromS, this.velocities.take())
  }

  /** The interval `k`, at whose end the simulation stands. @throws NeedsFullScheme */
  add(k: number): void {
    const { simulation, flow, height, frames, velocities } = this
    const { flowsM3S, depthsM } = simulation.takeMeans()
    const { timeS } = simulation
    simulation.defer(() => flow.add(timeS, flowsM3S))
    simulation.defer(() => height.add(timeS, depthsM))
    simulation.defer(() => this.results?.add(timeS))
    this.points.add(timeS)
    const { perFrame, last, whole } = this.intervals
    const framed = k % perFrame === 0 || k === whole
    if (framed) this.balances.push(simulation.balance())
    if (!framed && k !== last) return
    const depthM = simulation.surface.snapshot('depth')
    const codes = velocities.take()
    simulation.defer(() => frames.add(timeS, depthM))
    simulation.defer(() => velocities.add(timeS, codes))
  }

  /** Ends what is written interval by interval. */
  finish(): void {
    this.simulation.settle()
    this.results?.finish()
  }

  close(): void {
    for (const file of [this.flow, this.height, this.frames, this.velocities, this.results, this.points])
      file?.close()
  }

  /** Writes the maps. @returns the balances of the run so far, the last one being that of now */
  writeMaps(): WaterBalance[] {
    const { dir, task, maps, balances } = this
    const { elevation, catchment } = task.catchment
    const { surface, timeS, measures } = this.simulation
    if (measures)
      writeFileSync(
        join(dir, OUTPUT.measures),
        measuresTable(placedMeasures(task), measures.volumes(), elevation),
      )
    const largest = { depthM: surface.snapshot('maxDepth'), speedMS: surface.snapshot('maxSpeed') }
    writeKeptField(dir, OUTPUT.maxDepth, elevation, largest.depthM, 4)
    writeKeptField(dir, OUTPUT.maxSpeed, elevation, largest.speedMS, 3)
    writeKeptField(dir, OUTPUT.maxDepthSpeed, elevation, surface.snapshot('maxDepthSpeed'), 4)
    writeField(dir, OUTPUT.finalDepth, elevation, surface.snapshot('depth'), 7)
    writeHazard(dir, elevation, catchment.crs, maps)
    writeExposure(dir, task.catchment, maps, largest)
    writeKeptField(dir, OUTPUT.infiltration, elevation, surface.snapshot('infiltrated'), 7)
    return balances.at(-1)?.timeS === timeS ? balances : [...balances, this.simulation.balance()]
  }
}

const balanceOf = (names: (keyof WaterBalance)[], figures: Float64Array): WaterBalance =>
  Object.fromEntries(names.map((name, k) => [name, figures[k]])) as unknown as WaterBalance
