import type { RainMethod } from '@radx/contracts/radar'
import type { MontanaTable, MontanaTableBody, OwnStatistics, ReturnPeriods } from '@radx/contracts/storms'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callJson, send } from '../app/api/client.ts'

export const montanaTablesQuery = queryOptions({
  queryKey: ['montana-tables'],
  queryFn: ({ signal }) => callJson<MontanaTable[]>('/api/storms/tables', { signal }),
})

export interface RarityRequest {
  p: string
  s: string
  e: string
  c: string | null
  sc: string | null
  /** Points as `lat,lng;lat,lng`. */
  g: string | null
  table: string
  /** How rain is taken between images. */
  method: RainMethod
}

export const returnPeriodsQuery = (query: RarityRequest) =>
  queryOptions({
    queryKey: ['return-periods', query],
    queryFn: ({ signal }) =>
      callJson<ReturnPeriods>('/api/storms/return-periods', { query: { ...query }, signal }),
    enabled: query.c !== null || query.g !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })

export const ownStatisticsQuery = (query: { p: string; c: string; sc: string | null }) =>
  queryOptions({
    queryKey: ['own-statistics', query],
    queryFn: ({ signal }) => callJson<OwnStatistics>('/api/storms/statistics', { query, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Keeps a table of the account; the list is fetched again. */
export function useAddTable() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: MontanaTableBody) =>
      callJson<MontanaTable>('/api/storms/tables', { method: 'PUT', body }),
    onSuccess: () => client.invalidateQueries({ queryKey: montanaTablesQuery.queryKey }),
  })
}

export function useRemoveTable() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => send(`/api/storms/tables/${id}`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: montanaTablesQuery.queryKey }),
  })
}
