import type { Job } from '@radx/contracts/jobs'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callJson } from '../app/api/client.ts'
import { useJob } from './useJob.ts'

/** Work ordered as a job, followed until it is over. */
export function useOrder(path: string) {
  const [id, setId] = useState<string | null>(null)
  const order = useMutation({
    mutationFn: (body: Record<string, unknown>) => callJson<Job>(path, { method: 'POST', body }),
    onSuccess: (job) => setId(job.id),
  })
  const followed = useJob(id)
  const cancel = useMutation({
    mutationFn: () => callJson<Job>(`/api/job/${id}/cancel`, { method: 'POST' }),
  })
  const busy = followed.running || order.isPending
  const place = (body: Record<string, unknown>) => {
    if (busy) return
    setId(null)
    cancel.reset()
    order.mutate(body)
  }
  return { ...followed, order, cancel, busy, place, done: followed.job?.status === 'done' }
}
