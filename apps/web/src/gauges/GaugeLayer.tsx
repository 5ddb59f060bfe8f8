import { darkTheme, lightTheme } from '@radx/charts/theme'
import type { MapMouseEvent } from 'maplibre-gl'
import { type CSSProperties, useEffect, useRef } from 'react'
import { useColorScheme } from '../app/color-scheme.ts'
import { useRadxMap } from '../map/context.ts'
import { MapMarker } from '../map/controls/MapMarker.tsx'
import { gaugeTexts } from '../texts/gauges.ts'
import { GaugePopover } from './GaugePopover.tsx'
import classes from './Gauges.module.css'
import type { Gauges } from './useGauges.ts'

interface Props {
  gauges: Gauges
  /** Instant on the map. */
  current: string | null
}

/** Gauges on the map: their markers, clicks that place new ones, and what they say where they are. */
export function GaugeLayer({ gauges, current }: Props) {
  usePlacing(gauges)
  const dark = useColorScheme() === 'dark'
  const colors = (dark ? darkTheme : lightTheme).gauges
  const count = gauges.list.length
  return (
    <>
      {gauges.list.map(({ point: { posCenter, pos, color } }, i) => (
        <MapMarker key={`${posCenter.lat},${posCenter.lng}`} position={posCenter} anchor="bottom">
          <MarkerButton
            number={count - i}
            color={colors[color]}
            expanded={gauges.opened !== null && gauges.isAt(gauges.list[i].point, gauges.opened.pos)}
            onOpen={() => gauges.open(pos)}
          />
        </MapMarker>
      ))}
      <GaugePopover gauges={gauges} current={current} colorOf={({ point }) => colors[point.color]} />
    </>
  )
}

/** A click places a gauge; so does the Enter key in the middle of a map that has the focus. */
function usePlacing(gauges: Gauges): void {
  const { map } = useRadxMap()
  const place = useRef(gauges.place)
  place.current = gauges.place
  useEffect(() => {
    const canvas = map.getCanvas()
    const onClick = (event: MapMouseEvent) => {
      if (!event.defaultPrevented) place.current?.({ lat: event.lngLat.lat, lng: event.lngLat.lng })
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.target !== canvas) return
      const { lat, lng } = map.getCenter()
      place.current?.({ lat, lng })
    }
    map.on('click', onClick)
    canvas.addEventListener('keydown', onKey)
    return () => {
      map.off('click', onClick)
      canvas.removeEventListener('keydown', onKey)
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
}

interface MarkerProps {
  number: number
  color: string
  expanded: boolean
  onOpen: () => void
}

function MarkerButton({ number, color, expanded, onOpen }: MarkerProps) {
  const button = useRef<HTMLButtonElement>(null)
  const open = useRef(onOpen)
  open.current = onOpen
  // The page's own listeners come after those of the map, which would take the click for one of its own.
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      event.stopPropagation()
      open.current()
    }
    const element = button.current
    element?.addEventListener('click', onClick)
    return () => element?.removeEventListener('click', onClick)
  }, [])
  return (
    <button
      ref={button}
      type="button"
      className={classes.marker}
      data-testid="gauge-marker"
      title={gaugeTexts.name(number)}
      aria-label={gaugeTexts.name(number)}
      aria-expanded={expanded}
      style={{ '--gauge': color } as CSSProperties}
    >
      {number}
    </button>
  )
}
