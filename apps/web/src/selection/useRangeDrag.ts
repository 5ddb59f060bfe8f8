import type { HourRow } from '@radx/contracts/radar'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { anchorOf, chooseRange, markHour, type Selection } from './selection.ts'

interface Drag {
  /** Instant that stays. */
  anchor: string
  pressed: number
  over: number
}

export interface RangeDrag {
  /** The selection with the stretch that is being drawn, if any. */
  shown: Selection
  /** A pointer goes down on a row. */
  begin: (index: number) => void
  /** It is over a row; nothing happens unless it went down before. */
  over: (index: number) => void
  dragging: boolean
}

/**
 * A stretch drawn over the rows of a day. It is chosen when the pointer goes up on another row than it went down on; on
 * the same one that was a click, which others take. Escape lets it go.
 */
export function useRangeDrag(
  rows: readonly HourRow[],
  selection: Selection,
  allowed: { from: string | null; to: string | null },
  onRange: (one: string, other: string) => void,
): RangeDrag {
  const [drag, setDrag] = useState<Drag | null>(null)
  const now = useRef({ rows, selection, allowed, onRange, drag })
  now.current = { rows, selection, allowed, onRange, drag }
  const isOpen = useCallback((index: number) => {
    const { rows, selection, allowed } = now.current
    const free = { ...selection, selectionDates: FREE }
    return rows[index] !== undefined && markHour(free, rows[index].datetime, allowed) === null
  }, [])

  const begin = useCallback(
    (index: number) => {
      if (!isOpen(index)) return
      const { rows, selection } = now.current
      setDrag({ anchor: anchorOf(selection, rows[index].datetime), pressed: index, over: index })
    },
    [isOpen],
  )
  const over = useCallback(
    (index: number) =>
      setDrag((drag) => (drag && drag.over !== index && isOpen(index) ? { ...drag, over: index } : drag)),
    [isOpen],
  )
  useEnd(drag !== null, (chosen) => {
    const { drag, rows, onRange } = now.current
    setDrag(null)
    const to = drag && rows[drag.over]?.datetime
    if (chosen && drag && to && drag.over !== drag.pressed && to !== drag.anchor) onRange(drag.anchor, to)
  })
  const dragging = drag !== null && drag.over !== drag.pressed
  const shown = useMemo(
    () => (drag && dragging ? chooseRange(selection, drag.anchor, rows[drag.over].datetime) : selection),
    [drag, dragging, selection, rows],
  )
  return { shown, begin, over, dragging }
}

const NOTHING = { date: null, setHour: false }
const FREE = { start: NOTHING, end: NOTHING }

/** Wherever the pointer goes up. */
function useEnd(active: boolean, onEnd: (chosen: boolean) => void): void {
  const end = useRef(onEnd)
  end.current = onEnd
  useEffect(() => {
    if (!active) return
    const up = () => end.current(true)
    const cancel = () => end.current(false)
    const key = (event: KeyboardEvent) => event.key === 'Escape' && cancel()
    window.addEventListener('pointerup', up)
    window.addEventListener('pointercancel', cancel)
    window.addEventListener('keydown', key)
    return () => {
      window.removeEventListener('pointerup', up)
      window.removeEventListener('pointercancel', cancel)
      window.removeEventListener('keydown', key)
    }
  }, [active])
}
