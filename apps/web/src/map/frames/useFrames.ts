import { useCallback, useEffect, useMemo, useState } from 'react'
import { apiUrl } from '../../app/api/client.ts'
import { useAuth } from '../../app/auth/store.ts'
import { FrameCache, type FrameGrid } from './FrameCache.ts'
import { loadBundle } from './loader.ts'
import { missingRanges } from './ranges.ts'

export interface Frames {
  store: FrameCache
  /** How many of the wanted frames are here. */
  loaded: number
  error: Error | null
  retry: () => void
}

/** How often the number of loaded frames is told, ms. */
const COUNT_MS = 100

/**
 * Frames of a product at the given instants. New instants fetch only what is missing; frames that are no
 * longer wanted are let go.
 */
export function useFrames(grid: FrameGrid, times: readonly string[], newestFirst = true): Frames {
  const { product, steps } = grid
  // biome-ignore lint/correctness/useExhaustiveDependencies: a store belongs to a product, whose grid is fixed
  const store = useMemo(() => new FrameCache(grid), [product, steps])
  const token = useAuth((state) => state.token)
  const [loaded, setLoaded] = useState(0)
  const [error, setError] = useState<Error | null>(null)
  const [attempt, setAttempt] = useState(0)
  const retry = useCallback(() => setAttempt((value) => value + 1), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` asks again
  useEffect(() => {
    const controller = new AbortController()
    const count = () => setLoaded(times.filter((time) => store.has(time)).length)
    store.retain(times)
    setError(null)
    count()
    // A day comes in some hundred messages, and everything that shows the number draws itself anew.
    let timer: ReturnType<typeof setTimeout> | undefined
    const countSoon = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        count()
      }, COUNT_MS)
    }
    const load = async () => {
      for (const range of missingRanges(times, (time) => store.has(time), newestFirst)) {
        const url = apiUrl('/api/products/frames', { p: store.grid.product, ...range })
        await loadBundle(
          url,
          token,
          (frames) => {
            store.add(frames)
            countSoon()
          },
          controller.signal,
        )
        count()
      }
    }
    load().catch((reason: unknown) => {
      if (!controller.signal.aborted) setError(reason instanceof Error ? reason : new Error(String(reason)))
    })
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [store, times, token, attempt, newestFirst])

  return { store, loaded, error, retry }
}
