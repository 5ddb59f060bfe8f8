import { PLAYBACK_STEP_MS } from '@radx/contracts/constants'
import { useEffect, useRef } from 'react'

interface Playback {
  playing: boolean
  /** Number of frames. */
  count: number
  counter: () => number
  /** Whether a frame is here. */
  has: (index: number) => boolean
  advance: () => void
}

/** Advances every 500 ms while playing; a frame that is still on its way is waited for. */
export function usePlayback(playback: Playback): void {
  const now = useRef(playback)
  now.current = playback
  const running = playback.playing && playback.count > 0
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => {
      const { counter, count, has, advance } = now.current
      if (has((counter() + 1) % count)) advance()
    }, PLAYBACK_STEP_MS)
    return () => clearInterval(timer)
  }, [running])
}
