import type { NodeVolumes } from '../network/node-volume.ts'
import type { SewerPlan } from '../network/plan.ts'
import type { SewerKernel, SewerState } from './kernel.ts'
import type { ConduitLaws } from './momentum.ts'
import type { Part } from './part.ts'

/** Volumes of nodes and flows of conduits at some heads: the inner loops that Newton looks at again and again. */
export function createBalances(plan: SewerPlan, state: SewerState) {
  const nodes = nodeRows(plan)
  const stored: SewerKernel['stored'] = (heads, wanted, part, outer) =>
    store(plan, state, nodes, heads, wanted, part, outer)
  const flows =
    (laws: ConduitLaws): SewerKernel['flows'] =>
    (dt, heads, part) =>
      flow(plan, state, laws, dt, heads, part)
  return { stored, flows }
}

/** Rows of the nodes' volumes (`NodeVolumes`), their heights, m, and the nodes' bottoms, m. */
interface NodeRows extends NodeVolumes {
  metres: Float64Array
  invert: Float64Array
}

const nodeRows = ({ volumes, invert }: SewerPlan): NodeRows => ({
  ...volumes,
  metres: volumes.perMetre.map((rowsPerMetre) => 1 / rowsPerMetre),
  invert,
})

function store(
  { elimination: { start } }: SewerPlan,
  { floodLevel, floodArea, vector, diagonal, upper, lower }: SewerState,
  node: NodeRows,
  heads: Float64Array,
  wanted: Float64Array,
  { nodes, nodeCount }: Part,
  outer?: Float64Array,
): void {
  const { rows, first, intervals, perMetre, metres, invert } = node
  for (let j = 0; j < nodeCount; j++) {
    const k = nodes[j]
    const d = heads[k] - invert[k]
    const n = intervals[k]
    let at = d * perMetre[k]
    const i = at >= n ? n - 1 : at > 0 ? at | 0 : 0
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
    if (outer) {
      // V1(H) less the tangent of V2 at the outer iterate.
      const atOuter = outer[k]
      const slope = minorSlope(node, k, atOuter)
      volume += minor(node, k, heads[k]) - minor(node, k, atOuter) - slope * (heads[k] - atOuter)
      p += minorSlope(node, k, heads[k]) - slope
    }
    vector[k] = wanted[k] - volume
    diagonal[k] = p
    for (let pair = start[k]; pair < start[k + 1]; pair++) {
      upper[pair] = 0
      lower[pair] = 0
    }
  }
}

/** Volume of p2, the shrinking part of the surface, m3. */
function minor({ rows, first, intervals, perMetre, invert }: NodeRows, k: number, head: number): number {
  const at = (head - invert[k]) * perMetre[k]
  if (at <= 0) return 0
  const i = Math.min(at | 0, intervals[k] - 1)
  const row = first[k] + i * 4
  const h = 1 / perMetre[k]
  const t = at - i
  if (t > 1) return rows[row + 6] + (t - 1) * h * rows[row + 7]
  return rows[row + 2] + t * h * (rows[row + 3] + (t * (rows[row + 7] - rows[row + 3])) / 2)
}

/** Its surface, m2. */
function minorSlope({ rows, first, intervals, perMetre, invert }: NodeRows, k: number, head: number): number {
  const at = (head - invert[k]) * perMetre[k]
  if (at <= 0) return 0
  const i = Math.min(at | 0, intervals[k] - 1)
  const row = first[k] + i * 4
  return rows[row + 3] + Math.min(1, at - i) * (rows[row + 7] - rows[row + 3])
}

function flow(
  { unknowns, conduits, conduitPair }: SewerPlan,
  { vector, diagonal, upper, lower, conduitFlow, meanFlow }: SewerState,
  { constant, fromSlope, toSlope, low, high, highSlope, weight, carried }: ConduitLaws,
  dt: number,
  heads: Float64Array,
  { conduits: pipes, conduitCount }: Part,
): void {
  const { from, to, barrels } = conduits
  for (let j = 0; j < conduitCount; j++) {
    const c = pipes[j]
    const a = from[c]
    const b = to[c]
    let s1 = fromSlope[c]
    let s2 = toSlope[c]
    let q = constant[c] + s1 * heads[a] - s2 * heads[b]
    const cap = high[c] + highSlope[c] * heads[a]
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
    const share = weight[c]
    const mean = share * q + carried[c]
    meanFlow[c] = mean
    const scale = dt * barrels[c]
    const volume = scale * mean
    s1 *= scale * share
    s2 *= scale * share
    if (a < unknowns) {
      vector[a] -= volume
      diagonal[a] += s1
    }
    if (b < unknowns) {
      vector[b] += volume
      diagonal[b] += s2
    }
    const pair = conduitPair[c]
    if (pair < 0) continue
    upper[pair] -= a < b ? s2 : s1
    lower[pair] -= a < b ? s1 : s2
  }
}
