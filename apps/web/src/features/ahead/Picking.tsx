import type { AheadCycle, AheadNetwork } from '@radx/contracts/ahead'
import type { MapMouseEvent } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import { useRadxMap } from '../../map/context.ts'
import { MapMarker } from '../../map/controls/MapMarker.tsx'
import classes from './AheadScreen.module.css'
import type { Place } from './api.ts'
import { hitOf, positionOf } from './hit.ts'

/** Near enough to tell a pipe from the next one, tiles of 256 px. */
const NEAR_ZOOM = 16

interface Props {
  cycle: AheadCycle
  network: AheadNetwork | undefined
  /** Whether nodes and pipes are shown, and so can be hit. */
  showsNetwork: boolean
  /** Which of its moments is shown. */
  at: number
  chosen: Place | null
  onPick: (place: Place) => void
}

/** Takes what is under a click, or by the Enter key what is in the middle of the map, and marks what is chosen. */
export function Picking({ cycle, network, showsNetwork, at, chosen, onPick }: Props) {
  const radx = useRadxMap()
  const { map } = radx
  const take = useRef((_point: { lat: number; lng: number }) => {})
  take.current = (point) => {
    const hit = hitOf(cycle, showsNetwork ? network : undefined, at, point, map.getZoom())
    if (hit) onPick(hit)
  }
  useEffect(() => {
    const canvas = map.getCanvas()
    const onClick = ({ lngLat }: MapMouseEvent) => take.current(lngLat)
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Enter') take.current(map.getCenter())
    }
    // The keys of the map move it; with this cursor its middle is marked while it has the focus.
    canvas.style.cursor = 'crosshair'
    canvas.addEventListener('keydown', onKey)
    map.on('click', onClick)
    return () => {
      canvas.style.cursor = ''
      canvas.removeEventListener('keydown', onKey)
      map.off('click', onClick)
    }
  }, [map])
  const position = chosen && positionOf(chosen, cycle.place, network)
  const key = position ? `${position.lat} ${position.lng}` : ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is that of the key
  useEffect(() => {
    if (position && !map.getBounds().contains(position)) radx.flyTo(position, NEAR_ZOOM)
  }, [radx, key])
  if (!position) return null
  return (
    <MapMarker position={position}>
      <span className={classes.mark} aria-hidden />
    </MapMarker>
  )
}
