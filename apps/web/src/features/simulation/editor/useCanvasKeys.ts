import { type FocusEvent, type KeyboardEvent, type RefObject, useRef } from 'react'
import type { GridModel } from './model.ts'
import type { GridRenderer } from './renderer.ts'
import type { GridCell, Tool } from './useCanvasGestures.ts'
import { toView } from './view.ts'

export type Said = 'painted' | 'down' | 'up' | 'dropped' | 'moves'

interface Keys {
  renderer: GridRenderer | null
  model: GridModel
  tool: RefObject<Tool>
  onZoom: (by: 1 | -1) => void
  /** A stroke has ended, or was taken back. */
  onPainted: () => void
  /** Cell under the cursor and what a key did there; null when the canvas has lost the focus. */
  onTold: (cell: GridCell | null, said?: Said) => void
}

/** Rows and columns that an arrow goes. */
const ARROWS: Record<string, readonly [row: number, col: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}
const FAR = 10

/**
 * Painting without a pointer, for the canvas's attributes: arrows move a cursor by a cell, with Shift by ten; Space
 * paints where it stands, Enter puts the brush down, so that arrows draw, and lifts it; Escape takes the stroke back.
 */
export function useCanvasKeys({ renderer, model, tool, onZoom, onPainted, onTold }: Keys) {
  const cursor = useRef<GridCell | null>(null)
  const paints = () => tool.current.mode !== 'move' && tool.current.layer
  const paint = (from: GridCell, to: GridCell) =>
    model.line(from, to, tool.current.brush, tool.current.mode === 'delete' ? null : tool.current.code)

  /** Shows the cursor at a cell of the grid, and moves the map when that is out of sight. */
  const stand = (at: GridCell, shown: GridRenderer, said?: Said) => {
    cursor.current = at
    shown.cursor = { ...at, size: tool.current.brush }
    shown.view = toView(shown.view, at, model)
    shown.invalidate()
    onTold(at, said)
  }
  /** Where the cursor was, else the middle of what is seen. */
  const standing = ({ view }: GridRenderer): GridCell =>
    cursor.current ?? {
      row: Math.min(model.nrows - 1, Math.floor(view.row)),
      col: Math.min(model.ncols - 1, Math.floor(view.col)),
    }
  const go = (from: GridCell, [rows, cols]: readonly [number, number], shown: GridRenderer) => {
    const to = {
      row: Math.max(0, Math.min(model.nrows - 1, from.row + rows)),
      col: Math.max(0, Math.min(model.ncols - 1, from.col + cols)),
    }
    if (model.isDrawing && paints()) paint(from, to)
    stand(to, shown)
  }
  /** What Space and Enter do at a cell, and what is told of it. */
  const press = (key: string, here: GridCell): Said => {
    if (!paints()) return 'moves'
    const lifts = model.isDrawing && key === 'Enter'
    if (!model.isDrawing) model.begin()
    if (!lifts) paint(here, here)
    if (!lifts && key === 'Enter') return 'down'
    model.end()
    onPainted()
    return lifts ? 'up' : 'painted'
  }

  const onKeyDown = (event: KeyboardEvent<HTMLCanvasElement>) => {
    if (renderer === null || event.ctrlKey || event.metaKey || event.altKey) return
    const arrow = ARROWS[event.key]
    const here = standing(renderer)
    if (arrow) {
      const far = event.shiftKey ? FAR : 1
      go(here, [arrow[0] * far, arrow[1] * far], renderer)
    } else if (event.key === ' ' || event.key === 'Enter') {
      stand(here, renderer, press(event.key, here))
    } else if (event.key === 'Escape' && model.isDrawing) {
      model.cancel()
      onPainted()
      stand(here, renderer, 'dropped')
    } else if (event.key === '+' || event.key === '-') {
      onZoom(event.key === '+' ? 1 : -1)
      stand(here, renderer)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const onFocus = (event: FocusEvent<HTMLCanvasElement>) => {
    // A pointer has its own cursor.
    if (renderer !== null && event.currentTarget.matches(':focus-visible'))
      stand(standing(renderer), renderer)
  }
  const onBlur = () => {
    if (renderer === null) return
    if (model.isDrawing) {
      model.end()
      onPainted()
    }
    renderer.cursor = null
    renderer.invalidate()
    onTold(null)
  }
  /** A pointer was at a cell: keys go on from there. */
  const follow = (at: GridCell) => {
    if (at.row >= 0 && at.col >= 0 && at.row < model.nrows && at.col < model.ncols) cursor.current = at
  }
  return { keys: { onKeyDown, onFocus, onBlur }, follow }
}
