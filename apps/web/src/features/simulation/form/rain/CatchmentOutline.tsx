import type { CatchmentSummary } from '@radx/contracts/simulation'
import { useCallback } from 'react'
import type { RadxMap } from '../../../../map/createMap.ts'
import { removeFromStyle, useStyleContent } from '../../../../map/layers.ts'

const SOURCE = 'radx-model'
const LINE = 'radx-model-line'

/** The frame of a model's grid on the map. */
export function CatchmentOutline({ catchment: { corners } }: { catchment: CatchmentSummary }) {
  const add = useCallback(
    (map: RadxMap['map']) => {
      const { sw, se, ne, nw } = corners
      map.addSource(SOURCE, {
        type: 'geojson',
        data: {
          type: 'Feature',
          properties: {},
          geometry: { type: 'LineString', coordinates: [sw, se, ne, nw, sw] },
        },
      })
      const ink = getComputedStyle(document.documentElement).getPropertyValue('--rx-accent').trim()
      map.addLayer({
        id: LINE,
        type: 'line',
        source: SOURCE,
        paint: { 'line-color': ink, 'line-width': 2.5 },
      })
      return () => removeFromStyle(map, [LINE], SOURCE)
    },
    [corners],
  )
  useStyleContent(add)
  return null
}
