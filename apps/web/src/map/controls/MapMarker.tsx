import type { LatLng } from '@radx/contracts/site'
import { type ReactNode, useCallback, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useRadxMap } from '../context.ts'
import { useOnMap } from '../layers.ts'

interface Props {
  position: LatLng
  /** Which point of the content stands on the place. */
  anchor?: 'center' | 'bottom'
  /** Keeps it within the map: moved aside at its edges, below the place where there is no room above. */
  inside?: boolean
  children: ReactNode
}

/**
 * Something of the page that stands on a place of the map and moves with it. Our own, because the map
 * library's marker brings its pop-ups along.
 */
export function MapMarker({ position, anchor = 'center', inside = false, children }: Props) {
  const { map } = useRadxMap()
  const element = useRef<HTMLDivElement>(null)
  const { lat, lng } = position
  const place = useCallback(() => {
    const { x, y } = map.project([lng, lat])
    const own = element.current
    if (!own) return
    const rise = anchor === 'center' ? '-50%' : '-100%'
    own.style.transform = inside
      ? within(own, map.getContainer(), x, y)
      : `translate(${x}px, ${y}px) translate(-50%, ${rise})`
  }, [map, lat, lng, anchor, inside])
  useOnMap(place)
  return createPortal(
    <div ref={element} style={{ position: 'absolute', top: 0, left: 0, zIndex: 1 }}>
      {children}
    </div>,
    map.getCanvasContainer(),
  )
}

/** Between a place and what stands below it, px. */
const BELOW_PX = 12

/** Above a place, but within the map where it is not larger than this. */
function within(own: HTMLElement, map: HTMLElement, x: number, y: number): string {
  const { offsetWidth: width, offsetHeight: height } = own
  const left = Math.max(0, Math.min(x - width / 2, map.clientWidth - width))
  const below = Math.max(0, Math.min(y + BELOW_PX, map.clientHeight - height))
  return `translate(${left}px, ${y >= height ? y - height : below}px)`
}
