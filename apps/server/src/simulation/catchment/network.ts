import type { NetworkJunction, NetworkLink, NetworkNode } from '@radx/contracts'
import proj4 from 'proj4'
import {
  linkProperties,
  nodeProperties,
  shortestPath as pathBetween,
  pathThrough,
} from '../../networks/api.ts'
import type { CatchmentPackage } from './catchment-package.ts'
import { projectionOf } from './projection.ts'

/** Positions of a catchment's plane to longitude and latitude, to a decimetre. */
export function toDegreesOf({ catchment }: CatchmentPackage): (at: [number, number]) => [number, number] {
  const toWgs84 = proj4(projectionOf(catchment.crs), 'WGS84')
  return (at) => toWgs84.forward(at).map((value) => Number(value.toFixed(6))) as [number, number]
}

/** Nodes with their place on the globe. */
export function nodesOf(catchment: CatchmentPackage): NetworkNode[] {
  const onEarth = toDegreesOf(catchment)
  return catchment.network.nodes.map((node) => {
    const [lon, lat] = onEarth([node.x ?? 0, node.y ?? 0])
    return { name: node.name, lon, lat, kind: node.kind }
  })
}

export const linksOf = ({ network }: CatchmentPackage): Omit<NetworkLink, 'data'>[] =>
  network.links.map((link) => linkProperties(network, link))

export const junctionsOf = ({ network }: CatchmentPackage): Omit<NetworkJunction, 'data'>[] =>
  network.nodes.map(nodeProperties)

/** Shortest way along the pipes between two nodes, through a third if one is named. @throws NoPath, NoPathThrough */
export const shortestPath = (
  { network }: CatchmentPackage,
  { start, end, via }: { start: string; end: string; via?: string },
): string[] => (via ? pathThrough(network, start, end, via) : pathBetween(network, start, end))
