import { type PointerEvent, type RefObject, useEffect, useRef } from 'react'
import type { Brush, GridModel, Mode } from './model.ts'
import type { GridRenderer } from './renderer.ts'
import { CANVAS, cellPx, clampView, toGrid } from './view.ts'

export interface Tool {
  mode: Mode
  brush: Brush
  code: number
  /** Whether what is painted shows; hidden, the canvas is only moved. */
  layer: boolean
}

export interface GridCell {
  row: number
  col: number
}

interface Gestures {
  canvas: RefObject<HTMLCanvasElement | null>
  renderer: GridRenderer | null
  model: GridModel
  tool: RefObject<Tool>
  /** One step of zoom around a canvas pixel. */
  onZoom: (by: 1 | -1, x: number, y: number) => void
  /** A stroke has ended. */
  onPainted: () => void
  /** Cell under the pointer, which may lie outside the grid; null when the pointer has left. */
  onOver: (cell: GridCell | null) => void
}

/** A touchpad sends many small turns, a wheel one large one: so much makes a step of zoom. */
const WHEEL_STEP = 40

/** Painting, erasing and moving with a pointer, and zooming with a wheel; for the canvas's attributes. */
export function useCanvasGestures({ canvas, renderer, model, tool, onZoom, onPainted, onOver }: Gestures) {
  const gesture = useRef<{ row: number; col: number; x: number; y: number; paints: boolean } | null>(null)
  const zoom = useRef(onZoom)
  zoom.current = onZoom

  useEffect(() => {
    const element = canvas.current
    if (element === null) return
    let turned = 0
    const wheel = (event: WheelEvent) => {
      event.preventDefault()
      turned += event.deltaY
      if (Math.abs(turned) < WHEEL_STEP) return
      const { x, y } = onCanvas(element, event)
      zoom.current(turned < 0 ? 1 : -1, x, y)
      turned = 0
    }
    element.addEventListener('wheel', wheel, { passive: false })
    return () => element.removeEventListener('wheel', wheel)
  }, [canvas])

  const at = (event: PointerEvent<HTMLCanvasElement>, { view }: GridRenderer) => {
    const point = onCanvas(event.currentTarget, event)
    const { col, row } = toGrid(point.x, point.y, view, model)
    return { ...point, col: Math.floor(col), row: Math.floor(row) }
  }
  const paints = () => tool.current.mode !== 'move' && tool.current.layer
  const paint = (from: GridCell, to: GridCell) =>
    model.line(from, to, tool.current.brush, tool.current.mode === 'delete' ? null : tool.current.code)

  const onPointerDown = (event: PointerEvent<HTMLCanvasElement>) => {
    if (renderer === null || event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const here = at(event, renderer)
    gesture.current = { ...here, paints: paints() }
    if (!gesture.current.paints) return
    model.begin()
    paint(here, here)
    renderer.invalidate()
  }
  const onPointerMove = (event: PointerEvent<HTMLCanvasElement>) => {
    if (renderer === null) return
    const here = at(event, renderer)
    const from = gesture.current
    renderer.cursor = paints() ? { row: here.row, col: here.col, size: tool.current.brush } : null
    if (from?.paints) paint(from, here)
    else if (from) {
      const { view } = renderer
      const px = cellPx(view, model)
      const moved = {
        ...view,
        col: view.col - (here.x - from.x) / px,
        row: view.row - (here.y - from.y) / px,
      }
      renderer.view = clampView(moved, model)
    }
    if (from) gesture.current = { ...here, paints: from.paints }
    renderer.invalidate()
    onOver(here)
  }
  const onPointerUp = () => {
    const ended = gesture.current
    gesture.current = null
    if (!ended?.paints) return
    model.end()
    onPainted()
  }
  const onPointerLeave = () => {
    if (renderer === null) return
    renderer.cursor = null
    renderer.invalidate()
    onOver(null)
  }
  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp, onPointerLeave }
}

/** Canvas pixel of a pointer; the canvas may be shown smaller than it is. */
function onCanvas(canvas: HTMLCanvasElement, { clientX, clientY }: { clientX: number; clientY: number }) {
  const box = canvas.getBoundingClientRect()
  return {
    x: ((clientX - box.left) * CANVAS.width) / box.width,
    y: ((clientY - box.top) * CANVAS.height) / box.height,
  }
}
