import type { AheadCycle, AheadNetwork } from '@radx/contracts/ahead'
import { useCallback, useMemo } from 'react'
import { useColorScheme } from '../../app/color-scheme.ts'
import type { RadxMap } from '../../map/createMap.ts'
import { removeFromStyle, useStyleContent } from '../../map/layers.ts'
import { colorOf } from './paint.ts'

const LINKS = 'ahead-links'
const NODES = 'ahead-nodes'

interface Props {
  network: AheadNetwork
  cycle: AheadCycle
  /** Which of its moments. */
  at: number
}

/** Pipes by their probability of running full, nodes by that of giving water back. */
export function DangerLayers({ network, cycle, at }: Props) {
  const scheme = useColorScheme()
  const data = useMemo(() => featuresOf(network, cycle, at, scheme), [network, cycle, at, scheme])
  const add = useCallback((map: RadxMap['map']) => addLayers(map, data), [data])
  useStyleContent(add)
  return null
}

function featuresOf(
  network: AheadNetwork,
  { links, nodes }: AheadCycle,
  at: number,
  scheme: 'light' | 'dark',
) {
  const chance = (list: AheadCycle['links']) => new Map(list.map(({ name, percent }) => [name, percent[at]]))
  const [full, spills] = [chance(links), chance(nodes)]
  const place = (k: number) => [network.nodes[k].lng, network.nodes[k].lat]
  const quiet = scheme === 'dark' ? '#5b6b73' : '#8b989f'
  return {
    links: {
      type: 'FeatureCollection' as const,
      features: network.links.map(({ name, from, to }) => ({
        type: 'Feature' as const,
        properties: {
          color: colorOf(full.get(name) ?? 0, scheme) ?? quiet,
          width: full.get(name) ? 3.5 : 1,
          sort: full.get(name) ?? 0,
        },
        geometry: { type: 'LineString' as const, coordinates: [place(from), place(to)] },
      })),
    },
    nodes: {
      type: 'FeatureCollection' as const,
      features: network.nodes.flatMap(({ name, lng, lat }) => {
        const color = colorOf(spills.get(name) ?? 0, scheme)
        if (color === null) return []
        return [
          {
            type: 'Feature' as const,
            properties: { color },
            geometry: { type: 'Point' as const, coordinates: [lng, lat] },
          },
        ]
      }),
    },
  }
}

function addLayers(map: RadxMap['map'], data: ReturnType<typeof featuresOf>): () => void {
  map.addSource(LINKS, { type: 'geojson', data: data.links })
  map.addSource(NODES, { type: 'geojson', data: data.nodes })
  map.addLayer({
    id: LINKS,
    type: 'line',
    source: LINKS,
    layout: { 'line-sort-key': ['get', 'sort'] },
    paint: { 'line-color': ['get', 'color'], 'line-width': ['get', 'width'] },
  })
  map.addLayer({
    id: NODES,
    type: 'circle',
    source: NODES,
    paint: {
      'circle-color': ['get', 'color'],
      'circle-radius': 6,
      'circle-stroke-color': '#ffffff',
      'circle-stroke-width': 1.5,
    },
  })
  return () => {
    removeFromStyle(map, [NODES], NODES)
    removeFromStyle(map, [LINKS], LINKS)
  }
}
