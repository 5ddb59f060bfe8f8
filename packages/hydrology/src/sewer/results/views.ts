import type { SewerNetwork } from '@radx/contracts'
import type { SewerPlan } from '../network/plan.ts'
import type { ConduitSections } from '../sections/conduit-sections.ts'
import { TABLE_INTERVALS, TABLE_STRIDE } from '../sections/section-table.ts'
import { FLOOD_AREA_M2 } from '../step/entry.ts'
import type { SewerState } from '../step/kernel.ts'
import type { Sewer } from '../types.ts'

/** Arrays that users of a sewer see, in the order of the file; those named as in `Sewer` mean what they mean there. */
export interface SewerViews
  extends Pick<
    Sewer,
    | 'heads'
    | 'depths'
    | 'volumes'
    | 'flows'
    | 'linkDepths'
    | 'velocities'
    | 'linkFullDepths'
    | 'crowns'
    | 'groundElevations'
    | 'invertElevations'
    | 'surfaceLevels'
    | 'openingAreas'
    | 'floodVolumes'
    | 'outfallVolumes'
    | 'lateralVolumes'
  > {
  /** Level above which a node gives water out unless the surface says another, m; Infinity where it ponds. */
  rim: Float64Array
  /** Net volume that each link carried during the caller's step, m3. */
  passed: Float64Array
  /** Forgets the volumes of the last step. */
  clear(): void
  /** Shows the state after a step of `dtS`. */
  publish(dtS: number): void
  /** Works out depths and velocities of links, which most steps need not know. */
  describeLinks(): void
}

export function createViews(
  network: SewerNetwork,
  plan: SewerPlan,
  sections: ConduitSections,
  { head, volume, floodLevel, floodArea }: SewerState,
  coupled: boolean,
): SewerViews {
  const { nodes, links, options } = network
  const { unknowns, nodeOf, positionOf, invert, fullDepth, conduits } = plan
  const byNode = () => new Float64Array(nodes.length)
  const byLink = () => new Float64Array(links.length)
  const heads = byNode()
  const depths = byNode()
  const volumes = byNode()
  const flows = byLink()
  const linkDepths = byLink()
  const velocities = byLink()
  const groundElevations = byNode()
  const surfaceLevels = byNode()
  const floodVolumes = byNode()
  const outfallVolumes = byNode()
  const lateralVolumes = byNode()
  const rim = byNode()
  const passed = byLink()
  const crowns = new Float64Array(2 * links.length)
  for (let c = 0; c < conduits.count; c++) {
    const [first, second] = conduits.direction[c] > 0 ? [0, 1] : [1, 0]
    crowns[2 * conduits.link[c] + first] = conduits.fromInvert[c] + conduits.tables[c].fullDepthM
    crowns[2 * conduits.link[c] + second] = conduits.toInvert[c] + conduits.tables[c].fullDepthM
  }
  for (let n = 0; n < nodes.length; n++) {
    const p = positionOf[n]
    groundElevations[n] = invert[p] + fullDepth[p]
    const ponds = options.allowPonding && nodes[n].pondedAreaM2 > 0 && !coupled
    rim[n] = ponds ? Infinity : groundElevations[n] + nodes[n].surchargeDepthM
    surfaceLevels[n] = rim[n]
  }

  const { link, from, to, fromInvert, toInvert, barrels } = conduits
  const { rows, firstRow, fullDepth: fullDepths } = sections
  const stepM = Float64Array.from(conduits.tables, (table) => table.stepM)
  const last = TABLE_INTERVALS * TABLE_STRIDE
  let described = false
  function describeLinks() {
    if (described) return
    described = true
    for (let c = 0; c < conduits.count; c++) {
      const full = fullDepths[c]
      const y1 = Math.min(Math.max(head[from[c]] - fromInvert[c], 0), full)
      const y2 = Math.min(Math.max(head[to[c]] - toInvert[c], 0), full)
      const y = Math.min(0.5 * (y1 + y2), full)
      const i = link[c]
      linkDepths[i] = y
      // A film has no meaningful velocity (EPA SWMM draws the same line at 0.01 ft).
      if (!(y > 0.003048)) {
        velocities[i] = 0
        continue
      }
      const at = y / stepM[c]
      const k = at | 0
      const row = firstRow[c] + k * TABLE_STRIDE
      const area =
        k < TABLE_INTERVALS
          ? rows[row] + (at - k) * (rows[row + TABLE_STRIDE] - rows[row])
          : rows[firstRow[c] + last]
      velocities[i] = area > 0 ? flows[i] / barrels[c] / area : 0
    }
  }

  return {
    heads,
    depths,
    volumes,
    flows,
    linkDepths,
    velocities,
    groundElevations,
    invertElevations: Float64Array.from(nodes, (node) => node.invertM),
    surfaceLevels,
    openingAreas: byNode().fill(Infinity),
    floodVolumes,
    outfallVolumes,
    lateralVolumes,
    linkFullDepths: Float64Array.from(plan.sections, (table) => table?.fullDepthM ?? 0),
    crowns,
    rim,
    passed,
    clear() {
      floodVolumes.fill(0)
      outfallVolumes.fill(0)
      lateralVolumes.fill(0)
      passed.fill(0)
    },
    publish(dtS) {
      for (let p = 0; p < nodes.length; p++) {
        const n = nodeOf[p]
        // What leaves at once does so over a large area, a hair above the level.
        const free = p < unknowns && floodArea[p] === FLOOD_AREA_M2
        const level = free ? Math.min(head[p], floodLevel[p]) : head[p]
        heads[n] = Math.max(level, invert[p])
        depths[n] = heads[n] - invert[p]
        volumes[n] = p < unknowns ? volume[p] : 0
      }
      for (let i = 0; i < links.length; i++) flows[i] = dtS > 0 ? passed[i] / dtS : 0
      described = false
      if (network.rules.length > 0) describeLinks()
    },
    describeLinks,
  }
}
