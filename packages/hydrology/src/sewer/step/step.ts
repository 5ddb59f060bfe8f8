import type { DeviceSet } from '../devices/device-set.ts'
import type { Outfalls } from '../devices/outfalls.ts'
import type { SewerPlan } from '../network/plan.ts'
import { tableAt } from '../sections/section-table.ts'
import type { Entry } from './entry.ts'
import type { SewerKernel } from './kernel.ts'
import { TINY_M } from './momentum.ts'
import type { Newton } from './newton.ts'
import { takeAll } from './part.ts'
import type { Refinement } from './refine.ts'
import { SEED_M, SURGE_M, SURGE_STEP_S } from './step-length.ts'

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
  const { plan, kernel, newton, devices, outfalls, entry, refinement, refines, arriving } = input
  const { unknowns, nodeOf, conduits } = plan
  const { head, trial, rate, wanted, canLeave, flow, depth } = kernel.state
  const nodes = nodeOf.length
  const whole = takeAll(kernel.part())
  const seeds = new Uint8Array(unknowns)
  const seeps = conduits.seepage.some((speed) => speed > 0)
  let bend = 0
  let lost = 0
  let apart = false

  /** What the step starts from: levels, laws of the conduits, flows that stand, a first guess. */
  function begin(dt: number, timeS: number) {
    lost = 0
    for (let k = 0; k < unknowns; k++) entry.enter(k, dt, 1)
    outfalls.update(head, flow, timeS + dt)
    kernel.prepare(dt, head, whole)
    if (devices.count > 0) devices.prepare(dt, head, wanted, arriving)
    if (seeps) seep(dt)
    for (let k = 0; k < unknowns; k++) trial[k] = head[k] + dt * rate[k]
    for (let k = unknowns; k < nodes; k++) trial[k] = head[k]
  }

  /** `parted`: what swings, and what Newton leaves open, is solved apart. */
  function solveStep(dt: number, timeS: number, parted: boolean): boolean {
    begin(dt, timeS)
    let solved = newton.solve(dt, trial, head, wanted, whole, parted ? seeds : undefined) > 0
    if (!solved && devices.count > 0 && dt <= FREEZE_STEP_S) {
      devices.freeze(dt, head, canLeave, wanted)
      trial.set(head)
      solved = newton.solve(dt, trial, head, wanted, whole) > 0
      devices.thaw()
    }
    if (!solved) return false
    bend = bendOver(dt)
    apart = parted
    if (!parted) return isCalm(dt)
    const swings = dt > SURGE_STEP_S && (bend > SURGE_M || entry.floodsDryNode())
    const unmet = seeds.includes(1)
    if (!(swings || unmet)) return true
    if (swings) seed(dt)
    if (refinement.gather(seeds)) return refine(dt, swings)
    apart = false
    return !unmet && isCalm(dt)
  }

  const isCalm = (dt: number) =>
    (dt <= SURGE_STEP_S || bend <= 2 * SURGE_M) && (dt <= WETTING_STEP_S || !entry.floodsDryNode())

  function seed(dt: number) {
    for (let k = 0; k < unknowns; k++)
      if (Math.abs(trial[k] - head[k] - dt * rate[k]) > SEED_M || entry.floodsDry(k)) seeds[k] = 1
  }

  /** Solves around the seeds again; `bend` is then that of the others. */
  function refine(dt: number, swings: boolean): boolean {
    if (!refinement.run(dt, swings)) return false
    bend = Math.max(bendOver(dt), refinement.bendM)
    return true
  }

  function bendOver(dt: number): number {
    let most = 0
    const { inside } = refinement
    for (let k = 0; k < unknowns; k++) {
      const off = Math.abs(trial[k] - head[k] - dt * rate[k])
      if (off > most && inside[k] === 0) most = off
    }
    return most
  }

  /** Seepage through the conduits' beds, taken from both ends. */
  function seep(dt: number) {
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
  }

  return {
    force(dt, timeS) {
      begin(dt, timeS)
      bend = 0
      apart = false
      return newton.approach(dt, trial, head, wanted, whole)
    },
    solve: (dt, timeS) => (refines && solveStep(dt, timeS, true)) || solveStep(dt, timeS, false),
    get bendM() {
      return bend
    },
    get apart() {
      return apart
    },
    get lostM3() {
      return lost
    },
  }
}
