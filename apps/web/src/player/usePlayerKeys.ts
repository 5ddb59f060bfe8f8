import { useEffect, useRef } from 'react'
import { useModal } from '../app/modals.ts'
import { isTyping, playerCommand } from './keyboard.ts'

interface Commands {
  step: (by: 1 | -1) => void
  togglePlay: () => void
}

/** z, q and d anywhere on the page, save in a field or a dialog. Of several players on a page one takes a key. */
export function usePlayerKeys(commands: Commands): void {
  const current = useRef(commands)
  current.current = commands
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || useModal.getState().type !== null) return
      const command = playerCommand({
        key: event.key,
        ctrlKey: event.ctrlKey,
        metaKey: event.metaKey,
        altKey: event.altKey,
        typing: isTyping(event.target),
      })
      if (command === null) return
      event.preventDefault()
      if (command === 'toggle') current.current.togglePlay()
      else current.current.step(command === 'next' ? 1 : -1)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
