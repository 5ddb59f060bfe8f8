import type { DeviceSet } from '../devices/device-set.ts'
import type { Outfalls } from '../devices/outfalls.ts'
import type { SewerPlan } from '../network/plan.ts'
import { tableAt } from '../sections/section-table.ts'
import type { Entry } from './entry.ts'
import { TINY_M } from './free-ends.ts'
import type { SewerKernel, SewerState } from './kernel.ts'
import type { Newton } from './newton.ts'
import { type Part, takeAll } from './part.ts'
import type { Refinement } from './refine.ts'
import { SEED_M, type StepLength, SURGE_M, SURGE_STEP_S } from './step-length.ts'
import type { StepLoops } from './step-loops.ts'

/** Nodes that are heaped up while they are wetted are solved again in steps down to this. */
const WETTING_STEP_S = 0.5
/** From this step down a device that keeps Newton from settling is held through the step. */
const FREEZE_STEP_S = 1

export interface StepInput {
  plan: SewerPlan
  kernel: SewerKernel
  newton: Newton
  devices: DeviceSet
  outfalls: Outfalls
  entry: Entry
  refinement: Refinement
  lengths: StepLength
  /** Compiled, what else the rooms do themselves. */
  loops?: StepLoops
  /** Whether what swings is solved apart. */
  refines: boolean
  /** Flow that arrived at each node in the last step, m3/s, by position. */
  arriving: Float64Array
}

export interface Step {
  /** Solves a step from `timeS`; false, and the state as it was, when that did not work out. */
  solve(dt: number, timeS: number): boolean
  /** Takes a step for which `solve` found nothing, with what balances are off left to the next; false when they are out of all measure. */
  force(dt: number, timeS: number): boolean
  /** How far heads of the solution are off the line on which they moved, at most, m; parts that swing apart. */
  readonly bendM: number
  /** Whether what swung, if anything did, was solved apart. */
  readonly apart: boolean
  /** What left through the conduits' beds, m3. */
  readonly lostM3: number
}

/** One step over the whole network, and around what swings again in shorter ones. */
export function createStep(input: StepInput): Step {
  return new NetworkStep(input)
}

class NetworkStep implements Step {
  bendM = 0
  lostM3 = 0
  apart = false
  private readonly input: StepInput
  private readonly whole: Part
  /** 1 for nodes around which the step is gone over again. */
  private readonly seeds: Uint8Array
  /** Balances that Newton's method left open, as the seeds were before what swings was marked. */
  private readonly unmet: Uint8Array
  private readonly seeps: boolean
  private tooBent = false

  constructor(input: StepInput) {
    const { plan, kernel } = input
    this.input = input
    this.whole = takeAll(kernel.part())
    this.seeds = new Uint8Array(plan.unknowns)
    this.unmet = new Uint8Array(plan.unknowns)
    this.seeps = plan.conduits.seepage.some((speed) => speed > 0)
  }

  solve(dt: number, timeS: number): boolean {
    if (!this.input.refines) return this.solveStep(dt, timeS, false)
    // What bends too far bends as far when every balance is met.
    return this.solveStep(dt, timeS, true) || (!this.tooBent && this.solveStep(dt, timeS, false))
  }

  force(dt: number, timeS: number): boolean {
    const { head, trial, wanted } = this.input.kernel.state
    this.begin(dt, timeS)
    this.bendM = 0
    this.apart = false
    return this.input.newton.approach(dt, trial, head, wanted, this.whole)
  }

  /** What the step starts from: levels, laws of the conduits, flows that stand, a first guess. */
  private begin(dt: number, timeS: number): void {
    const { plan, kernel, entry, outfalls, devices, arriving, loops } = this.input
    const { unknowns, nodeOf } = plan
    const { head, trial, rate, flow, wanted } = kernel.state
    this.lostM3 = 0
    if (loops) loops.enter(dt, 1, this.whole)
    else for (let k = 0; k < unknowns; k++) entry.enter(k, dt, 1)
    outfalls.update(head, flow, timeS + dt)
    kernel.prepare(dt, head, this.whole)
    if (devices.count > 0) devices.prepare(dt, head, wanted, arriving)
    if (this.seeps) this.lostM3 = seep(plan, kernel.state, dt)
    if (!loops) for (let k = 0; k < unknowns; k++) trial[k] = head[k] + dt * rate[k]
    for (let k = unknowns; k < nodeOf.length; k++) trial[k] = head[k]
  }

  /** `parted`: what swings, and what Newton leaves open, is solved apart. */
  private solveStep(dt: number, timeS: number, parted: boolean): boolean {
    this.tooBent = false
    this.begin(dt, timeS)
    if (!this.settle(dt, parted)) return false
    this.bendM = this.bendOver(dt)
    this.apart = parted
    if (!parted) return this.isCalm(dt)
    return this.solveApart(dt)
  }

  /** Goes over the step again where heads swing or balances are open. */
  private solveApart(dt: number): boolean {
    const { refinement, lengths } = this.input
    const swings = this.bendM > SURGE_M || this.heapsUp()
    const isUnmet = this.seeds.includes(1)
    if (!(swings || isUnmet)) return true
    if (swings) {
      this.unmet.set(this.seeds)
      this.seed(dt)
    }
    if (refinement.gather(this.seeds)) return this.refine(dt, swings)
    // The shortest step stands however heads bend in it.
    if (swings && isUnmet && dt <= SURGE_STEP_S && refinement.gather(this.unmet))
      return this.refine(dt, false)
    this.apart = false
    this.tooBent = !lengths.stands(dt, this.bendM)
    return !isUnmet && this.isCalm(dt)
  }

  /** Finds the heads, where that does not work out with devices held. */
  private settle(dt: number, parted: boolean): boolean {
    const { newton, devices, kernel } = this.input
    const { head, trial, wanted, canLeave } = kernel.state
    if (newton.solve(dt, trial, head, wanted, this.whole, parted ? this.seeds : undefined) > 0) return true
    if (devices.count === 0 || dt > FREEZE_STEP_S) return false
    devices.freeze(dt, head, canLeave, wanted)
    trial.set(head)
    const solved = newton.solve(dt, trial, head, wanted, this.whole) > 0
    devices.thaw()
    return solved
  }

  private isCalm(dt: number): boolean {
    return this.input.lengths.stands(dt, this.bendM) && (dt <= WETTING_STEP_S || !this.heapsUp())
  }

  private heapsUp(): boolean {
    const { loops, entry } = this.input
    return loops ? loops.heapsUp(this.whole) : entry.floodsDryNode()
  }

  private seed(dt: number): void {
    const { plan, kernel, entry } = this.input
    const { head, trial, rate } = kernel.state
    for (let k = 0; k < plan.unknowns; k++)
      if (Math.abs(trial[k] - head[k] - dt * rate[k]) > SEED_M || entry.floodsDry(k)) this.seeds[k] = 1
  }

  /** Solves around the seeds again; the bend is then that of the others. */
  private refine(dt: number, swings: boolean): boolean {
    const { refinement } = this.input
    if (!refinement.run(dt, swings)) return false
    this.bendM = Math.max(this.bendOver(dt), refinement.bendM)
    return true
  }

  private bendOver(dt: number): number {
    const { plan, kernel, refinement, loops } = this.input
    if (loops) return loops.bend(dt, this.whole, true)
    const { head, trial, rate } = kernel.state
    const { inside } = refinement
    let most = 0
    for (let k = 0; k < plan.unknowns; k++) {
      const off = Math.abs(trial[k] - head[k] - dt * rate[k])
      if (off > most && inside[k] === 0) most = off
    }
    return most
  }
}

/** Seepage through the conduits' beds, taken from what both ends should hold. @returns m3 */
function seep({ conduits, unknowns }: SewerPlan, { depth, wanted }: SewerState, dt: number): number {
  let lost = 0
  for (let c = 0; c < conduits.count; c++) {
    const speed = conduits.seepage[c]
    // A dry conduit is reckoned with a film of this depth.
    if (speed <= 0 || depth[c] <= TINY_M) continue
    const table = conduits.tables[c]
    const width = tableAt(table, Math.min(depth[c], table.widestDepthM), 1)
    const loss = speed * width * conduits.length[c] * conduits.barrels[c] * dt
    const inner = [conduits.from[c], conduits.to[c]].filter((k) => k < unknowns)
    for (const k of inner) {
      const taken = Math.max(0, Math.min(loss / inner.length, wanted[k]))
      wanted[k] -= taken
      lost += taken
    }
  }
  return lost
}
