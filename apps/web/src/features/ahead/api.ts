import type {
  AheadCycle,
  AheadCycles,
  AheadFan,
  AheadNetwork,
  AheadOverview,
  AheadScores,
} from '@radx/contracts/ahead'
import { ClassBundleDecoder } from '@radx/rainfall/class-bundle'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callJson, send } from '../../app/api/client.ts'
import { packRuns } from '../../map/frames/packbits.ts'

/** How often the page asks for the state of the computation. */
const REFRESH_MS = 10_000
const DAY_MS = 86_400_000

export const overviewQuery = queryOptions({
  queryKey: ['ahead'],
  queryFn: ({ signal }) => callJson<AheadOverview>('/api/ahead', { signal }),
  refetchInterval: REFRESH_MS,
})

export const switchLive = (id: string, enabled: boolean) =>
  callJson<AheadOverview>(`/api/ahead/${id}`, { method: 'PUT', body: { enabled } })

export const cyclesQuery = (id: string, newest: string | null) =>
  queryOptions({
    queryKey: ['ahead-cycles', id, newest],
    queryFn: ({ signal }) => callJson<AheadCycles>(`/api/ahead/${id}/cycles`, { signal }),
    placeholderData: keepPreviousData,
  })

/** A cycle never changes once it is done. */
const forGood = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const

export const cycleQuery = (id: string, issued: string) =>
  queryOptions({
    queryKey: ['ahead-cycle', id, issued],
    queryFn: ({ signal }) => callJson<AheadCycle>(`/api/ahead/${id}/cycle`, { query: { issued }, signal }),
    ...forGood,
  })

/** Chances of a depth, whole %, 255 outside, `[moment][cell]`. */
export const chancesQuery = (id: string, issued: string, above: number) =>
  queryOptions({
    queryKey: ['ahead-chances', id, issued, above],
    queryFn: async ({ signal }) => {
      const query = { issued, above: String(above) }
      const response = await send(`/api/ahead/${id}/chances`, { query, signal })
      return new Uint8Array(await response.arrayBuffer())
    },
    placeholderData: keepPreviousData,
    ...forGood,
  })

export const networkQuery = (id: string, issued: string) =>
  queryOptions({
    queryKey: ['ahead-network', id, issued],
    queryFn: ({ signal }) =>
      callJson<AheadNetwork>(`/api/ahead/${id}/network`, { query: { issued }, signal }),
    placeholderData: keepPreviousData,
    ...forGood,
  })

export interface Place {
  kind: 'cell' | 'node' | 'link'
  name: string
}

export const fanQuery = (id: string, issued: string, { kind, name }: Place) =>
  queryOptions({
    queryKey: ['ahead-fan', id, issued, kind, name],
    queryFn: ({ signal }) =>
      callJson<AheadFan>(`/api/ahead/${id}/fan`, { query: { issued, kind, name }, signal }),
    ...forGood,
  })

/** Forecast rain of the same issue, as classes; none where there is no forecast of it. */
export const rainQuery = (issued: string) =>
  queryOptions({
    queryKey: ['ahead-rain', issued],
    queryFn: async ({ signal }) => {
      const response = await send('/api/nowcast/frames', { query: { issued }, signal, timeoutMs: 60_000 })
      const decoder = new ClassBundleDecoder()
      const found = [...decoder.push(new Uint8Array(await response.arrayBuffer()))]
      const { product, steps } = decoder.finish()
      return { product, steps, frames: found.map(({ time, block }) => ({ time, packed: packRuns(block) })) }
    },
    ...forGood,
  })

/** Wet days are few: what forecasts are worth shows over a month. */
const SCORES_DAYS = 30

/** @param fromMs before which the account may see nothing */
export const scoresQuery = (id: string, nowMs: number, fromMs: number) => {
  const startMs = Math.min(nowMs - 1, Math.max(fromMs, nowMs - SCORES_DAYS * DAY_MS))
  const [s, e] = [new Date(startMs), new Date(nowMs)].map((date) => date.toISOString())
  return queryOptions({
    queryKey: ['ahead-scores', id, s],
    queryFn: ({ signal }) => callJson<AheadScores>(`/api/ahead/${id}/scores`, { query: { s, e }, signal }),
    retry: false,
  })
}
