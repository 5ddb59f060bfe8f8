import type { FrameLayer } from '@radx/contracts/radar'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { apiUrl } from '../../app/api/client.ts'
import { useAuth } from '../../app/auth/store.ts'
import { FrameCache, type FrameGrid } from './FrameCache.ts'
import { loadBundle } from './loader.ts'
import { contentOf, missingRanges } from './ranges.ts'

export interface Frames {
  store: FrameCache
  /** How many of the wanted frames are here. */
  loaded: number
  error: Error | null
  retry: () => void
}

/** Rain adjusted to gauges instead of the original: how, and the period that its factors are made from. */
export interface AdjustedRain {
  method: string
  mode: string
  ws?: string
  we?: string
}

export interface FrameOptions {
  /** The newest frame before all others. Default true. */
  newestFirst?: boolean
  /** CRC-32 of each frame, from the same answer as the instants: addresses then name what they hold. */
  checks?: readonly number[] | null
  /** Seconds; the instants are then those of the first frame of each such step. */
  step?: number | null
  /** Memoised; asks for the adjusted product. */
  adjusted?: AdjustedRain | null
  /** The rain, or its quality in tenths. */
  layer?: FrameLayer
}

/** How often the number of loaded frames is told, ms. */
const COUNT_MS = 100

/**
 * Frames of a product at the given instants. New instants fetch only what is missing; frames that are no
 * longer wanted are let go.
 */
export function useFrames(
  grid: FrameGrid,
  times: readonly string[],
  { newestFirst = true, checks = null, step = null, adjusted = null, layer = 'rain' }: FrameOptions = {},
): Frames {
  const { product, steps } = grid
  // biome-ignore lint/correctness/useExhaustiveDependencies: a store belongs to a product, whose grid is fixed
  const store = useMemo(() => new FrameCache(grid), [product, steps, adjusted, layer])
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
        const { product: p } = store.grid
        const v = checks && contentOf(range, times, checks)
        const url = adjusted
          ? apiUrl('/api/gauges/adjusted/frames', { p, ...range, ...adjusted })
          : apiUrl('/api/products/frames', { p, ...range, step, v, layer: layer === 'rain' ? null : layer })
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
  }, [store, times, checks, token, attempt, newestFirst, step, adjusted, layer])

  useEffect(() => {
    if (error === null) return
    window.addEventListener('online', retry)
    return () => window.removeEventListener('online', retry)
  }, [error, retry])

  return { store, loaded, error, retry }
}
