import type { ConduitPlan } from '../network/conduit-plan.ts'
import type { SewerPlan } from '../network/plan.ts'
import type { Entry } from './entry.ts'
import type { SewerKernel } from './kernel.ts'
import type { Newton } from './newton.ts'
import type { Part } from './part.ts'
import { fittingStep, PART_M, PART_STEP_S, SURGE_M, SURGE_STEP_S } from './step-length.ts'

/** So many pipes around a node that swings are solved with it. */
const REACH = 3
/** A part with more than this share of all nodes is not worth it. */
const LARGEST_SHARE = 0.5
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
}

/**
 * Shorter steps where heads swing. The step over the whole network stands elsewhere, and so do its flows through the
 * pipes that lead into the part, so that no water is made or lost.
 */
export interface Refinement {
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

export function createRefinement({ plan, kernel, newton, entry }: RefineInput): Refinement {
  const { conduits, unknowns, joined } = plan
  const { head, trial, rate, volume, wanted, floodLevel, floodArea } = kernel.state
  const { flow, area, nextArea, lastStepS, conduitFlow, meanFlow } = kernel.state
  const { from, to, barrels, count } = conduits
  /** All parts together. */
  const all = kernel.part()
  const parts: Part[] = []
  const order = new Int32Array(unknowns)
  let found = 0
  const taken = new Uint8Array(unknowns)
  const inside = new Uint8Array(unknowns)
  const conduitInside = new Uint8Array(count)
  const carried = new Float64Array(count)
  const flooded = new Float64Array(unknowns)
  /** What the pipes at the part's edge bring each of its nodes, m3/s. */
  const incoming = new Float64Array(unknowns)
  const net = new Float64Array(unknowns)
  const { starts, touching } = pipesAt(conduits, unknowns)
  const keptNodes = [head, rate, volume].map((values) => ({ values, kept: new Float64Array(unknowns) }))
  const keptConduits = [flow, area, lastStepS].map((values) => ({
    values,
    kept: new Float64Array(count),
  }))

  /** The seeds and all within REACH pipes, except joined nodes; `order` then holds them. False if that cannot be. */
  function gather(seeds: Uint8Array): boolean {
    found = 0
    for (let k = 0; k < unknowns; k++) if (seeds[k] === 1 && joined[k] === 1) return false
    for (let k = 0; k < unknowns; k++) {
      if (seeds[k] === 0) continue
      inside[k] = 1
      order[found++] = k
    }
    let begin = 0
    for (let ring = 0; ring < REACH; ring++) {
      const end = found
      for (; begin < end; begin++) {
        const k = order[begin]
        for (let i = starts[k]; i < starts[k + 1]; i++) {
          const c = touching[i]
          const other = from[c] === k ? to[c] : from[c]
          if (other >= unknowns || inside[other] === 1 || joined[other] === 1) continue
          inside[other] = 1
          order[found++] = other
        }
      }
    }
    if (found <= LARGEST_SHARE * unknowns) return true
    for (let j = 0; j < found; j++) inside[order[j]] = 0
    return false
  }

  /** Parts that no pipe joins, each with its pipes. */
  function split() {
    const { nodes } = all
    let end = 0
    let pipes = 0
    for (let j = 0; j < found; j++) {
      if (taken[order[j]] === 1) continue
      const begin = end
      const firstPipe = pipes
      taken[order[j]] = 1
      nodes[end++] = order[j]
      for (let at = begin; at < end; at++) {
        const k = nodes[at]
        incoming[k] = 0
        flooded[k] = 0
        for (let i = starts[k]; i < starts[k + 1]; i++) {
          const c = touching[i]
          const other = from[c] === k ? to[c] : from[c]
          if (other < unknowns && inside[other] === 0) {
            incoming[k] += (to[c] === k ? 1 : -1) * barrels[c] * meanFlow[c]
            continue
          }
          if (other < unknowns && taken[other] === 0) {
            taken[other] = 1
            nodes[end++] = other
          }
          if (conduitInside[c] === 1) continue
          conduitInside[c] = 1
          carried[c] = 0
          all.conduits[pipes++] = c
        }
      }
      parts.push({
        nodes: nodes.subarray(begin, end).sort(),
        nodeCount: end - begin,
        conduits: all.conduits.subarray(firstPipe, pipes),
        conduitCount: pipes - firstPipe,
        whole: false,
      })
    }
    all.nodeCount = end
    all.conduitCount = pipes
  }

  function keep() {
    for (const { values, kept } of keptNodes)
      for (let j = 0; j < all.nodeCount; j++) kept[all.nodes[j]] = values[all.nodes[j]]
    for (const { values, kept } of keptConduits)
      for (let j = 0; j < all.conduitCount; j++) kept[all.conduits[j]] = values[all.conduits[j]]
  }

  function restore() {
    for (const { values, kept } of keptNodes)
      for (let j = 0; j < all.nodeCount; j++) values[all.nodes[j]] = kept[all.nodes[j]]
    for (const { values, kept } of keptConduits)
      for (let j = 0; j < all.conduitCount; j++) values[all.conduits[j]] = kept[all.conduits[j]]
  }

  function accept(ds: number, { nodes, nodeCount, conduits: pipes, conduitCount }: Part) {
    for (let j = 0; j < nodeCount; j++) net[nodes[j]] = 0
    for (let j = 0; j < conduitCount; j++) {
      const c = pipes[j]
      const q = conduitFlow[c]
      flow[c] = q
      area[c] = nextArea[c]
      lastStepS[c] = ds
      const moved = barrels[c] * meanFlow[c] * ds
      carried[c] += moved
      if (from[c] < unknowns) net[from[c]] -= moved
      if (to[c] < unknowns) net[to[c]] += moved
    }
    for (let j = 0; j < nodeCount; j++) {
      const k = nodes[j]
      const over = trial[k] - floodLevel[k]
      const out = over > 0 ? floodArea[k] * over : 0
      volume[k] = wanted[k] + net[k] - out
      flooded[k] += out
      rate[k] = (trial[k] - head[k]) / ds
      head[k] = trial[k]
    }
  }

  /** Goes over the step `dt` again in one part, first in a step of `firstS`. @returns false when that did not work out */
  function retrace(part: Part, dt: number, firstS: number, floorS: number): boolean {
    const { nodes, nodeCount } = part
    let left = dt
    let longest = firstS
    while (left > 0) {
      const pieces = Math.max(1, Math.ceil(left / longest - 1e-9))
      const ds = left / pieces
      for (let j = 0; j < nodeCount; j++) {
        const k = nodes[j]
        entry.enter(k, ds, ds / dt)
        wanted[k] += incoming[k] * ds
        trial[k] = head[k] + ds * rate[k]
      }
      kernel.prepare(ds, head, part)
      const solved = newton.solve(ds, trial, head, wanted, part) > 0
      let bend = 0
      let heaps = false
      for (let j = 0; j < nodeCount; j++) {
        const k = nodes[j]
        bend = Math.max(bend, Math.abs(trial[k] - head[k] - ds * rate[k]))
        if (entry.floodsDry(k)) heaps = true
      }
      refinement.steps++
      if (!solved || (ds > floorS && (heaps || bend > MOST_M))) {
        longest = ds / 2
        if (solved || longest >= SHORTEST_S) continue
        return false
      }
      accept(ds, part)
      if (ds === dt) refinement.bendM = Math.max(refinement.bendM, bend)
      else refinement.whole = false
      left = pieces > 1 ? left - ds : 0
      longest = Math.max(floorS, fittingStep(ds, bend, PART_M))
    }
    return true
  }

  const refinement: Refinement = {
    inside,
    conduitInside,
    carried,
    flooded,
    steps: 0,
    whole: true,
    bendM: 0,
    gather,
    run(dt, swings) {
      split()
      keep()
      for (const part of parts) {
        const floorS = swings ? PART_STEP_S : SURGE_STEP_S
        const firstS = swings ? Math.min(dt / 2, fittingStep(dt, bendOver(part, dt), PART_M)) : dt
        if (retrace(part, dt, Math.max(Math.min(floorS, dt), firstS), floorS)) continue
        restore()
        refinement.clear()
        return false
      }
      return true
    },
    clear() {
      for (let j = 0; j < all.nodeCount; j++) {
        inside[all.nodes[j]] = 0
        taken[all.nodes[j]] = 0
      }
      for (let j = 0; j < all.conduitCount; j++) conduitInside[all.conduits[j]] = 0
      all.nodeCount = 0
      all.conduitCount = 0
      parts.length = 0
      refinement.whole = true
      refinement.bendM = 0
    },
  }

  /** How far heads of the step over the whole network are off the line on which they moved, at most, m. */
  function bendOver({ nodes, nodeCount }: Part, dt: number): number {
    let most = 0
    for (let j = 0; j < nodeCount; j++) {
      const k = nodes[j]
      most = Math.max(most, Math.abs(trial[k] - head[k] - dt * rate[k]))
    }
    return most
  }
  return refinement
}

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
