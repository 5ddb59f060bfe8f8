import type { Shapefile } from '@radx/contracts/shapefiles'
import type { ExpressionSpecification, MapMouseEvent } from 'maplibre-gl'
import { useCallback, useEffect, useRef } from 'react'
import { type ColorScheme, useColorScheme } from '../../app/color-scheme.ts'
import { useSite } from '../../app/site.ts'
import { useRadxMap } from '../context.ts'
import type { RadxMap } from '../createMap.ts'
import { labelFont } from '../fonts.ts'
import { removeFromStyle, useStyleContent } from '../layers.ts'
import { labelsOf } from './labels.ts'
import { featureName } from './names.ts'

interface Props {
  layer: Shapefile
  visible: boolean
  /** Name of the feature under the pointer; null when it leaves. */
  onHover: (name: string | null) => void
}

/** One layer: surfaces, lines and points in its colour; what is under the pointer stands out. */
export function ShapeLayer({ layer, visible, onHover }: Props) {
  const { map } = useRadxMap()
  const source = `radx-shape-${layer.name}`
  const shown = useRef(visible)
  shown.current = visible
  const add = useCallback((to: RadxMap['map']) => addLayer(to, layer, source, shown.current), [layer, source])
  useStyleContent(add)
  const scheme = useColorScheme()
  const font = labelFont(useSite().tiles)
  // Made anew in the other display mode, whose ink and halo it takes.
  const addNames = useCallback(
    (to: RadxMap['map']) =>
      addLabels(to, layer, labelSource(source), { visible: shown.current, scheme, font }),
    [layer, source, scheme, font],
  )
  useStyleContent(addNames)

  useEffect(() => {
    for (const id of [...layerIds(source), ...labelIds(labelSource(source))])
      if (map.getLayer(id)) map.setLayoutProperty(id, 'visibility', visible ? 'visible' : 'none')
  }, [map, source, visible])

  const hover = useRef(onHover)
  hover.current = onHover
  useEffect(() => {
    if (!visible) return
    let under: number | string | undefined
    const set = (id: number | string | undefined) => {
      if (id === under || !map.getSource(source)) return
      if (under !== undefined) map.setFeatureState({ source, id: under }, { hover: false })
      if (id !== undefined) map.setFeatureState({ source, id }, { hover: true })
      under = id
    }
    const onMove = ({ point }: MapMouseEvent) => {
      const layers = layerIds(source).filter((id) => map.getLayer(id))
      const around: [[number, number], [number, number]] = [
        [point.x - 4, point.y - 4],
        [point.x + 4, point.y + 4],
      ]
      const hit = layers.length === 0 ? undefined : map.queryRenderedFeatures(around, { layers })[0]
      if (hit?.id === under) return
      set(hit?.id)
      hover.current(hit === undefined ? null : (featureName(hit.properties) ?? layer.longName))
    }
    const onLeave = () => {
      set(undefined)
      hover.current(null)
    }
    map.on('mousemove', onMove)
    map.on('mouseout', onLeave)
    return () => {
      map.off('mousemove', onMove)
      map.off('mouseout', onLeave)
      if (map.style) onLeave()
    }
  }, [map, source, visible, layer])
  return null
}

/** Zooms of the map library from which names are shown: surfaces and lines, and points, which stand closer. */
const NAMED_FROM = { shape: 9, point: 11 } as const
const labelSource = (source: string) => `${source}-labels`
const labelIds = (source: string) => [`${source}-shape`, `${source}-point`]

function addLabels(
  map: RadxMap['map'],
  layer: Shapefile,
  source: string,
  { visible, font }: { visible: boolean; scheme: ColorScheme; font: string },
): () => void {
  const style = getComputedStyle(document.documentElement)
  const [ink, halo] = ['--rx-map-ink', '--rx-map-halo'].map((name) => style.getPropertyValue(name).trim())
  map.addSource(source, {
    type: 'geojson',
    data: {
      type: 'FeatureCollection',
      features: labelsOf(layer.shapefile.features).map(({ name, at, kind }) => ({
        type: 'Feature',
        properties: { name, kind },
        geometry: { type: 'Point', coordinates: at },
      })),
    },
  })
  const ids = labelIds(source)
  for (const [i, kind] of (['shape', 'point'] as const).entries())
    map.addLayer({
      id: ids[i],
      type: 'symbol',
      source,
      minzoom: NAMED_FROM[kind],
      filter: ['==', ['get', 'kind'], kind],
      layout: {
        visibility: visible ? 'visible' : 'none',
        'text-field': ['get', 'name'],
        'text-font': [font],
        'text-size': ['interpolate', ['linear'], ['zoom'], 9, 11, 12, 13],
        'text-max-width': 9,
        'text-padding': 4,
        ...(kind === 'point' && {
          'text-anchor': 'top' as const,
          'text-offset': [0, 0.6] as [number, number],
        }),
      },
      paint: { 'text-color': ink, 'text-halo-color': halo, 'text-halo-width': 1.5 },
    })
  return () => removeFromStyle(map, ids, source)
}

const layerIds = (source: string) => ['fill', 'line', 'point'].map((kind) => `${source}-${kind}`)

const byHover = (on: number, off: number): ExpressionSpecification => [
  'case',
  ['boolean', ['feature-state', 'hover'], false],
  on,
  off,
]

function addLayer(map: RadxMap['map'], layer: Shapefile, source: string, visible: boolean): () => void {
  const [fill, line, point] = layerIds(source)
  const layout = { visibility: visible ? 'visible' : 'none' } as const
  const { color } = layer
  map.addSource(source, { type: 'geojson', data: layer.shapefile, generateId: true })
  map.addLayer({
    id: fill,
    type: 'fill',
    source,
    layout,
    filter: ['==', ['geometry-type'], 'Polygon'],
    paint: { 'fill-color': color, 'fill-opacity': byHover(0.22, 0.06) },
  })
  map.addLayer({
    id: line,
    type: 'line',
    source,
    layout,
    filter: ['!=', ['geometry-type'], 'Point'],
    paint: { 'line-color': color, 'line-width': byHover(4, 1.75) },
  })
  map.addLayer({
    id: point,
    type: 'circle',
    source,
    layout,
    filter: ['==', ['geometry-type'], 'Point'],
    paint: {
      'circle-color': color,
      'circle-radius': byHover(8, 4.5),
      'circle-stroke-color': '#ffffff',
      'circle-stroke-width': 1.5,
    },
  })
  return () => removeFromStyle(map, [fill, line, point], source)
}
