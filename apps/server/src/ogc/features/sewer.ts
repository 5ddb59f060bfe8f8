import type { NetworkModel, NetworkPeaks, SewerPeakTable } from '@radx/contracts'
import { type CatchmentPackage, nodesOf, toDegreesOf } from '../../simulation/api.ts'
import type { Position } from './geometry.ts'
import type { Feature } from './page.ts'

/** Figures of a node or link by the names of their columns. */
type Figures = Record<string, number>
/** Figures of a finished run by node and by link. */
export interface Peaks {
  nodes: Map<string, Figures>
  links: Map<string, Figures>
}

interface PlacedNode {
  name: string
  kind: string
  at: Position
  invertM: number
  depthM: number
}
interface PlacedLink {
  name: string
  kind: string
  /** Places among the nodes. */
  from: number
  to: number
  bends: Position[]
  lengthM: number
  shape: string
  heightM: number
}

/** A network that lies on the map. */
export interface PlacedSewer {
  nodes: readonly PlacedNode[]
  links: readonly PlacedLink[]
}

/** The network of a catchment. */
export function sewerOfCatchment(catchment: CatchmentPackage): PlacedSewer {
  const onEarth = toDegreesOf(catchment)
  const places = nodesOf(catchment)
  const { nodes, links } = catchment.network
  return {
    nodes: nodes.map(({ name, kind, invertM, fullDepthM }, n) => ({
      name,
      kind,
      at: [places[n].lon, places[n].lat],
      invertM,
      depthM: fullDepthM,
    })),
    links: links.map((link) => ({
      name: link.name,
      kind: link.kind,
      from: link.from,
      to: link.to,
      bends: link.vertices.map(onEarth),
      lengthM: link.kind === 'conduit' ? link.lengthM : 0,
      shape: 'section' in link ? link.section.shape : '',
      heightM: 'section' in link ? link.section.dims[0] : 0,
    })),
  }
}

/** The network of a file; null where its positions are no places of the map. */
export const sewerOfModel = ({ placed, nodes, links }: NetworkModel): PlacedSewer | null =>
  placed === 'degrees' ? { nodes, links } : null

export const nodeFeatures = ({ nodes }: PlacedSewer, peaks: Peaks | null): Feature[] =>
  nodes.map(({ name, kind, at, invertM, depthM }) => ({
    type: 'Feature',
    id: name,
    geometry: { type: 'Point', coordinates: at },
    properties: { name, kind, invert_m: invertM, depth_m: depthM, ...peaks?.nodes.get(name) },
  }))

export const linkFeatures = ({ nodes, links }: PlacedSewer, peaks: Peaks | null): Feature[] =>
  links.map(({ name, kind, from, to, bends, lengthM, shape, heightM }) => ({
    type: 'Feature',
    id: name,
    geometry: { type: 'LineString', coordinates: [nodes[from].at, ...bends, nodes[to].at] },
    properties: {
      ...{ name, kind, from: nodes[from].name, to: nodes[to].name },
      ...{ length_m: lengthM, shape, height_m: heightM },
      ...peaks?.links.get(name),
    },
  }))

/** Columns as rows by name. */
function byName(names: readonly string[], columns: Record<string, readonly number[]>): Map<string, Figures> {
  const entries = Object.entries(columns)
  return new Map(
    names.map((name, k) => [
      name,
      Object.fromEntries(entries.map(([column, values]) => [column, values[k]])),
    ]),
  )
}

/** Of a run on a catchment. */
export const peaksOfTable = ({ nodes, links }: SewerPeakTable): Peaks => ({
  nodes: byName(nodes.name, {
    max_depth_m: nodes.depthM,
    max_head_m: nodes.headM,
    peak_time_s: nodes.timeS,
    max_inflow_m3s: nodes.inflowM3S,
    flooded_m3: nodes.floodedM3,
    outfall_m3: nodes.outfallM3,
  }),
  links: byName(links.name, {
    max_flow_m3s: links.flowM3S,
    peak_time_s: links.timeS,
    max_velocity_ms: links.speedMS,
    filling: links.filling,
    volume_m3: links.volumeM3,
    surcharged_s: links.surchargedS,
  }),
})

/** Of a run of an account's network. */
export const peaksOfNetwork = ({ nodes, links }: NetworkPeaks): Peaks => ({
  nodes: byName(nodes.names, {
    max_depth_m: nodes.maxDepthM,
    max_head_m: nodes.maxHeadM,
    peak_time_s: nodes.timeS,
    max_inflow_m3s: nodes.maxInflowM3S,
    flooded_m3: nodes.floodedM3,
  }),
  links: byName(links.names, {
    max_flow_m3s: links.maxFlowM3S,
    peak_time_s: links.timeS,
    max_velocity_ms: links.maxVelocityMS,
    filling: links.fill,
    volume_m3: links.volumeM3,
    surcharged_s: links.surchargedS,
  }),
})
