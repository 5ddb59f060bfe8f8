import { useQuery } from '@tanstack/react-query'
import type { GeoJSONSource } from 'maplibre-gl'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useColorScheme } from '../../../app/color-scheme.ts'
import { useRadxMap } from '../../../map/context.ts'
import type { RadxMap } from '../../../map/createMap.ts'
import { removeFromStyle, useStyleContent } from '../../../map/layers.ts'
import { motionQuery } from './api.ts'
import { arrowLines } from './arrows.ts'
import { useFuture } from './store.ts'

const SOURCE = 'radx-motion'
const LAYERS = ['radx-motion-halo', 'radx-motion-line']

/** How the rain of the forecast moves: arrows as long as the way of ten minutes. */
export default function MotionArrows() {
  const { map } = useRadxMap()
  const scheme = useColorScheme()
  const issued = useFuture((state) => state.forecast?.issued ?? '')
  const { data: motion } = useQuery({ ...motionQuery(issued), enabled: issued !== '' })
  const data = useMemo(
    () => ({
      type: 'Feature' as const,
      properties: {},
      geometry: { type: 'MultiLineString' as const, coordinates: arrowLines(motion?.arrows ?? []) },
    }),
    [motion],
  )
  const latest = useRef(data)
  latest.current = data

  // biome-ignore lint/correctness/useExhaustiveDependencies: the scheme changes what the colours are
  const add = useCallback(
    (style: RadxMap['map']) => {
      const colors = getComputedStyle(document.documentElement)
      const color = (name: string) => colors.getPropertyValue(name).trim()
      style.addSource(SOURCE, { type: 'geojson', data: latest.current })
      const layout = { 'line-cap': 'round', 'line-join': 'round' } as const
      const layer = (id: string, name: string, width: number) =>
        style.addLayer({
          id,
          type: 'line',
          source: SOURCE,
          layout,
          paint: { 'line-color': color(name), 'line-width': width },
        })
      layer(LAYERS[0], '--rx-map-halo', 4.5)
      layer(LAYERS[1], '--rx-map-ink', 1.75)
      return () => removeFromStyle(style, LAYERS, SOURCE)
    },
    [scheme],
  )
  useStyleContent(add)

  useEffect(() => {
    map.getSource<GeoJSONSource>(SOURCE)?.setData(data)
  }, [map, data])
  return null
}
