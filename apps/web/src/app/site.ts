import type { PublicSite } from '@radx/contracts/site'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { callJson } from './api/client.ts'

export const siteQuery = queryOptions({
  queryKey: ['site'],
  queryFn: ({ signal }) => callJson<PublicSite>('/api/site', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The radar's site: it must be known before any screen can show a place or an hour. */
export function useSite(): PublicSite {
  return useSuspenseQuery(siteQuery).data
}
