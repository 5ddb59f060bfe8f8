import type { LatLng } from '@radx/contracts/site'
import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useFocusReturn } from '../ui/focus-return.ts'
import { useRadxMap } from './context.ts'
import { useOnMap } from './layers.ts'
import classes from './MapPopover.module.css'

/** Room between the place and the popover, where a marker stands, px; and to the map's edges. */
const OFFSET_PX = 40
const EDGE_PX = 8

interface Props {
  position: LatLng
  label: string
  /** Takes the focus when it opens: it was asked for with the keyboard, or at its marker. */
  focused: boolean
  onClose: () => void
  children: ReactNode
}

/**
 * What is said about a place, beside it and always whole on the map: above it, below where there is no room. Clicks in
 * it are none of the map. Escape closes it.
 */
export function MapPopover({ position, label, focused, onClose, children }: Props) {
  const { map } = useRadxMap()
  const element = useRef<HTMLElement>(null)
  useFocusReturn(true)
  const close = useRef(onClose)
  close.current = onClose
  const { lat, lng } = position
  const place = useCallback(() => {
    const box = element.current
    if (!box) return
    const { x, y } = map.project([lng, lat])
    const { clientWidth, clientHeight } = map.getContainer()
    const high = clientHeight - Number.parseFloat(getComputedStyle(box).scrollMarginBottom)
    const left = clamp(x - box.offsetWidth / 2, EDGE_PX, clientWidth - box.offsetWidth - EDGE_PX)
    const above = y - OFFSET_PX - box.offsetHeight
    const top = above >= EDGE_PX ? above : y + OFFSET_PX / 2
    box.style.left = `${left}px`
    box.style.top = `${clamp(top, EDGE_PX, high - box.offsetHeight - EDGE_PX)}px`
  }, [map, lat, lng])
  useOnMap(place)
  useEffect(() => {
    const box = element.current
    if (!box) return
    const sized = new ResizeObserver(place)
    sized.observe(box)
    return () => sized.disconnect()
  }, [place])
  useEffect(() => {
    if (focused) element.current?.focus({ preventScroll: true })
  }, [focused])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // A dialog over the page, or the full screen, is what Escape leaves first.
      const over = document.fullscreenElement ?? document.querySelector('[aria-modal="true"]')
      if (event.key === 'Escape' && over === null) close.current()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return createPortal(
    <section ref={element} className={classes.root} role="dialog" aria-label={label} tabIndex={-1}>
      {children}
    </section>,
    map.getContainer(),
  )
}

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(value, high))
