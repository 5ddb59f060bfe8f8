import { depthCodes } from '@radx/hydrology/ensemble/spread'
import { type Rain, uniformRain } from '@radx/hydrology/rain/rain'
import type { Simulation } from '@radx/hydrology/simulation'
import { restoreState, type SavedState, saveState } from '@radx/hydrology/state/state'
import { assemble, type EngineTask } from '../run/assemble.ts'
import { chooseKernel, fullChoice } from '../run/kernel.ts'
import { checkEngine, kernelName } from '../run/resume.ts'
import { StateError } from '../state/errors.ts'
import { identityOf } from '../state/identity.ts'
import type { RunAbout, RunState } from '../state/run-state.ts'

/** What is computed again and again: everything but rain and time. It can go to a thread. */
export interface LiveSetup extends EngineTask {
  scheme: 'inertial' | 'full'
  /** Of the full scheme. */
  order?: 1 | 2
}

/** How far a member runs from its state, and how often it is looked at, s. */
export interface Horizon {
  untilS: number
  everyS: number
}

/** What a member does, at each of its moments. Elements stand in the order of the network. */
export interface MemberCourse {
  /** s since the start of the run; the state's own is not among them. */
  timesS: number[]
  /** Depth, whole mm by cell, 65535 outside the model. */
  depthsMm: Uint16Array[]
  /** Head of each node, m. */
  headsM: Float32Array[]
  /** Largest depth of each link over its full depth since the moment before; 0 for links without a section. */
  fillings: Float32Array[]
  /** What each node gave back to the surface since the moment before, m3. */
  overflowsM3: Float32Array[]
}

const NOTHING: SavedState = { numbers: new Map(), sections: [] }
const DRY = uniformRain([0], 1)

/**
 * One catchment's engine, put together once: states go in and out of it, of whatever moment, and nothing of one is left for
 * the next. It writes no files.
 */
export class LiveEngine {
  private readonly setup: LiveSetup
  private readonly simulation: Simulation
  private readonly about: Omit<RunAbout, 'timeS' | 'results'>
  private readonly initial: SavedState

  constructor(setup: LiveSetup) {
    const { scheme, order = 2, kernel, kernelFolder } = setup
    const { choice } =
      scheme === 'full' ? fullChoice({ kernel, kernelFolder }, order) : chooseKernel(1, kernel, kernelFolder)
    this.setup = setup
    this.simulation = assemble(setup, DRY, choice)
    this.about = {
      identity: identityOf(setup),
      engine: {
        kernels: kernelName(choice.kernel, kernelFolder),
        choice: scheme,
        scheme,
        ...(scheme === 'full' && { order }),
        schemeReason: 'choix du calcul.',
      },
    }
    this.initial = this.take()
  }

  /** The state before any rain. */
  start(): RunState {
    return { about: { ...this.about, timeS: 0 }, engine: this.initial, record: NOTHING }
  }

  /**
   * Goes on from a state to `untilS` with a rain whose times are since the start of the run; after its end it is dry.
   *
   * @throws StateError for a state of another run, scheme or kernel, or of a later moment
   */
  carryOn(state: RunState, rain: Rain, untilS: number): RunState {
    this.put(state, rain, untilS)
    this.simulation.advance(untilS)
    return { about: { ...this.about, timeS: this.simulation.timeS }, engine: this.take(), record: NOTHING }
  }

  /** Goes on from a state to the horizon and notes what it sees on the way. @throws as `carryOn` */
  member(state: RunState, rain: Rain, { untilS, everyS }: Horizon): MemberCourse {
    this.put(state, rain, untilS)
    const { simulation } = this
    const { sewer, surface } = simulation
    const course: MemberCourse = { timesS: [], depthsMm: [], headsM: [], fillings: [], overflowsM3: [] }
    const fillings = new Float32Array(sewer?.network.links.length ?? 0)
    const overflows = new Float64Array(sewer?.network.nodes.length ?? 0)
    simulation.onSewerMoved = () => {
      const { linkDepths, linkFullDepths, floodVolumes } = sewer!
      for (let k = 0; k < fillings.length; k++)
        if (linkFullDepths[k] > 0) fillings[k] = Math.max(fillings[k], linkDepths[k] / linkFullDepths[k])
      for (let k = 0; k < overflows.length; k++) overflows[k] += floodVolumes[k]
    }
    const fromS = simulation.timeS
    try {
      for (let k = 1; simulation.timeS < untilS; k++) {
        simulation.advance(Math.min(untilS, fromS + k * everyS))
        course.timesS.push(simulation.timeS)
        course.depthsMm.push(depthCodes(surface.snapshot('depth')))
        course.headsM.push(Float32Array.from(sewer?.heads ?? []))
        course.fillings.push(fillings.slice())
        course.overflowsM3.push(Float32Array.from(overflows))
        fillings.fill(0)
        overflows.fill(0)
      }
    } finally {
      simulation.onSewerMoved = undefined
    }
    return course
  }

  /** Depths of a state, whole mm by cell, 65535 outside the model. @throws as `carryOn` */
  depths(state: RunState): Uint16Array {
    this.put(state, DRY, state.about.timeS)
    return depthCodes(this.simulation.surface.snapshot('depth'))
  }

  dispose(): void {
    this.simulation.surface.dispose()
  }

  private take(): SavedState {
    return saveState((state) => this.simulation.visit(state))
  }

  private put(state: RunState, rain: Rain, untilS: number): void {
    const { identity, engine } = this.about
    checkEngine(state.about, { identity, kernels: engine.kernels }, this.setup)
    if (!(untilS >= state.about.timeS))
      throw new StateError(
        'state.moment',
        `L’état est à ${state.about.timeS} s, après l’instant demandé (${untilS} s).`,
      )
    restoreState((visitor) => this.simulation.visit(visitor), state.engine)
    this.simulation.follow(rain)
  }
}
