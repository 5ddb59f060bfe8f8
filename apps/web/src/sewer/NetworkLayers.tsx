import type { ExpressionSpecification, MapMouseEvent } from 'maplibre-gl'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useColorScheme } from '../app/color-scheme.ts'
import { useRadxMap } from '../map/context.ts'
import type { RadxMap } from '../map/createMap.ts'
import { removeFromStyle, useStyleContent } from '../map/layers.ts'
import { toMercator } from '../map/mercator.ts'
import { type Bounds, featuresOf } from './features.ts'
import { areaAt, hitGrids } from './hits.ts'
import { hoverArea, hoverLink, hoverNode, hoverNothing } from './hover.ts'
import type { SewerNetwork } from './network.ts'
import type { Analysis } from './selection.ts'

const LINKS = 'sewer-links'
const NODES = 'sewer-nodes'
const AREAS = 'sewer-areas'
const AREA_EDGES = 'sewer-area-edges'
const SOURCES = { links: LINKS, nodes: NODES } as const
/** A pointer hits what is so near, px. */
const REACH = 10
const FIT_PX = 48
/** The world at zoom 0, px. */
const TILE_PX = 512

interface Props {
  network: SewerNetwork
  bounds: Bounds
  analysis: Analysis
  names: readonly string[]
  path: readonly string[]
  onPick: (name: string) => void
  /** A subcatchment. */
  onPickArea?: (name: string) => void
}

/** Nodes and links as layers of the map; what is chosen is a state of its feature. */
export function NetworkLayers({ network, bounds, analysis, names, path, onPick, onPickArea }: Props) {
  const { map } = useRadxMap()
  const scheme = useColorScheme()
  const features = useMemo(() => featuresOf(network), [network])
  const grids = useMemo(() => hitGrids(network), [network])
  const places = useMemo(
    () => ({
      nodes: new Map(network.nodes.map(({ name }, id) => [name, id])),
      links: new Map(network.links.map(({ name }, id) => [name, id])),
    }),
    [network],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are those of the scheme
  const add = useCallback((to: RadxMap['map']) => addNetwork(to, features, colorsOf(to)), [features, scheme])
  useStyleContent(add)

  // A square of streets fills the map; one point alone is shown with its street.
  useEffect(() => {
    map.fitBounds(bounds, { padding: FIT_PX, maxZoom: 18, duration: 0 })
  }, [map, bounds])

  const marked = useMemo(() => {
    const nodes = new Set<number>()
    const links = new Set<number>()
    const into = analysis === 'link' ? links : nodes
    const of = analysis === 'link' ? places.links : places.nodes
    for (const name of names) {
      const id = of.get(name)
      if (id !== undefined) into.add(id)
    }
    const route = pathLinks(network, path)
    for (const name of route) links.add(places.links.get(name) ?? -1)
    return { nodes, links }
  }, [network, places, analysis, names, path])
  useMarks(marked, add)

  const pick = useRef(onPick)
  pick.current = onPick
  const pickArea = useRef(onPickArea)
  pickArea.current = onPickArea
  useEffect(() => {
    const wanted = analysis === 'link' ? (['links', 'nodes'] as const) : (['nodes', 'links'] as const)
    const areas = network.areas ?? []
    const under = ({ lngLat }: MapMouseEvent) => {
      const point = toMercator(lngLat)
      const reach = REACH / (TILE_PX * 2 ** map.getZoom())
      for (const kind of wanted) {
        const name = grids[kind].nearest(point, reach)
        if (name !== null) return { kind, name }
      }
      const area = areaAt(areas, lngLat.lng, lngLat.lat)
      return area === null ? null : { kind: 'areas' as const, name: area }
    }
    const show = (hit: ReturnType<typeof under>) => {
      const picks = hit !== null && (hit.kind !== 'areas' || pickArea.current !== undefined)
      map.getCanvas().style.cursor = picks ? 'pointer' : ''
      if (hit === null) hoverNothing()
      else if (hit.kind === 'areas') hoverArea(hit.name)
      else if (hit.kind === 'nodes') hoverNode(hit.name, 'map')
      else hoverLink(hit.name, 'map')
    }
    const onMove = (event: MapMouseEvent) => show(under(event))
    const onClick = (event: MapMouseEvent) => {
      const hit = under(event)
      show(hit)
      if (hit?.kind === 'areas') pickArea.current?.(hit.name)
      else if (hit?.kind === wanted[0]) pick.current(hit.name)
    }
    const onLeave = () => show(null)
    map.on('mousemove', onMove)
    map.on('click', onClick)
    map.on('mouseout', onLeave)
    return () => {
      map.off('mousemove', onMove)
      map.off('click', onClick)
      map.off('mouseout', onLeave)
      hoverNothing()
    }
  }, [map, grids, network, analysis])

  // Where the map stands can be read off its element once everything is drawn.
  useEffect(() => {
    const note = () => {
      const { lng, lat } = map.getCenter()
      map.getContainer().dataset.view = `${lng},${lat},${map.getZoom()}`
    }
    map.on('idle', note)
    return () => {
      map.off('idle', note)
    }
  }, [map])
  return null
}

/** Links between the neighbours of a path, the shortest where several join the same two. */
function pathLinks({ links }: SewerNetwork, path: readonly string[]): string[] {
  if (path.length < 2) return []
  const key = (a: string, b: string) => (a < b ? `${a}\n${b}` : `${b}\n${a}`)
  const steps = new Set(path.slice(1).map((name, k) => key(path[k], name)))
  const best = new Map<string, SewerNetwork['links'][number]>()
  for (const link of links) {
    const step = key(link.from, link.to)
    if (!steps.has(step)) continue
    const other = best.get(step)
    if (other === undefined || link.lengthM < other.lengthM) best.set(step, link)
  }
  return [...best.values()].map(({ name }) => name)
}

type Marks = { nodes: ReadonlySet<number>; links: ReadonlySet<number> }

/** Keeps what is chosen as a state of the features; @param content changes when the features are put in anew. */
function useMarks(marks: Marks, content: unknown): void {
  const { map } = useRadxMap()
  const set = useRef<{ marks: Marks; content: unknown } | null>(null)
  useEffect(() => {
    const before = set.current !== null && set.current.content === content ? set.current.marks : null
    const apply = () => {
      for (const kind of ['nodes', 'links'] as const) {
        const source = SOURCES[kind]
        if (!map.getSource(source)) return
        for (const id of before?.[kind] ?? [])
          if (!marks[kind].has(id)) map.setFeatureState({ source, id }, { chosen: false })
        for (const id of marks[kind]) if (id >= 0) map.setFeatureState({ source, id }, { chosen: true })
      }
      set.current = { marks, content }
    }
    apply()
    // The style may only now load, or start anew after a lost graphics context.
    map.on('style.load', apply)
    return () => {
      map.off('style.load', apply)
    }
  }, [map, marks, content])
}

type Colors = Record<'link' | 'node' | 'overflow' | 'outfall' | 'chosen' | 'halo' | 'area', string>

function colorsOf(map: RadxMap['map']): Colors {
  const style = getComputedStyle(map.getContainer())
  const read = (name: string) => style.getPropertyValue(name).trim()
  return {
    link: read('--sewer-link'),
    node: read('--sewer-node'),
    overflow: read('--sewer-overflow'),
    outfall: read('--sewer-outfall'),
    chosen: read('--sewer-chosen'),
    halo: read('--rx-surface'),
    area: read('--sewer-area'),
  }
}

const whenChosen = (on: unknown, off: unknown) =>
  ['case', ['boolean', ['feature-state', 'chosen'], false], on, off] as unknown as ExpressionSpecification

/** Grows with the zoom, so that a whole town stays legible and a street has marks to hit. */
const byZoom = (far: unknown, near: unknown) =>
  ['interpolate', ['linear'], ['zoom'], 12, far, 17, near] as unknown as ExpressionSpecification

function addNetwork(
  map: RadxMap['map'],
  features: ReturnType<typeof featuresOf>,
  colors: Colors,
): () => void {
  if (features.areas.features.length > 0) addAreas(map, features.areas, colors.area)
  map.addSource(LINKS, { type: 'geojson', data: features.links, tolerance: 0 })
  map.addSource(NODES, { type: 'geojson', data: features.nodes })
  map.addLayer({
    id: LINKS,
    type: 'line',
    source: LINKS,
    paint: {
      'line-color': whenChosen(colors.chosen, colors.link),
      'line-width': byZoom(whenChosen(4, 1.5), whenChosen(7, 3.5)),
    },
  })
  map.addLayer({
    id: NODES,
    type: 'circle',
    source: NODES,
    layout: { 'circle-sort-key': ['match', ['get', 'sort'], 'overflow', 2, 'outfall', 1, 0] },
    paint: {
      'circle-color': whenChosen(colors.chosen, [
        'match',
        ['get', 'sort'],
        'overflow',
        colors.overflow,
        'outfall',
        colors.outfall,
        colors.node,
      ]),
      'circle-radius': byZoom(
        whenChosen(4, ['match', ['get', 'sort'], 'junction', 1, 3.5]),
        whenChosen(8, ['match', ['get', 'sort'], 'junction', 5, 7]),
      ),
      'circle-stroke-color': colors.halo,
      'circle-stroke-width': byZoom(0.5, 1.5),
    },
  })
  return () => {
    removeFromStyle(map, [NODES], NODES)
    removeFromStyle(map, [LINKS], LINKS)
    removeFromStyle(map, [AREA_EDGES, AREAS], AREAS)
  }
}

/** Subcatchments below the network, the darker the more runs off. */
function addAreas(map: RadxMap['map'], data: ReturnType<typeof featuresOf>['areas'], color: string): void {
  map.addSource(AREAS, { type: 'geojson', data, tolerance: 0 })
  map.addLayer({
    id: AREAS,
    type: 'fill',
    source: AREAS,
    paint: {
      'fill-color': color,
      'fill-opacity': ['interpolate', ['linear'], ['get', 'share'], 0, 0.06, 1, 0.5],
    },
  })
  map.addLayer({
    id: AREA_EDGES,
    type: 'line',
    source: AREAS,
    paint: { 'line-color': color, 'line-width': 1, 'line-opacity': 0.7 },
  })
}
