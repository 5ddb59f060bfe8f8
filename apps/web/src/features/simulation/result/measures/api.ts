import type { RunMeasures } from '@radx/contracts/measures'
import { queryOptions } from '@tanstack/react-query'
import { callJson } from '../../../../app/api/client.ts'

/** Files of a finished run never change. */
const kept = { staleTime: Number.POSITIVE_INFINITY, gcTime: 5 * 60_000 }

export const measuresQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['run-measures', jobId],
    queryFn: ({ signal }) => callJson<RunMeasures>(`/api/multihydro/file/${jobId}/measures`, { signal }),
    ...kept,
  })
