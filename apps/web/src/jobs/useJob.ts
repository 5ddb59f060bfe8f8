import type { Job } from '@radx/contracts/jobs'
import { useQuery } from '@tanstack/react-query'
import { callJson } from '../app/api/client.ts'
import { useJobProgress } from './useJobProgress.ts'

const POLL_MS = 1_000

const isOver = (job: Job | undefined) => job?.status === 'done' || job?.status === 'error'

/** A job that this page started, asked for and listened to until it is over. @param id null before there is one */
export function useJob(id: string | null) {
  const { data: job, error } = useQuery({
    queryKey: ['job', id],
    queryFn: ({ signal }) => callJson<Job>(`/api/job/${id}`, { signal }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (isOver(state.data) ? false : POLL_MS),
  })
  const running = id !== null && !isOver(job) && !error
  const follow = useJobProgress(id ?? '', running)
  const progress = follow.progress ?? job?.progress ?? { value: 0, max: 0 }
  /** Why nothing may be heard of it, while it still runs. */
  const lineError = running ? follow.error : null
  return { job, error, running, progress, lineError }
}
