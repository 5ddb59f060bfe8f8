import type { LuseUpdate } from '@radx/contracts/simulation'
import { useEffect, useRef } from 'react'
import type { GridModel } from './model.ts'

const KEEP_AFTER_MS = 250
/** So many painted cells are told after each stroke. */
const FEW_CELLS = 10_000

/** Tells what is painted after each stroke, of many cells a moment later, and at once when the editor is left. */
export function useKeptPainting(model: GridModel, onPaint: (updates: LuseUpdate[]) => void): () => void {
  const told = useRef(onPaint)
  told.current = onPaint
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  useEffect(() => {
    const flush = () => {
      if (timer.current === null) return
      clearTimeout(timer.current)
      timer.current = null
      told.current(model.updates())
    }
    window.addEventListener('pagehide', flush, true)
    return () => {
      flush()
      window.removeEventListener('pagehide', flush, true)
    }
  }, [model])
  return () => {
    if (timer.current !== null) clearTimeout(timer.current)
    timer.current = null
    if (model.changed <= FEW_CELLS) told.current(model.updates())
    else
      timer.current = setTimeout(() => {
        timer.current = null
        told.current(model.updates())
      }, KEEP_AFTER_MS)
  }
}
