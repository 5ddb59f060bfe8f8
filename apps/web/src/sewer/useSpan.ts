import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { isWhole, moveSpan, type Span, zoomSpan } from './profile-view.ts'

const STEP = 1.5
/** A key or a button moves by this share of what is shown. */
const MOVE = 0.25
/** So much of the wheel doubles or halves, px. */
const WHEEL_PX = 300

interface Area {
  /** The drawing as it is on the page. */
  element: RefObject<SVGSVGElement | null>
  /** Ends of the plot inside it, shares of its width. */
  left: number
  right: number
}

/** The part of a path that is shown: by wheel, drag, two fingers, keys, or the steps that buttons call. */
export function useSpan(whole: Span, { element, left, right }: Area) {
  const [span, setSpan] = useState<Span>(whole)
  const pointers = useRef(new Map<number, number>())
  /** Share of the span at a place on the page; below 0 and above 1 beside the plot. */
  const shareAt = (clientX: number) => {
    const box = element.current?.getBoundingClientRect()
    if (!box) return 0.5
    return ((clientX - box.left) / box.width - left) / (right - left)
  }
  const metresAt = (clientX: number, [low, high] = span) => low + shareAt(clientX) * (high - low)
  const zoom = (factor: number, clientX?: number) =>
    setSpan((now) => zoomSpan(whole, now, factor, clientX === undefined ? undefined : metresAt(clientX, now)))
  const move = (share: number) => setSpan((now) => moveSpan(whole, now, share * (now[1] - now[0])))

  // React's own wheel listener could not keep the page where it is.
  const onWheel = useRef<(event: WheelEvent) => void>(null)
  onWheel.current = (event) => {
    if (event.deltaY > 0 && isWhole(whole, span)) return
    event.preventDefault()
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) move(event.deltaX / 800)
    else zoom(2 ** (event.deltaY / WHEEL_PX), event.clientX)
  }
  useEffect(() => {
    const drawing = element.current
    const listen = (event: WheelEvent) => onWheel.current?.(event)
    drawing?.addEventListener('wheel', listen, { passive: false })
    return () => drawing?.removeEventListener('wheel', listen)
  }, [element])

  const release = ({ pointerId }: PointerEvent) => void pointers.current.delete(pointerId)
  const act = (key: string): boolean => {
    if (key === '+' || key === '=') zoom(1 / STEP)
    else if (key === '-') zoom(STEP)
    else if (key === '0') setSpan(whole)
    // What is shown whole may still be wider than a phone: then the keys scroll.
    else if (isWhole(whole, span)) return false
    else if (key === 'ArrowLeft') move(-MOVE)
    else if (key === 'ArrowRight') move(MOVE)
    else return false
    return true
  }
  return {
    span,
    metresAt,
    nearer: () => zoom(1 / STEP),
    farther: () => zoom(STEP),
    all: () => setSpan(whole),
    back: () => move(-MOVE),
    on: () => move(MOVE),
    handlers: {
      onKeyDown: (event: KeyboardEvent) => {
        if (!event.ctrlKey && !event.metaKey && !event.altKey && act(event.key)) event.preventDefault()
      },
      onPointerDown: (event: PointerEvent) => {
        pointers.current.set(event.pointerId, event.clientX)
        event.currentTarget.setPointerCapture(event.pointerId)
      },
      onPointerMove: (event: PointerEvent) => {
        const { pointerId, clientX } = event
        const before = pointers.current.get(pointerId)
        if (before === undefined) return
        const other = [...pointers.current].find(([id]) => id !== pointerId)?.[1]
        pointers.current.set(pointerId, clientX)
        if (other === undefined) move(shareAt(before) - shareAt(clientX))
        else if (Math.abs(clientX - other) > 1 && Math.abs(before - other) > 1)
          zoom(Math.abs(before - other) / Math.abs(clientX - other), (clientX + other) / 2)
      },
      onPointerUp: release,
      onPointerCancel: release,
    },
  }
}
