import type { SewerNetwork } from './network.ts'

export type Bounds = [[number, number], [number, number]]

/** Nodes and links for the map's layers; ids are their places in the network. */
export function featuresOf({ nodes, links, node }: SewerNetwork) {
  return {
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
      features: links.flatMap(({ name, from, to, bends = [] }, id) => {
        const [a, b] = [node.get(from), node.get(to)]
        if (!a || !b) return []
        return [
          {
            type: 'Feature' as const,
            id,
            properties: { name },
            geometry: {
              type: 'LineString' as const,
              coordinates: [[a.lon, a.lat], ...bends, [b.lon, b.lat]],
            },
          },
        ]
      }),
    },
  }
}

/** Corners of a network, [lng, lat]; null without nodes. */
export function boundsOf({ nodes }: SewerNetwork): Bounds | null {
  if (nodes.length === 0) return null
  const bounds: Bounds = [
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ]
  for (const { lon, lat } of nodes) {
    bounds[0] = [Math.min(bounds[0][0], lon), Math.min(bounds[0][1], lat)]
    bounds[1] = [Math.max(bounds[1][0], lon), Math.max(bounds[1][1], lat)]
  }
  return bounds
}
