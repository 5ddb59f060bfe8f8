import type { ArchiveResponse } from '@radx/contracts/radar'
import { useEffect, useState } from 'react'
import { callJson } from '../../../app/api/client.ts'
import { queryClient } from '../../../app/query.ts'
import { nearestImage } from '../../../player/nearest.ts'
import type { Place } from '../../../selection/api.ts'
import { archiveFailure } from './failure.ts'
import { dispatch } from './store.ts'

/** An archive that takes longer is given up; the reader may try again. */
const ARCHIVE_TIMEOUT_MS = 60_000

export interface ArchiveRequest extends Place {
  product: string
  s: string
  e: string
}

async function fetchArchive(
  { product, s, e, catchment, subcatchment }: ArchiveRequest,
  signal: AbortSignal,
): Promise<ArchiveResponse> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), ARCHIVE_TIMEOUT_MS)
  try {
    return await callJson<ArchiveResponse>('/api/products/archive', {
      query: { p: product, s, e, c: catchment, sc: subcatchment },
      signal: AbortSignal.any([signal, late.signal]),
      timeoutMs: 2 * ARCHIVE_TIMEOUT_MS,
    })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Loads the archive of a request into the store, and lets it go with the request; null loads nothing.
 * @param moment instant that the address asks for, read when the images come
 * @returns what asks again after an error
 */
export function useArchiveLoad(request: ArchiveRequest | null, moment: string | null): () => void {
  const [attempt, setAttempt] = useState(0)
  const { product, s, e, catchment, subcatchment } = request ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` asks again; the moment matters once
  useEffect(() => {
    if (product === undefined || s === undefined || e === undefined) return
    const wanted = { product, s, e, catchment: catchment ?? null, subcatchment: subcatchment ?? null }
    const controller = new AbortController()
    dispatch({ type: 'requested' })
    queryClient
      .fetchQuery({
        queryKey: ['archive', product, s, e, wanted.catchment, wanted.subcatchment],
        queryFn: () => fetchArchive(wanted, controller.signal),
        retry: false,
        staleTime: 5 * 60_000,
        gcTime: 60_000,
      })
      .then((archive) => {
        if (controller.signal.aborted) return
        const found = moment === null ? null : nearestImage(archive.images, moment)
        dispatch({ type: 'succeeded', archive, counter: found ?? 0 })
      })
      .catch((error: unknown) => {
        if (!controller.signal.aborted) dispatch({ type: 'failed', error: archiveFailure(error) })
      })
    return () => {
      controller.abort()
      dispatch({ type: 'killed' })
    }
  }, [product, s, e, catchment, subcatchment, attempt])
  return () => setAttempt((value) => value + 1)
}
