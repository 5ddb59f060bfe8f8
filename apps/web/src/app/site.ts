import type { PublicSite } from '@radx/contracts/site'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { callJson } from './api/client.ts'

/** The site as it is shown here: hours in the zone that the reader chose. */
export interface ShownSite extends PublicSite {
  /** Zone of the site's civil days, in which calendars and restrictions count. */
  civilZone: string
}

export const siteQuery = queryOptions({
  queryKey: ['site'],
  queryFn: async ({ signal }) => inZone(await callJson<PublicSite>('/api/site', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The radar's site: it must be known before any screen can show a place or an hour. */
export function useSite(): ShownSite {
  return useSuspenseQuery(siteQuery).data
}

/** The choice stands on the page itself since before it was drawn (public/theme-init.js). */
const inZone = (site: PublicSite): ShownSite => ({
  ...site,
  civilZone: site.timeZone,
  timeZone: document.documentElement.dataset.utc ? 'UTC' : site.timeZone,
})
