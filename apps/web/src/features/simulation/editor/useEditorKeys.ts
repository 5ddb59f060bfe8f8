import { type Dispatch, type SetStateAction, useEffect, useRef } from 'react'
import { type Brush, type Mode, nextMode, stepBrush } from './model.ts'

interface Actions {
  onMode: Dispatch<SetStateAction<Mode>>
  onBrush: Dispatch<SetStateAction<Brush>>
  onLayer: () => void
  onDigit: (digit: number) => void
  onUndo: () => void
  onRedo: () => void
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type=radio], [type=checkbox])'))

/** Keys of the editor while it is on the page; not while someone types into a field. */
export function useEditorKeys(actions: Actions): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.altKey) return
      const { onMode, onBrush, onLayer, onDigit, onUndo, onRedo } = latest.current
      const key = event.key.toLowerCase()
      if (event.ctrlKey || event.metaKey) {
        if (key === 'z') (event.shiftKey ? onRedo : onUndo)()
        else if (key === 'y') onRedo()
        else return
        event.preventDefault()
        return
      }
      if (key === 'a') onMode(nextMode)
      else if (key === 'd') onLayer()
      else if (key === 'z') onBrush((brush) => stepBrush(brush, 1))
      else if (key === 's') onBrush((brush) => stepBrush(brush, -1))
      // The row of digits gives letters on a French keyboard: its keys are known by their place.
      else if (/^[1-9]$/.test(key)) onDigit(Number(key))
      else if (/^(Digit|Numpad)[1-9]$/.test(event.code)) onDigit(Number(event.code.at(-1)))
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
