import { darkTheme, lightTheme } from '@radx/charts/theme'
import type { MapMouseEvent } from 'maplibre-gl'
import { type CSSProperties, useEffect, useRef } from 'react'
import { useColorScheme } from '../app/color-scheme.ts'
import { useRadxMap } from '../map/context.ts'
import { MapMarker } from '../map/controls/MapMarker.tsx'
import { gaugeTexts } from '../texts/gauges.ts'
import classes from './Gauges.module.css'
import type { Gauges } from './useGauges.ts'

/** Gauges on the map: their markers, and clicks that place new ones. */
export function GaugeLayer({ gauges }: { gauges: Gauges }) {
  const { map } = useRadxMap()
  const dark = useColorScheme() === 'dark'
  const place = useRef(gauges.place)
  place.current = gauges.place
  useEffect(() => {
    const onClick = (event: MapMouseEvent) => {
      if (!event.defaultPrevented) place.current?.({ lat: event.lngLat.lat, lng: event.lngLat.lng })
    }
    map.on('click', onClick)
    return () => {
      map.off('click', onClick)
    }
  }, [map])

  const allowed = gauges.place !== null
  useEffect(() => {
    const canvas = map.getCanvas()
    if (allowed) canvas.style.cursor = 'crosshair'
    return () => {
      canvas.style.cursor = ''
    }
  }, [map, allowed])

  const colors = (dark ? darkTheme : lightTheme).gauges
  const count = gauges.list.length
  return gauges.list.map(({ point: { posCenter, color } }, i) => (
    <MapMarker key={`${posCenter.lat},${posCenter.lng}`} position={posCenter} anchor="bottom">
      <div
        className={classes.marker}
        data-testid="gauge-marker"
        title={gaugeTexts.name(count - i)}
        style={{ '--gauge': colors[color] } as CSSProperties}
      >
        {count - i}
      </div>
    </MapMarker>
  ))
}
