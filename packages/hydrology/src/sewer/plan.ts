import type { SewerConduit, SewerNetwork, SewerNode } from '@radx/contracts'
import { type Elimination, planElimination } from './elimination.ts'
import { forceMainManning } from './friction.ts'
import { type NodeVolumeInput, type NodeVolumes, nodeVolumes, storageArea } from './node-volume.ts'
import { G, type SectionTable, sectionTable } from './section-table.ts'

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
  initFlow: Float64Array
}

/** The network laid out for the solver. Positions: unknown nodes in elimination order, then outfalls. */
export interface SewerPlan {
  nodeOf: Int32Array
  positionOf: Int32Array
  unknowns: number
  invert: Float64Array
  /** Rim after extension to the highest crown, m above the invert. */
  fullDepth: Float64Array
  conduits: ConduitPlan
  /** Links that are no conduits with a section (pumps, orifices, weirs, outlets, dummies), by link index. */
  devices: number[]
  volumes: NodeVolumes
  elimination: Elimination
  /** Pair of each conduit / device in the matrix, -1 where an end is an outfall. */
  conduitPair: Int32Array
  devicePair: Int32Array
  /** Conduits (of `conduits`) that store by `createReaches` instead of by their nodes' tables. */
  reaches: Int32Array
  /** 1 for conduits whose lower end hangs above its node. */
  hanging: Uint8Array
  /** Sections of links that have one. */
  sections: (SectionTable | null)[]
}

export const isPipe = (link: SewerNetwork['links'][number]): link is SewerConduit =>
  link.kind === 'conduit' && link.section.shape !== 'DUMMY'

/**
 * @param middleDepthFromM length from which conduits also store by their middle depth, m
 * @throws RangeError when a section has no valid dimensions
 */
export function planSewer(network: SewerNetwork, middleDepthFromM = LONG_M): SewerPlan {
  const { nodes, links, options } = network
  const sections = tabulateSections(network)
  const unknownNodes = nodes.flatMap((node, i) => (node.kind === 'outfall' ? [] : [i]))
  const unknownOf = new Int32Array(nodes.length).fill(-1)
  unknownNodes.forEach((node, k) => {
    unknownOf[node] = k
  })

  const edges = links.map((link) => [unknownOf[link.from], unknownOf[link.to]])
  const inner = edges.flatMap(([a, b], i) => (a >= 0 && b >= 0 && a !== b ? [i] : []))
  const elimination = planElimination(
    unknownNodes.length,
    Int32Array.from(inner, (i) => edges[i][0]),
    Int32Array.from(inner, (i) => edges[i][1]),
  )
  const pairOfLink = new Int32Array(links.length).fill(-1)
  inner.forEach((link, e) => {
    pairOfLink[link] = elimination.edgePair[e]
  })

  const nodeOf = new Int32Array(nodes.length)
  const positionOf = new Int32Array(nodes.length)
  const unknowns = unknownNodes.length
  elimination.order.forEach((k, position) => {
    nodeOf[position] = unknownNodes[k]
  })
  nodes
    .flatMap((node, i) => (node.kind === 'outfall' ? [i] : []))
    .forEach((node, k) => {
      nodeOf[unknowns + k] = node
    })
  for (let p = 0; p < nodes.length; p++) positionOf[nodeOf[p]] = p

  const invert = Float64Array.from(nodeOf, (node) => nodes[node].invertM)
  const fullDepth = fullDepths(network, sections)
  const pipes = links.flatMap((link, i) => (isPipe(link) ? [i] : []))
  // Neighbours in the matrix lie side by side in memory.
  pipes.sort(
    (a, b) =>
      Math.min(positionOf[links[a].from], positionOf[links[a].to]) -
      Math.min(positionOf[links[b].from], positionOf[links[b].to]),
  )
  const devices = links.flatMap((link, i) => (isPipe(link) ? [] : [i]))
  return {
    nodeOf,
    positionOf,
    unknowns,
    invert,
    fullDepth: Float64Array.from(nodeOf, (node) => fullDepth[node]),
    conduits: planConduits(network, sections, pipes, positionOf),
    devices,
    reaches: Int32Array.from(pipes.flatMap((i, c) => (isReach(network, i, middleDepthFromM) ? [c] : []))),
    hanging: Uint8Array.from(pipes, (i) => (isHanging(network, i) ? 1 : 0)),
    volumes: nodeVolumes(
      Array.from(nodeOf.subarray(0, unknowns), (node) =>
        volumeInput(network, sections, node, fullDepth[node], middleDepthFromM),
      ),
      options,
    ),
    elimination,
    conduitPair: Int32Array.from(pipes, (i) => pairOfLink[i]),
    devicePair: Int32Array.from(devices, (i) => pairOfLink[i]),
    sections,
  }
}

function tabulateSections(network: SewerNetwork): (SectionTable | null)[] {
  const known = new Map<string, SectionTable>()
  return network.links.map((link) => {
    if (!('section' in link) || link.section.shape === 'DUMMY') return null
    const { shape, dims, transect, curve } = link.section
    const key = [shape, ...dims, transect?.name, curve?.name].join('|')
    const table = known.get(key) ?? sectionTable(link.section)
    known.set(key, table)
    return table
  })
}

/** Height of a link's bottom above its nodes' inverts, m. */
function offsets(link: SewerNetwork['links'][number]): [number, number] {
  if (link.kind === 'conduit') {
    // What lies filled at the bottom of a pipe raises its flow.
    const filled = link.section.shape === 'FILLED_CIRCULAR' ? link.section.dims[1] : 0
    return [Math.max(0, link.inOffsetM) + filled, Math.max(0, link.outOffsetM) + filled]
  }
  return 'offsetM' in link ? [link.offsetM, link.offsetM] : [0, 0]
}

/** A rim never lies below a crown (EPA SWMM raises it too). */
function fullDepths(network: SewerNetwork, sections: (SectionTable | null)[]): Float64Array {
  const full = Float64Array.from(network.nodes, (node) => node.fullDepthM)
  const raise = (index: number, depth: number) => {
    const node = network.nodes[index]
    if (node.kind !== 'storage' || node.surchargeDepthM > 0) full[index] = Math.max(full[index], depth)
  }
  network.links.forEach((link, i) => {
    if (link.kind === 'pump' || (link.kind === 'orifice' && link.orientation === 'bottom')) return
    const height = sections[i]?.fullDepthM ?? 0
    const [up, down] = offsets(link)
    raise(link.from, up + height)
    if (link.kind === 'conduit') raise(link.to, down + height)
  })
  return full
}

function volumeInput(
  network: SewerNetwork,
  sections: (SectionTable | null)[],
  index: number,
  fullDepthM: number,
  middleDepthFromM: number,
): NodeVolumeInput {
  const node = network.nodes[index]
  const ends: NodeVolumeInput['ends'] = []
  const reachEnds: NodeVolumeInput['ends'] = []
  let crownM = 0
  for (const i of linksAt(network)[index]) {
    const link = network.links[i]
    const table = sections[i]
    if (!isPipe(link) || !table) continue
    const [up, down] = offsets(link)
    const halfLengthM = (link.lengthM * lengthFactor(link) * link.section.barrels) / 2
    const offsetM = link.from === index ? up : down
    crownM = Math.max(crownM, offsetM + table.fullDepthM)
    if (!isReach(network, i, middleDepthFromM)) ends.push({ table, offsetM, halfLengthM })
    // What hangs free belongs to the other node until the water reaches it.
    else if (!isHanging(network, i)) reachEnds.push({ table, offsetM, halfLengthM })
  }
  return {
    ownArea: ownArea(node),
    ends,
    reachEnds,
    crownM: node.kind === 'storage' ? 0 : crownM,
    ownTopM: node.kind === 'storage' ? fullDepthM : crownM,
    pondedAreaM2: network.options.allowPonding ? node.pondedAreaM2 : 0,
    rimM: fullDepthM,
  }
}

const ownArea = (node: SewerNode) => (depth: number) =>
  node.kind === 'storage' ? storageArea(node.shape, depth) : 0

const linkLists = new WeakMap<SewerNetwork, number[][]>()
function linksAt(network: SewerNetwork): number[][] {
  let lists = linkLists.get(network)
  if (!lists) {
    lists = network.nodes.map(() => [])
    for (const [i, link] of network.links.entries()) {
      lists[link.from].push(i)
      if (link.to !== link.from) lists[link.to].push(i)
    }
    linkLists.set(network, lists)
  }
  return lists
}

/** Conduits longer than this also store by their middle depth, m. */
const LONG_M = 200
/** Height from which an end counts as hanging, m. */
const HANGING_M = 1e-3

/** Whether a conduit's lower end hangs above its node. Outfalls have their own rule. */
function isHanging(network: SewerNetwork, index: number): boolean {
  const link = network.links[index]
  if (!isPipe(link)) return false
  const [up, down] = offsets(link)
  const reversed = network.nodes[link.from].invertM + up < network.nodes[link.to].invertM + down
  const outfall = (node: number) => network.nodes[node].kind === 'outfall'
  return (reversed ? up : down) > HANGING_M && !outfall(link.from) && !outfall(link.to)
}

function isReach(network: SewerNetwork, index: number, middleDepthFromM: number): boolean {
  const link = network.links[index]
  return isPipe(link) && (link.lengthM > middleDepthFromM || isHanging(network, index))
}

/** Meandering channels are given by the channel's length; water flows along the flood plain's. */
const lengthFactor = (link: SewerConduit) =>
  link.section.shape === 'IRREGULAR' && link.section.transect ? 1 / link.section.transect.lengthFactor : 1

function planConduits(
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
    plan.direction[c] = reversed ? -1 : 1
    plan.from[c] = positionOf[reversed ? link.to : link.from]
    plan.to[c] = positionOf[reversed ? link.from : link.to]
    plan.fromInvert[c] = reversed ? z2 : z1
    plan.toInvert[c] = reversed ? z1 : z2
    plan.length[c] = length
    plan.barrels[c] = link.section.barrels
    plan.friction[c] = G * n * n
    plan.beta[c] = Math.sqrt(slope) / n
    plan.lossIn[c] = reversed ? link.lossOutlet : link.lossInlet
    plan.lossOut[c] = reversed ? link.lossInlet : link.lossOutlet
    plan.lossMean[c] = link.lossAverage
    plan.maxFlow[c] = link.maxFlowM3S / link.section.barrels
    plan.seepage[c] = link.seepageMS
    plan.flapGate[c] = link.flapGate ? 1 : 0
    plan.initFlow[c] = ((reversed ? -1 : 1) * link.initFlowM3S) / link.section.barrels
  })
  return plan
}

/** Drop over horizontal length, never below the smallest drop or the file's MIN_SLOPE. */
function slopeOf(z1: number, z2: number, length: number, minSlope: number): number {
  const drop = Math.max(Math.abs(z1 - z2), MIN_DROP_M)
  const slope = drop >= length ? drop / length : drop / Math.sqrt(length * length - drop * drop)
  return Math.max(slope, minSlope)
}
