import { PLAYBACK_STEP_MS } from '@radx/contracts/constants'
import { useEffect, useRef } from 'react'

interface Playback {
  playing: boolean
  /** Number of frames. */
  count: number
  /** Tells whether the frame after the one shown is here; without it all of them are. */
  ready?: () => boolean
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
      const { ready, advance } = now.current
      if (ready?.() ?? true) advance()
    }, PLAYBACK_STEP_MS)
    return () => clearInterval(timer)
  }, [running])
}
