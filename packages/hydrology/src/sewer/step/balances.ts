import type { SewerPlan } from '../network/plan.ts'
import type { SewerKernel, SewerState } from './kernel.ts'
import type { ConduitLaws } from './momentum.ts'

/** Volumes of nodes and flows of conduits at some heads: the inner loops that Newton looks at again and again. */
export function createBalances(plan: SewerPlan, state: SewerState) {
  const { unknowns, invert, conduits, conduitPair } = plan
  const { rows, first, intervals, perMetre } = plan.volumes
  const { start } = plan.elimination
  const { floodLevel, floodArea, vector, diagonal, upper, lower, conduitFlow, meanFlow } = state
  const metres = perMetre.map((intervalsPerMetre) => 1 / intervalsPerMetre)

  const stored: SewerKernel['stored'] = (heads, wanted, { nodes, nodeCount }, outer) => {
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
        volume += minor(k, heads[k]) - minor(k, atOuter) - minorSlope(k, atOuter) * (heads[k] - atOuter)
        p += minorSlope(k, heads[k]) - minorSlope(k, atOuter)
      }
      vector[k] = wanted[k] - volume
      diagonal[k] = p
      for (let pair = start[k]; pair < start[k + 1]; pair++) {
        upper[pair] = 0
        lower[pair] = 0
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

  function flows(laws: ConduitLaws): SewerKernel['flows'] {
    const { constant, fromSlope, toSlope, low, high, highSlope, weight, carried } = laws
    const { from, to, barrels } = conduits
    return (dt, heads, { conduits: pipes, conduitCount }) => {
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
    }
  }

  return { stored, flows }
}
