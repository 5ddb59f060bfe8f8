type Listener = (event: PopStateEvent) => void

let first: Listener | null = null

/**
 * Hears of moves in the browser's history before the router does, which listens from the start: a window calls its
 * listeners in the order in which they came, whatever they ask for. To be called before anything renders.
 */
export function openHistoryGate(): void {
  window.addEventListener('popstate', (event) => first?.(event))
}

/** Has the moves told to this one first, which may stop them there; answers how to end it. */
export function holdHistory(listener: Listener): () => void {
  first = listener
  return () => {
    if (first === listener) first = null
  }
}
