import type { AdminIngest, AdminJobs, AdminStorage } from '@radx/contracts/administration'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callJson } from '../../../app/api/client.ts'

const JOBS = ['admin', 'jobs']

/** Asked for again while the page is open. */
export const jobsQuery = queryOptions({
  queryKey: JOBS,
  queryFn: ({ signal }) => callJson<AdminJobs>('/api/admin/jobs', { signal }),
  staleTime: 0,
  refetchInterval: 5_000,
})

export function useJobAction() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, what }: { id: string; what: 'cancel' | 'retry' }) =>
      callJson(what === 'cancel' ? `/api/job/${id}/cancel` : `/api/admin/jobs/${id}/retry`, {
        method: 'POST',
      }),
    onSettled: () => client.invalidateQueries({ queryKey: JOBS }),
  })
}

export const ingestQuery = queryOptions({
  queryKey: ['admin', 'ingest'],
  queryFn: ({ signal }) => callJson<AdminIngest>('/api/admin/ingest', { signal }),
  staleTime: 0,
  refetchInterval: 60_000,
})

export const storageQuery = queryOptions({
  queryKey: ['admin', 'storage'],
  queryFn: ({ signal }) => callJson<AdminStorage>('/api/admin/storage', { signal }),
  staleTime: 0,
})
