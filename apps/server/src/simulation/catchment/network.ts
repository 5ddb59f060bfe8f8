import type { NetworkJunction, NetworkLink, NetworkNode } from '@radx/contracts'
import proj4 from 'proj4'
import { shortestPath as pathBetween } from '../../networks/api.ts'
import type { CatchmentPackage } from './catchment-package.ts'
import { projectionOf } from './projection.ts'

/** Nodes with their place on the globe. */
export function nodesOf({ network, catchment }: CatchmentPackage): NetworkNode[] {
  const toWgs84 = proj4(projectionOf(catchment.crs), 'WGS84')
  return network.nodes.map((node) => {
    const [lon, lat] = toWgs84.forward([node.x ?? 0, node.y ?? 0])
    return { name: node.name, lon: Number(lon.toFixed(6)), lat: Number(lat.toFixed(6)), kind: node.kind }
  })
}

export function linksOf({ network }: CatchmentPackage): Omit<NetworkLink, 'data'>[] {
  return network.links.map((link) => {
    const conduit = link.kind === 'conduit' ? link : null
    return {
      Name: link.name,
      From_Node: network.nodes[link.from].name,
      To_Node: network.nodes[link.to].name,
      Length: conduit?.lengthM ?? 0,
      Roughness: conduit?.roughness ?? 0,
      InOffset: conduit?.inOffsetM ?? 0,
      OutOffset: conduit?.outOffsetM ?? 0,
      InitFlow: conduit?.initFlowM3S ?? 0,
      MaxFlow: conduit?.maxFlowM3S ?? 0,
      Shape: conduit?.section.shape ?? link.kind.toUpperCase(),
      Geom1: conduit?.section.dims[0] ?? 0,
      Barrels: conduit?.section.barrels ?? 1,
    }
  })
}

export function junctionsOf({ network }: CatchmentPackage): Omit<NetworkJunction, 'data'>[] {
  return network.nodes.map((node) => ({
    Name: node.name,
    Elevation: node.invertM,
    MaxDepth: node.fullDepthM,
    InitDepth: node.initDepthM,
    SurDepth: node.surchargeDepthM,
    Aponded: node.pondedAreaM2,
  }))
}

/** Shortest way along the pipes between two nodes, by name. @throws NoPath */
export const shortestPath = ({ network }: CatchmentPackage, start: string, end: string): string[] =>
  pathBetween(network, start, end)
