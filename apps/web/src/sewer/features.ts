import { courseOf, type SewerNetwork } from './network.ts'

export type Bounds = [[number, number], [number, number]]

/** Nodes and links for the map's layers; ids are their places in the network. */
export function featuresOf(network: SewerNetwork) {
  const { nodes, links, areas = [] } = network
  const most = areas.reduce((high, { runoffMm }) => Math.max(high, runoffMm ?? 0), 0)
  return {
    areas: {
      type: 'FeatureCollection' as const,
      features: areas.map(({ name, ring, runoffMm }, id) => ({
        type: 'Feature' as const,
        id,
        // Runoff as a share of the deepest.
        properties: { name, share: runoffMm === null || most === 0 ? 0 : runoffMm / most },
        geometry: { type: 'Polygon' as const, coordinates: [[...ring, ring[0]]] },
      })),
    },
    nodes: {
      type: 'FeatureCollection' as const,
      features: nodes.map(({ name, lon, lat, kind, overflows }, id) => ({
        type: 'Feature' as const,
        id,
        properties: { name, sort: overflows ? 'overflow' : kind === 'outfall' ? 'outfall' : 'junction' },
        geometry: { type: 'Point' as const, coordinates: [lon, lat] },
      })),
    },
    links: {
      type: 'FeatureCollection' as const,
      features: links.flatMap((link, id) => {
        const coordinates = courseOf(network, link)
        if (coordinates === null) return []
        return [
          {
            type: 'Feature' as const,
            id,
            properties: { name: link.name },
            geometry: { type: 'LineString' as const, coordinates },
          },
        ]
      }),
    },
  }
}

/** Corners of a network, [lng, lat]; null without nodes. */
export function boundsOf({ nodes, areas = [] }: SewerNetwork): Bounds | null {
  if (nodes.length === 0) return null
  const bounds: Bounds = [
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ]
  const places = nodes.map(({ lon, lat }): readonly [number, number] => [lon, lat])
  for (const [lon, lat] of [...places, ...areas.flatMap(({ ring }) => ring)]) {
    bounds[0] = [Math.min(bounds[0][0], lon), Math.min(bounds[0][1], lat)]
    bounds[1] = [Math.max(bounds[1][0], lon), Math.max(bounds[1][1], lat)]
  }
  return bounds
}
