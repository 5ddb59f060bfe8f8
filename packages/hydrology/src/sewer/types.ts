import type { SewerNetwork } from '@radx/contracts'
import type { Stateful } from '../state/state.ts'

export interface SewerSolverOptions {
  /**
   * Coupled to a surface: flooded water is handed out by node (`floodVolumes`) instead of being lost or
   * ponded, and `surfaceLevels` and `openingAreas` say when and how fast it leaves. Default false.
   */
  coupled?: boolean
  /**
   * `implicit`: steps of seconds that heads are solved for; `explicit`: EPA SWMM's own trials and steps, for results beside its own. Coupled: always
   * implicit. Default implicit.
   */
  scheme?: 'implicit' | 'explicit'
  /** Longest internal step, s. Default 5, up to 20 while heads hardly bend (10 where pumps or rules switch; coupled not then). */
  maxStepS?: number
  /**
   * Conduits from this length on also store by the depth in their middle, m. Default 0, as in EPA SWMM; coupled 200, which
   * takes half as long.
   */
  middleDepthFromM?: number
  /** Bytes of the scheme's compiled loops; without them TypeScript takes their place, with the same bits. */
  wasm?: BufferSource
}

/** Volumes since the start, m3. `stored - initial = inflow - outfall - flooded - loss + error`. */
export interface SewerTotals {
  /** In nodes and pipes at the start. */
  initial: number
  /** In nodes and pipes now (ponded water included). */
  stored: number
  /** Everything that was put in: inflows of the network and the `lateralVolumeM3` of all steps. */
  inflow: number
  /** Net volume out through outfalls (backflow counts negative). */
  outfall: number
  /** Explicit scheme: what came in through outfalls, which `outfall` counts negative. */
  backflow?: number
  /** Gone out of flooded nodes; in coupled mode the surface has it. */
  flooded: number
  /** Seepage and evaporation. */
  loss: number
  /** Explicit scheme: of `loss`, what evaporated. */
  evaporation?: number
  /** What the balance lacks: rounding only. */
  error: number
}

/**
 * The 1D sewer. Arrays are live views of the state, in the order of `network.nodes` and `network.links`;
 * they keep their identity over steps.
 */
export interface Sewer extends Stateful {
  readonly network: SewerNetwork
  /** -1 when there is no such name. Case matters, as in the file. */
  nodeIndex(name: string): number
  linkIndex(name: string): number

  /** Seconds since the start. */
  readonly timeS: number
  /** Hydraulic head of a node, m (absolute). */
  readonly heads: Float64Array
  /** Head above the invert, m; never negative. */
  readonly depths: Float64Array
  /** Water in and about the node, m3 (half of each pipe included). */
  readonly volumes: Float64Array
  /** Flow of a link, mean over the last `step`, m3/s, positive from `from` to `to`. All barrels. */
  readonly flows: Float64Array
  /** Depth of a link at its middle, m, and velocity m/s, at the end of the last step; worked out when asked for. */
  readonly linkDepths: Float64Array
  readonly velocities: Float64Array

  /** Setting of a link, 0 shut or off to 1; conduits and what no rule ever moves stay at 1. */
  readonly settings: Float64Array

  /** Full depth of a link's section, m; 0 for links without one. */
  readonly linkFullDepths: Float64Array
  /** Elevation of a link's crown at its two ends, m: `[2 * link]` at `from`, `[2 * link + 1]` at `to`. */
  readonly crowns: Float64Array

  /** Rim of a node, m (absolute): ground level where the file says nothing else. */
  readonly groundElevations: Float64Array
  readonly invertElevations: Float64Array

  /**
   * Coupled mode, written by the surface before a step. Level (m, absolute) that the head must pass before
   * the node gives water out; default the rim (plus its surcharge depth). Infinity closes the node for good.
   * Between rim and this level the water stands in the shaft.
   */
  readonly surfaceLevels: Float64Array
  /**
   * Coupled mode, written by the surface. Opening (m2) through which a surcharged node gives out, with
   * Q = 0.6 area sqrt(2 g (head - level)) taken implicitly. Default Infinity: what is above leaves within the step.
   */
  readonly openingAreas: Float64Array
  /** Volume that left each node to the surface during the last `step`, m3, >= 0. Outfalls: 0. */
  readonly floodVolumes: Float64Array
  /** Volume that entered each node from outside during the last `step`, m3 (the file's inflows included). */
  readonly lateralVolumes: Float64Array
  /** Volume that left each outfall during the last `step`, m3 (negative: backflow). Other nodes: 0. */
  readonly outfallVolumes: Float64Array

  /**
   * Advances exactly `dtS` seconds, in shorter steps where needed.
   * @param dtS seconds, > 0
   * @param lateralVolumeM3 [node] volume that enters during the step, >= 0, spread evenly over it. Omit for none.
   *   What is given to an outfall leaves through it.
   * @throws SewerStepError when balances are off beyond measure in the shortest step (with node and time)
   */
  step(dtS: number, lateralVolumeM3?: Float64Array): void

  /**
   * The same in parts: after `begin` each `proceed` makes one internal step and says whether more are left; `end`
   * makes those that are. Until `end` heads, depths, volumes, flows of links and `nextStepS` stay what they were;
   * volumes of the step (flood, lateral, outfall), link depths and velocities until the first `proceed`.
   * `lateralVolumeM3` must not change before `end`. `show`, between internal steps, shows the state as it is then; flows and
   * volumes of the step are then those since it was shown last. `show` and `end` answer how long that was, s.
   */
  /**
   * @param rateM3S [node] rate of what enters at the step's beginning: it then goes along a line that brings the volume. The implicit
   *   scheme spreads it evenly all the same.
   */
  begin(dtS: number, lateralVolumeM3?: Float64Array, rateM3S?: Float64Array): void
  proceed(): boolean
  show(): number
  end(): number

  /** What fills peaks and statistics, where it is compiled; without it TypeScript does, with the same bits. */
  readonly observers?: SewerObservers

  totals(): SewerTotals
  /** Water that is there now is what this run begins with; totals count from here. */
  countAnew(): void
  /** Sets a link from now on: pumps 0 or a speed, orifices, weirs and outlets 0 to 1, conduits 0 (shut) or 1. Rules may set it again. */
  force(link: number, setting: number): void
  /**
   * Explicit scheme: water that the heads stand for less what the balance says is stored, m3 (EPA SWMM's continuity error). The implicit
   * one's heads are those of its volumes.
   */
  drift?(): number
  /** How long the next `step` may be without being divided, s. */
  readonly nextStepS: number
  /** How long an internal step may be at most, s. */
  readonly longestStepS: number
  /** Flows are means over what was shown of at least this long, s; 0: each internal step's end counts, as in EPA SWMM. */
  readonly peaksOverS: number
  /** Internal steps made so far, and those thrown away. */
  readonly steps: number
  readonly rejectedSteps: number
  /**
   * So far: looks at all balances of the network, steps in which Newton's method did not settle, and those shortest steps that
   * were taken although it did not. Water is balanced all the same; heads there are approximate.
   */
  readonly counts: {
    readonly evaluations: number
    readonly nestedFailed: number
    readonly unsettled: number
  }
}

/** Where arrays of zeros come from: the heap, or a kernel's own memory. */
export interface Room {
  f64(count: number): Float64Array
  i32(count: number): Int32Array
  u8(count: number): Uint8Array
}

/** Arrays that `createPeaks` keeps and a compiled loop can fill. */
export type PeakArray =
  | 'from'
  | 'to'
  | 'fullDepth'
  | 'crowns'
  | 'maxAbsFlow'
  | 'flowTimeS'
  | 'maxVelocity'
  | 'maxFullDepthRatio'
  | 'deepest'
  | 'passed'
  | 'surchargedS'
  | 'maxDepth'
  | 'maxHead'
  | 'depthTimeS'
  | 'maxInflow'
  | 'flooded'
  | 'left'
  | 'arriving'

/** The same of `createStatistics`. */
export type StatisticArray =
  | 'from'
  | 'to'
  | 'fullDepth'
  | 'crowns'
  | 'fullS'
  | 'fullUpS'
  | 'fullDownS'
  | 'dryS'
  | 'arriving'
  | 'leaving'
  | 'crown'
  | 'maxLateral'
  | 'lateralVolume'
  | 'inflowVolume'
  | 'maxInflow'
  | 'inflowTimeS'
  | 'surchargedS'
  | 'floodedS'
  | 'maxFlooding'
  | 'floodTimeS'

/** Compiled loops that take in what a sewer shows, each for the first who asks; null for others. */
export interface SewerObservers {
  peaks(): Observer<PeakArray> | null
  statistics(): Observer<StatisticArray> | null
}
export type Observed = Float64Array | Int32Array
export interface Observer<N extends string> {
  /** Where the arrays must lie. */
  room: Room
  /** @returns the loop, called with how long what is shown was, s */
  bind(arrays: Record<N, Observed>): (dtS: number) => void
}

export type CreateSewer = (network: SewerNetwork, options?: SewerSolverOptions) => Sewer
