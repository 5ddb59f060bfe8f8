import { HydrologyError } from '../errors.ts'
import { checkSurface } from './check.ts'
import type { Layout } from './layout.ts'
import { createLayout, paddedIndex } from './layout.ts'
import { createReferenceKernel } from './reference.ts'
import { createSimdKernel } from './simd.ts'
import type { Field, Kernel, KernelChoice, SurfaceGrid, SurfaceOptions, SurfaceParams } from './types.ts'
import {
  DRY_STEP_RATIO,
  GRAVITY,
  LIGHT_RAIN_M,
  LIGHT_RAIN_STEP_RATIO,
  SURFACE_DEFAULTS,
  slotOf,
} from './types.ts'

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
}

/** Some cells of a surface, by their number in the group. Cells that are not live count as dry. */
export interface CellGroup {
  /** Depth of all of them, m. */
  depthsInto(out: Float64Array): void
  depthM(k: number): number
  /**
   * Takes up to `volumesM3[k]` (>= 0) from each cell, never more than it holds and owes to others, and puts in its place what was taken, m3.
   */
  take(volumesM3: Float64Array): void
}

/** Share of the kinematic limit; over 1 it is unstable. */
const KINEMATIC_CFL = 1

/** So much longer may a step be than the last one, and the shortest part of a step. */
const STEP_GROWTH = 1.25
const WAVE_GROWTH = 1.05

/**
 * Longest step in parts in heavy rain over the size of a cell, s/m; otherwise longer by the same ratios as `maxStepS`.
 * What a step makes of a rising flow is of first order, and must become better with the grid.
 */
const PARTED_S_M = 0.5

/**
 * On smaller cells all take the same step: friction has less time to calm what swings where parts of different length
 * meet (Merewether on 1 m: levels by some centimetres; from 3 m on as with one step for all).
 */
const PARTED_FROM_M = 4

/** Simulated time between two looks at speeds, s. */
export const SPEED_SAMPLE_S = 10

/** Water on a grid. Cells are `row * ncols + col`, row 0 north. */
export class Surface {
  readonly grid: SurfaceGrid
  readonly activeCells: number
  private readonly layout: Layout
  private readonly kernel: Kernel
  private readonly area: number
  /** Padded index of every cell of the grid. */
  private readonly padded: Int32Array
  private readonly interceptionStart: number
  private readonly insideCells: Int32Array
  private readonly water: Int32Array
  /** Padded cells beside the model, which collect what leaves at open edges. */
  private readonly outside: Int32Array
  private uniformRate = Number.NaN
  private rateSum = 0
  private rainDepthSum = 0
  private addedDepthSum = 0
  private raining = false
  /** How much longer than `maxStepS` steps may be for what rains now. */
  private stepRatio = DRY_STEP_RATIO
  private intercepting: boolean
  private sinceSample = 0
  /** Length of a step for which the last one has looked where it must be taken in parts, s. */
  private watchS = Number.POSITIVE_INFINITY
  private readonly halvings: number

  constructor(grid: SurfaceGrid, layout: Layout, kernel: Kernel) {
    this.grid = grid
    this.layout = layout
    this.kernel = kernel
    this.area = grid.cellSizeM ** 2
    this.halvings = grid.cellSizeM < PARTED_FROM_M ? 0 : layout.options.halvings
    this.padded = Int32Array.from(grid.elevationM, (_, cell) => paddedIndex(layout, cell))
    this.insideCells = Int32Array.from(this.padded.keys()).filter(
      (cell) => !Number.isNaN(grid.elevationM[cell]),
    )
    const inside = this.insideCells.map((cell) => this.padded[cell])
    this.water = inside.filter((i) => !layout.live[i])
    this.outside = neighboursOutside(layout, inside)
    this.activeCells = inside.length
    this.interceptionStart = sumAt(layout.interception, layout.liveCells)
    this.intercepting = this.interceptionStart > 0
  }

  /**
   * The longest stable part of a step, s: a share of dx / sqrt(g h) for gravity waves in the deepest cell (Bates et al.
   * 2010, eq. 14), and dx / (5/3 u) for the kinematic waves of shallow, fast flow down steep streets. Infinity on dry
   * ground, and at least as long as the next step where none of its parts need be shorter.
   */
  waveStepS(): number {
    const { cfl, dryDepthM } = this.layout.options
    const { cellSizeM } = this.grid
    const deepest = this.kernel.largestDepth()
    if (deepest <= dryDepthM) return Number.POSITIVE_INFINITY
    const gravity = (cfl * cellSizeM) / Math.sqrt(GRAVITY * deepest)
    const kinematic = (KINEMATIC_CFL * cellSizeM) / ((5 / 3) * this.kernel.largestSpeed())
    return Math.min(gravity, kinematic)
  }

  /** The longest step, s; it is taken in parts where waves are fast. */
  stableStepS(): number {
    return Math.min(this.watchS, this.longestStepS(this.waveStepS()))
  }

  /** The longest step for a longest stable part, s. */
  private longestStepS(waveS: number): number {
    const { halvings } = this
    const { maxStepS } = this.layout.options
    const inParts = Math.min(maxStepS, PARTED_S_M * this.grid.cellSizeM) * this.stepRatio
    const most = Math.min(2 ** halvings, inParts / waveS)
    const whole = 2 ** Math.floor(Math.log2(most))
    // Much shorter parts than need be cost more than a longer step saves.
    const parts = most < 1.5 * whole ? whole : most
    return Math.min(maxStepS * this.stepRatio, Math.max(1, parts) * waveS)
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
    this.raining = this.rateSum > 0
    const light = LIGHT_RAIN_M / (heaviest * this.layout.options.maxStepS)
    this.stepRatio = this.raining ? Math.max(1, Math.min(LIGHT_RAIN_STEP_RATIO, light)) : DRY_STEP_RATIO
    if (this.intercepting && this.raining) {
      const { interception } = this.kernel.fields
      this.intercepting = this.layout.liveCells.some((i) => interception.values[slotOf(interception, i)] > 0)
    }
  }

  /**
   * Advances by `dtS`, which must not exceed `stableStepS()`.
   * @param meanwhile called while other threads compute, again as long as it answers true; it must leave the surface
   *   alone. A kernel that computes on this thread may call it as often as it likes, or not at all.
   * @param beforePart called before each part of the step with its length, s; it may add and take water.
   */
  step(dtS: number, meanwhile?: () => boolean, beforePart?: (partS: number) => void): void {
    this.sinceSample += dtS
    const sample = this.sinceSample >= SPEED_SAMPLE_S
    if (sample) this.sinceSample = 0
    const { raining, intercepting } = this
    const waveS = this.waveStepS()
    const most = this.halvings
    const halvings = Math.min(most, Math.max(0, Math.ceil(Math.log2(dtS / waveS) - 1e-6)))
    const watchS = Math.min(STEP_GROWTH * this.stableStepS(), this.longestStepS(WAVE_GROWTH * waveS))
    const choice = { raining, intercepting, sample, halvings, watchS }
    this.kernel.step(dtS, choice, meanwhile, beforePart && (() => beforePart(dtS / 2 ** halvings)))
    this.watchS = watchS
    if (this.raining) this.rainDepthSum += this.rateSum * dtS
  }

  depthM(cell: number): number {
    const i = this.padded[cell]
    const { depth } = this.kernel.fields
    return this.layout.live[i] ? depth.values[slotOf(depth, i)] : 0
  }

  /** Adds (or takes, when negative) water. Never takes more than the cell holds. @returns what was added, m3 */
  addVolume(cell: number, volumeM3: number): number {
    const i = this.padded[cell]
    const { depth } = this.kernel.fields
    const slot = slotOf(depth, i)
    const before = depth.values[slot]
    const floor = this.layout.live[i] ? 0 : before
    depth.values[slot] = Math.max(floor, before + volumeM3 / this.area)
    this.kernel.touch(i)
    const change = depth.values[slot] - before
    this.addedDepthSum += change
    return change * this.area
  }

  /** Holds a cell at a depth (a boundary level). @returns the volume that this added, m3 */
  setDepth(cell: number, depthM: number): number {
    return this.addVolume(cell, (depthM - this.depthM(cell)) * this.area)
  }

  /** Unit discharge through the east and south faces of a cell, m2/s. */
  unitDischarge(cell: number): { east: number; south: number } {
    const i = this.padded[cell]
    const { qx, qy } = this.kernel.fields
    return { east: qx.values[slotOf(qx, i)], south: qy.values[slotOf(qy, i)] }
  }

  volumes(): SurfaceVolumes {
    const { fields } = this.kernel
    const { liveCells } = this.layout
    const intercepted = this.interceptionStart - sumField(fields.interception, liveCells)
    return {
      rainM3: this.rainDepthSum * this.area,
      interceptedM3: intercepted * this.area,
      infiltratedM3: sumField(fields.infiltrated, liveCells) * this.area,
      surfaceM3: sumField(fields.depth, liveCells) * this.area,
      waterM3: sumField(fields.depth, this.water) * this.area,
      edgeOutM3: sumField(fields.depth, this.outside) * this.area,
      addedM3: this.addedDepthSum * this.area,
    }
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

  /** Cells that are read and drained together, again and again. */
  cellGroup(cells: Int32Array): CellGroup {
    const { kernel, area } = this
    const { live } = this.layout
    const indices = cells.map((cell) => this.padded[cell])
    const { values, quad } = kernel.fields.depth
    const slots = indices.map((i) => (live[i] ? (i >> 2) * quad + (i & 3) : -1))
    return {
      depthsInto: (out) => {
        for (let k = 0; k < slots.length; k++) out[k] = slots[k] < 0 ? 0 : values[slots[k]]
      },
      depthM: (k) => (slots[k] < 0 ? 0 : values[slots[k]]),
      take: (volumes) => {
        for (let k = 0; k < slots.length; k++) {
          const wanted = volumes[k]
          if (wanted === 0) continue
          const slot = slots[k]
          volumes[k] = 0
          if (slot < 0) continue
          const before = values[slot]
          const after = Math.max(Math.min(before, kernel.owedM(indices[k])), before - wanted / area)
          if (after === before) continue
          values[slot] = after
          kernel.lower(indices[k])
          this.addedDepthSum -= before - after
          volumes[k] = (before - after) * area
        }
      },
    }
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
  const layout = createLayout(grid, params, { ...SURFACE_DEFAULTS, ...options })
  if (layout.liveCells.length === 0)
    throw new HydrologyError(
      'surface.empty',
      'Toutes les mailles sont de l’eau permanente : rien à calculer.',
    )
  const kernel = choice.kernel === 'simd' ? createSimdKernel(layout, choice) : createReferenceKernel(layout)
  return new Surface(grid, layout, kernel)
}
