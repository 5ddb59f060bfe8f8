import type { BuilderPreview } from '@radx/contracts/builder'
import { useCallback } from 'react'
import { useColorScheme } from '../../../app/color-scheme.ts'
import type { Scheme } from '../../../map/basemap.ts'
import type { RadxMap } from '../../../map/createMap.ts'
import { removeFromStyle, useStyleContent } from '../../../map/layers.ts'
import { useBuilder } from '../useBuilder.ts'

const [LINES, POINTS, MARK] = ['builder-lines', 'builder-points', 'builder-mark']
const COLORS = {
  light: { outline: '#0b5a63', pipe: '#5b3f8c', outfall: '#a3231f', gully: '#1f5fa8', halo: '#ffffff' },
  dark: { outline: '#5cbcc2', pipe: '#b79be6', outfall: '#f08a80', gully: '#7fb4f0', halo: '#0f1415' },
} as const satisfies Record<Scheme, unknown>

interface Props {
  preview: BuilderPreview
  /** The ground has a line around it by itself. */
  withOutline: boolean
}

/** Outline, network, gullies and the place that is pointed out. */
export function PreviewLayers({ preview, withOutline }: Props) {
  const scheme = useColorScheme()
  const { mark } = useBuilder()
  const addLines = useCallback(
    (map: RadxMap['map']) => {
      const colors = COLORS[scheme]
      const { outline, network } = preview
      map.addSource(LINES, {
        type: 'geojson',
        tolerance: 0,
        data: collection([
          ...(withOutline ? outline : []).map((ring) => line(ring, 'outline')),
          ...(network?.links ?? []).map(({ places }) => line(places, 'pipe')),
        ]),
      })
      map.addLayer({
        id: LINES,
        type: 'line',
        source: LINES,
        layout: { 'line-join': 'round', 'line-cap': 'round' },
        paint: {
          'line-color': ['match', ['get', 'kind'], 'pipe', colors.pipe, colors.outline],
          'line-width': 2,
        },
      })
      return () => removeFromStyle(map, [LINES], LINES)
    },
    [scheme, preview, withOutline],
  )
  useStyleContent(addLines)
  const addPoints = useCallback(
    (map: RadxMap['map']) => {
      const colors = COLORS[scheme]
      const { network, gullies } = preview
      map.addSource(POINTS, {
        type: 'geojson',
        data: collection([
          ...(network?.nodes ?? []).map(({ at, outfall }) => point(at, outfall ? 'outfall' : 'manhole')),
          ...gullies.map(({ at }) => point(at, 'gully')),
        ]),
      })
      map.addLayer({
        id: POINTS,
        type: 'circle',
        source: POINTS,
        paint: {
          'circle-color': [
            'match',
            ['get', 'kind'],
            'outfall',
            colors.outfall,
            'gully',
            colors.gully,
            colors.pipe,
          ],
          'circle-radius': ['match', ['get', 'kind'], 'outfall', 5, 'gully', 4, 3],
          'circle-stroke-color': colors.halo,
          'circle-stroke-width': 1,
        },
      })
      return () => removeFromStyle(map, [POINTS], POINTS)
    },
    [scheme, preview],
  )
  useStyleContent(addPoints)
  const addMark = useCallback(
    (map: RadxMap['map']) => {
      if (!mark) return () => {}
      map.addSource(MARK, { type: 'geojson', data: collection([point(mark, 'mark')]) })
      map.addLayer({
        id: MARK,
        type: 'circle',
        source: MARK,
        paint: {
          'circle-opacity': 0,
          'circle-radius': 14,
          'circle-stroke-color': COLORS[scheme].outfall,
          'circle-stroke-width': 3,
        },
      })
      return () => removeFromStyle(map, [MARK], MARK)
    },
    [scheme, mark],
  )
  useStyleContent(addMark)
  return null
}

type Feature = {
  type: 'Feature'
  properties: { kind: string }
  geometry:
    | { type: 'LineString'; coordinates: [number, number][] }
    | { type: 'Point'; coordinates: [number, number] }
}
export const collection = (features: Feature[]) => ({ type: 'FeatureCollection' as const, features })
export const line = (coordinates: [number, number][], kind: string): Feature => ({
  type: 'Feature',
  properties: { kind },
  geometry: { type: 'LineString', coordinates },
})
export const point = (coordinates: [number, number], kind: string): Feature => ({
  type: 'Feature',
  properties: { kind },
  geometry: { type: 'Point', coordinates },
})
