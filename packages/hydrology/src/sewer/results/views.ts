import type { SewerNetwork } from '@radx/contracts'
import type { Stateful } from '../../state/state.ts'
import { type ConduitPlan, endCrowns } from '../network/conduit-plan.ts'
import type { ConduitSections } from '../network/conduit-sections.ts'
import type { SewerPlan } from '../network/plan.ts'
import { heap, type Room } from '../network/room.ts'
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
    >,
    Stateful {
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

/** A film has no meaningful velocity, m (EPA SWMM draws the same line at 0.01 ft). */
const FILM_M = 0.003048

export function createViews(
  network: SewerNetwork,
  plan: SewerPlan,
  sections: ConduitSections,
  state: SewerState,
  coupled: boolean,
  room: Room = heap,
): SewerViews {
  const shown = layOutViews(network, plan, coupled, room)
  const { heads, depths, volumes, flows, floodVolumes, outfallVolumes, lateralVolumes, passed } = shown
  const { unknowns, nodeOf, invert } = plan
  const { head, volume, floodLevel, floodArea } = state
  const stepsM = Float64Array.from(plan.conduits.tables, (table) => table.stepM)
  let described = false
  const views: SewerViews = {
    ...shown,
    clear() {
      for (const values of [floodVolumes, outfallVolumes, lateralVolumes, passed]) values.fill(0)
    },
    publish(dtS) {
      for (let p = 0; p < nodeOf.length; p++) {
        const n = nodeOf[p]
        // What leaves at once does so over a large area, a hair above the level.
        const free = p < unknowns && floodArea[p] === FLOOD_AREA_M2
        const level = free ? Math.min(head[p], floodLevel[p]) : head[p]
        heads[n] = Math.max(level, invert[p])
        depths[n] = heads[n] - invert[p]
        volumes[n] = p < unknowns ? volume[p] : 0
      }
      for (let i = 0; i < flows.length; i++) flows[i] = dtS > 0 ? passed[i] / dtS : 0
      described = false
      if (network.rules.length > 0) views.describeLinks()
    },
    visit(visitor) {
      for (const name of VIEW_STATE) visitor.array(name, shown[name])
      described = visitor.flag('described', described)
    },
    describeLinks() {
      if (!described) describeConduits(plan.conduits, sections, stepsM, head, shown)
      described = true
    },
  }
  return views
}

/** What steps change; `surfaceLevels` are the surface's, told before each. */
const VIEW_STATE = [
  'heads',
  'depths',
  'volumes',
  'flows',
  'linkDepths',
  'velocities',
  'floodVolumes',
  'outfallVolumes',
  'lateralVolumes',
  'passed',
  'surfaceLevels',
] as const

type ViewArrays = Omit<SewerViews, 'clear' | 'publish' | 'describeLinks' | 'visit'>

function layOutViews(network: SewerNetwork, plan: SewerPlan, coupled: boolean, room: Room): ViewArrays {
  const { nodes, links, options } = network
  const { invert, fullDepth, positionOf } = plan
  const byNode = () => new Float64Array(nodes.length)
  const byLink = () => new Float64Array(links.length)
  const groundElevations = byNode().map((_, n) => invert[positionOf[n]] + fullDepth[positionOf[n]])
  // What compiled loops work on.
  const shared = () => room.f64(nodes.length)
  const rim = shared()
  for (const [n, ground] of groundElevations.entries()) {
    const ponds = options.allowPonding && nodes[n].pondedAreaM2 > 0 && !coupled
    rim[n] = ponds ? Infinity : ground + nodes[n].surchargeDepthM
  }
  const surfaceLevels = shared()
  surfaceLevels.set(rim)
  return {
    heads: byNode(),
    depths: byNode(),
    volumes: byNode(),
    flows: byLink(),
    linkDepths: byLink(),
    velocities: byLink(),
    groundElevations,
    invertElevations: Float64Array.from(nodes, (node) => node.invertM),
    surfaceLevels,
    openingAreas: shared().fill(Infinity),
    floodVolumes: shared(),
    outfallVolumes: byNode(),
    lateralVolumes: byNode(),
    linkFullDepths: Float64Array.from(plan.sections, (table) => table?.fullDepthM ?? 0),
    crowns: endCrowns(plan.conduits, links.length),
    rim,
    passed: room.f64(links.length),
  }
}

/** Depths in the middle of conduits, m, and velocities there, m/s. */
function describeConduits(
  { count, link, from, to, fromInvert, toInvert, barrels }: ConduitPlan,
  { rows, firstRow, fullDepth }: ConduitSections,
  stepsM: Float64Array,
  head: Float64Array,
  { linkDepths, velocities, flows }: ViewArrays,
): void {
  for (let c = 0; c < count; c++) {
    const full = fullDepth[c]
    const y1 = Math.min(Math.max(head[from[c]] - fromInvert[c], 0), full)
    const y2 = Math.min(Math.max(head[to[c]] - toInvert[c], 0), full)
    const y = Math.min(0.5 * (y1 + y2), full)
    const i = link[c]
    linkDepths[i] = y
    if (!(y > FILM_M)) {
      velocities[i] = 0
      continue
    }
    const at = y / stepsM[c]
    const k = Math.min(at | 0, TABLE_INTERVALS)
    const row = firstRow[c] + k * TABLE_STRIDE
    const area = rows[row] + (at - k) * (rows[row + TABLE_STRIDE] - rows[row])
    velocities[i] = area > 0 ? flows[i] / barrels[c] / area : 0
  }
}
