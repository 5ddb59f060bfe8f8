import { LIVE_REFRESH_SECONDS } from '@radx/contracts/constants'
import type { NowcastPlace } from '@radx/contracts/nowcast'
import type { AcquisitionParams, LiveResponse } from '@radx/contracts/radar'
import { queryOptions } from '@tanstack/react-query'
import { callJson } from '../../app/api/client.ts'
import { ApiError } from '../../app/api/errors.ts'

/** @throws ApiError 500 'Bad API request' for an answer without an array of images */
export function checkLiveResponse(answer: unknown): LiveResponse {
  const images = (answer as Partial<LiveResponse> | null)?.images
  if (!Array.isArray(images)) throw new ApiError('http', 'Bad API request', { status: 500 })
  return answer as LiveResponse
}

export const liveQuery = (product: string) =>
  queryOptions({
    queryKey: ['live', product],
    queryFn: async ({ signal }) =>
      checkLiveResponse(
        await callJson<unknown>('/api/products/latestImages', { query: { p: product }, signal }),
      ),
    // The page asks again itself, every 120 s within its budget.
    staleTime: Number.POSITIVE_INFINITY,
  })

export const paramsQuery = (product: string, datetime: string | null) =>
  queryOptions({
    queryKey: ['params', product, datetime],
    queryFn: ({ signal }) =>
      callJson<AcquisitionParams>(`/api/products/params/${encodeURIComponent(datetime ?? '')}`, {
        query: { p: product },
        signal,
      }),
    enabled: datetime !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Published rich text; an empty array when there is none. */
export const homeMessageQuery = queryOptions({
  queryKey: ['home-message'],
  queryFn: ({ signal }) => callJson<{ main: string }[]>('/api/article/home-message', { signal }),
})

/** The rain to come at a place; null where no radar image is at hand, or the server cannot say. */
export const nowcastQuery = ({ lat, lng }: { lat: number; lng: number }) =>
  queryOptions({
    queryKey: ['nowcast', lat, lng],
    queryFn: ({ signal }) => callJson<NowcastPlace>('/api/nowcast/place', { query: { lat, lng }, signal }),
    // As often as the page asks for new images.
    refetchInterval: LIVE_REFRESH_SECONDS * 1000,
    retry: false,
  })
