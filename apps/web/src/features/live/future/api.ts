import { LIVE_REFRESH_SECONDS } from '@radx/contracts/constants'
import type { Nowcast, NowcastFan, NowcastMotion } from '@radx/contracts/nowcast'
import { queryOptions } from '@tanstack/react-query'
import { apiUrl, callJson } from '../../../app/api/client.ts'
import { useAuth } from '../../../app/auth/store.ts'
import { loadBundle } from '../../../map/frames/loader.ts'
import type { PackedFrame } from '../../../map/frames/protocol.ts'
import type { ForecastView } from './store.ts'

/**
 * Members come seconds after the pictures, after a start the second frame soon after the first, and a busy server that
 * did not answer will again: until then, s.
 */
const SOON_S = 15

const isUnderWay = (about: Nowcast | undefined) =>
  about === undefined || about.reason === 'few-frames' || (about.reason === null && about.members === 0)

/** The newest forecast: its leads, and how far it can be trusted. */
export const forecastQuery = queryOptions({
  queryKey: ['nowcast', 'newest'],
  queryFn: ({ signal }) => callJson<Nowcast>('/api/nowcast', { signal }),
  refetchInterval: ({ state: { data } }) => 1000 * (isUnderWay(data) ? SOON_S : LIVE_REFRESH_SECONDS),
  retry: false,
})

/** Pictures of all leads of a forecast, as they lie on its own grid. */
export const picturesQuery = (issued: string, view: ForecastView) =>
  queryOptions({
    queryKey: ['nowcast-pictures', issued, view],
    queryFn: async ({ signal }) => {
      const frames: PackedFrame[] = []
      const url =
        view === 'rain'
          ? apiUrl('/api/nowcast/frames', { issued })
          : apiUrl('/api/nowcast/chances', { issued, above: view })
      await loadBundle(url, useAuth.getState().token, (some) => void frames.push(...some), signal)
      return frames
    },
    staleTime: Number.POSITIVE_INFINITY,
    // The next forecast comes within minutes.
    gcTime: 60_000,
  })

/** How the rain of a forecast moves. */
export const motionQuery = (issued: string) =>
  queryOptions({
    queryKey: ['nowcast-motion', issued],
    queryFn: ({ signal }) => callJson<NowcastMotion>('/api/nowcast/motion', { query: { issued }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })

/** A catchment or sub-catchment, or a pixel. */
export type FanPlace = { c: string; sc: string | null } | { lat: number; lng: number }

/** The intensity to come over a catchment, or at a pixel for those with an account, with its quantiles. */
export const fanQuery = (issued: string, place: FanPlace) =>
  queryOptions({
    queryKey: ['nowcast-fan', issued, place],
    queryFn: ({ signal }) =>
      callJson<NowcastFan>('c' in place ? '/api/nowcast/fan' : '/api/nowcast/pixel', {
        query: { ...place, issued },
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  })
