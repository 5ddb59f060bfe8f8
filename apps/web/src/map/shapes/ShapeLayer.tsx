import type { Shapefile } from '@radx/contracts/shapefiles'
import type { ExpressionSpecification, MapMouseEvent } from 'maplibre-gl'
import { useCallback, useEffect, useRef } from 'react'
import { useRadxMap } from '../context.ts'
import type { RadxMap } from '../createMap.ts'
import { removeFromStyle, useStyleContent } from '../layers.ts'
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

  useEffect(() => {
    for (const id of layerIds(source))
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
