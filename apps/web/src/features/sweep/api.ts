import type {
  RadarVolumeAnswer,
  RadarVolumeEntry,
  RadarVolumeStages,
  SweepRay,
  VolumeSection,
} from '@radx/contracts/radar-volumes'
import type { SweepStage } from '@radx/contracts/sweep-bundle'
import { decodeSweepBundle } from '@radx/rainfall/sweep-bundle'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callJson, send } from '../../app/api/client.ts'

/** A whole volume goes through all corrections. */
const TIMEOUT_MS = 180_000
const PAGE = 100
/** Header of a list that goes on. */
const NEXT_HEADER = 'radx-next'
/** What is worked out of a volume never changes while the page is open. */
const FOR_GOOD = { staleTime: Number.POSITIVE_INFINITY, gcTime: 5 * 60_000, retry: false } as const

const path = (id: string, rest = '') => `/api/radar-volumes/${encodeURIComponent(id)}${rest}`

/** Volumes that are kept, newest first, a page at a time. */
export const volumesQuery = infiniteQueryOptions({
  queryKey: ['radar-volumes'],
  queryFn: async ({ signal, pageParam }) => {
    const query = { limit: PAGE, cursor: pageParam }
    const response = await send('/api/radar-volumes', { query, signal })
    const volumes = (await response.json()) as RadarVolumeEntry[]
    return { volumes, next: response.headers.get(NEXT_HEADER) }
  },
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
  staleTime: 60_000,
})

export const volumeQuery = (id: string | null) =>
  queryOptions({
    queryKey: ['radar-volume', id],
    enabled: id !== null,
    queryFn: ({ signal }) => callJson<RadarVolumeAnswer>(path(id ?? ''), { signal, timeoutMs: TIMEOUT_MS }),
    ...FOR_GOOD,
  })

export const stagesQuery = (id: string | null) =>
  queryOptions({
    queryKey: ['radar-volume-stages', id],
    enabled: id !== null,
    queryFn: ({ signal }) =>
      callJson<RadarVolumeStages>(path(id ?? '', '/stages'), { signal, timeoutMs: TIMEOUT_MS }),
    ...FOR_GOOD,
  })

/** A field of a sweep of a volume. */
export interface AskedField {
  id: string
  /** From 1 on. */
  sweep: number
  stage: SweepStage
  name: string
}

export const sweepQuery = (asked: AskedField | null) =>
  queryOptions({
    queryKey: ['sweep', asked],
    enabled: asked !== null,
    queryFn: async ({ signal }) => {
      const { id, sweep, stage, name } = asked as AskedField
      const response = await send(path(id, `/sweeps/${sweep}/moments/${encodeURIComponent(name)}`), {
        query: { stage },
        signal,
        timeoutMs: TIMEOUT_MS,
      })
      return decodeSweepBundle(new Uint8Array(await response.arrayBuffer()))
    },
    placeholderData: keepPreviousData,
    ...FOR_GOOD,
  })

/** @param asked null asks for nothing */
export const rayQuery = (asked: { id: string; sweep: number; azimuth: number } | null) =>
  queryOptions({
    queryKey: ['sweep-ray', asked],
    enabled: asked !== null,
    queryFn: ({ signal }) => {
      const { id, sweep, azimuth } = asked!
      return callJson<SweepRay>(path(id, `/sweeps/${sweep}/rays/${azimuth}`), {
        signal,
        timeoutMs: TIMEOUT_MS,
      })
    },
    placeholderData: keepPreviousData,
    ...FOR_GOOD,
  })

/** @param asked null asks for nothing */
export const sectionQuery = (asked: (Omit<AskedField, 'sweep'> & { azimuth: number }) | null) =>
  queryOptions({
    queryKey: ['volume-section', asked],
    enabled: asked !== null,
    queryFn: ({ signal }) => {
      const { id, ...query } = asked!
      return callJson<VolumeSection>(path(id, '/section'), { query, signal, timeoutMs: TIMEOUT_MS })
    },
    placeholderData: keepPreviousData,
    ...FOR_GOOD,
  })
