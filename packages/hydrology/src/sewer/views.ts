import type { SewerNetwork } from '@radx/contracts'
import { FLOOD_AREA_M2 } from './entry.ts'
import type { SewerState } from './kernel.ts'
import type { SewerPlan } from './plan.ts'
import { tableAt } from './section-table.ts'
import type { Sewer } from './types.ts'

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

  let described = false
  function describeLinks() {
    if (described) return
    described = true
    for (let c = 0; c < conduits.count; c++) {
      const i = conduits.link[c]
      const table = conduits.tables[c]
      const y =
        0.5 *
        (endDepth(conduits.from[c], conduits.fromInvert[c], table.fullDepthM) +
          endDepth(conduits.to[c], conduits.toInvert[c], table.fullDepthM))
      linkDepths[i] = Math.min(y, table.fullDepthM)
      const area = tableAt(table, linkDepths[i], 0)
      // A film has no meaningful velocity (EPA SWMM draws the same line at 0.01 ft).
      velocities[i] = linkDepths[i] > 0.003048 && area > 0 ? flows[i] / conduits.barrels[c] / area : 0
    }
  }
  const endDepth = (p: number, bottom: number, full: number) => Math.min(Math.max(head[p] - bottom, 0), full)

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
