import type { Stateful, StateVisitor } from '../../state/state.ts'
import type { ConduitPlan } from '../network/conduit-plan.ts'
import type { SewerPlan } from '../network/plan.ts'
import { heap } from '../network/room.ts'
import type { Entry } from './entry.ts'
import type { SewerKernel, SewerState } from './kernel.ts'
import type { Newton } from './newton.ts'
import type { Part } from './part.ts'
import { fittingStep, PART_M, PART_STEP_S, SURGE_M, SURGE_STEP_S } from './step-length.ts'
import { createStepArrays, type StepArrays, type StepLoops } from './step-loops.ts'

/** So many pipes around a node that swings are solved with it. */
const REACH = 3
/** A part with more than this share of all nodes is not worth it. */
const LARGEST_SHARE = 0.9
/** With more than this share of the nodes parts step no finer than the whole network would. */
const MANY_SHARE = 0.15
/** Steps that do not converge are not halved below this here, s. */
const SHORTEST_S = 0.05
/** Bends beyond this are only taken in the shortest steps, m. */
const MOST_M = 2 * SURGE_M

export interface RefineInput {
  plan: SewerPlan
  /** Its state is changed in place; `trial`, the solution over the whole network, gets what the parts end with. */
  kernel: SewerKernel
  newton: Newton
  entry: Entry
  /** Where marks and sums of the parts are kept, and the compiled loops that work on them. */
  arrays?: StepArrays
  loops?: StepLoops
}

/**
 * Shorter steps where heads swing. The step over the whole network stands elsewhere, and so do its flows through the
 * pipes that lead into the part, so that no water is made or lost.
 */
export interface Refinement extends Stateful {
  /** 1 for nodes and conduits of any part. */
  inside: Uint8Array
  conduitInside: Uint8Array
  /** m3 that conduits of the parts carried, and their nodes gave out above their rims, in the whole step. */
  carried: Float64Array
  flooded: Float64Array
  steps: number
  /** Takes what lies around the nodes marked in `seeds`; false, and nothing taken, where it cannot be solved apart. */
  gather(seeds: Uint8Array): boolean
  /**
   * Goes there over the step again that was just solved for the whole network: each part for itself, and where heads swing
   * in steps as short as it needs.
   * @returns false, and the state as it was, when that did not work out
   */
  run(dt: number, swings: boolean): boolean
  /** Whether that took one step everywhere, and how far heads were off the line on which they moved where it did, m. */
  whole: boolean
  bendM: number
  /** Forgets the parts. */
  clear(): void
}

export function createRefinement(input: RefineInput): Refinement {
  return new PartsAgain(input)
}

class PartsAgain implements Refinement {
  readonly inside: Uint8Array
  readonly conduitInside: Uint8Array
  readonly carried: Float64Array
  readonly flooded: Float64Array
  steps = 0
  whole = true
  bendM = 0
  private readonly plan: SewerPlan
  private readonly kernel: SewerKernel
  private readonly newton: Newton
  private readonly entry: Entry
  private readonly loops?: StepLoops
  private readonly pipes: ReturnType<typeof pipesAt>
  private readonly kept: Kept
  /** All parts together, and each. */
  private readonly all: Part
  private readonly parts: Part[] = []
  /** Nodes found around the seeds; 1 for those that have their part. */
  private readonly order: Int32Array
  private found = 0
  private readonly taken: Uint8Array
  private readonly incoming: Float64Array
  private readonly brought: Float64Array

  constructor({ plan, kernel, newton, entry, loops, arrays = createStepArrays(plan, heap) }: RefineInput) {
    const { conduits, unknowns } = plan
    this.plan = plan
    this.kernel = kernel
    this.newton = newton
    this.entry = entry
    this.loops = loops
    this.pipes = pipesAt(conduits, unknowns)
    this.all = kernel.part()
    this.kept = new Kept(kernel.state, unknowns, conduits.count)
    this.order = new Int32Array(unknowns)
    this.taken = new Uint8Array(unknowns)
    this.inside = arrays.inside
    this.conduitInside = arrays.conduitInside
    this.carried = arrays.carried
    this.flooded = arrays.flooded
    this.incoming = arrays.incoming
    this.brought = arrays.brought
  }

  /** The seeds and all within REACH pipes, except joined nodes; `order` then holds them. */
  gather(seeds: Uint8Array): boolean {
    const { order, inside } = this
    const { unknowns, joined } = this.plan
    this.found = 0
    for (let k = 0; k < unknowns; k++) if (seeds[k] === 1 && joined[k] === 1) return false
    for (let k = 0; k < unknowns; k++) {
      if (seeds[k] === 0) continue
      inside[k] = 1
      order[this.found++] = k
    }
    let begin = 0
    for (let ring = 0; ring < REACH; ring++) {
      const end = this.found
      for (; begin < end; begin++) this.addNeighbours(order[begin])
    }
    if (this.found <= LARGEST_SHARE * unknowns) return true
    for (let j = 0; j < this.found; j++) inside[order[j]] = 0
    return false
  }

  run(dt: number, swings: boolean): boolean {
    this.split()
    this.kept.keep(this.all)
    const isMany = this.found > MANY_SHARE * this.plan.unknowns
    for (const part of this.parts) {
      const floorS = swings && !isMany ? PART_STEP_S : SURGE_STEP_S
      const firstS = swings ? Math.min(dt / 2, fittingStep(dt, this.bendOver(part, dt), PART_M)) : dt
      if (this.retrace(part, dt, Math.max(Math.min(floorS, dt), firstS), floorS, swings)) continue
      this.kept.restore(this.all)
      this.clear()
      return false
    }
    return true
  }

  clear(): void {
    const { all, inside, taken, conduitInside } = this
    for (let j = 0; j < all.nodeCount; j++) {
      inside[all.nodes[j]] = 0
      taken[all.nodes[j]] = 0
    }
    for (let j = 0; j < all.conduitCount; j++) conduitInside[all.conduits[j]] = 0
    all.nodeCount = 0
    all.conduitCount = 0
    this.parts.length = 0
    this.whole = true
    this.bendM = 0
  }

  /** Parts live for a step. */
  visit(state: StateVisitor): void {
    this.steps = state.number('steps', this.steps)
    for (const values of [this.carried, this.flooded, this.incoming, this.brought]) state.scratch(values)
  }

  private addNeighbours(k: number): void {
    const { starts, touching } = this.pipes
    const { unknowns, joined, conduits } = this.plan
    for (let i = starts[k]; i < starts[k + 1]; i++) {
      const other = otherEnd(conduits, touching[i], k)
      if (other >= unknowns || this.inside[other] === 1 || joined[other] === 1) continue
      this.inside[other] = 1
      this.order[this.found++] = other
    }
  }

  /** Parts that no pipe joins, each with its pipes. */
  private split(): void {
    const { all, order, taken, parts } = this
    const { nodes } = all
    all.nodeCount = 0
    all.conduitCount = 0
    for (let j = 0; j < this.found; j++) {
      if (taken[order[j]] === 1) continue
      const begin = all.nodeCount
      const firstPipe = all.conduitCount
      taken[order[j]] = 1
      nodes[all.nodeCount++] = order[j]
      for (let at = begin; at < all.nodeCount; at++) this.takePipes(nodes[at])
      parts.push({
        nodes: nodes.subarray(begin, all.nodeCount).sort(),
        nodeCount: all.nodeCount - begin,
        conduits: all.conduits.subarray(firstPipe, all.conduitCount),
        conduitCount: all.conduitCount - firstPipe,
        whole: false,
      })
    }
  }

  /** Takes a node's pipes into its part, and the nodes behind them; what those at the edge bring it stands. */
  private takePipes(k: number): void {
    const { all, inside, taken, conduitInside, incoming } = this
    const { unknowns, conduits } = this.plan
    const { starts, touching } = this.pipes
    const { meanFlow } = this.kernel.state
    incoming[k] = 0
    this.flooded[k] = 0
    for (let i = starts[k]; i < starts[k + 1]; i++) {
      const c = touching[i]
      const other = otherEnd(conduits, c, k)
      if (other < unknowns && inside[other] === 0) {
        incoming[k] += (conduits.to[c] === k ? 1 : -1) * conduits.barrels[c] * meanFlow[c]
        continue
      }
      if (other < unknowns && taken[other] === 0) {
        taken[other] = 1
        all.nodes[all.nodeCount++] = other
      }
      if (conduitInside[c] === 1) continue
      conduitInside[c] = 1
      this.carried[c] = 0
      all.conduits[all.conduitCount++] = c
    }
  }

  /** Goes over the step `dt` again in one part, first in a step of `firstS`. @returns false when that did not work out */
  private retrace(part: Part, dt: number, firstS: number, floorS: number, swings: boolean): boolean {
    let left = dt
    let longest = firstS
    while (left > 0) {
      const pieces = Math.max(1, Math.ceil(left / longest - 1e-9))
      const ds = left / pieces
      const solved = this.solve(part, ds, dt)
      const bend = this.bendOver(part, ds)
      this.steps++
      if (!solved || (ds > floorS && (bend > MOST_M || this.heapsUp(part)))) {
        longest = ds / 2
        if (solved || longest >= SHORTEST_S) continue
        return false
      }
      this.accept(ds, part)
      // What swings is not to keep the others at its step.
      if (ds === dt && !swings) this.bendM = Math.max(this.bendM, bend)
      else this.whole = false
      left = pieces > 1 ? left - ds : 0
      longest = Math.max(floorS, fittingStep(ds, bend, PART_M))
    }
    return true
  }

  private solve(part: Part, ds: number, dt: number): boolean {
    const { loops, newton, kernel } = this
    const { head, trial, wanted } = kernel.state
    if (loops) return loops.solvePart(ds, dt, part) || newton.nested(ds, trial, head, wanted, part) > 0
    this.enter(part, ds, dt)
    kernel.prepare(ds, head, part)
    return newton.solve(ds, trial, head, wanted, part) > 0
  }

  /** What a piece of the step begins with: what enters, levels, a first guess. */
  private enter({ nodes, nodeCount }: Part, ds: number, dt: number): void {
    const { head, trial, rate, wanted } = this.kernel.state
    for (let j = 0; j < nodeCount; j++) {
      const k = nodes[j]
      this.entry.enter(k, ds, ds / dt)
      wanted[k] += this.incoming[k] * ds
      trial[k] = head[k] + ds * rate[k]
    }
  }

  private heapsUp(part: Part): boolean {
    if (this.loops) return this.loops.heapsUp(part)
    const { nodes, nodeCount } = part
    for (let j = 0; j < nodeCount; j++) if (this.entry.floodsDry(nodes[j])) return true
    return false
  }

  /** How far heads are off the line on which they moved, at most, m. */
  private bendOver(part: Part, dt: number): number {
    if (this.loops) return this.loops.bend(dt, part, false)
    const { nodes, nodeCount } = part
    const { head, trial, rate } = this.kernel.state
    let most = 0
    for (let j = 0; j < nodeCount; j++) {
      const k = nodes[j]
      most = Math.max(most, Math.abs(trial[k] - head[k] - dt * rate[k]))
    }
    return most
  }

  private accept(ds: number, part: Part): void {
    if (this.loops) {
      this.loops.acceptPart(ds, part)
      return
    }
    this.moveVolumes(ds, part)
    const { brought, flooded } = this
    const { head, trial, rate, volume, wanted, floodLevel, floodArea } = this.kernel.state
    for (let j = 0; j < part.nodeCount; j++) {
      const k = part.nodes[j]
      const over = trial[k] - floodLevel[k]
      const out = over > 0 ? floodArea[k] * over : 0
      volume[k] = wanted[k] + brought[k] - out
      flooded[k] += out
      rate[k] = (trial[k] - head[k]) / ds
      head[k] = trial[k]
    }
  }

  /** What the part's conduits carried becomes their state, and what they brought its nodes. */
  private moveVolumes(ds: number, { nodes, nodeCount, conduits: pipes, conduitCount }: Part): void {
    const { brought, carried } = this
    const { unknowns, conduits } = this.plan
    const { from, to, barrels } = conduits
    const { flow, area, nextArea, lastStepS, conduitFlow, meanFlow } = this.kernel.state
    for (let j = 0; j < nodeCount; j++) brought[nodes[j]] = 0
    for (let j = 0; j < conduitCount; j++) {
      const c = pipes[j]
      flow[c] = conduitFlow[c]
      area[c] = nextArea[c]
      lastStepS[c] = ds
      const moved = barrels[c] * meanFlow[c] * ds
      carried[c] += moved
      if (from[c] < unknowns) brought[from[c]] -= moved
      if (to[c] < unknowns) brought[to[c]] += moved
    }
  }
}

/** The state of the parts as it was before their steps. */
class Kept {
  private readonly nodes: { values: Float64Array; kept: Float64Array }[]
  private readonly conduits: { values: Float64Array; kept: Float64Array }[]

  constructor({ head, rate, volume, flow, area, lastStepS }: SewerState, unknowns: number, count: number) {
    this.nodes = [head, rate, volume].map((values) => ({ values, kept: new Float64Array(unknowns) }))
    this.conduits = [flow, area, lastStepS].map((values) => ({ values, kept: new Float64Array(count) }))
  }

  keep({ nodes, nodeCount, conduits, conduitCount }: Part): void {
    for (const { values, kept } of this.nodes)
      for (let j = 0; j < nodeCount; j++) kept[nodes[j]] = values[nodes[j]]
    for (const { values, kept } of this.conduits)
      for (let j = 0; j < conduitCount; j++) kept[conduits[j]] = values[conduits[j]]
  }

  restore({ nodes, nodeCount, conduits, conduitCount }: Part): void {
    for (const { values, kept } of this.nodes)
      for (let j = 0; j < nodeCount; j++) values[nodes[j]] = kept[nodes[j]]
    for (const { values, kept } of this.conduits)
      for (let j = 0; j < conduitCount; j++) values[conduits[j]] = kept[conduits[j]]
  }
}

const otherEnd = ({ from, to }: ConduitPlan, c: number, k: number) => (from[c] === k ? to[c] : from[c])

/** Conduits that touch each node: those of node k are `touching[starts[k]]` to `touching[starts[k + 1] - 1]`. */
function pipesAt({ from, to, count }: ConduitPlan, unknowns: number) {
  const starts = new Int32Array(unknowns + 1)
  for (let c = 0; c < count; c++) {
    if (from[c] < unknowns) starts[from[c] + 1]++
    if (to[c] < unknowns) starts[to[c] + 1]++
  }
  for (let k = 0; k < unknowns; k++) starts[k + 1] += starts[k]
  const touching = new Int32Array(starts[unknowns])
  const next = starts.slice()
  for (let c = 0; c < count; c++) {
    if (from[c] < unknowns) touching[next[from[c]]++] = c
    if (to[c] < unknowns) touching[next[to[c]]++] = c
  }
  return { starts, touching }
}
