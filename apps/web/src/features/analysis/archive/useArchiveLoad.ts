import type { ArchiveResponse, Weight } from '@radx/contracts/radar'
import { useEffect, useState } from 'react'
import { callLongJson } from '../../../app/api/client.ts'
import { queryClient } from '../../../app/query.ts'
import { nearestImage } from '../../../player/nearest.ts'
import { type Place, weightQuery } from '../../../selection/api.ts'
import { archiveFailure } from './failure.ts'
import { dispatch } from './store.ts'

/** An archive of which nothing comes for this long is given up; the reader may try again. */
const ARCHIVE_IDLE_MS = 60_000
/** An archive that was loaded less long ago is taken as it is. */
const STALE_MS = 5 * 60_000
/** How often progress is told, ms. */
const TELL_MS = 150

export interface ArchiveRequest extends Place {
  product: string
  s: string
  e: string
  /** Seconds between images; null is every image. */
  step: number | null
}

/** Images that have come, and how many there will be once the server said so. */
export interface ArchiveProgress {
  images: number
  total: number | null
}

const IMAGE = '"path":'

function fetchArchive(
  { product, s, e, catchment, subcatchment, step }: ArchiveRequest,
  signal: AbortSignal,
  tell: (progress: ArchiveProgress) => void,
): Promise<ArchiveResponse> {
  let images = 0
  let end = ''
  let told = 0
  return callLongJson<ArchiveResponse>(
    '/api/products/archive',
    { query: { p: product, s, e, c: catchment, sc: subcatchment, step }, signal, idleMs: ARCHIVE_IDLE_MS },
    (piece, headers) => {
      const text = end + piece
      for (let at = text.indexOf(IMAGE); at >= 0; at = text.indexOf(IMAGE, at + 1)) images++
      end = text.slice(1 - IMAGE.length)
      const now = performance.now()
      if (now - told < TELL_MS) return
      told = now
      const total = Number(headers.get('radx-images') ?? Number.NaN)
      tell({ images, total: Number.isFinite(total) ? total : null })
    },
  )
}

/**
 * The archive of a request beside the count of its images. Of an archive that is being filled the two are of different
 * moments: images beyond the count came since and are its newer word, and where fewer came than were counted they are
 * asked for once more.
 */
async function fetchCounted(
  wanted: ArchiveRequest,
  signal: AbortSignal,
  tell: (progress: ArchiveProgress) => void,
  isAgain: boolean,
): Promise<ArchiveResponse> {
  const { product, s, e, catchment, subcatchment, step } = wanted
  const ask = (staleTime: number) =>
    queryClient.fetchQuery({
      queryKey: ['archive', product, s, e, catchment, subcatchment, step],
      queryFn: () => fetchArchive(wanted, signal, tell),
      retry: false,
      staleTime,
      gcTime: 60_000,
    })
  const weight = weightQuery(product, { s, e }, step)
  let archive = await ask(isAgain ? 0 : STALE_MS)
  // Who may not know the count, or lost it, is told so beside the archive.
  const counted = await queryClient.ensureQueryData(weight).catch(() => null)
  if (counted === null) return archive
  if (archive.images.length < counted.slides) archive = await ask(0)
  if (archive.images.length > counted.slides)
    queryClient.setQueryData<Weight>(weight.queryKey, { ...counted, slides: archive.images.length })
  return archive
}

/**
 * Loads the archive of a request into the store, and lets it go with the request; null loads nothing.
 * @param moment instant that the address asks for, read when the images come
 * @returns what asks again after an error, and how far the images have come
 */
export function useArchiveLoad(
  request: ArchiveRequest | null,
  moment: string | null,
): { again: () => void; progress: ArchiveProgress | null } {
  const [attempt, setAttempt] = useState(0)
  const [progress, setProgress] = useState<ArchiveProgress | null>(null)
  const { product, s, e, catchment, subcatchment, step } = request ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` asks again; the moment matters once
  useEffect(() => {
    if (product === undefined || s === undefined || e === undefined) return
    const wanted = {
      product,
      s,
      e,
      catchment: catchment ?? null,
      subcatchment: subcatchment ?? null,
      step: step ?? null,
    }
    setProgress(null)
    const controller = new AbortController()
    dispatch({ type: 'requested' })
    fetchCounted(wanted, controller.signal, setProgress, attempt > 0)
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
  }, [product, s, e, catchment, subcatchment, step, attempt])
  return { again: () => setAttempt((value) => value + 1), progress }
}
