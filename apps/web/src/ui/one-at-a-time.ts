import { useRef } from 'react'

/**
 * Lets one go at a time through: the second click of a double one comes before a form is drawn as busy.
 * @returns runs what it is given unless one is under way; that calls `ended` when it is over, however it went
 */
export function useOneAtATime(): (go: (ended: () => void) => void) => void {
  const busy = useRef(false)
  return (go) => {
    if (busy.current) return
    busy.current = true
    go(() => {
      busy.current = false
    })
  }
}
