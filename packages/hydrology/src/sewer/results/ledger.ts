import type { Stateful, StateVisitor } from '../../state/state.ts'
import type { DeviceSet } from '../devices/device-set.ts'
import type { SewerPlan } from '../network/plan.ts'
import type { Reaches } from '../network/reaches.ts'
import { heap } from '../network/room.ts'
import type { SewerState } from '../step/kernel.ts'
import type { Refinement } from '../step/refine.ts'
import { createStepArrays, type StepArrays, type StepLoops } from '../step/step-loops.ts'
import type { SewerTotals } from '../types.ts'
import type { SewerViews } from './views.ts'

export interface LedgerInput {
  plan: SewerPlan
  state: SewerState
  views: SewerViews
  /** Volume that enters each node in a step, m3, in the file's order. */
  lateral: Float64Array
  devices: DeviceSet
  reaches: Reaches
  refinement: Refinement
  /** See `NewtonInput`. */
  overflows: boolean
  /** Where sums of a step are kept, and the compiled loops that work on them. */
  arrays?: StepArrays
  loops?: StepLoops
}

export type LedgerTotals = Omit<SewerTotals, 'backflow' | 'evaporation'>

/** Moves volumes by the flows of each step: what leaves one node enters the other, whatever the heads' tolerance. */
export interface Ledger extends Stateful {
  totals: LedgerTotals
  /** Flow that arrived at each node in the last step, m3/s, by position. */
  arriving: Float64Array
  /** Takes the solution of a step of `dt` as the new state; `lostM3` left through the conduits' beds. */
  accept(dt: number, lostM3: number): void
}

export function createLedger(input: LedgerInput): Ledger {
  return new Volumes(input)
}

class Volumes implements Ledger {
  readonly totals: LedgerTotals = {
    initial: 0,
    stored: 0,
    inflow: 0,
    outfall: 0,
    flooded: 0,
    loss: 0,
    error: 0,
  }
  readonly arriving: Float64Array
  private readonly input: LedgerInput
  /** What links brought each node in the step, m3. */
  private readonly net: Float64Array

  constructor(input: LedgerInput) {
    const { net, arriving } = input.arrays ?? createStepArrays(input.plan, heap)
    this.input = input
    this.arriving = arriving
    this.net = net
  }

  accept(dt: number, lostM3: number): void {
    const { state, reaches, devices, loops } = this.input
    this.net.fill(0)
    this.arriving.fill(0)
    state.leaving.fill(0)
    if (loops) loops.acceptConduits(dt)
    else this.acceptConduits(dt)
    for (let k = 0; k < devices.count; k++)
      this.move(devices.from[k], devices.to[k], devices.link[k], 1, devices.flow[k], dt)
    this.totals.flooded += loops ? loops.acceptNodes(dt) : this.acceptNodes(dt)
    if (reaches.count > 0) reaches.update(state.head, state.endDepth, state.volume)
    this.countOutside()
    this.totals.loss += lostM3
  }

  visit(state: StateVisitor): void {
    const { totals } = this
    for (const name of Object.keys(totals) as (keyof LedgerTotals)[])
      totals[name] = state.number(name, totals[name])
    state.array('arriving', this.arriving)
    state.scratch(this.net)
  }

  private acceptConduits(dt: number): void {
    const { plan, state, refinement } = this.input
    const { from, to, link, direction, barrels, count } = plan.conduits
    const { flow, area, nextArea, lastStepS, conduitFlow, meanFlow, leaving } = state
    for (let c = 0; c < count; c++) {
      if (refinement.conduitInside[c] === 1) {
        this.moveRefined(c)
        continue
      }
      const q = conduitFlow[c]
      flow[c] = q
      area[c] = nextArea[c]
      lastStepS[c] = dt
      this.move(from[c], to[c], link[c], direction[c], barrels[c] * meanFlow[c], dt)
      if (q > 0) leaving[from[c]] += barrels[c] * q
      else leaving[to[c]] -= barrels[c] * q
    }
  }

  private move(a: number, b: number, index: number, sign: number, q: number, dt: number): void {
    this.net[a] -= q * dt
    this.net[b] += q * dt
    this.input.views.passed[index] += sign * q * dt
    if (q > 0) this.arriving[b] += q
    else this.arriving[a] -= q
  }

  /** What a conduit of a refined part carried; of its nodes only outfalls have yet to get it. */
  private moveRefined(c: number): void {
    const { plan, views, refinement } = this.input
    const { from, to, link, direction } = plan.conduits
    const moved = refinement.carried[c]
    views.passed[link[c]] += direction[c] * moved
    this.net[from[c]] -= moved
    this.net[to[c]] += moved
  }

  /** New heads and volumes. @returns what rose above rims and has left, m3 */
  private acceptNodes(dt: number): number {
    const { plan, state, views, lateral, refinement, overflows } = this.input
    const { unknowns, nodeOf } = plan
    const { head, trial, rate, volume, wanted, floodLevel, floodArea } = state
    const { net, arriving } = this
    const { floodVolumes } = views
    let left = 0
    for (let k = 0; k < unknowns; k++) {
      const n = nodeOf[k]
      if (refinement.inside[k] === 1) {
        floodVolumes[n] += refinement.flooded[k]
        left += refinement.flooded[k]
        continue
      }
      const over = trial[k] - floodLevel[k]
      const flooded = over > 0 ? floodArea[k] * over : 0
      volume[k] = wanted[k] + net[k] - flooded
      floodVolumes[n] += flooded
      left += flooded
      arriving[k] += lateral[n] / dt
      rate[k] = (trial[k] - head[k]) / dt
      head[k] = overflows && over > 0 ? floodLevel[k] : trial[k]
    }
    return left
  }

  /** What came from outside, and what went there through outfalls. */
  private countOutside(): void {
    const { plan, views, lateral } = this.input
    const { unknowns, nodeOf } = plan
    const { net, totals } = this
    for (let k = unknowns; k < nodeOf.length; k++) {
      const n = nodeOf[k]
      const out = net[k] + lateral[n]
      views.outfallVolumes[n] += out
      totals.outfall += out
    }
    // Of the step first: a little at a time, added to a large total, rounds one way.
    let entered = 0
    for (let n = 0; n < nodeOf.length; n++) {
      entered += lateral[n]
      views.lateralVolumes[n] += lateral[n]
    }
    totals.inflow += entered
  }
}
