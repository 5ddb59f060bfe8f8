import type { SewerNetwork } from '@radx/contracts'
import { seriesHeld } from '../network/inflows.ts'
import type { SewerPlan } from '../network/plan.ts'
import { criticalDepth, normalDepth } from '../sections/section-table.ts'
import { tableLookup } from './devices.ts'

/** Depths of water at the outfalls (SWMM Reference Manual II, 3.3.6). */
export interface Outfalls {
  /** Writes the heads of the outfalls for a step that ends at `timeS`, from the conduits' flows a barrel. */
  update(heads: Float64Array, flows: Float64Array, timeS: number): void
}

/** @param gates gets 1 where an outfall's gate lets nothing in */
export function createOutfalls(network: SewerNetwork, plan: SewerPlan, gates: Uint8Array): Outfalls {
  const { conduits, unknowns, nodeOf } = plan
  const count = nodeOf.length - unknowns
  const conduitAt = new Int32Array(count).fill(-1)
  for (let c = 0; c < conduits.count; c++) {
    if (conduits.to[c] >= unknowns) conduitAt[conduits.to[c] - unknowns] = c
    else if (conduits.from[c] >= unknowns) conduitAt[conduits.from[c] - unknowns] = c
  }
  const outfalls = Array.from({ length: count }, (_, k) => {
    const node = network.nodes[nodeOf[unknowns + k]]
    if (node.kind !== 'outfall') throw new RangeError(`${node.name} is no outfall`)
    gates[k] = node.flapGate ? 1 : 0
    return node
  })
  const start = network.options.startEpochS
  return {
    update(heads, flows, timeS) {
      for (let k = 0; k < count; k++) {
        const { boundary, invertM } = outfalls[k]
        const c = conduitAt[k]
        let offset = 0
        let free = 0
        let normal = 0
        if (c >= 0) {
          const end = conduits.to[c] === unknowns + k ? conduits.toInvert[c] : conduits.fromInvert[c]
          offset = end - invertM
          const q = Math.abs(flows[c])
          normal = normalDepth(conduits.tables[c], q, conduits.beta[c])
          free = Math.min(normal, criticalDepth(conduits.tables[c], q))
        }
        let depth: number
        if (boundary.type === 'free') depth = offset > 0 ? 0 : free
        else if (boundary.type === 'normal') depth = offset > 0 ? 0 : normal
        else {
          let stage: number
          if (boundary.type === 'fixed') stage = boundary.stageM
          else if (boundary.type === 'tidal') {
            const hour = ((((start + timeS) % 86400) + 86400) % 86400) / 3600
            stage = tableLookup(boundary.curve, hour)
          } else stage = seriesHeld(boundary.series, timeS)
          if (invertM + offset + free < stage) depth = stage - invertM
          else if (offset > 0) depth = stage < invertM + offset ? Math.max(0, stage - invertM) : offset + free
          else depth = free
        }
        heads[unknowns + k] = invertM + depth
      }
    },
  }
}
