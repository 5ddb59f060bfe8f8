import { OUTPUT_FLOW } from '@radx/contracts/simulation-constants'
import { useQuery } from '@tanstack/react-query'
import type { ExpressionSpecification, GeoJSONSource } from 'maplibre-gl'
import { useCallback, useEffect, useMemo } from 'react'
import { useColorScheme } from '../../../app/color-scheme.ts'
import type { Scheme } from '../../../map/basemap.ts'
import { useRadxMap } from '../../../map/context.ts'
import type { RadxMap } from '../../../map/createMap.ts'
import { removeFromStyle, useStyleContent } from '../../../map/layers.ts'
import { networkOf } from '../../../sewer/network.ts'
import { nodesQuery, type SimulationJob } from '../api.ts'
import { peaksQuery } from '../result/sewer/api.ts'
import type { WorkspaceAddress } from './address.ts'
import { sewerPeaksQuery } from './api.ts'

export const SEWER_LINKS = 'radx-space-links'
const NODES = 'radx-space-nodes'
const NOTHING = { type: 'FeatureCollection' as const, features: [] }
const NONE: readonly never[] = []

/** Largest depth over full depth from which on a colour counts; what ran full is the last. */
export const FILLINGS = [0, 0.5, 0.8, 1] as const
export const FILLING_COLORS: Record<Scheme, readonly [string, string, string, string]> = {
  light: ['#6f8d86', '#3f7f4c', '#d98a1f', '#b3261e'],
  dark: ['#7d9892', '#6fc07f', '#f0a94a', '#ff7468'],
}
const NODE_COLORS = {
  light: { node: '#4a5a5f', overflow: '#b3261e', outfall: '#0b5a63', halo: '#ffffff' },
  dark: { node: '#a9b8bc', overflow: '#ff7468', outfall: '#5cbcc2', halo: '#0f1415' },
} as const

/** Whether a state of the workspace shows anything of the network. */
export const sewerWanted = ({
  network,
  picks,
  profile,
}: Pick<WorkspaceAddress, 'network' | 'picks' | 'profile'>): boolean =>
  network || profile || picks.some(({ kind }) => kind === 'node' || kind === 'link')

/** The network of a run with what came of it. */
export function useSewer(job: SimulationJob, enabled: boolean) {
  const nodes = useQuery({ ...nodesQuery(job.input.catchmentId, job.id), enabled })
  const flow = useQuery({ ...peaksQuery(job.id, OUTPUT_FLOW), enabled })
  const peaks = useQuery({ ...sewerPeaksQuery(job.id), enabled })
  const network = useMemo(
    () => nodes.data && flow.data && networkOf(nodes.data, NONE, flow.data.links, NONE),
    [nodes.data, flow.data],
  )
  const diameters = useMemo(
    () => new Map(flow.data?.links.map(({ Name, Geom1 }) => [Name, Geom1])),
    [flow.data],
  )
  const error = nodes.error ?? flow.error ?? peaks.error
  return { network, peaks: peaks.data, diameters, error }
}
export type Sewer = ReturnType<typeof useSewer>

/** Pipes as wide as their diameter and coloured by how full they ran; junctions by what came out of them. */
export function SewerOverlay({ sewer }: { sewer: Sewer }) {
  const { map } = useRadxMap()
  const scheme = useColorScheme()
  const add = useCallback((to: RadxMap['map']) => addLayers(to, scheme), [scheme])
  useStyleContent(add)
  const features = useMemo(() => featuresOf(sewer), [sewer])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new source has nothing in it
  useEffect(() => {
    const set = () => {
      map.getSource<GeoJSONSource>(SEWER_LINKS)?.setData(features?.links ?? NOTHING)
      map.getSource<GeoJSONSource>(NODES)?.setData(features?.nodes ?? NOTHING)
    }
    set()
    map.on('style.load', set)
    return () => {
      map.off('style.load', set)
    }
  }, [map, features, add])
  return null
}

/** Pipes with their ends and how full they ran: largest depth over full depth, 1 where one ran full. */
export function fillingOf({ network, peaks, diameters }: Sewer) {
  if (!network || !peaks) return []
  const at = new Map(peaks.links.name.map((name, k) => [name, k]))
  return network.links.flatMap(({ name, from: start, to: end }) => {
    const [from, to] = [network.node.get(start), network.node.get(end)]
    if (!from || !to) return []
    const k = at.get(name)
    const full = k !== undefined && peaks.links.surchargedS[k] > 0
    const filling = k === undefined ? 0 : full ? 1 : Math.min(0.99, peaks.links.filling[k])
    return [{ filling, diameterM: diameters.get(name) ?? 0.3, from, to }]
  })
}

function featuresOf(sewer: Sewer) {
  const { network, peaks } = sewer
  if (!network || !peaks) return null
  const node = new Map(peaks.nodes.name.map((name, k) => [name, k]))
  return {
    links: {
      type: 'FeatureCollection' as const,
      features: fillingOf(sewer).map(({ filling, diameterM, from, to }) => ({
        type: 'Feature' as const,
        properties: { filling, diameterM },
        geometry: {
          type: 'LineString' as const,
          coordinates: [
            [from.lon, from.lat],
            [to.lon, to.lat],
          ],
        },
      })),
    },
    nodes: {
      type: 'FeatureCollection' as const,
      features: network.nodes.map(({ name, lon, lat, kind }) => {
        const k = node.get(name)
        const floodedM3 = k === undefined ? 0 : peaks.nodes.floodedM3[k]
        return {
          type: 'Feature' as const,
          properties: {
            floodedM3,
            sort: floodedM3 > 1e-6 ? 'overflow' : kind === 'outfall' ? 'outfall' : 'node',
          },
          geometry: { type: 'Point' as const, coordinates: [lon, lat] },
        }
      }),
    },
  }
}

/** Grows with the zoom, so that a whole town stays legible and a street has marks to hit. */
const byZoom = (far: unknown, near: unknown) =>
  ['interpolate', ['linear'], ['zoom'], 12, far, 17, near] as unknown as ExpressionSpecification
const diameter = (least: number, perM: number) => ['+', least, ['*', perM, ['get', 'diameterM']]]
/** Its area is as the volume. */
const volume = (least: number, perRoot: number) => [
  'min',
  ['+', least, ['*', perRoot, ['sqrt', ['get', 'floodedM3']]]],
  6 * least,
]

function addLayers(map: RadxMap['map'], scheme: Scheme): () => void {
  const colors = FILLING_COLORS[scheme]
  const node = NODE_COLORS[scheme]
  map.addSource(SEWER_LINKS, { type: 'geojson', data: NOTHING, tolerance: 0 })
  map.addSource(NODES, { type: 'geojson', data: NOTHING })
  map.addLayer({
    id: SEWER_LINKS,
    type: 'line',
    source: SEWER_LINKS,
    layout: { 'line-cap': 'round', 'line-sort-key': ['get', 'filling'] },
    paint: {
      'line-color': [
        'step',
        ['get', 'filling'],
        colors[0],
        ...FILLINGS.slice(1).flatMap((limit, k) => [limit, colors[k + 1]]),
      ] as unknown as ExpressionSpecification,
      'line-width': byZoom(diameter(0.6, 1.2), diameter(2, 5)),
    },
  })
  map.addLayer({
    id: NODES,
    type: 'circle',
    source: NODES,
    layout: { 'circle-sort-key': ['match', ['get', 'sort'], 'overflow', 2, 'outfall', 1, 0] },
    paint: {
      'circle-color': [
        'match',
        ['get', 'sort'],
        'overflow',
        node.overflow,
        'outfall',
        node.outfall,
        node.node,
      ],
      'circle-radius': byZoom(
        ['match', ['get', 'sort'], 'overflow', volume(2, 0.35), 'outfall', 3.5, 0.6],
        ['match', ['get', 'sort'], 'overflow', volume(6, 1), 'outfall', 8, 4],
      ),
      'circle-opacity': ['match', ['get', 'sort'], 'overflow', 0.75, 1],
      'circle-stroke-color': node.halo,
      'circle-stroke-width': byZoom(['match', ['get', 'sort'], 'node', 0, 0.75], 1.5),
    },
  })
  return () => {
    removeFromStyle(map, [NODES], NODES)
    removeFromStyle(map, [SEWER_LINKS], SEWER_LINKS)
  }
}
