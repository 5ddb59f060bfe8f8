import type { RainMethod } from '@radx/contracts/radar'
import { useCallback, useEffect, useState } from 'react'
import { apiUrl } from '../app/api/client.ts'
import { useAuth } from '../app/auth/store.ts'
import { FrameCache, type FrameGrid } from './frames/FrameCache.ts'
import { loadBundle } from './frames/loader.ts'
import type { AdjustedRain } from './frames/useFrames.ts'

export interface AccumulationMap {
  /** One frame of accumulation classes; null until it is here. */
  store: FrameCache | null
  /** Its instant: the end of the period. */
  time: string
  pending: boolean
  error: Error | null
  retry: () => void
}

/** The accumulation of the period, cell by cell; asked for when it is first wanted. */
export function useAccumulation(
  grid: FrameGrid,
  request: { s: string; e: string },
  wanted: boolean,
  adjusted: AdjustedRain | null = null,
  method: RainMethod = 'moved',
): AccumulationMap {
  const token = useAuth((state) => state.token)
  const [made, setMade] = useState<{ key: string; store: FrameCache } | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const [attempt, setAttempt] = useState(0)
  const { s, e } = request
  const key = `${grid.product} ${s} ${e} ${adjusted ? `${adjusted.method} ${adjusted.mode}` : method}`
  const here = made?.key === key
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` asks again
  useEffect(() => {
    if (!wanted || here) return
    const controller = new AbortController()
    const store = new FrameCache(grid)
    setError(null)
    loadBundle(
      adjusted
        ? apiUrl('/api/gauges/adjusted/accumulation', { p: grid.product, s, e, ...adjusted })
        : apiUrl('/api/products/accumulation', { p: grid.product, s, e, method }),
      token,
      (frames) => store.add(frames.map((frame) => ({ ...frame, time: e }))),
      controller.signal,
    )
      .then(() => setMade({ key, store }))
      .catch((reason: unknown) => {
        if (!controller.signal.aborted) setError(reason instanceof Error ? reason : new Error(String(reason)))
      })
    return () => controller.abort()
  }, [wanted, here, key, grid, s, e, token, attempt, adjusted, method])
  const retry = useCallback(() => setAttempt((value) => value + 1), [])
  return {
    store: here ? made.store : null,
    time: e,
    pending: wanted && !here && error === null,
    error: wanted ? error : null,
    retry,
  }
}
