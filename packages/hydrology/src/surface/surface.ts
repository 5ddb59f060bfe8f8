import { HydrologyError } from '../errors.ts'
import type { Stateful, StateVisitor } from '../state/state.ts'
import type { Boundary, BoundaryVolume } from './boundaries.ts'
import { Boundaries } from './boundaries.ts'
import { checkSurface } from './check.ts'
import { Crests } from './crests.ts'
import { DeepCells } from './deep-cells.ts'
import type { Drain } from './drains.ts'
import { Drained } from './drains.ts'
import { createFullKernel } from './full/kernel.ts'
import type { Layout } from './layout.ts'
import { createLayout, LEFT, paddedIndex, TOP } from './layout.ts'
import { createReferenceKernel } from './reference.ts'
import { createSimdKernel } from './simd.ts'
import { StepLength } from './step-length.ts'
import type { Field, Kernel, KernelChoice, SurfaceGrid, SurfaceOptions, SurfaceParams } from './types.ts'
import { SURFACE_DEFAULTS, slotOf } from './types.ts'

/** Where the water of the surface is, m3. */
export interface SurfaceVolumes {
  rainM3: number
  interceptedM3: number
  infiltratedM3: number
  surfaceM3: number
  waterM3: number
  edgeOutM3: number
  /** Net volume put in by `addVolume` and `setDepth` since the start. */
  addedM3: number
  /** There at the start. */
  initialM3: number
  /** Net volume in through boundaries. */
  boundaryInM3: number
}

const NOTHING_BEFORE = { interceptedM3: 0, infiltratedM3: 0, waterM3: 0, edgeOutM3: 0 }

/** A step over the size of a cell under which something is wrong, s/m: waves of 1000 m/s. */
const SHORTEST_STEP = 1e-3

/** Simulated time between two looks at speeds, s. */
export const SPEED_SAMPLE_S = 10

/** Water on a grid. Cells are `row * ncols + col`, row 0 north. */
export class Surface implements Stateful {
  readonly grid: SurfaceGrid
  readonly activeCells: number
  private readonly layout: Layout
  private readonly kernel: Kernel
  private readonly area: number
  /** Padded index of every cell of the grid. */
  private readonly padded: Int32Array
  private readonly interceptionStart: number
  private readonly insideCells: Int32Array
  /** Cells of the model that are not permanent water, and their padded indices. */
  private readonly liveInside: { cells: Int32Array; indices: Int32Array }
  private readonly water: Int32Array
  /** Padded cells beside the model, which collect what leaves at open edges. */
  private readonly outside: Int32Array
  private uniformRate = Number.NaN
  private rateSum = 0
  private rainDepthSum = 0
  private addedDepthSum = 0
  private raining = false
  private intercepting: boolean
  private sinceSample = 0
  private readonly lengths: StepLength
  private drained?: Drained
  private boundaries: Boundaries
  /** Of local inertia; the full equations have them in their faces. */
  private readonly crests: Crests | null
  /** Time since the start, for boundaries, s. */
  private timeS = 0
  private initialSum = 0
  /** What had happened to the water that this run began with, m3. */
  private before = NOTHING_BEFORE

  constructor(grid: SurfaceGrid, layout: Layout, kernel: Kernel) {
    this.grid = grid
    this.layout = layout
    this.kernel = kernel
    this.area = grid.cellSizeM ** 2
    this.lengths = new StepLength(layout, kernel)
    this.padded = new Int32Array(grid.elevationM.length).map((_, cell) => paddedIndex(layout, cell))
    this.insideCells = this.padded
      .map((_, cell) => (Number.isNaN(grid.elevationM[cell]) ? -1 : cell))
      .filter((cell) => cell >= 0)
    const inside = this.insideCells.map((cell) => this.padded[cell])
    this.water = inside.filter((i) => !layout.live[i])
    const cells = this.insideCells.filter((cell) => layout.live[this.padded[cell]])
    this.liveInside = { cells, indices: cells.map((cell) => this.padded[cell]) }
    this.outside = neighboursOutside(layout, inside)
    this.activeCells = inside.length
    this.interceptionStart = sumAt(layout.interception, layout.liveCells)
    this.intercepting = this.interceptionStart > 0
    this.boundaries = this.placeBoundaries([])
    this.crests = kernel.setVelocity
      ? null
      : new Crests(layout, kernel, (i, change) => this.changeDepth(i, change))
  }

  /**
   * What holds at the edges of the model and at cells within from now on, before the first step; elsewhere edges are as
   * the parameters say.
   *
   * @throws HydrologyError `surface.boundary` for one that touches no cell where water can be
   */
  setBoundaries(boundaries: readonly Boundary[]): void {
    this.boundaries = this.placeBoundaries(boundaries)
  }

  private placeBoundaries(boundaries: readonly Boundary[]): Boundaries {
    return new Boundaries(this.layout, this.kernel, boundaries, (i, change) => this.changeDepth(i, change))
  }

  /**
   * Water at the start, before the first step. Arrays are `[row * ncols + col]`; NaN is no water, and no speed.
   *
   * @param depthM depth, m
   * @param eastMS speed to the east, m/s; `northMS` to the north
   */
  setInitial(depthM: ArrayLike<number>, eastMS?: ArrayLike<number>, northMS?: ArrayLike<number>): void {
    const known = (values: ArrayLike<number> | undefined, cell: number) => values?.[cell] || 0
    let sum = 0
    for (const cell of this.insideCells) {
      const i = this.padded[cell]
      if (this.layout.live[i]) sum += this.changeDepth(i, known(depthM, cell))
    }
    this.initialSum += sum
    for (const cell of this.insideCells) {
      const east = known(eastMS, cell)
      const south = -known(northMS, cell)
      if (east !== 0 || south !== 0) this.setVelocity(this.padded[cell], east, south)
    }
  }

  /** Local inertia knows discharges through faces only: those east and south of the cell get its speed. */
  private setVelocity(i: number, eastMS: number, southMS: number): void {
    const { kernel } = this
    if (kernel.setVelocity) {
      kernel.setVelocity(i, eastMS, southMS)
      return
    }
    const { qx, qy, depth } = kernel.fields
    const h = depth.values[slotOf(depth, i)]
    qx.values[slotOf(qx, i)] = h * eastMS
    qy.values[slotOf(qy, i)] = h * southMS
  }

  /**
   * The longest stable part of a step, s: a share of dx / sqrt(g h) for gravity waves in the deepest cell (Bates et al.
   * 2010, eq. 14), and dx / (5/3 u) for the kinematic waves of shallow, fast flow down steep streets. Infinity on dry
   * ground, and at least as long as the next step where none of its parts need be shorter.
   */
  waveStepS(): number {
    return this.lengths.waveS()
  }

  /** The longest step, s; it is taken in parts where waves are fast. */
  stableStepS(): number {
    const stable = this.lengths.stableS()
    if (!(stable > SHORTEST_STEP * this.grid.cellSizeM)) this.refuseStep(stable)
    return stable
  }

  /** @throws HydrologyError `surface.step`, with the cell that asks for so short a step */
  private refuseStep(stepS: number): never {
    const { stride } = this.layout
    const { ncols } = this.grid
    // A run-away is the fastest water there is.
    const speedOf = (cell: number) => {
      const { eastMS, northMS } = this.velocity(cell)
      return Math.hypot(eastMS, northMS)
    }
    const fastest = () =>
      this.insideCells.reduce((most, cell) => (speedOf(cell) > speedOf(most) ? cell : most))
    const i = this.kernel.stableStepS?.().index ?? this.padded[fastest()]
    const row = Math.floor(i / stride) - TOP
    const col = (i % stride) - LEFT
    const cell = row * ncols + col
    throw new HydrologyError(
      'surface.step',
      `Le pas de calcul tombe à ${stepS.toExponential(1)} s à cause d’une maille : ligne ${row + 1} de la grille, colonne ${col + 1}, hauteur d’eau ${this.depthM(cell).toPrecision(3)} m, vitesse ${speedOf(cell).toPrecision(3)} m/s. Vérifier l’altitude de cette maille et de ses voisines, et ce qui y entre${this.kernel.stableStepS ? '' : ' ; l’eau très rapide demande --scheme full'}.`,
      { details: { row, col } },
    )
  }

  /** Rain from now on: one rate for all, or one a cell, m/s. */
  setRain(rateMS: number | ArrayLike<number>): void {
    if (rateMS === this.uniformRate) return
    this.uniformRate = typeof rateMS === 'number' ? rateMS : Number.NaN
    const { padded, insideCells } = this
    const rain = this.kernel.fields.rain
    this.rateSum = 0
    let heaviest = 0
    for (let k = 0; k < insideCells.length; k++) {
      const cell = insideCells[k]
      const rate = typeof rateMS === 'number' ? rateMS : rateMS[cell]
      rain.values[slotOf(rain, padded[cell])] = rate
      this.rateSum += rate
      if (rate > heaviest) heaviest = rate
    }
    this.kernel.rainChanged()
    this.raining = this.rateSum > 0
    this.lengths.setRain(heaviest)
    if (this.intercepting && this.raining) {
      const { interception } = this.kernel.fields
      this.intercepting = this.layout.liveCells.some((i) => interception.values[slotOf(interception, i)] > 0)
    }
  }

  /**
   * Advances by `dtS`, which must not exceed `stableStepS()`.
   * @param meanwhile called while other threads compute, again as long as it answers true; it must leave the surface
   *   alone. A kernel that computes on this thread may call it as often as it likes, or not at all.
   * @param beforePart called before each part of the step with its length, s; it may add and take water. What drains took
   *   in the last part is known then, and their heads may change.
   */
  step(dtS: number, meanwhile?: () => boolean, beforePart?: (partS: number) => void): void {
    this.sinceSample += dtS
    const sample = this.sinceSample >= SPEED_SAMPLE_S
    if (sample) this.sinceSample = 0
    const { raining, intercepting } = this
    const { halvings, watchS } = this.lengths.begin(dtS)
    const partS = dtS / 2 ** halvings
    this.kernel.step(dtS, { raining, intercepting, sample, halvings, watchS }, meanwhile, (part) => {
      if (part > 0) this.collect()
      this.boundaries.apply(this.timeS + part * partS, partS)
      this.crests?.apply(partS)
      beforePart?.(partS)
    })
    this.collect()
    this.timeS += dtS
    if (this.raining) this.rainDepthSum += this.rateSum * dtS
  }

  private collect(): void {
    if (this.drained) this.addedDepthSum = this.drained.collect(this.addedDepthSum)
  }

  /**
   * Drains from now on, instead of others: before each part of a step they take what flows through them in its time, never
   * more than their cell holds and owes to others.
   * @param outlets number of outlets
   */
  setDrains(drains: readonly Drain[], outlets: number): Drained {
    const { live } = this.layout
    const placed = drains
      .map((drain) => ({ ...drain, index: this.padded[drain.cell] }))
      .filter(({ index }) => live[index])
      .sort((a, b) => a.index - b.index)
    this.drained = new Drained(placed, this.kernel.placeDrains(placed, outlets), this.area)
    return this.drained
  }

  depthM(cell: number): number {
    const i = this.padded[cell]
    const { depth } = this.kernel.fields
    return this.layout.live[i] ? depth.values[slotOf(depth, i)] : 0
  }

  /** What finds the cells with more water than `leastM`. */
  deepCells(leastM: number): DeepCells {
    const { kernel, layout } = this
    return new DeepCells({ layout, kernel, ...this.liveInside, leastM })
  }

  /** Depths of some cells that are looked at again and again, by their number in the list, m. */
  depthReader(cells: Int32Array): (k: number) => number {
    const { depth } = this.kernel.fields
    const { values } = depth
    const slots = cells.map((cell) => {
      const i = this.padded[cell]
      return this.layout.live[i] ? slotOf(depth, i) : -1
    })
    return (k) => (slots[k] < 0 ? 0 : values[slots[k]])
  }

  /** Adds (or takes, when negative) water. Never takes more than the cell holds. @returns what was added, m3 */
  addVolume(cell: number, volumeM3: number): number {
    const change = this.changeDepth(this.padded[cell], volumeM3 / this.area)
    this.addedDepthSum += change
    return change * this.area
  }

  /** @returns by how much the depth of a padded cell has changed, which never becomes negative, m */
  private changeDepth(i: number, changeM: number): number {
    const { depth } = this.kernel.fields
    const slot = slotOf(depth, i)
    const before = depth.values[slot]
    const floor = this.layout.live[i] ? 0 : before
    depth.values[slot] = Math.max(floor, before + changeM)
    this.kernel.touch(i, before)
    return depth.values[slot] - before
  }

  /** Holds a cell at a depth (a boundary level). @returns the volume that this added, m3 */
  setDepth(cell: number, depthM: number): number {
    return this.addVolume(cell, (depthM - this.depthM(cell)) * this.area)
  }

  /** Speed of the water in a cell, to the east and to the north, m/s; 0 where it is dry. */
  velocity(cell: number): { eastMS: number; northMS: number } {
    const i = this.padded[cell]
    const { kernel, layout } = this
    if (kernel.velocity) {
      const { eastMS, southMS } = kernel.velocity(i)
      return { eastMS, northMS: -southMS }
    }
    const h = this.depthM(cell)
    if (h <= layout.options.dryDepthM) return { eastMS: 0, northMS: 0 }
    const { qx, qy } = kernel.fields
    return { eastMS: sumOf(qx, i, i - 1) / (2 * h), northMS: -sumOf(qy, i, i - layout.stride) / (2 * h) }
  }

  /** Unit discharge through the east and south faces of a cell, m2/s. */
  unitDischarge(cell: number): { east: number; south: number } {
    const i = this.padded[cell]
    const { qx, qy } = this.kernel.fields
    return { east: qx.values[slotOf(qx, i)], south: qy.values[slotOf(qy, i)] }
  }

  boundaryVolumes(): BoundaryVolume[] {
    return this.boundaries.volumes()
  }

  volumes(): SurfaceVolumes {
    const { fields } = this.kernel
    const { before } = this
    return {
      rainM3: this.rainDepthSum * this.area,
      interceptedM3: this.interceptedM3() - before.interceptedM3,
      infiltratedM3: sumField(fields.infiltrated, this.layout.liveCells) * this.area - before.infiltratedM3,
      surfaceM3: sumField(fields.depth, this.layout.liveCells) * this.area,
      waterM3: sumField(fields.depth, this.water) * this.area - before.waterM3,
      edgeOutM3: this.edgeOutM3() - before.edgeOutM3,
      addedM3: this.addedDepthSum * this.area,
      initialM3: this.initialSum * this.area,
      boundaryInM3: this.boundaryVolumes().reduce((sum, { inM3 }) => sum + inM3, 0),
    }
  }

  private interceptedM3(): number {
    const left = sumField(this.kernel.fields.interception, this.layout.liveCells)
    return (this.interceptionStart - left) * this.area
  }

  private edgeOutM3(): number {
    return sumField(this.kernel.fields.depth, this.outside) * this.area + this.boundaries.openOutM3()
  }

  /** Water that is there now is what this run begins with; volumes count from here. */
  countAnew(): void {
    this.before = NOTHING_BEFORE
    const { interceptedM3, infiltratedM3, waterM3, edgeOutM3, surfaceM3 } = this.volumes()
    this.before = { interceptedM3, infiltratedM3, waterM3, edgeOutM3 }
    this.initialSum = surfaceM3 / this.area
    // What became soil takes in from now on.
    for (const i of this.layout.liveCells) this.kernel.touch(i)
  }

  /** Fields over the grid, f32; NaN outside the model. Depth and maxima m, m/s, m2/s; infiltrated m. */
  snapshot(field: 'depth' | 'maxDepth' | 'maxSpeed' | 'maxDepthSpeed' | 'infiltrated'): Float32Array {
    const { values, quad } = this.kernel.fields[field]
    const { padded, insideCells } = this
    const { live } = this.layout
    const out = new Float32Array(this.grid.elevationM.length).fill(Number.NaN)
    for (let k = 0; k < insideCells.length; k++) {
      const cell = insideCells[k]
      const i = padded[cell]
      out[cell] = live[i] ? values[(i >> 2) * quad + (i & 3)] : 0
    }
    return out
  }

  /** Between two steps. Rain is the caller's: it is to be set anew. */
  visit(state: StateVisitor): void {
    this.timeS = state.number('timeS', this.timeS)
    this.rainDepthSum = state.number('rainDepthSum', this.rainDepthSum)
    this.addedDepthSum = state.number('addedDepthSum', this.addedDepthSum)
    this.initialSum = state.number('initialSum', this.initialSum)
    this.sinceSample = state.number('sinceSample', this.sinceSample)
    // The next rain looks whether anything is left to fill; until then it costs time only.
    this.intercepting = this.interceptionStart > 0
    this.uniformRate = Number.NaN
    state.part('lengths', (own) => this.lengths.visit(own))
    state.part('boundaries', (own) => this.boundaries.visit(own))
    if (this.layout.crests.length > 0) state.part('crests', (own) => this.crests?.visit(own))
    state.part('drains', (own) => this.drained?.visit(own))
    state.part('kernel', (own) => this.kernel.visit(own))
  }

  dispose(): void {
    this.kernel.dispose()
  }
}

function neighboursOutside({ stride, size }: Layout, inside: Int32Array): Int32Array {
  const member = new Uint8Array(size)
  for (const i of inside) member[i] = 1
  const found = new Set<number>()
  for (const i of inside) for (const j of [i - 1, i + 1, i - stride, i + stride]) if (!member[j]) found.add(j)
  return Int32Array.from(found).sort()
}

function sumOf(field: Field, i: number, k: number): number {
  return field.values[slotOf(field, i)] + field.values[slotOf(field, k)]
}

function sumField({ values, quad }: Field, cells: Int32Array): number {
  let sum = 0
  for (let k = 0; k < cells.length; k++) sum += values[(cells[k] >> 2) * quad + (cells[k] & 3)]
  return sum
}

function sumAt(values: ArrayLike<number>, indices: Int32Array): number {
  let sum = 0
  for (let k = 0; k < indices.length; k++) sum += values[indices[k]]
  return sum
}

/**
 * A dry surface.
 *
 * @throws HydrologyError `surface.*` for grids and parameters that cannot be right
 */
export function createSurface(
  grid: SurfaceGrid,
  params: SurfaceParams,
  choice: KernelChoice,
  options: SurfaceOptions = {},
): Surface {
  checkSurface(grid, params)
  // What the host takes over crests holds for one part of a step.
  const parts = params.raised?.length ? { halvings: 0 } : {}
  const layout = createLayout(grid, params, { ...SURFACE_DEFAULTS, ...options, ...parts })
  if (layout.liveCells.length === 0)
    throw new HydrologyError(
      'surface.empty',
      'Toutes les mailles sont de l’eau permanente : rien à calculer.',
    )
  if (choice.scheme === 'full') {
    const { order = 2, wasm, threads } = choice
    const compiled = choice.kernel === 'simd' ? { wasm, threads } : {}
    return new Surface(grid, layout, createFullKernel(layout, { order, ...compiled }))
  }
  const kernel = choice.kernel === 'simd' ? createSimdKernel(layout, choice) : createReferenceKernel(layout)
  return new Surface(grid, layout, kernel)
}
