import type { ComparableSimulation } from '@radx/contracts/simulation'
import { queryOptions } from '@tanstack/react-query'
import { callJson } from '../../../../app/api/client.ts'

/** Finished runs on the same catchment with the same rain; runs come and go. */
export const similarQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['simulation-similar', jobId],
    queryFn: ({ signal }) =>
      callJson<ComparableSimulation[]>(`/api/jobs/multihydro/similar/${jobId}`, { signal }),
    staleTime: 0,
  })
