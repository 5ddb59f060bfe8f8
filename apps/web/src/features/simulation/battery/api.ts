import type { Battery, BatteryOrderInput, BatterySummary } from '@radx/contracts/batteries'
import type { SavedEvent } from '@radx/contracts/events'
import { SUBMISSION_KEY_HEADER } from '@radx/contracts/jobs'
import { queryOptions } from '@tanstack/react-query'
import { callJson, send } from '../../../app/api/client.ts'
import { callPages } from '../../../app/api/pages.ts'

const PATH = '/api/multihydro/batteries'
const of = (id: string, part = '') => `${PATH}/${encodeURIComponent(id)}${part}`
/** How often one that is under way is asked for, ms. */
const REFRESH_MS = 3_000
/** A hundred runs are checked before any starts. */
const ORDER_TIMEOUT_MS = 120_000

export const batteriesQuery = queryOptions({
  queryKey: ['batteries'],
  queryFn: ({ signal }) => callJson<BatterySummary[]>(PATH, { signal }),
  staleTime: 0,
  refetchInterval: ({ state: { data } }) => (data?.some(({ open }) => open > 0) ? REFRESH_MS : false),
})

export const batteryQuery = (id: string) =>
  queryOptions({
    queryKey: ['battery', id],
    queryFn: ({ signal }) => callJson<Battery>(of(id), { signal }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && data.open > 0 ? REFRESH_MS : false),
  })

/** Saved periods of the account. */
export const periodsQuery = queryOptions({
  queryKey: ['events'],
  queryFn: ({ signal }) => callPages<SavedEvent>('/api/users/events', { signal }),
})

/** @param key the same for what is sent again, so that it is ordered once */
export const orderBattery = (body: BatteryOrderInput, key: string) =>
  callJson<{ id: string }>(PATH, {
    method: 'POST',
    body,
    headers: { [SUBMISSION_KEY_HEADER]: key },
    timeoutMs: ORDER_TIMEOUT_MS,
  })

export const cancelBattery = (id: string) => callJson<Battery>(of(id, '/cancel'), { method: 'POST' })
export const removeBattery = (id: string) => send(of(id), { method: 'DELETE' })
export const csvPath = (id: string) => of(id, '/resultats.csv')
export const zipPath = (id: string) => of(id, '/resultats.zip')
