import type { NetworkJunction, NetworkLink, NetworkNode } from '@radx/contracts'
import proj4 from 'proj4'
import { linkProperties, nodeProperties, shortestPath as pathBetween } from '../../networks/api.ts'
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

export const linksOf = ({ network }: CatchmentPackage): Omit<NetworkLink, 'data'>[] =>
  network.links.map((link) => linkProperties(network, link))

export const junctionsOf = ({ network }: CatchmentPackage): Omit<NetworkJunction, 'data'>[] =>
  network.nodes.map(nodeProperties)

/** Shortest way along the pipes between two nodes, by name. @throws NoPath */
export const shortestPath = ({ network }: CatchmentPackage, start: string, end: string): string[] =>
  pathBetween(network, start, end)
