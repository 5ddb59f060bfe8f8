import type { SewerNetwork, SewerNode, SewerSection } from '@radx/contracts'
import { type SectionShape, sectionShape } from '../sections/section-shapes.ts'
import { type SectionTable, sectionTable } from '../sections/section-table.ts'
import { type ConduitPlan, isPipe, offsets, planConduits } from './conduit-plan.ts'
import { type Elimination, planElimination } from './elimination.ts'
import { type NodeVolumeInput, type NodeVolumes, nodeVolumes, storageArea } from './node-volume.ts'

/** The network laid out for the solver. Positions: unknown nodes in elimination order, then outfalls. */
export interface SewerPlan {
  nodeOf: Int32Array
  positionOf: Int32Array
  unknowns: number
  invert: Float64Array
  /** EXTRAN: depth above which what stores dies away, m; Infinity where it does not. */
  closes: Float64Array
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
  /**
   * 1 for nodes that something else than a pipe joins, or one that seeps or stores by its middle depth: they are only solved
   * with the whole network.
   */
  joined: Uint8Array
  /** Sections of links that have one. */
  sections: (SectionTable | null)[]
}

/**
 * @param middleDepthFromM length from which conduits also store by their middle depth, m
 * @param shapeOf what a depth means in a section
 * @param tabulates whether nodes' volumes are tabulated; the explicit scheme carries its own
 * @throws RangeError when a section has no valid dimensions
 */
export function planSewer(
  network: SewerNetwork,
  middleDepthFromM = LONG_M,
  shapeOf: ShapeOf = sectionShape,
  tabulates = true,
): SewerPlan {
  const { nodes, links, options } = network
  const sections = tabulateSections(network, shapeOf)
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
  for (const [e, link] of inner.entries()) pairOfLink[link] = elimination.edgePair[e]

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
  const closes = closingDepths(network, sections, fullDepth)
  const pipes = links.flatMap((link, i) => (isPipe(link) ? [i] : []))
  // Neighbours in the matrix lie side by side in memory.
  pipes.sort(
    (a, b) =>
      Math.min(positionOf[links[a].from], positionOf[links[a].to]) -
      Math.min(positionOf[links[b].from], positionOf[links[b].to]),
  )
  const devices = links.flatMap((link, i) => (isPipe(link) ? [] : [i]))
  const conduits = planConduits(network, sections, pipes, positionOf)
  const lengths = new Float64Array(links.length)
  for (let c = 0; c < conduits.count; c++) lengths[conduits.link[c]] = conduits.length[c]
  const reaches = pipes.flatMap((i, c) => (isReach(network, i, middleDepthFromM) ? [c] : []))
  const joined = new Uint8Array(nodes.length)
  const apart = [...devices, ...reaches.map((c) => pipes[c]), ...pipes.filter((i) => seeps(links[i]))]
  for (const i of apart) joined[positionOf[links[i].from]] = joined[positionOf[links[i].to]] = 1
  return {
    nodeOf,
    positionOf,
    unknowns,
    invert,
    fullDepth: Float64Array.from(nodeOf, (node) => fullDepth[node]),
    closes: Float64Array.from(nodeOf, (node) => closes[node]),
    conduits,
    devices,
    reaches: Int32Array.from(reaches),
    joined,
    hanging: Uint8Array.from(pipes, (i) => (isHanging(network, i) ? 1 : 0)),
    volumes: nodeVolumes(
      Array.from(tabulates ? nodeOf.subarray(0, unknowns) : [], (node) =>
        volumeInput(network, sections, lengths, node, fullDepth[node], middleDepthFromM, closes),
      ),
      options,
    ),
    elimination,
    conduitPair: Int32Array.from(pipes, (i) => pairOfLink[i]),
    devicePair: Int32Array.from(devices, (i) => pairOfLink[i]),
    sections,
  }
}

const seeps = (link: SewerNetwork['links'][number]) => isPipe(link) && link.seepageMS > 0

type ShapeOf = (section: SewerSection) => SectionShape

function tabulateSections(network: SewerNetwork, shapeOf: ShapeOf): (SectionTable | null)[] {
  const known = new Map<string, SectionTable>()
  return network.links.map((link) => {
    if (!('section' in link) || link.section.shape === 'DUMMY') return null
    const { shape, dims, transect, curve } = link.section
    const key = [shape, ...dims, transect?.name, curve?.name].join('|')
    const table = known.get(key) ?? sectionTable(link.section, shapeOf(link.section))
    known.set(key, table)
    return table
  })
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

/**
 * EXTRAN: a node closes above the highest crown of its links; a tank above its top if it may be surcharged, else never (SWMM
 * Reference Manual II, 3.3.5). Infinity everywhere with SLOT, and where a node has no link with a crown.
 */
function closingDepths(
  network: SewerNetwork,
  sections: (SectionTable | null)[],
  fullDepth: Float64Array,
): Float64Array {
  const crowns = new Float64Array(network.nodes.length)
  network.links.forEach((link, i) => {
    const height = sections[i]?.fullDepthM ?? 0
    const [up, down] = offsets(link)
    crowns[link.from] = Math.max(crowns[link.from], up + height)
    crowns[link.to] = Math.max(crowns[link.to], down + height)
  })
  return Float64Array.from(network.nodes, (node, n) => {
    if (network.options.surchargeMethod === 'SLOT') return Infinity
    if (node.kind === 'storage') return node.surchargeDepthM > 0 ? fullDepth[n] : Infinity
    return crowns[n] > 0 ? crowns[n] : Infinity
  })
}

function volumeInput(
  network: SewerNetwork,
  sections: (SectionTable | null)[],
  lengths: Float64Array,
  index: number,
  fullDepthM: number,
  middleDepthFromM: number,
  closes: Float64Array,
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
    const halfLengthM = (lengths[i] * link.section.barrels) / 2
    const offsetM = link.from === index ? up : down
    crownM = Math.max(crownM, offsetM + table.fullDepthM)
    if (!isReach(network, i, middleDepthFromM)) ends.push({ table, offsetM, halfLengthM })
    // What hangs free belongs to the other node until the water reaches it.
    else if (!isHanging(network, i)) reachEnds.push({ table, offsetM, halfLengthM })
  }
  return {
    closesM: closes[index],
    ownArea: ownArea(node),
    ends,
    reachEnds,
    crownM: node.kind === 'storage' ? 0 : crownM,
    ownTopM: node.kind === 'storage' ? fullDepthM : crownM,
    pondedAreaM2: network.options.allowPonding ? node.pondedAreaM2 : 0,
    rimM: fullDepthM,
    sealed: node.kind !== 'outfall' && node.surchargeDepthM > 0,
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
