import type { SewerKernel } from './kernel.ts'
import type { Newton } from './newton.ts'
import type { Part } from './part.ts'
import type { ConduitPlan } from './plan.ts'

/** So many pipes around a node that swings are solved with it. */
const REACH = 3
/** A part with more than this share of all nodes is not worth it. */
const LARGEST_SHARE = 0.5
/** Steps that do not converge are not halved below this here, s. */
const SHORTEST_S = 0.05

export interface RefineInput {
  conduits: ConduitPlan
  unknowns: number
  /** Its state is changed in place; `trial`, the solution over the whole network, gets what the part ends with. */
  kernel: SewerKernel
  newton: Newton
  /** How fast heads moved in the last step, m/s, and volumes of nodes, m3, by position; changed in place. */
  rate: Float64Array
  volume: Float64Array
  /** Sets `canLeave`, `floodLevel`, `floodArea` and `wanted` of a node for a step of `dt` that is a share of the whole. */
  enter(k: number, dt: number, share: number): void
  /** Whether a node that was dry is heaped up in a step. */
  floodsDry(k: number): boolean
  /** Longest next step after one that bends by `bendM`, s. */
  fitting(dt: number, bendM: number): number
  /** Steps are not shorter than this for a bend's sake, s, and bends beyond `mostM` not taken in longer ones. */
  floorS: number
  mostM: number
}

/**
 * Shorter steps where heads swing. The step over the whole network stands elsewhere, and so do its flows through the
 * pipes that lead into the part, so that no water is made or lost.
 */
export interface Refinement {
  /** Conduits and nodes of the part. */
  part: Part
  inside: Uint8Array
  conduitInside: Uint8Array
  /** m3 that conduits of the part carried, and its nodes gave out above their rims, in the whole step. */
  carried: Float64Array
  flooded: Float64Array
  steps: number
  /**
   * Goes over the step just solved for the whole network again, around the nodes marked in `seeds`, first in steps of
   * `firstS`.
   * @returns false, and the state as it was, when that did not work out
   */
  run(dt: number, firstS: number, seeds: Uint8Array): boolean
  /** Whether that took one step, and how far heads were then off the line on which they moved, at most, m. */
  whole: boolean
  bendM: number
  /** Forgets the part. */
  clear(): void
}

export function createRefinement(input: RefineInput): Refinement {
  const { conduits, unknowns, kernel, newton, rate, volume, floorS, mostM } = input
  const { head, trial, wanted, floodLevel, floodArea, flow, area, nextArea, lastStepS, conduitFlow } =
    kernel.state
  const { from, to, barrels, count } = conduits
  const part = kernel.part()
  const inside = new Uint8Array(unknowns)
  const conduitInside = new Uint8Array(count)
  const carried = new Float64Array(count)
  const flooded = new Float64Array(unknowns)
  /** What the pipes at the part's edge bring each of its nodes, m3/s. */
  const incoming = new Float64Array(unknowns)
  const net = new Float64Array(unknowns)
  const touching: number[][] = Array.from({ length: unknowns }, () => [])
  for (let c = 0; c < count; c++) for (const k of [from[c], to[c]]) if (k < unknowns) touching[k].push(c)
  const keptNodes = [head, rate, volume].map((values) => ({ values, kept: new Float64Array(unknowns) }))
  const keptConduits = [flow, area, lastStepS].map((values) => ({
    values,
    kept: new Float64Array(count),
  }))

  /** The seeds and all within REACH pipes. */
  function gather(seeds: Uint8Array) {
    let found = 0
    const { nodes } = part
    const add = (k: number) => {
      if (k >= unknowns || inside[k] === 1) return
      inside[k] = 1
      nodes[found++] = k
    }
    for (let k = 0; k < unknowns; k++) if (seeds[k] === 1) add(k)
    let begin = 0
    for (let ring = 0; ring < REACH; ring++) {
      const end = found
      for (; begin < end; begin++) {
        for (const c of touching[nodes[begin]]) {
          add(from[c])
          add(to[c])
        }
      }
    }
    part.nodeCount = found
    nodes.subarray(0, found).sort()
    for (let j = 0; j < found; j++) {
      const k = nodes[j]
      incoming[k] = 0
      flooded[k] = 0
      for (const c of touching[k]) {
        const other = from[c] === k ? to[c] : from[c]
        if (other >= unknowns || inside[other] === 1) {
          if (conduitInside[c] === 1) continue
          conduitInside[c] = 1
          carried[c] = 0
          part.conduits[part.conduitCount++] = c
        } else incoming[k] += (to[c] === k ? 1 : -1) * barrels[c] * conduitFlow[c]
      }
    }
  }

  function keep() {
    for (const { values, kept } of keptNodes)
      for (let j = 0; j < part.nodeCount; j++) kept[part.nodes[j]] = values[part.nodes[j]]
    for (const { values, kept } of keptConduits)
      for (let j = 0; j < part.conduitCount; j++) kept[part.conduits[j]] = values[part.conduits[j]]
  }

  function restore() {
    for (const { values, kept } of keptNodes)
      for (let j = 0; j < part.nodeCount; j++) values[part.nodes[j]] = kept[part.nodes[j]]
    for (const { values, kept } of keptConduits)
      for (let j = 0; j < part.conduitCount; j++) values[part.conduits[j]] = kept[part.conduits[j]]
  }

  function accept(ds: number) {
    const { nodes, nodeCount, conduits: pipes, conduitCount } = part
    for (let j = 0; j < nodeCount; j++) net[nodes[j]] = 0
    for (let j = 0; j < conduitCount; j++) {
      const c = pipes[j]
      const q = conduitFlow[c]
      flow[c] = q
      area[c] = nextArea[c]
      lastStepS[c] = ds
      const moved = barrels[c] * q * ds
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

  const refinement: Refinement = {
    part,
    inside,
    conduitInside,
    carried,
    flooded,
    steps: 0,
    whole: true,
    bendM: 0,
    run(dt, firstS, seeds) {
      gather(seeds)
      const { nodes, nodeCount } = part
      if (nodeCount > LARGEST_SHARE * unknowns) {
        refinement.clear()
        return false
      }
      keep()
      let left = dt
      let longest = firstS
      while (left > 0) {
        const parts = Math.max(1, Math.ceil(left / longest - 1e-9))
        const ds = left / parts
        for (let j = 0; j < nodeCount; j++) {
          const k = nodes[j]
          input.enter(k, ds, ds / dt)
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
          if (input.floodsDry(k)) heaps = true
        }
        refinement.steps++
        if (!solved || (ds > floorS && (heaps || bend > mostM))) {
          longest = ds / 2
          if (solved || longest >= SHORTEST_S) continue
          restore()
          refinement.clear()
          return false
        }
        accept(ds)
        refinement.whole = ds === dt
        refinement.bendM = bend
        left = parts > 1 ? left - ds : 0
        longest = Math.max(floorS, input.fitting(ds, bend))
      }
      return true
    },
    clear() {
      for (let j = 0; j < part.nodeCount; j++) inside[part.nodes[j]] = 0
      for (let j = 0; j < part.conduitCount; j++) conduitInside[part.conduits[j]] = 0
      part.nodeCount = 0
      part.conduitCount = 0
      refinement.whole = true
      refinement.bendM = 0
    },
  }
  return refinement
}
