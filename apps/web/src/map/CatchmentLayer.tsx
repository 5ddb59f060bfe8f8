import type { CatchmentCollection } from '@radx/contracts/catchments'
import { CATCHMENT_ZOOM } from '@radx/contracts/constants'
import { boundsOfPolygons } from '@radx/rainfall/gauge-place'
import type { GeoJSONSource, MapMouseEvent } from 'maplibre-gl'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { polygonsOf } from './basins.ts'
import { useRadxMap } from './context.ts'
import type { RadxMap } from './createMap.ts'
import { removeFromStyle, useStyleContent } from './layers.ts'

const SOURCE = 'radx-catchments'
const LAYERS = ['radx-catchments-fill', 'radx-catchments-line', 'radx-catchments-chosen']

interface Props {
  collection: CatchmentCollection
  catchment: string | null
  subcatchment: string | null
  /** Clicks on outlines choose them. */
  onChoose?: (catchment: string, subcatchment: string | null) => void
}

type Feature = CatchmentCollection['features'][number]

function centreOf(feature: Feature) {
  const { ul, lr } = boundsOfPolygons(polygonsOf(feature))
  return { lat: (ul.lat + lr.lat) / 2, lng: (ul.lng + lr.lng) / 2 }
}

/** Outlines of the basins, the chosen one strong; the map flies to it. */
export function CatchmentLayer({ collection, catchment, subcatchment, onChoose }: Props) {
  const radx = useRadxMap()
  const chosen = subcatchment ?? catchment
  const data = useMemo(() => outlines(collection, catchment, chosen), [collection, catchment, chosen])
  const latest = useRef(data)
  latest.current = data

  const add = useCallback((map: RadxMap['map']) => {
    map.addSource(SOURCE, { type: 'geojson', data: latest.current })
    const ink = getComputedStyle(document.documentElement).getPropertyValue('--rx-accent').trim()
    map.addLayer({
      id: LAYERS[0],
      type: 'fill',
      source: SOURCE,
      filter: ['==', ['get', 'part'], false],
      paint: { 'fill-color': ink, 'fill-opacity': ['case', ['get', 'within'], 0.05, 0.02] },
    })
    map.addLayer({
      id: LAYERS[1],
      type: 'line',
      source: SOURCE,
      filter: ['!', ['get', 'chosen']],
      paint: {
        'line-color': ink,
        'line-opacity': ['case', ['get', 'within'], 0.7, 0.45],
        'line-width': ['case', ['get', 'part'], 0.75, 1.25],
      },
    })
    map.addLayer({
      id: LAYERS[2],
      type: 'line',
      source: SOURCE,
      filter: ['get', 'chosen'],
      paint: { 'line-color': ink, 'line-width': 2.75 },
    })
    return () => removeFromStyle(map, LAYERS, SOURCE)
  }, [])
  useStyleContent(add)

  useEffect(() => {
    radx.map.getSource<GeoJSONSource>(SOURCE)?.setData(data)
  }, [radx, data])

  const target = useMemo(() => {
    const feature = collection.features.find(({ properties }) => properties.key === chosen)
    return feature ? centreOf(feature) : null
  }, [collection, chosen])
  useEffect(() => {
    if (target) radx.flyTo(target, CATCHMENT_ZOOM)
  }, [radx, target])

  const choose = useRef(onChoose)
  choose.current = onChoose
  useEffect(() => {
    const onClick = ({ point }: MapMouseEvent) => {
      const [hit] = radx.map.getLayer(LAYERS[0])
        ? radx.map.queryRenderedFeatures(point, { layers: [LAYERS[0]] })
        : []
      if (hit) choose.current?.(String(hit.properties.key), null)
    }
    radx.map.on('click', onClick)
    return () => {
      radx.map.off('click', onClick)
    }
  }, [radx])
  return null
}

function outlines(collection: CatchmentCollection, catchment: string | null, chosen: string | null) {
  return {
    type: 'FeatureCollection' as const,
    features: collection.features.map((feature) => ({
      type: 'Feature' as const,
      properties: {
        key: feature.properties.key,
        part: feature.properties.parent !== null,
        within: feature.properties.key === catchment || feature.properties.parent === catchment,
        chosen: feature.properties.key === chosen,
      },
      geometry: feature.geometry as { type: 'MultiPolygon'; coordinates: number[][][][] },
    })),
  }
}
