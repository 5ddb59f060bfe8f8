import type { DeviceSet } from '../devices/device-set.ts'
import type { SewerPlan } from '../network/plan.ts'
import type { Reaches } from '../network/reaches.ts'
import type { SewerKernel } from './kernel.ts'
import type { Part } from './part.ts'

/** Nodes' volume balances are met to this head, m; what is left goes into the next step's balance, not lost. */
const TOLERANCE_M = 1e-5
/** A residual beyond this, as a head, m, will not settle. */
const HOPELESS_M = 1e6
/** After so many looks at all balances a few open ones are left to others. */
const LOOKS_AT_ALL = 2
const FEW_NODES = 60
const PLAIN_ITERATIONS = 12
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

export interface Newton {
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
export function createNewton({ plan, kernel, devices, reaches, overflows }: NewtonInput): Newton {
  const { unknowns, devicePair, joined } = plan
  const { canLeave, vector, diagonal, upper, lower, driving, floodLevel } = kernel.state
  const outer = new Float64Array(unknowns)
  const { start } = plan.elimination
  const [aboveStart, above] = pairsAbove(plan)
  /** Nodes over their rims, and the areas that take what rises there. */
  const overAt = new Int32Array(unknowns)
  const overArea = new Float64Array(unknowns)
  let overCount = 0
  const addReaches =
    kernel.compileReaches?.(reaches.count, reaches.memory) ??
    ((heads: Float64Array) => reaches.add(heads, vector, diagonal))
  const counts: NewtonCounts = { evaluations: 0, nestedFailed: 0, unsettled: 0 }

  /** Fills matrix and residual; answers how many balances are open, -1 when one is beyond hope. */
  function look(
    dt: number,
    heads: Float64Array,
    wanted: Float64Array,
    part: Part,
    around?: Float64Array,
  ): number {
    if (part.whole) counts.evaluations++
    kernel.stored(heads, wanted, part, around)
    const drives = overflows ? belowRims(heads) : heads
    if (part.whole && reaches.count > 0) addReaches(drives)
    kernel.flows(dt, drives, part)
    if (part.whole && devices.count > 0) assembleDevices(dt, drives)
    if (overflows) cutSlopes()
    return kernel.openBalances(part, TOLERANCE_M, HOPELESS_M)
  }

  /** Heads that drive flows; notes what nodes store by where they are over their rims. */
  function belowRims(heads: Float64Array): Float64Array {
    overCount = 0
    for (let k = 0; k < unknowns; k++) {
      const over = heads[k] > floodLevel[k]
      driving[k] = over ? floodLevel[k] : heads[k]
      if (!over) continue
      overAt[overCount] = k
      overArea[overCount++] = diagonal[k]
    }
    for (let k = unknowns; k < heads.length; k++) driving[k] = heads[k]
    return driving
  }

  /** What rises over a rim drives nothing: it only leaves. */
  function cutSlopes() {
    for (let i = 0; i < overCount; i++) {
      const k = overAt[i]
      diagonal[k] = overArea[i]
      for (let pair = start[k]; pair < start[k + 1]; pair++) lower[pair] = 0
      for (let at = aboveStart[k]; at < aboveStart[k + 1]; at++) upper[above[at]] = 0
    }
  }

  function assembleDevices(dt: number, heads: Float64Array) {
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
      if (a < b) {
        upper[pair] -= s2
        lower[pair] -= s1
      } else {
        upper[pair] -= s1
        lower[pair] -= s2
      }
    }
  }

  function plain(
    dt: number,
    heads: Float64Array,
    wanted: Float64Array,
    part: Part,
    open?: Uint8Array,
  ): number {
    for (let i = 1; i <= PLAIN_ITERATIONS; i++) {
      const left = look(dt, heads, wanted, part)
      if (left === 0) return i
      if (left < 0) return -1
      if (open && i >= LOOKS_AT_ALL && left <= FEW_NODES && leaves(open)) return i
      kernel.move(heads, part)
    }
    return -1
  }

  /** Marks open balances; false where one cannot be met apart. */
  function leaves(open: Uint8Array): boolean {
    for (let k = 0; k < unknowns; k++) {
      open[k] = Math.abs(vector[k]) > TOLERANCE_M * diagonal[k] ? 1 : 0
      if (open[k] === 1 && joined[k] === 1) {
        open.fill(0)
        return false
      }
    }
    return true
  }

  /** Settles the heads with the shrinking part of the surface held at `outer`; false where that does not work out. */
  function inner(dt: number, heads: Float64Array, wanted: Float64Array, part: Part): boolean {
    for (let j = 0; j < INNER_ITERATIONS; j++) {
      const left = look(dt, heads, wanted, part, outer)
      if (left === 0) return true
      if (left < 0) return false
      kernel.move(heads, part)
    }
    return false
  }

  return {
    counts,
    approach(dt, heads, old, wanted, part) {
      counts.unsettled++
      const { nodes, nodeCount } = part
      for (let j = 0; j < nodeCount; j++) heads[nodes[j]] = old[nodes[j]]
      for (let i = 0; i < APPROACHES; i++) {
        if (look(dt, heads, wanted, part) === 0) return true
        for (let j = 0; j < nodeCount; j++) outer[nodes[j]] = heads[nodes[j]]
        kernel.move(heads, part)
        for (let j = 0; j < nodeCount; j++) {
          const k = nodes[j]
          const change = heads[k] - outer[k]
          // No number, or out of all measure: it stays where it was.
          heads[k] =
            outer[k] +
            (Math.abs(change) < HOPELESS_M ? Math.max(-LARGEST_M, Math.min(LARGEST_M, change / 2)) : 0)
        }
      }
      return look(dt, heads, wanted, part) >= 0
    },
    solve(dt, heads, old, wanted, part, open) {
      open?.fill(0)
      const used = plain(dt, heads, wanted, part, open)
      if (used > 0) return used
      const before = counts.evaluations - PLAIN_ITERATIONS
      const { nodes, nodeCount } = part
      for (let j = 0; j < nodeCount; j++) heads[nodes[j]] = old[nodes[j]]
      for (let i = 0; i < NESTED_ITERATIONS; i++) {
        for (let j = 0; j < nodeCount; j++) outer[nodes[j]] = heads[nodes[j]]
        if (!inner(dt, heads, wanted, part)) break
        if (look(dt, heads, wanted, part) === 0) return counts.evaluations - before
      }
      counts.nestedFailed++
      return -1
    },
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
