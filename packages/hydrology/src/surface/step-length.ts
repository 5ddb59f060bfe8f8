import { GRAVITY } from '@radx/contracts/constants'
import type { Stateful, StateVisitor } from '../state/state.ts'
import type { Layout } from './layout.ts'
import type { Kernel } from './types.ts'
import { DRY_STEP_RATIO, LIGHT_RAIN_M, LIGHT_RAIN_STEP_RATIO } from './types.ts'

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

/** How long the steps of a surface may be, and in how many parts they are taken. */
export class StepLength implements Stateful {
  private readonly layout: Layout
  private readonly kernel: Kernel
  private readonly mostHalvings: number
  /** How much longer than `maxStepS` steps may be for what rains now. */
  private ratio = DRY_STEP_RATIO
  /** Length of a step for which the last one has looked where it must be taken in parts, s. */
  private watchS = Number.POSITIVE_INFINITY

  constructor(layout: Layout, kernel: Kernel) {
    this.layout = layout
    this.kernel = kernel
    this.mostHalvings = layout.grid.cellSizeM < PARTED_FROM_M ? 0 : layout.options.halvings
  }

  /** The rain's ratio follows from the rain. */
  visit(state: StateVisitor): void {
    this.watchS = state.number('watchS', this.watchS)
  }

  /** @param heaviestMS rate of rain where most falls, m/s */
  setRain(heaviestMS: number): void {
    const light = LIGHT_RAIN_M / (heaviestMS * this.layout.options.maxStepS)
    this.ratio = heaviestMS > 0 ? Math.max(1, Math.min(LIGHT_RAIN_STEP_RATIO, light)) : DRY_STEP_RATIO
  }

  /** The longest stable part of a step, s: see `Surface.waveStepS`. */
  waveS(): number {
    if (this.kernel.stableStepS) return this.kernel.stableStepS().seconds
    const { cfl, dryDepthM } = this.layout.options
    const { cellSizeM } = this.layout.grid
    const deepest = this.kernel.largestDepth()
    if (deepest <= dryDepthM) return Number.POSITIVE_INFINITY
    const gravity = (cfl * cellSizeM) / Math.sqrt(GRAVITY * deepest)
    const kinematic = (KINEMATIC_CFL * cellSizeM) / ((5 / 3) * this.kernel.largestSpeed())
    return Math.min(gravity, kinematic)
  }

  /** The longest step, s. */
  stableS(): number {
    const { maxStepS } = this.layout.options
    if (this.kernel.stableStepS) return Math.min(maxStepS * this.ratio, this.kernel.stableStepS().seconds)
    return this.stableFor(this.waveS())
  }

  private stableFor(waveS: number): number {
    return Math.min(this.watchS, this.longestFor(waveS))
  }

  /** The longest step for a longest stable part, s. */
  private longestFor(waveS: number): number {
    const { maxStepS } = this.layout.options
    const inParts = Math.min(maxStepS, PARTED_S_M * this.layout.grid.cellSizeM) * this.ratio
    const most = Math.min(2 ** this.mostHalvings, inParts / waveS)
    const whole = 2 ** Math.floor(Math.log2(most))
    // Much shorter parts than need be cost more than a longer step saves.
    const parts = most < 1.5 * whole ? whole : most
    return Math.min(maxStepS * this.ratio, Math.max(1, parts) * waveS)
  }

  /** How a step of `dtS` is taken, and the longest that the next one may be. */
  begin(dtS: number): { halvings: number; watchS: number } {
    if (this.kernel.stableStepS) return { halvings: 0, watchS: Number.POSITIVE_INFINITY }
    const waveS = this.waveS()
    const halvings = Math.min(this.mostHalvings, Math.max(0, Math.ceil(Math.log2(dtS / waveS) - 1e-6)))
    this.watchS = Math.min(STEP_GROWTH * this.stableFor(waveS), this.longestFor(WAVE_GROWTH * waveS))
    return { halvings, watchS: this.watchS }
  }
}
