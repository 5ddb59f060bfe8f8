import type { Stateful } from '../state/state.ts'
import type { DrainState, PlacedDrain } from './drains.ts'
import type { KernelEdge } from './full/water.ts'

/** A square grid of cells. Arrays are `[row * ncols + col]`, row 0 north. */
export interface SurfaceGrid {
  nrows: number
  ncols: number
  cellSizeM: number
  /** Bed elevation, m. NaN outside the model. */
  elevationM: Float64Array
}

/** What the surface needs to know of its cells; every array is `[row * ncols + col]`. */
export interface SurfaceParams {
  /** Manning's n, s/m^(1/3), above 0. */
  manning: Float64Array
  /** Depth that canopy and hollows keep before rain reaches the ground, m. Default: none. */
  interceptionM?: Float64Array
  /** Green-Ampt soil; leave out to switch infiltration off. */
  soil?: SoilParams
  /** 1 where open water takes rain and inflow out of the grid. */
  permanentWater?: Uint8Array
  /**
   * What happens at the edge of the model (grid border and cells beside NaN): `closed` is a wall, `open` lets
   * water leave at normal depth where the bed falls towards the edge (taken as at least `MIN_EDGE_SLOPE`); where
   * it is level or rises, the edge stays a wall.
   */
  edges: 'open' | 'closed'
  /** Faces of the edge at which a boundary says what happens: cell and side (0 east, 1 west, 2 south, 3 north). */
  bounded?: readonly { cell: number; side: number }[]
  /** Faces between two cells that walls and breaklines raise; of a face given twice the higher crest holds. */
  raised?: readonly RaisedFace[]
}

/** A face raised to a crest. */
export interface RaisedFace {
  cell: number
  /** The face to the east or to the south of the cell. */
  side: 'east' | 'south'
  /** Water crosses above it only, m; one no higher than both beds changes nothing. */
  crestM: number
}

export interface SoilParams {
  /** Saturated hydraulic conductivity, m/s; 0 lets nothing in. */
  khMS: Float64Array
  /** Capillary head at the wetting front, m. */
  capshM: Float64Array
  /** Moisture deficit, m3/m3. */
  soilmd: Float64Array
}

export interface SurfaceOptions {
  /** Share of the CFL limit dx / sqrt(g h) used for the time step. Default 0.7 (Bates et al. 2010). */
  cfl?: number
  /**
   * Largest step in heavy rain, s; in light rain up to `LIGHT_RAIN_STEP_RATIO`, without rain `DRY_STEP_RATIO` times as
   * long. Default 5.
   */
  maxStepS?: number
  /** Flow depth under which a face carries nothing, m. Default 2e-4. */
  dryDepthM?: number
  /** Largest Froude number at a face; Infinity switches the limiter off. Default 1.5. */
  froudeLimit?: number
  /**
   * How often a step may be halved where waves are fast, at most `MOST_HALVINGS`; 0 takes the same step everywhere,
   * as on cells of less than 4 m.
   * Default 2.
   */
  halvings?: number
}

export const MOST_HALVINGS = 2

export const SURFACE_DEFAULTS: Required<SurfaceOptions> = {
  cfl: 0.7,
  maxStepS: 5,
  dryDepthM: 2e-4,
  froudeLimit: 1.5,
  halvings: MOST_HALVINGS,
}

/** Without rain films do not rise out of nothing: steps may be this much longer, if waves allow. */
export const DRY_STEP_RATIO = 3
/** In light rain up to this much longer, as long as a step brings no more than `LIGHT_RAIN_M`, m. */
export const LIGHT_RAIN_STEP_RATIO = 2
export const LIGHT_RAIN_M = 5e-5

/**
 * A cell that gives to two neighbours empties as fast as both together; so much of that counts as a speed in the
 * kinematic limit. Films move too little water to count.
 */
export const SPREAD_SHARE = 0.9
export const SPREAD_FROM_M = 0.01

/** Smallest slope used for normal-depth outflow at an open edge. */
export const MIN_EDGE_SLOPE = 1e-3

/** What a further thread of the kernel needs. */
export interface ThreadMessage {
  module: WebAssembly.Module
  memory: WebAssembly.Memory
  threads: number
}

export interface ThreadSpawner {
  /** Total number of threads, the caller's own included. */
  count: number
  /** Starts a thread that calls `runSurfaceThread(message)`; `stop` frees it once its loop was told to end. */
  spawn(message: ThreadMessage): { stop(): void }
}

/** Local inertia, or the full equations (shocks, flow faster than its waves). */
export type Scheme = 'inertial' | 'full'

export interface KernelChoice {
  /** Default: inertial. */
  scheme?: Scheme
  /** Of the full scheme in space and time. Default: 2. */
  order?: 1 | 2
  kernel: 'reference' | 'simd'
  /** Bytes of `surface.wasm` or, for the full scheme, `full.wasm`; of `*-threads.wasm` when threads are asked for. */
  wasm?: BufferSource
  threads?: ThreadSpawner
}

/**
 * Padded arrays on which both kernels work. Cell (row, col) sits at `(row + TOP) * stride + col + LEFT`; a ring of
 * ghost cells surrounds the grid. Cells that are not `live` (ghosts, NaN, permanent water) hold in `depth` the
 * water that has gone out there, and act on their neighbours as dry.
 */
export interface KernelFields {
  /** Water depth, m. */
  depth: Field<Float64Array>
  /** Rain rate, m/s. */
  rain: Field<Float64Array>
  /** Interception still free, m. */
  interception: Field<Float64Array>
  /** Cumulative infiltration, m. */
  infiltrated: Field<Float64Array>
  /** Unit discharge through the east face, m2/s, positive to the east. */
  qx: Field
  /** Unit discharge through the south face, m2/s, positive to the south. */
  qy: Field
  /** Largest depth, speed and depth x speed since the start: m, m/s, m2/s. */
  maxDepth: Field
  maxSpeed: Field
  maxDepthSpeed: Field
}

/** Values of padded cells in quads of four: cell i is at `slotOf(field, i)`. */
export interface Field<T extends Float32Array | Float64Array = Float32Array | Float64Array> {
  values: T
  /** Values from one quad to the next; 4 when nothing lies between. */
  quad: number
}

export function slotOf(field: Field, i: number): number {
  return (i >> 2) * field.quad + (i & 3)
}

/** How a step is taken. */
export interface StepChoice {
  raining: boolean
  intercepting: boolean
  /** Also update the largest speeds. */
  sample: boolean
  /** Where waves are fast the step is taken in 2 to 2^halvings parts. */
  halvings: number
  /** The next step will not be longer than this, s: what the step finds fast is judged by it. */
  watchS: number
}

/**
 * A quad takes a step whole, in halves or in quarters, as its waves ask for and those of the quads beside it: see
 * `levels.ts`.
 */
export interface Kernel extends Stateful {
  fields: KernelFields
  /**
   * Advances by `dtS`, at most the last step's `watchS`. `meanwhile`: see `Surface.step`; `beforePart` is called before
   * each part with its number.
   */
  step(dtS: number, choice: StepChoice, meanwhile?: () => boolean, beforePart?: (part: number) => void): void
  /**
   * From now on these drains take water in each part of a step after `beforePart`, but for what discharges that hold
   * longer than their cell's part will still take from it. In the order of their cells, all of them live.
   */
  placeDrains(drains: readonly PlacedDrain[], outlets: number): DrainState
  /** To be called after rain was changed. */
  rainChanged(): void
  /** Largest depth of a live cell at the end of a part of the last step, m. */
  largestDepth(): number
  /**
   * What the kinematic limit goes by, m/s: the largest speed at a face in the last step, or the largest outflow of a
   * cell deeper than `SPREAD_FROM_M` over its depth times `SPREAD_SHARE`, if that is more; each times its pace (see
   * `Layout`). May be anything slower where a step of `watchS` is short enough for all.
   */
  largestSpeed(): number
  /** To be called after the depth of a padded cell was changed from outside; `beforeM` is what it was, m. */
  touch(index: number, beforeM?: number): void
  /** The longest stable step and the padded cell that bounds it; without it both follow from depth and speed. */
  stableStepS?(): { seconds: number; index: number }
  /** Speed of the water in a padded cell, m/s; without it it follows from discharges through faces. */
  velocity?(index: number): { eastMS: number; southMS: number }
  setVelocity?(index: number, eastMS: number, southMS: number): void
  /** From now on the model's edge is these faces and walls elsewhere; the caller keeps what is known at them up to date. */
  placeEdges?(edges: KernelEdge[]): void
  dispose(): void
}
