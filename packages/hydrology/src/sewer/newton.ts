import type { DeviceSet } from './device-set.ts'
import type { Momentum } from './momentum.ts'
import type { Part } from './part.ts'
import type { SewerPlan } from './plan.ts'
import type { Reaches } from './reaches.ts'

/** Nodes' volume balances are met to this head, m; what is left goes into the next step's balance, not lost. */
const TOLERANCE_M = 1e-5
/** A residual beyond this, as a head, m, will not settle. */
const HOPELESS_M = 1e6
/** After so many looks at all balances a few open ones are left to others. */
const LOOKS_AT_ALL = 2
const FEW_NODES = 60
const PLAIN_ITERATIONS = 12
const NESTED_ITERATIONS = 40

const OPEN = 0
const MET = 1
const HOPELESS = 2
type Outcome = typeof OPEN | typeof MET | typeof HOPELESS

export interface NewtonInput {
  plan: SewerPlan
  momentum: Momentum
  devices: DeviceSet
  reaches: Reaches
  canLeave: Uint8Array
  /** Level above which a node gives water out, m absolute, and m2 that takes it ([position]). */
  floodLevel: Float64Array
  floodArea: Float64Array
}

export interface Newton {
  /** Flow of each conduit a barrel at the last heads, m3/s. */
  conduitFlow: Float64Array
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
}

/**
 * Newton on the nodes' balances; where it does not settle (crowns, rims), nested Newton after Casulli and
 * Zanolli 2012, which converges for any volume that splits into p1 - p2.
 */
export function createNewton({
  plan,
  momentum,
  devices,
  reaches,
  canLeave,
  floodLevel,
  floodArea,
}: NewtonInput): Newton {
  const { unknowns, invert, conduits, elimination, conduitPair, devicePair } = plan
  const { rows, first, intervals, perMetre } = plan.volumes
  const { diagonal, upper, lower, vector } = elimination
  const metres = perMetre.map((intervalsPerMetre) => 1 / intervalsPerMetre)
  const conduitFlow = new Float64Array(conduits.count)
  const outer = new Float64Array(unknowns)

  /** Nodes whose balances the last look found open. */
  let openNodes = 0

  /** Fills matrix and residual; answers whether balances are met, or beyond hope. */
  function assemble(
    dt: number,
    heads: Float64Array,
    wanted: Float64Array,
    part: Part,
    nested: boolean,
  ): Outcome {
    const { nodes, nodeCount, conduits: pipes, conduitCount } = part
    for (let j = 0; j < nodeCount; j++) {
      const k = nodes[j]
      const d = heads[k] - invert[k]
      const n = intervals[k]
      let at = d * perMetre[k]
      let i = at | 0
      if (i >= n) i = n - 1
      else if (at < 0) i = 0
      const row = first[k] + i * 4
      at -= i
      const h = metres[k]
      const p0 = rows[row + 1]
      let p: number
      let volume: number
      if (at < 0) {
        p = p0
        volume = p0 * d
      } else if (at > 1) {
        p = rows[row + 5]
        volume = rows[row + 4] + (at - 1) * h * p
      } else {
        p = p0 + at * (rows[row + 5] - p0)
        volume = rows[row] + (at * h * (p0 + p)) / 2
      }
      const over = heads[k] - floodLevel[k]
      if (over > 0) {
        volume += floodArea[k] * over
        p += floodArea[k]
      }
      if (nested) {
        // V1(H) less the tangent of V2 at the outer iterate.
        const atOuter = outer[k]
        volume += minor(k, heads[k]) - minor(k, atOuter) - minorSlope(k, atOuter) * (heads[k] - atOuter)
        p += minorSlope(k, heads[k]) - minorSlope(k, atOuter)
      }
      vector[k] = wanted[k] - volume
      diagonal[k] = p
    }
    if (reaches.count > 0) reaches.add(heads, vector, diagonal)
    elimination.clear(nodes, nodeCount)
    const { constant, fromSlope, toSlope, low, high, highSlope } = momentum
    const { from, to, barrels } = conduits
    for (let j = 0; j < conduitCount; j++) {
      const c = pipes[j]
      const a = from[c]
      const b = to[c]
      let s1 = fromSlope[c]
      let s2 = toSlope[c]
      const ha = heads[a]
      let q = constant[c] + s1 * ha - s2 * heads[b]
      const cap = high[c] + highSlope[c] * ha
      if (q > cap) {
        q = cap
        s1 = highSlope[c]
        s2 = 0
      }
      if (q < low[c]) {
        q = low[c]
        s1 = 0
        s2 = 0
      }
      conduitFlow[c] = q
      const scale = dt * barrels[c]
      const volume = scale * q
      s1 *= scale
      s2 *= scale
      if (a < unknowns) {
        vector[a] -= volume
        diagonal[a] += s1
      }
      if (b < unknowns) {
        vector[b] += volume
        diagonal[b] += s2
      }
      const pair = conduitPair[c]
      if (pair >= 0) {
        if (a < b) {
          upper[pair] -= s2
          lower[pair] -= s1
        } else {
          upper[pair] -= s1
          lower[pair] -= s2
        }
      }
    }
    if (devices.count > 0) assembleDevices(dt, heads)
    openNodes = 0
    for (let j = 0; j < nodeCount; j++) {
      const k = nodes[j]
      const off = Math.abs(vector[k])
      if (off <= TOLERANCE_M * diagonal[k]) continue
      if (!(off < HOPELESS_M * diagonal[k])) return HOPELESS
      openNodes++
    }
    return openNodes === 0 ? MET : OPEN
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

  /** Volume and surface of p2, the shrinking part of the surface. */
  function minor(k: number, head: number): number {
    const at = (head - invert[k]) * perMetre[k]
    if (at <= 0) return 0
    const i = Math.min(at | 0, intervals[k] - 1)
    const row = first[k] + i * 4
    const h = 1 / perMetre[k]
    const t = at - i
    if (t > 1) return rows[row + 6] + (t - 1) * h * rows[row + 7]
    return rows[row + 2] + t * h * (rows[row + 3] + (t * (rows[row + 7] - rows[row + 3])) / 2)
  }
  function minorSlope(k: number, head: number): number {
    const at = (head - invert[k]) * perMetre[k]
    if (at <= 0) return 0
    const i = Math.min(at | 0, intervals[k] - 1)
    const row = first[k] + i * 4
    return rows[row + 3] + Math.min(1, at - i) * (rows[row + 7] - rows[row + 3])
  }

  function update(heads: Float64Array, { nodes, nodeCount }: Part) {
    elimination.solve(nodes, nodeCount)
    for (let j = 0; j < nodeCount; j++) heads[nodes[j]] += vector[nodes[j]]
  }

  function plain(
    dt: number,
    heads: Float64Array,
    wanted: Float64Array,
    part: Part,
    open?: Uint8Array,
  ): number {
    for (let i = 1; i <= PLAIN_ITERATIONS; i++) {
      const outcome = assemble(dt, heads, wanted, part, false)
      if (outcome === MET) return i
      if (outcome === HOPELESS) return -1
      if (open && i >= LOOKS_AT_ALL && openNodes <= FEW_NODES) {
        for (let k = 0; k < unknowns; k++) open[k] = Math.abs(vector[k]) > TOLERANCE_M * diagonal[k] ? 1 : 0
        return i
      }
      update(heads, part)
    }
    return -1
  }

  return {
    conduitFlow,
    solve(dt, heads, old, wanted, part, open) {
      open?.fill(0)
      let used = plain(dt, heads, wanted, part, open)
      if (used > 0) return used
      used = PLAIN_ITERATIONS
      const { nodes, nodeCount } = part
      for (let j = 0; j < nodeCount; j++) heads[nodes[j]] = old[nodes[j]]
      for (let i = 0; i < NESTED_ITERATIONS; i++) {
        for (let j = 0; j < nodeCount; j++) outer[nodes[j]] = heads[nodes[j]]
        for (let j = 0; j < NESTED_ITERATIONS; j++) {
          const outcome = assemble(dt, heads, wanted, part, true)
          used++
          if (outcome === MET) break
          if (outcome === HOPELESS) return -1
          update(heads, part)
        }
        if (assemble(dt, heads, wanted, part, false) === MET) return used
      }
      return -1
    },
  }
}
