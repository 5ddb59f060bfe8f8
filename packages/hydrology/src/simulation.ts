import type { WaterBalance } from './balance/balance.ts'
import { waterBalance } from './balance/balance.ts'
import type { CouplingOptions } from './coupling/coupling.ts'
import { Coupling } from './coupling/coupling.ts'
import type { SurfaceMeasures } from './measures/measures.ts'
import type { Rain } from './rain/rain.ts'
import type { Sewer } from './sewer/types.ts'
import { beginState, type SavedState, type Stateful, type StateVisitor } from './state/state.ts'
import type { Surface } from './surface/surface.ts'

export interface SimulationParts {
  surface: Surface
  rain: Rain
  sewer?: { sewer: Sewer; coupling: CouplingOptions }
  measures?: SurfaceMeasures
}

/** Means over the time since the last `takeMeans`. Arrays in the order of the network. */
export interface SewerMeans {
  /** m3/s a link. */
  flowsM3S: Float64Array
  /** m a node. */
  depthsM: Float64Array
}

const TIME_EPSILON_S = 1e-9

/** What a state counts, and what a run that begins with its water counts anew. */
const COUNTED =
  /^(clock\.|surface\.(timeS|rainDepthSum|addedDepthSum|initialSum|boundaries\.|drains\.totalM3|kernel\.max)|sewer\.(timeS|steps|rejectedSteps|newton\.|refinement\.|controls\.|ledger\.(?!arriving))|coupling\.(givenBackM3|pouredM3)|measures\.counts)/
const OF_MEASURES = 'measures.'

/** Rain, surface and sewer on one clock. */
export class Simulation implements Stateful {
  timeS = 0
  steps = 0
  readonly surface: Surface
  readonly sewer?: Sewer
  readonly coupling?: Coupling
  readonly measures?: SurfaceMeasures
  /** Called after each move of the sewer with the time that it took, s. */
  onSewerMoved?: (dtS: number) => void
  /** Called after each step of the surface. */
  onStep?(timeS: number): void
  private rain: Rain
  private piece = -1
  private readonly flowSums: Float64Array
  private readonly depthSums: Float64Array
  private sumsFromS = 0
  private readonly deferred: (() => void)[] = []
  /** Length of a finished move that means and listeners have yet to see, s. */
  private unseenS = 0
  /** Takes what drains of measures bring to a node of the sewer. */
  private readonly pour?: (node: number, volumeM3: number) => void

  constructor({ surface, rain, sewer, measures }: SimulationParts) {
    this.surface = surface
    this.rain = rain
    this.sewer = sewer?.sewer
    this.measures = measures
    this.coupling = sewer && new Coupling(surface, sewer.sewer, sewer.coupling)
    if (measures && sewer?.coupling.takes) {
      this.coupling!.takePours()
      this.pour = (node, volumeM3) => this.coupling!.pour(node, volumeM3)
    }
    this.flowSums = new Float64Array(this.sewer?.network.links.length ?? 0)
    this.depthSums = new Float64Array(this.sewer?.network.nodes.length ?? 0)
  }

  /** Another rain from now on; its times too are since the start. */
  follow(rain: Rain): void {
    this.rain = rain
    this.piece = -1
  }

  /** Runs until `toS`, which may not lie before now; surface and sewer then stand at the same time. */
  advance(toS: number): void {
    while (this.timeS < toS - TIME_EPSILON_S) {
      const stopS = Math.min(toS, this.enterRain())
      this.advanceSteady(stopS)
    }
    this.timeS = Math.max(this.timeS, toS)
    this.finishMove()
    this.coupling?.begin()
    this.finishMove()
    while (this.work());
  }

  /**
   * Work that may wait until the surface's next step runs on other threads, such as writing what the sewer shows now:
   * that stays until then, the surface does not. Done by the end of the next `advance` or `settle`.
   */
  defer(work: () => void): void {
    this.deferred.push(work)
  }

  /** Does what was deferred. */
  settle(): void {
    while (this.work());
  }

  /** Sets the rate of the piece that begins or goes on now; answers when it ends, s. */
  private enterRain(): number {
    const { edgesS } = this.rain
    const last = edgesS.length - 2
    let piece = Math.max(this.piece, 0)
    while (piece <= last && edgesS[piece + 1] <= this.timeS + TIME_EPSILON_S) piece++
    if (piece > last) {
      if (this.piece !== piece) this.setRain(0)
      this.piece = piece
      return Number.POSITIVE_INFINITY
    }
    if (piece !== this.piece) this.setRain(this.rain.rateMS(piece))
    this.piece = piece
    return edgesS[piece + 1]
  }

  private setRain(rateMS: number | ArrayLike<number>): void {
    this.surface.setRain(this.measures ? this.measures.under(rateMS) : rateMS)
  }

  /** Steps of equal length up to `stopS`, chosen anew after each: depths change. */
  private advanceSteady(stopS: number): void {
    while (this.timeS < stopS - TIME_EPSILON_S) {
      const left = stopS - this.timeS
      const count = Math.ceil(left / this.surface.stableStepS() - TIME_EPSILON_S)
      const dt = left / Math.max(1, count)
      this.surface.step(dt, this.work, this.coupling && this.exchange)
      this.measures?.step(dt, this.timeS, this.pour)
      this.timeS += dt
      this.steps++
      this.onStep?.(this.timeS)
    }
    this.timeS = stopS
  }

  /** Before each part of the surface's step: the sewer begins its next move when it is due. */
  private readonly exchange = (partS: number): void => {
    // The sewer is implicit: it moves once while the surface takes several short steps.
    if (this.coupling!.pendingS + partS > this.sewer!.nextStepS + TIME_EPSILON_S) {
      this.finishMove()
      this.coupling!.begin()
    }
    this.coupling!.pass(partS)
  }

  /** A part of what is to be done beside the surface; whether more may be left. Order matters, not the moment. */
  private readonly work = (): boolean => {
    const next = this.deferred.shift()
    if (next) next()
    else if (this.unseenS > 0) this.showMove()
    else return this.coupling?.work() ?? false
    return true
  }

  private finishMove(): void {
    while (this.work());
    this.unseenS = this.coupling?.finish() ?? 0
  }

  /** Before the sewer's next move begins to change what it shows. */
  private showMove(): void {
    const movedS = this.unseenS
    this.unseenS = 0
    this.addToMeans(movedS)
    this.onSewerMoved?.(movedS)
  }

  private addToMeans(dt: number): void {
    const { flowSums, depthSums } = this
    const { flows, depths } = this.sewer!
    for (let k = 0; k < flowSums.length; k++) flowSums[k] += flows[k] * dt
    for (let k = 0; k < depthSums.length; k++) depthSums[k] += depths[k] * dt
  }

  /** Means of flows and depths since the last call. */
  takeMeans(): SewerMeans {
    const lasted = Math.max(this.timeS - this.sumsFromS, TIME_EPSILON_S)
    const means = {
      flowsM3S: this.flowSums.map((sum) => sum / lasted),
      depthsM: this.depthSums.map((sum) => sum / lasted),
    }
    this.flowSums.fill(0)
    this.depthSums.fill(0)
    this.sumsFromS = this.timeS
    return means
  }

  /**
   * Everything that the next `advance` hangs on, but for the rain: of that a state keeps the moment. To be called between
   * two calls of `advance`, and with nothing deferred.
   */
  visit(state: StateVisitor): void {
    if (this.deferred.length > 0 || this.unseenS > 0) throw new RangeError('a state between two steps')
    state.part('clock', (own) => {
      this.timeS = own.number('timeS', this.timeS)
      this.steps = own.number('steps', this.steps)
      this.sumsFromS = own.number('sumsFromS', this.sumsFromS)
      own.array('flowSums', this.flowSums)
      own.array('depthSums', this.depthSums)
      // The rain that holds now is set anew.
      this.piece = -1
    })
    state.part('surface', (own) => this.surface.visit(own))
    if (this.measures) state.part('measures', (own) => this.measures!.visit(own))
    if (!this.sewer) return
    state.part('sewer', (own) => this.sewer!.visit(own))
    state.part('coupling', (own) => this.coupling!.visit(own))
  }

  /**
   * Begins, at 0 s, with the water of another run's state: depths, flows, heads, soil and what ground has intercepted. Counts,
   * maxima, balances and the clock are this run's own, and so may its land use be; rules and settings of the network too.
   * Measures begin with the state's water where it is of the same ones, else as they were designed.
   *
   * @throws HydrologyError `state.layout` for the state of another grid or network
   */
  begin(saved: SavedState): void {
    const kept = saved.sections.find(({ name }) => name === `${OF_MEASURES}cells`)
    const same = this.measures?.standOn(kept?.values) ?? false
    beginState((state) => this.visit(state), saved, {
      leaves: (name) => COUNTED.test(name) || (!same && name.startsWith(OF_MEASURES)),
      bounds: (name) => name === 'surface.kernel.interception',
    })
    this.surface.countAnew()
    this.measures?.countAnew()
    this.sewer?.countAnew()
  }

  balance(): WaterBalance {
    const coupled = this.sewer && {
      sewer: this.sewer,
      takenM3: this.coupling!.takenM3 + this.coupling!.pouredM3,
    }
    return waterBalance(this.timeS, this.surface, coupled, this.measures?.totals())
  }
}
