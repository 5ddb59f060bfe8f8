import type { LatLng } from '@radx/contracts/site'
import { type ReactNode, useCallback, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useRadxMap } from '../context.ts'
import { useOnMap } from '../layers.ts'

interface Props {
  position: LatLng
  /** Which point of the content stands on the place. */
  anchor?: 'center' | 'bottom'
  children: ReactNode
}

/**
 * Something of the page that stands on a place of the map and moves with it. Our own, because the map
 * library's marker brings its pop-ups along.
 */
export function MapMarker({ position, anchor = 'center', children }: Props) {
  const { map } = useRadxMap()
  const element = useRef<HTMLDivElement>(null)
  const { lat, lng } = position
  const place = useCallback(() => {
    const { x, y } = map.project([lng, lat])
    const rise = anchor === 'center' ? '-50%' : '-100%'
    if (element.current)
      element.current.style.transform = `translate(${x}px, ${y}px) translate(-50%, ${rise})`
  }, [map, lat, lng, anchor])
  useOnMap(place)
  return createPortal(
    <div ref={element} style={{ position: 'absolute', top: 0, left: 0, zIndex: 1 }}>
      {children}
    </div>,
    map.getCanvasContainer(),
  )
}
