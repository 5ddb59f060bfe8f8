import type { MapMouseEvent } from 'maplibre-gl'
import { useCallback, useEffect } from 'react'
import { useColorScheme } from '../../../app/color-scheme.ts'
import { useRadxMap } from '../../../map/context.ts'
import type { RadxMap } from '../../../map/createMap.ts'
import { removeFromStyle, useStyleContent } from '../../../map/layers.ts'
import { useBuilder } from '../useBuilder.ts'
import { collection, line, point } from './PreviewLayers.tsx'

const [LINE, DOTS] = ['builder-drawn', 'builder-drawn-dots']
const COLOR = { light: '#8a4b00', dark: '#f0b765' } as const

/** The outline while it is drawn: every click on the map is a vertex. */
export function DrawnOutline() {
  const { map } = useRadxMap()
  const scheme = useColorScheme()
  const { drawing, setDrawing } = useBuilder()
  const isDrawing = drawing !== null
  useEffect(() => {
    if (!isDrawing) return
    const onClick = ({ lngLat: { lng, lat } }: MapMouseEvent) =>
      setDrawing((before) => before && [...before, [lng, lat]])
    map.getCanvas().style.cursor = 'crosshair'
    map.doubleClickZoom.disable()
    map.on('click', onClick)
    return () => {
      map.off('click', onClick)
      map.doubleClickZoom.enable()
      map.getCanvas().style.cursor = ''
    }
  }, [map, isDrawing, setDrawing])
  const add = useCallback(
    (to: RadxMap['map']) => {
      if (!drawing || drawing.length === 0) return () => {}
      to.addSource(LINE, {
        type: 'geojson',
        data: collection([
          line([...drawing, ...(drawing.length > 2 ? [drawing[0]] : [])], 'line'),
          ...drawing.map((at) => point(at, 'dot')),
        ]),
      })
      to.addLayer({
        id: LINE,
        type: 'line',
        source: LINE,
        filter: ['==', ['geometry-type'], 'LineString'],
        paint: { 'line-color': COLOR[scheme], 'line-width': 2.5 },
      })
      to.addLayer({
        id: DOTS,
        type: 'circle',
        source: LINE,
        filter: ['==', ['geometry-type'], 'Point'],
        paint: { 'circle-color': COLOR[scheme], 'circle-radius': 5 },
      })
      return () => removeFromStyle(to, [DOTS, LINE], LINE)
    },
    [drawing, scheme],
  )
  useStyleContent(add)
  return null
}
