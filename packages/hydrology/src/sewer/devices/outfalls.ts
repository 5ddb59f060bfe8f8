import type { SewerNetwork, SewerOutfall } from '@radx/contracts'
import { seriesHeld } from '../network/inflows.ts'
import type { SewerPlan } from '../network/plan.ts'
import { criticalDepth, normalDepth } from '../sections/section-table.ts'
import { tableLookup } from './devices.ts'

/** Depths of water at the outfalls (SWMM Reference Manual II, 3.3.6). */
export interface Outfalls {
  /** Writes the heads of the outfalls for a step that ends at `timeS`, from the conduits' flows a barrel. */
  update(heads: Float64Array, flows: Float64Array, timeS: number): void
  /** Of each one in the plan's order: how its depth is found, its conduit (-1: none), and the height of that one's end above it, m. */
  rules: { kind: Int32Array; conduit: Int32Array; offset: Float64Array }
  /** Writes the stages of those that have one, m, for a step that ends at `timeS`. */
  stages(into: Float64Array, timeS: number): void
}

/** How an outfall's depth is found: that of its conduit's critical or normal flow, or from a stage. */
export const OUTFALL_KINDS = { free: 0, normal: 1, stage: 2 } as const

/**
 * @param gates gets 1 where an outfall's gate lets nothing in
 * @param tide what hours of a tidal curve are: those of the day, or those of the run from the curve's first one on, which is how EPA SWMM
 * reads it (node.c, outfall_setOutletDepth) although its manual says otherwise
 */
export function createOutfalls(
  network: SewerNetwork,
  plan: SewerPlan,
  gates: Uint8Array,
  tide: 'of the day' | 'of the run' = 'of the day',
): Outfalls {
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
  /** Hour 0 of tidal curves, s; NaN: their first hour is the run's start. */
  const tidalS = tide === 'of the day' ? network.options.startEpochS : Number.NaN
  const offsetOf = (k: number) => {
    const c = conduitAt[k]
    if (c < 0) return 0
    const end = conduits.to[c] === unknowns + k ? conduits.toInvert[c] : conduits.fromInvert[c]
    return end - outfalls[k].invertM
  }
  const kindOf = ({ boundary: { type } }: SewerOutfall) =>
    type === 'free' || type === 'normal' ? OUTFALL_KINDS[type] : OUTFALL_KINDS.stage
  const rules = {
    kind: Int32Array.from(outfalls, kindOf),
    conduit: conduitAt,
    offset: Float64Array.from(outfalls, (_, k) => offsetOf(k)),
  }
  return {
    rules,
    stages(into, timeS) {
      for (let k = 0; k < count; k++) into[k] = stageOf(outfalls[k], tidalS, timeS)
    },
    update(heads, flows, timeS) {
      for (let k = 0; k < count; k++) {
        const { invertM } = outfalls[k]
        const c = conduitAt[k]
        const offset = rules.offset[k]
        let free = 0
        let normal = 0
        if (c >= 0) {
          const q = Math.abs(flows[c])
          normal = normalDepth(conduits.tables[c], q, conduits.beta[c])
          free = Math.min(normal, criticalDepth(conduits.tables[c], q))
        }
        const kind = rules.kind[k]
        let depth: number
        if (kind === OUTFALL_KINDS.free) depth = offset > 0 ? 0 : free
        else if (kind === OUTFALL_KINDS.normal) depth = offset > 0 ? 0 : normal
        else depth = staged(stageOf(outfalls[k], tidalS, timeS), invertM, offset, free)
        heads[unknowns + k] = invertM + depth
      }
    },
  }
}

/** Depth of an outfall with a stage, whose conduit ends at an offset and flows with a depth there when it is free. */
function staged(stage: number, invert: number, offset: number, free: number): number {
  if (invert + offset + free < stage) return stage - invert
  if (offset > 0) return stage < invert + offset ? Math.max(0, stage - invert) : offset + free
  return free
}

function stageOf({ boundary }: SewerOutfall, tidalS: number, timeS: number): number {
  if (boundary.type === 'fixed') return boundary.stageM
  if (boundary.type === 'tidal') {
    const { curve } = boundary
    if (Number.isNaN(tidalS)) return tableLookup(curve, curve.x[0] + (timeS % 86400) / 3600)
    return tableLookup(curve, ((((tidalS + timeS) % 86400) + 86400) % 86400) / 3600)
  }
  return boundary.type === 'timeseries' ? seriesHeld(boundary.series, timeS) : 0
}
