import type { Stateful, StateVisitor } from '../../state/state.ts'
import type { DeviceSet } from '../devices/device-set.ts'
import type { SewerPlan } from '../network/plan.ts'
import type { Reaches } from '../network/reaches.ts'
import type { SewerKernel, SewerState } from './kernel.ts'
import type { Part } from './part.ts'

/** Nodes' volume balances are met to this head, m; what is left goes into the next step's balance, not lost. */
export const TOLERANCE_M = 1e-5
/** A residual beyond this, as a head, m, will not settle. */
export const HOPELESS_M = 1e6
/** After so many looks at all balances a few open ones are left to others. */
const LOOKS_AT_ALL = 2
const FEW_NODES = 60
export const PLAIN_ITERATIONS = 12
const NESTED_ITERATIONS = 40
/** An inner loop that has not settled by then will not. */
const INNER_ITERATIONS = 25
/** Looks of `approach`, and how far it moves a head in one, m. */
const APPROACHES = 16
const LARGEST_M = 0.5

export interface NewtonInput {
  plan: SewerPlan
  kernel: SewerKernel
  devices: DeviceSet
  reaches: Reaches
  /** Whether rims give all that rises above them to a surface that is not reckoned with: heads do not drive more than from there. */
  overflows: boolean
}

export interface NewtonCounts {
  /** Looks at all balances of the network. */
  evaluations: number
  /** Steps in which nested Newton did not settle either. */
  nestedFailed: number
  /** Steps taken although balances were still open. */
  unsettled: number
}

export interface Newton extends Stateful {
  counts: Readonly<NewtonCounts>
  /**
   * Finds heads with V(H) + dt * (flows out) = `wanted` at every node.
   * @param heads starts with a guess, ends with the solution; outfalls and nodes outside the part stay
   * @param open if given, Newton may leave a few nodes' balances open; it marks them here with 1, others with 0
   * @returns iterations used, or -1 when nothing converged (heads are then worthless)
   */
  solve(
    dt: number,
    heads: Float64Array,
    old: Float64Array,
    wanted: Float64Array,
    part: Part,
    open?: Uint8Array,
  ): number
  /**
   * What `solve` does where the plain method did not settle.
   * @returns as `solve`
   */
  nested(dt: number, heads: Float64Array, old: Float64Array, wanted: Float64Array, part: Part): number
  /**
   * Comes as near as it can in a fixed number of looks, each time half of the way, and leaves the flows of where it stops; false when that is
   * beyond hope.
   * Volumes are carried from the flows: what a balance is then off, the next step begins with.
   */
  approach(dt: number, heads: Float64Array, old: Float64Array, wanted: Float64Array, part: Part): boolean
}

/**
 * Newton on the nodes' balances; where it does not settle (crowns, rims), nested Newton after Casulli and
 * Zanolli 2012, which converges for any volume that splits into p1 - p2.
 */
export function createNewton(input: NewtonInput): Newton {
  return new NodeBalances(input)
}

class NodeBalances implements Newton {
  readonly counts: NewtonCounts = { evaluations: 0, nestedFailed: 0, unsettled: 0 }
  private readonly kernel: SewerKernel
  private readonly devices: DeviceSet
  private readonly reaches: Reaches
  private readonly plan: SewerPlan
  private readonly rims: Rims | undefined
  /** Heads at which nested Newton holds the shrinking part of the surface. */
  private readonly outer: Float64Array

  constructor({ plan, kernel, devices, reaches, overflows }: NewtonInput) {
    this.plan = plan
    this.kernel = kernel
    this.devices = devices
    this.reaches = reaches
    this.rims = overflows ? new Rims(plan, kernel.state) : undefined
    this.outer = new Float64Array(plan.unknowns)
  }

  solve(
    dt: number,
    heads: Float64Array,
    old: Float64Array,
    wanted: Float64Array,
    part: Part,
    open?: Uint8Array,
  ): number {
    open?.fill(0)
    const used = this.plain(dt, heads, wanted, part, open)
    return used > 0 ? used : this.nested(dt, heads, old, wanted, part)
  }

  approach(dt: number, heads: Float64Array, old: Float64Array, wanted: Float64Array, part: Part): boolean {
    const { outer } = this
    const { nodes, nodeCount } = part
    this.counts.unsettled++
    copyAt(part, old, heads)
    for (let i = 0; i < APPROACHES; i++) {
      if (this.look(dt, heads, wanted, part) === 0) return true
      copyAt(part, heads, outer)
      this.kernel.move(heads, part)
      for (let j = 0; j < nodeCount; j++) {
        const k = nodes[j]
        const change = heads[k] - outer[k]
        // No number, or out of all measure: it stays where it was.
        heads[k] =
          outer[k] +
          (Math.abs(change) < HOPELESS_M ? Math.max(-LARGEST_M, Math.min(LARGEST_M, change / 2)) : 0)
      }
    }
    return this.look(dt, heads, wanted, part) >= 0
  }

  /** Counts; all else is found in a step. */
  visit(state: StateVisitor): void {
    const { counts } = this
    for (const name of Object.keys(counts) as (keyof NewtonCounts)[])
      counts[name] = state.number(name, counts[name])
    state.scratch(this.outer)
  }

  /** Fills matrix and residual; answers how many balances are open, -1 when one is beyond hope. */
  private look(
    dt: number,
    heads: Float64Array,
    wanted: Float64Array,
    part: Part,
    around?: Float64Array,
  ): number {
    const { kernel, rims, reaches } = this
    if (part.whole) this.counts.evaluations++
    kernel.stored(heads, wanted, part, around)
    const drives = rims ? rims.drive(heads) : heads
    if (part.whole && reaches.count > 0) reaches.add(drives, kernel.state.vector, kernel.state.diagonal)
    kernel.flows(dt, drives, part)
    if (part.whole && this.devices.count > 0) this.addDevices(dt, drives)
    if (rims) rims.cutSlopes()
    return kernel.openBalances(part, TOLERANCE_M, HOPELESS_M)
  }

  private addDevices(dt: number, heads: Float64Array): void {
    const { devices, plan, kernel } = this
    const { unknowns, devicePair } = plan
    const { canLeave, vector, diagonal, upper, lower } = kernel.state
    devices.evaluate(heads, canLeave)
    for (let k = 0; k < devices.count; k++) {
      const a = devices.from[k]
      const b = devices.to[k]
      const volume = dt * devices.flow[k]
      const s1 = dt * devices.fromSlope[k]
      const s2 = -dt * devices.toSlope[k]
      if (a < unknowns) {
        vector[a] -= volume
        diagonal[a] += s1
      }
      if (b < unknowns) {
        vector[b] += volume
        diagonal[b] += s2
      }
      const pair = devicePair[k]
      if (pair < 0) continue
      upper[pair] -= a < b ? s2 : s1
      lower[pair] -= a < b ? s1 : s2
    }
  }

  private plain(
    dt: number,
    heads: Float64Array,
    wanted: Float64Array,
    part: Part,
    open?: Uint8Array,
  ): number {
    for (let i = 1; i <= PLAIN_ITERATIONS; i++) {
      const left = this.look(dt, heads, wanted, part)
      if (left === 0) return i
      if (left < 0) return -1
      if (open && i >= LOOKS_AT_ALL && left <= FEW_NODES && this.leaves(open)) return i
      this.kernel.move(heads, part)
    }
    return -1
  }

  /** Marks open balances; false where one cannot be met apart. */
  private leaves(open: Uint8Array): boolean {
    const { unknowns, joined } = this.plan
    const { vector, diagonal } = this.kernel.state
    for (let k = 0; k < unknowns; k++) {
      open[k] = Math.abs(vector[k]) > TOLERANCE_M * diagonal[k] ? 1 : 0
      if (open[k] === 1 && joined[k] === 1) {
        open.fill(0)
        return false
      }
    }
    return true
  }

  nested(dt: number, heads: Float64Array, old: Float64Array, wanted: Float64Array, part: Part): number {
    const before = this.counts.evaluations - PLAIN_ITERATIONS
    copyAt(part, old, heads)
    for (let i = 0; i < NESTED_ITERATIONS; i++) {
      copyAt(part, heads, this.outer)
      if (!this.inner(dt, heads, wanted, part)) break
      if (this.look(dt, heads, wanted, part) === 0) return this.counts.evaluations - before
    }
    this.counts.nestedFailed++
    return -1
  }

  /** Settles the heads with the shrinking part of the surface held at `outer`; false where that does not work out. */
  private inner(dt: number, heads: Float64Array, wanted: Float64Array, part: Part): boolean {
    for (let j = 0; j < INNER_ITERATIONS; j++) {
      const left = this.look(dt, heads, wanted, part, this.outer)
      if (left === 0) return true
      if (left < 0) return false
      this.kernel.move(heads, part)
    }
    return false
  }
}

function copyAt({ nodes, nodeCount }: Part, from: Float64Array, to: Float64Array): void {
  for (let j = 0; j < nodeCount; j++) to[nodes[j]] = from[nodes[j]]
}

/** Rims over which water leaves for good: what rises there drives no flow. */
class Rims {
  private readonly plan: SewerPlan
  private readonly state: SewerState
  /** Entries of the matrix that each node shares with those before it. */
  private readonly aboveStart: Int32Array
  private readonly above: Int32Array
  /** Nodes over their rims, and the areas that take what rises there. */
  private readonly overAt: Int32Array
  private readonly overArea: Float64Array
  private overCount = 0

  constructor(plan: SewerPlan, state: SewerState) {
    this.plan = plan
    this.state = state
    const [aboveStart, above] = pairsAbove(plan)
    this.aboveStart = aboveStart
    this.above = above
    this.overAt = new Int32Array(plan.unknowns)
    this.overArea = new Float64Array(plan.unknowns)
  }

  /** Heads that drive flows; notes what nodes store by where they are over their rims. */
  drive(heads: Float64Array): Float64Array {
    const { overAt, overArea } = this
    const { driving, floodLevel, diagonal } = this.state
    const { unknowns } = this.plan
    let count = 0
    for (let k = 0; k < unknowns; k++) {
      const over = heads[k] > floodLevel[k]
      driving[k] = over ? floodLevel[k] : heads[k]
      if (!over) continue
      overAt[count] = k
      overArea[count++] = diagonal[k]
    }
    for (let k = unknowns; k < heads.length; k++) driving[k] = heads[k]
    this.overCount = count
    return driving
  }

  /** What rises over a rim drives nothing: it only leaves. */
  cutSlopes(): void {
    const { overAt, overArea, aboveStart, above } = this
    const { diagonal, upper, lower } = this.state
    const { start } = this.plan.elimination
    for (let i = 0; i < this.overCount; i++) {
      const k = overAt[i]
      diagonal[k] = overArea[i]
      for (let pair = start[k]; pair < start[k + 1]; pair++) lower[pair] = 0
      for (let at = aboveStart[k]; at < aboveStart[k + 1]; at++) upper[above[at]] = 0
    }
  }
}

/** Entries of the matrix that a node shares with those before it, node by node. */
function pairsAbove({ unknowns, elimination: { partner, pairs } }: SewerPlan): [Int32Array, Int32Array] {
  const first = new Int32Array(unknowns + 1)
  for (let pair = 0; pair < pairs; pair++) first[partner[pair] + 1]++
  for (let k = 0; k < unknowns; k++) first[k + 1] += first[k]
  const next = first.slice()
  const list = new Int32Array(pairs)
  for (let pair = 0; pair < pairs; pair++) list[next[partner[pair]]++] = pair
  return [first, list]
}
