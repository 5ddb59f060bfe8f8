import type { RadarVolumeEntry } from '@radx/contracts/radar-volumes'
import type { ProductComparison, Reprocessings } from '@radx/contracts/reprocessing'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callJson } from '../../../app/api/client.ts'
import { productsQuery } from '../../../app/products.ts'
import { siteQuery } from '../../../app/site.ts'

const REPROCESSING = ['admin', 'reprocessing']

export const reprocessingsQuery = queryOptions({
  queryKey: REPROCESSING,
  queryFn: ({ signal }) => callJson<Reprocessings>('/api/reprocessing', { signal }),
  staleTime: 0,
  refetchInterval: 15_000,
})

export const comparisonQuery = (name: string, start: string, end: string) =>
  queryOptions({
    queryKey: [...REPROCESSING, 'comparison', name, start, end],
    queryFn: ({ signal }) => {
      const period = new URLSearchParams({ s: start, e: end })
      return callJson<ProductComparison>(`/api/reprocessing/${name}/comparison?${period}`, { signal })
    },
    staleTime: 0,
  })

/** Has every list of products looked up again. */
export function useProductsChanged() {
  const client = useQueryClient()
  return () => {
    for (const queryKey of [REPROCESSING, siteQuery.queryKey, productsQuery.queryKey])
      void client.invalidateQueries({ queryKey })
  }
}

export function useRemoval() {
  const changed = useProductsChanged()
  return useMutation({
    mutationFn: (name: string) => callJson(`/api/reprocessing/${name}`, { method: 'DELETE' }),
    onSettled: changed,
  })
}

/** The newest volume that is kept, alone; none where there are none. */
export const newestVolumeQuery = queryOptions({
  queryKey: ['radar-volumes', 'newest'],
  queryFn: ({ signal }) =>
    callJson<RadarVolumeEntry[]>('/api/radar-volumes', { query: { limit: 1 }, signal }),
  staleTime: 60_000,
})
