import type { SewerNetwork } from '@radx/contracts'
import { normalDepth } from '../sections/section-table.ts'
import type { SewerPlan } from './plan.ts'

/**
 * Heads at the start by position, m: the file's depths; where it gives none, the mean of the normal depths of
 * the conduits that start with a flow (SWMM Reference Manual II, 3.5).
 */
export function initialHeads(network: SewerNetwork, plan: SewerPlan): Float64Array {
  const { conduits, nodeOf, unknowns, invert } = plan
  const sums = new Float64Array(nodeOf.length)
  const counts = new Float64Array(nodeOf.length)
  for (let c = 0; c < conduits.count; c++) {
    const depth = normalDepth(conduits.tables[c], Math.abs(conduits.initFlow[c]), conduits.beta[c])
    if (depth <= 0) continue
    for (const [end, bottom] of [
      [conduits.from[c], conduits.fromInvert[c]],
      [conduits.to[c], conduits.toInvert[c]],
    ]) {
      sums[end] += bottom - invert[end] + depth
      counts[end]++
    }
  }
  return Float64Array.from(nodeOf, (node, p) => {
    const given = network.nodes[node].initDepthM
    if (p < unknowns && network.nodes[node].kind === 'junction' && given === 0 && counts[p] > 0)
      return invert[p] + sums[p] / counts[p]
    return invert[p] + given
  })
}
