import type { StreetInlet } from '@radx/contracts/inlets'
import type { SewerConduit, SewerNetwork } from '@radx/contracts/sewer'
import { FOOT_M } from '../runoff/constants.ts'
import { normalDepth, sectionTable, tableAt } from '../sewer/sections/section-table.ts'
import type { Sewer } from '../sewer/types.ts'
import { type Gutter, gutterOf } from './gutter.ts'
import { type Channel, gradeFlow } from './on-grade.ts'
import { openShareOf, sagFlow } from './on-sag.ts'

const CUBIC_FOOT_M3 = FOOT_M ** 3
/** Flows below this come as none, m3/s (0.001 ft3/s). */
const NO_FLOW = 0.001 * CUBIC_FOOT_M3
/** Cross slope that a channel counts with. */
const CHANNEL_SLOPE = 0.01
/** Drop between the ends of a conduit, m, that it has at least (0.001 ft). */
const LEAST_DROP_M = 0.001 * FOOT_M
/** Surface of a node for what stands in it, m2 (EPA SWMM's 12.566 ft2). */
const NODE_M2 = 12.566 * FOOT_M ** 2

/** What inlets did until now. */
export interface InletFigures {
  readonly input: StreetInlet
  /** Where it stands: on the slope of its street, or in a sag. */
  readonly placement: 'grade' | 'sag'
  /** Volumes that it took from the street and gave back to it, m3. */
  capturedM3: number
  returnedM3: number
  /** Largest flow that came, m3/s, and the share of it that was taken. */
  peak: number
  peakShare: number
  /** Steps in which water came, was taken, passed by and came back; sum of the shares taken. */
  flowing: number
  taking: number
  passing: number
  returning: number
  shares: number
}

export interface Inlets {
  readonly figures: readonly InletFigures[]
  /** Moves water between streets and sewer in the step that comes: adds to the volumes given to nodes, m3. */
  exchange(sewer: Sewer, dtS: number, lateralM3: Float64Array): void
  /** Notes what spilled in a step that the sewer shows. */
  observe(sewer: Sewer): void
  /** Spilled water that went back to streets, m3: it counts among what flooded and what came in. */
  returnedM3(): number
}

interface Place {
  figures: InletFigures
  gutter: Gutter
  channel: Channel | null
  /** Node at the lower end of the conduit. */
  below: number
  /** Share of what spills at its sewer node that comes back here. */
  back: number
}

/**
 * Inlets between streets and sewer. A step's transfer follows from the flows and depths at its beginning, as in EPA SWMM, so
 * steps must be short. What a sewer node spills goes back to the streets that feed it.
 */
export function createInlets(network: SewerNetwork, inlets: readonly StreetInlet[]): Inlets {
  const places = inlets.map((inlet) => placeOf(network, inlet))
  shareSpills(places)
  const sewerNodes = new Set(inlets.map(({ node }) => node))
  const spilled = new Float64Array(network.nodes.length)
  const incoming = network.nodes.map((_, n) =>
    network.links.flatMap((link, i) => (link.to === n || link.from === n ? [i] : [])),
  )
  let returned = 0

  /** What a node can give in a step, m3/s: inflows and what stands in it. */
  function available(sewer: Sewer, node: number, dtS: number, lateralM3: Float64Array): number {
    let flow = lateralM3[node] / dtS + (sewer.depths[node] * NODE_M2) / dtS
    for (const i of incoming[node]) {
      const towards = network.links[i].to === node ? sewer.flows[i] : -sewer.flows[i]
      if (towards > 0) flow += towards
    }
    return Math.max(0, flow)
  }

  return {
    figures: places.map(({ figures }) => figures),
    exchange(sewer, dtS, lateralM3) {
      for (const place of places) {
        const { figures, below, back } = place
        const { input } = figures
        const comes = Math.abs(sewer.flows[input.link])
        const depth = Math.max(0, sewer.depths[below])
        const sag = figures.placement === 'sag'
        const most = sag ? available(sewer, below, dtS, lateralM3) : comes
        const taken = Math.min(most, sag ? inSag(place, depth) : onGrade(place, comes, depth))
        const returns = (spilled[input.node] * back) / dtS
        lateralM3[below] += (returns - taken) * dtS
        lateralM3[input.node] += taken * dtS
        returned += returns * dtS
        note(figures, comes, taken, returns, dtS)
      }
      spilled.fill(0)
    },
    observe(sewer) {
      for (const node of sewerNodes) spilled[node] += sewer.floodVolumes[node]
    },
    returnedM3: () => returned,
  }
}

function placeOf(network: SewerNetwork, input: StreetInlet): Place {
  const conduit = network.links[input.link] as SewerConduit
  const { nodes, links } = network
  const levels = [
    nodes[conduit.from].invertM + conduit.inOffsetM,
    nodes[conduit.to].invertM + conduit.outOffsetM,
  ]
  const drop = Math.max(Math.abs(levels[0] - levels[1]), LEAST_DROP_M)
  const slope =
    drop < conduit.lengthM ? drop / Math.sqrt(conduit.lengthM ** 2 - drop ** 2) : drop / conduit.lengthM
  const below = levels[0] < levels[1] ? conduit.from : conduit.to
  const { street, localDepthM, localWidthM, placement } = input
  const local = localDepthM * localWidthM > 0
  const depression = ((street?.depressionM ?? 0) + (local ? localDepthM : 0)) / FOOT_M
  const gutter = gutterOf(
    {
      crossSlope: street?.crossSlope ?? CHANNEL_SLOPE,
      crown: street ? street.crownM / FOOT_M : Infinity,
      n: street?.n ?? conduit.roughness,
      sides: street?.sides ?? 1,
    },
    slope,
    street ? depression : 0,
    (local ? localWidthM : (street?.gutterM ?? 0)) / FOOT_M,
  )
  const leads = links.some(
    (link) => lowerEnd(network, link) !== below && [link.from, link.to].includes(below),
  )
  const atNode = leads ? 'grade' : 'sag'
  return {
    gutter,
    channel: street ? null : channelOf(conduit, slope),
    below,
    back: 0,
    figures: {
      input,
      placement: placement === 'auto' ? atNode : placement,
      ...{ capturedM3: 0, returnedM3: 0, peak: 0, peakShare: 0 },
      ...{ flowing: 0, taking: 0, passing: 0, returning: 0, shares: 0 },
    },
  }
}

/** The end of a link that water runs to by its slope. */
function lowerEnd({ nodes }: SewerNetwork, link: SewerNetwork['links'][number]): number {
  if (link.kind !== 'conduit') return link.to
  return nodes[link.from].invertM + link.inOffsetM < nodes[link.to].invertM + link.outOffsetM
    ? link.from
    : link.to
}

function channelOf({ section, roughness }: SewerConduit, slope: number): Channel {
  const table = sectionTable(section)
  const beta = Math.sqrt(slope) / roughness
  const [, bottom, left, right] = section.dims
  return {
    beta: 1.486 * beta,
    depthOf: (flow) => normalDepth(table, flow * CUBIC_FOOT_M3, beta) / FOOT_M,
    areaAt: (depth) => tableAt(table, depth * FOOT_M, 0) / FOOT_M ** 2,
    bottom: bottom / FOOT_M,
    side: section.shape === 'TRAPEZOIDAL' ? (left + right) / 2 : 0,
  }
}

/** Spills are shared among the inlets of a node by their openings, those of custom ones by their number. */
function shareSpills(places: Place[]): void {
  for (const place of places) {
    const { node, count } = place.figures.input
    const all = places.filter(({ figures }) => figures.input.node === node)
    const areas = all.map(({ figures }) => openArea(figures.input))
    const known = areas.filter((area) => area > 0).length / all.length
    const area = openArea(place.figures.input)
    const custom = all.reduce((sum, one, k) => sum + (areas[k] > 0 ? 0 : one.figures.input.count), 0)
    place.back =
      area > 0 ? (area / areas.reduce((sum, one) => sum + one, 0)) * known : (count / custom) * (1 - known)
  }
}

/** Opening of all inlets of a place, m2. */
function openArea({ design: { grate, curb, slot }, count, freeShare }: StreetInlet): number {
  const sweep = (curb?.lengthM ?? 0) - (grate?.lengthM ?? 0)
  const one = slot
    ? slot.lengthM * slot.widthM
    : (grate ? grate.lengthM * grate.widthM * openShareOf(grate) : 0) +
      (curb && sweep > 0 ? sweep * curb.heightM : 0)
  return one * count * freeShare
}

/** What all inlets on a slope take, one after another, m3/s. */
function onGrade({ figures: { input }, gutter, channel }: Place, comes: number, depthM: number): number {
  const { design, count, freeShare, mostM3S, street } = input
  const { custom } = design
  if (comes < NO_FLOW) return 0
  const sides = street?.sides ?? 1
  if (custom?.by === 'depth') return sides * count * freeShare * lookup(custom, depthM)
  let passing = comes / sides
  let taken = 0
  for (let k = 0; k < count; k++) {
    const one = custom
      ? lookup(custom, passing)
      : gradeFlow(design, gutter, channel, passing / CUBIC_FOOT_M3, depthM / FOOT_M) * CUBIC_FOOT_M3
    const part = Math.max(0, Math.min(one * freeShare, passing, mostM3S > 0 ? mostM3S : Infinity))
    taken += part
    passing -= part
    if (passing < NO_FLOW) break
  }
  return taken * sides
}

/** What all inlets in a sag take under a depth, m3/s. */
function inSag(place: Place, depthM: number): number {
  const { gutter, figures } = place
  const { design, count, freeShare, mostM3S } = figures.input
  const one = sagFlow(design, gutter, depthM / FOOT_M) * CUBIC_FOOT_M3 * freeShare
  return Math.min(one, mostM3S > 0 ? mostM3S : Infinity) * count * gutter.sides
}

function note(figures: InletFigures, comes: number, taken: number, returns: number, dtS: number): void {
  figures.capturedM3 += taken * dtS
  figures.returnedM3 += returns * dtS
  if (comes < NO_FLOW && returns <= 0) return
  figures.flowing++
  const net = taken - returns
  const share = net > 0 && comes > 0 ? Math.min(1, net / comes) : 0
  if (net > 0) {
    figures.taking++
    figures.shares += share
    if (comes - net > NO_FLOW) figures.passing++
  } else if (returns > 0) figures.returning++
  if (comes > figures.peak) {
    figures.peak = comes
    figures.peakShare = share
  }
}

/** Along a table, and along its last slope beyond it. */
function lookup({ x, y }: { x: number[]; y: number[] }, at: number): number {
  const last = x.length - 1
  if (last === 0 || at <= x[0]) return x[0] > 0 ? (Math.max(0, at) / x[0]) * y[0] : y[0]
  let i = 1
  while (i < last && x[i] < at) i++
  return Math.max(0, y[i - 1] + ((at - x[i - 1]) / (x[i] - x[i - 1])) * (y[i] - y[i - 1]))
}
