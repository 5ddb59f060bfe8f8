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
import { type SewerAt, useSewerAt } from './useSewerAt.ts'

export const SEWER_LINKS = 'radx-space-links'
const NODES = 'radx-space-nodes'
export const SEWER_LAYERS = [SEWER_LINKS, NODES] as const
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
  return useMemo(
    () => ({ network, peaks: peaks.data, diameters, error }),
    [network, peaks.data, diameters, error],
  )
}
export type Sewer = ReturnType<typeof useSewer>

/**
 * Pipes as wide as their diameter and coloured by how full they ran, junctions by what came out of them: over the run, or
 * at a moment.
 */
export function SewerOverlay({ job, sewer, now }: { job: SimulationJob; sewer: Sewer; now: boolean }) {
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
  useStates(sewer, useSewerAt(job, now), features, add)
  return null
}

/** @param drawn a new one has no states */
function useStates({ network }: Sewer, at: SewerAt | null, ...drawn: readonly unknown[]): void {
  const { map } = useRadxMap()
  useEffect(() => {
    const set = () => {
      if (!map.getSource(SEWER_LINKS) || !map.getSource(NODES)) return
      if (at === null || !network) {
        map.removeFeatureState({ source: SEWER_LINKS })
        map.removeFeatureState({ source: NODES })
        return
      }
      const put = (source: string, id: number, now: number) => {
        if (map.getFeatureState({ source, id }).now !== now) map.setFeatureState({ source, id }, { now })
      }
      network.links.forEach(({ name }, id) => {
        put(SEWER_LINKS, id, stepOf(at.filling.get(name) ?? 0))
      })
      network.nodes.forEach(({ name }, id) => {
        put(NODES, id, at.overflowLS.get(name) ?? 0)
      })
    }
    set()
    map.on('style.load', set)
    return () => {
      map.off('style.load', set)
    }
  }, [map, network, at, ...drawn])
}

/** The lower limit of a filling's colour: what stays in its colour is not drawn anew. */
const stepOf = (filling: number): number => FILLINGS.findLast((limit) => filling >= limit) ?? 0

/** Pipes with their ends and how full they ran: largest depth over full depth, 1 where one ran full; or are at a moment. */
export function fillingOf({ network, peaks, diameters }: Sewer, now: SewerAt | null = null) {
  if (!network || !peaks) return []
  const at = new Map(peaks.links.name.map((name, k) => [name, k]))
  return network.links.flatMap(({ name, from: start, to: end }, id) => {
    const [from, to] = [network.node.get(start), network.node.get(end)]
    if (!from || !to) return []
    const k = at.get(name)
    const full = k !== undefined && peaks.links.surchargedS[k] > 0
    const most = k === undefined ? 0 : full ? 1 : Math.min(0.99, peaks.links.filling[k])
    const filling = now ? (now.filling.get(name) ?? 0) : most
    return [{ id, filling, diameterM: diameters.get(name) ?? 0.3, from, to }]
  })
}

function featuresOf(sewer: Sewer) {
  const { network, peaks } = sewer
  if (!network || !peaks) return null
  const node = new Map(peaks.nodes.name.map((name, k) => [name, k]))
  return {
    links: {
      type: 'FeatureCollection' as const,
      features: fillingOf(sewer).map(({ id, filling, diameterM, from, to }) => ({
        type: 'Feature' as const,
        id,
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
      features: network.nodes.map(({ name, lon, lat, kind }, id) => {
        const k = node.get(name)
        const floodedM3 = k === undefined ? 0 : peaks.nodes.floodedM3[k]
        return {
          type: 'Feature' as const,
          id,
          properties: { floodedM3, sort: kind === 'outfall' ? 'outfall' : 'node' },
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
/** What comes out of a node: m3 over the run, l/s at a moment. */
const OUT = ['coalesce', ['feature-state', 'now'], ['get', 'floodedM3']]
const OVERFLOWS = ['>', OUT, 1e-6]
/** By what a node is: one that overflows, an outfall, any other. */
const byNode = (overflow: unknown, outfall: unknown, node: unknown) =>
  [
    'case',
    OVERFLOWS,
    overflow,
    ['==', ['get', 'sort'], 'outfall'],
    outfall,
    node,
  ] as unknown as ExpressionSpecification
/** Its area is as what comes out. */
const volume = (least: number, perRoot: number) => [
  'min',
  ['+', least, ['*', perRoot, ['sqrt', OUT]]],
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
        ['coalesce', ['feature-state', 'now'], ['get', 'filling']],
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
    layout: {
      'circle-sort-key': [
        'case',
        ['>', ['get', 'floodedM3'], 1e-6],
        2,
        ['==', ['get', 'sort'], 'outfall'],
        1,
        0,
      ],
    },
    paint: {
      'circle-color': byNode(node.overflow, node.outfall, node.node),
      'circle-radius': byZoom(byNode(volume(2, 0.35), 3.5, 0.6), byNode(volume(6, 1), 8, 4)),
      'circle-opacity': byNode(0.75, 1, 1),
      'circle-stroke-color': node.halo,
      'circle-stroke-width': byZoom(byNode(0.75, 0.75, 0), 1.5),
    },
  })
  return () => {
    removeFromStyle(map, [NODES], NODES)
    removeFromStyle(map, [SEWER_LINKS], SEWER_LINKS)
  }
}
