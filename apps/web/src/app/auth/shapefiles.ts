import type { Shapefile } from '@radx/contracts/shapefiles'
import { queryOptions, useQueries } from '@tanstack/react-query'
import { useEffect } from 'react'
import { accountTexts } from '../../texts/account.ts'
import { callJson } from '../api/client.ts'
import { useAuth } from './store.ts'

/** One layer of the account. */
const shapefileQuery = (name: string) =>
  queryOptions({
    queryKey: ['shapefile', name],
    queryFn: ({ signal }) => callJson<Shapefile>(`/api/shapefile/${encodeURIComponent(name)}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The layers of the signed-in account. One that fails to load raises the warning of the auth state. */
export function useShapefiles(): { layers: Shapefile[]; loading: boolean; failed: boolean } {
  const shapefiles = useAuth((state) => state.shapefiles)
  const results = useQueries({ queries: shapefiles.map(({ name }) => shapefileQuery(name)) })
  const failed = results.some((result) => result.isError)
  useEffect(() => {
    useAuth.setState({ warning: failed ? accountTexts.layersFailed : null })
  }, [failed])
  return {
    layers: results.flatMap((result) => (result.data ? [result.data] : [])),
    loading: results.some((result) => result.isPending),
    failed,
  }
}
