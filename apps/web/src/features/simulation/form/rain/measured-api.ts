import type { Gauge } from '@radx/contracts/gauges'
import type { GaugeRain, OwnRain, OwnRainDetail } from '@radx/contracts/own-rains'
import { queryOptions } from '@tanstack/react-query'
import { callJson, send } from '../../../../app/api/client.ts'
import { uploadJson } from '../../../../app/api/upload.ts'
import type { Way } from '../../../../ui/useSending.ts'

const PATH = '/api/multihydro/rains'

export const gaugesQuery = queryOptions({
  queryKey: ['gauges'],
  queryFn: ({ signal }) => callJson<Gauge[]>('/api/gauges', { signal }),
})

/** What a gauge measured in a period. @param query gauge and instants */
export const gaugeRainQuery = (query: { g: string; s: string; e: string }) =>
  queryOptions({
    queryKey: ['gauge-rain', query],
    queryFn: ({ signal }) => callJson<GaugeRain>(`${PATH}/gauge`, { query, signal }),
    staleTime: 60_000,
    retry: false,
  })

export const ownRainsQuery = (catchmentId: string) =>
  queryOptions({
    queryKey: ['own-rains', catchmentId],
    queryFn: ({ signal }) => callJson<OwnRain[]>(PATH, { query: { catchmentId }, signal }),
    staleTime: 0,
  })

/** Kept pictures never change. */
export const ownRainQuery = (id: string) =>
  queryOptions({
    queryKey: ['own-rain', id],
    queryFn: ({ signal }) => callJson<OwnRainDetail>(`${PATH}/${encodeURIComponent(id)}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const uploadRain = (catchmentId: string, file: File, way: Way) =>
  uploadJson<OwnRainDetail>(PATH, file, { query: { catchmentId, name: file.name }, ...way })

export const removeRain = (id: string) => send(`${PATH}/${encodeURIComponent(id)}`, { method: 'DELETE' })
