import type { AlertReplay, AlertReplayBody } from '@radx/contracts/alerts'
import type { Job } from '@radx/contracts/jobs'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callJson, send } from '../../../app/api/client.ts'
import { useJob } from '../../../jobs/useJob.ts'
import type { KeptTrial } from './kept.ts'

export interface Trial {
  body: AlertReplayBody
  result: AlertReplay
}

/**
 * A trial on the archive as a job, followed until it is over.
 * @param kept what went before the page was loaded again
 */
export function useReplay(kept: Pick<KeptTrial, 'job' | 'trial'> | null) {
  const [id, setId] = useState<string | null>(kept?.job?.id ?? null)
  const [trial, setTrial] = useState<Trial | null>(kept?.trial ?? null)
  const order = useMutation({
    mutationFn: (body: AlertReplayBody) => callJson<Job>('/api/job/alert-replay', { method: 'POST', body }),
    onSuccess: (job) => setId(job.id),
  })
  const cancel = useMutation({
    mutationFn: () => callJson<Job>(`/api/job/${id}/cancel`, { method: 'POST' }),
  })
  const { job, running, progress, error, lineError } = useJob(id)
  const body = order.variables ?? kept?.job?.body
  useEffect(() => {
    if (id === null || job?.id !== id || job.status !== 'done' || !body) return
    setTrial({ body, result: job.result as AlertReplay })
    setId(null)
    // Nobody looks for it among the files that an account keeps; should this fail, its time there is limited.
    send(`/api/job/${id}`, { method: 'DELETE' }).catch(() => undefined)
  }, [id, job, body])
  const isBusy = running || order.isPending
  return {
    ...{ trial, isBusy, progress, lineError, cancel },
    job: running && id !== null && body ? { id, body } : null,
    /** There is nothing to cancel before the server has answered. */
    canCancel: running,
    isCancelled: cancel.isSuccess && job?.status === 'error',
    failed: job?.status === 'error' ? (job.output?.error ?? '') : null,
    error: order.error ?? error ?? cancel.error,
    start(of: AlertReplayBody) {
      if (isBusy) return
      setId(null)
      cancel.reset()
      order.mutate(of)
    },
  }
}
