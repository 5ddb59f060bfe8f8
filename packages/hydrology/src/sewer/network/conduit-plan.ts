import type { SewerConduit, SewerNetwork } from '@radx/contracts'
import { GRAVITY } from '@radx/contracts/constants'
import { type InletLaw, inletLaw } from '../sections/culvert.ts'
import { forceMainManning } from '../sections/friction.ts'
import { type SectionTable, tableAt } from '../sections/section-table.ts'

/** Smallest drop that a conduit's slope is reckoned with, m (0.001 ft, as in EPA SWMM). */
const MIN_DROP_M = 0.0003048

/** Conduits side by side, in the order of the elimination. Elevations absolute, flows a barrel. */
export interface ConduitPlan {
  count: number
  link: Int32Array
  /** -1 where the conduit falls against its own direction: it is then solved the other way round. */
  direction: Int8Array
  from: Int32Array
  to: Int32Array
  fromInvert: Float64Array
  toInvert: Float64Array
  length: Float64Array
  barrels: Float64Array
  /** g n^2 of Manning's friction. */
  friction: Float64Array
  /** sqrt(slope) / n. */
  beta: Float64Array
  tables: SectionTable[]
  lossIn: Float64Array
  lossOut: Float64Array
  lossMean: Float64Array
  maxFlow: Float64Array
  seepage: Float64Array
  flapGate: Uint8Array
  /** Hazen-Williams C or Darcy-Weisbach roughness of force mains, else 0. */
  forceMain: Float64Array
  /** Flow that a culvert's inlet lets in, a barrel; null for other conduits. */
  inlets: (InletLaw | null)[]
  initFlow: Float64Array
}

export const isPipe = (link: SewerNetwork['links'][number]): link is SewerConduit =>
  link.kind === 'conduit' && link.section.shape !== 'DUMMY'

/** Height of a link's bottom above its nodes' inverts, m. */
export function offsets(link: SewerNetwork['links'][number]): [number, number] {
  if (link.kind === 'conduit') {
    // What lies filled at the bottom of a pipe raises its flow.
    const filled = link.section.shape === 'FILLED_CIRCULAR' ? link.section.dims[1] : 0
    return [Math.max(0, link.inOffsetM) + filled, Math.max(0, link.outOffsetM) + filled]
  }
  return 'offsetM' in link ? [link.offsetM, link.offsetM] : [0, 0]
}

/** Meandering channels are given by the channel's length; water flows along the flood plain's. */
export const lengthFactor = (link: SewerConduit) =>
  link.section.shape === 'IRREGULAR' && link.section.transect ? 1 / link.section.transect.lengthFactor : 1

export function planConduits(
  network: SewerNetwork,
  sections: (SectionTable | null)[],
  pipes: number[],
  positionOf: Int32Array,
): ConduitPlan {
  const count = pipes.length
  const f64 = () => new Float64Array(count)
  const plan: ConduitPlan = {
    count,
    link: Int32Array.from(pipes),
    direction: new Int8Array(count),
    from: new Int32Array(count),
    to: new Int32Array(count),
    fromInvert: f64(),
    toInvert: f64(),
    length: f64(),
    barrels: f64(),
    friction: f64(),
    beta: f64(),
    tables: pipes.map((i) => sections[i] as SectionTable),
    lossIn: f64(),
    lossOut: f64(),
    lossMean: f64(),
    maxFlow: f64(),
    seepage: f64(),
    flapGate: new Uint8Array(count),
    forceMain: f64(),
    inlets: pipes.map(() => null),
    initFlow: f64(),
  }
  pipes.forEach((index, c) => {
    const link = network.links[index] as SewerConduit
    const [up, down] = offsets(link)
    const z1 = network.nodes[link.from].invertM + up
    const z2 = network.nodes[link.to].invertM + down
    const length = link.lengthM * lengthFactor(link)
    const reversed = z1 < z2
    const slope = slopeOf(z1, z2, length, network.options.minSlope)
    let n = link.roughness
    if (link.section.shape === 'FORCE_MAIN') {
      n = forceMainManning(
        link.section.dims[1],
        link.section.dims[0],
        slope,
        network.options.forceMainEquation,
      )
      plan.forceMain[c] = link.section.dims[1]
    } else if (link.section.transect) {
      n = link.section.transect.nChannel
      if (link.section.shape === 'IRREGULAR') n *= Math.sqrt(link.section.transect.lengthFactor)
    }
    const longer = lengthened(plan.tables[c], slope, n, length, network.options)
    plan.direction[c] = reversed ? -1 : 1
    plan.from[c] = positionOf[reversed ? link.to : link.from]
    plan.to[c] = positionOf[reversed ? link.from : link.to]
    plan.fromInvert[c] = reversed ? z2 : z1
    plan.toInvert[c] = reversed ? z1 : z2
    plan.length[c] = longer * length
    plan.barrels[c] = link.section.barrels
    plan.friction[c] = (GRAVITY * n * n) / longer
    plan.beta[c] = Math.sqrt(slope) / n
    plan.lossIn[c] = reversed ? link.lossOutlet : link.lossInlet
    plan.lossOut[c] = reversed ? link.lossInlet : link.lossOutlet
    plan.lossMean[c] = link.lossAverage
    plan.maxFlow[c] = link.maxFlowM3S
    plan.seepage[c] = link.seepageMS
    plan.flapGate[c] = link.flapGate ? 1 : 0
    if (link.section.culvertCode > 0)
      plan.inlets[c] = inletLaw(link.section.culvertCode, plan.tables[c], slope)
    plan.initFlow[c] = ((reversed ? -1 : 1) * link.initFlowM3S) / link.section.barrels
  })
  return plan
}

/**
 * Factor by which LENGTHENING_STEP makes a conduit longer: until a wave takes the step to run through it when it is full
 * (SWMM Reference Manual II, 3.3.4). Slope and roughness fall with it, so that normal flow stays.
 */
function lengthened(
  table: SectionTable,
  slope: number,
  roughness: number,
  lengthM: number,
  { lengtheningStepS = 0, routingStepS }: SewerNetwork['options'],
): number {
  if (!(lengtheningStepS > 0)) return 1
  const top = tableAt(table, table.fullDepthM, 1)
  const depth = table.closed || !(top > 0) ? table.fullDepthM : table.fullAreaM2 / top
  const speed = (table.fullRadiusM ** (2 / 3) * Math.sqrt(slope)) / roughness
  return Math.max(
    1,
    ((Math.sqrt(GRAVITY * depth) + speed) * Math.min(routingStepS, lengtheningStepS)) / lengthM,
  )
}

/** Drop over horizontal length, never below the smallest drop or the file's MIN_SLOPE. */
function slopeOf(z1: number, z2: number, length: number, minSlope: number): number {
  const drop = Math.max(Math.abs(z1 - z2), MIN_DROP_M)
  const slope = drop >= length ? drop / length : drop / Math.sqrt(length * length - drop * drop)
  return Math.max(slope, minSlope)
}

/** Elevation of the crown at both ends of each link, m: `[2 * link]` where it begins, `[2 * link + 1]` where it ends; 0 for devices. */
export function endCrowns(conduits: ConduitPlan, links: number): Float64Array {
  const crowns = new Float64Array(2 * links)
  for (let c = 0; c < conduits.count; c++) {
    const [first, second] = conduits.direction[c] > 0 ? [0, 1] : [1, 0]
    crowns[2 * conduits.link[c] + first] = conduits.fromInvert[c] + conduits.tables[c].fullDepthM
    crowns[2 * conduits.link[c] + second] = conduits.toInvert[c] + conduits.tables[c].fullDepthM
  }
  return crowns
}
