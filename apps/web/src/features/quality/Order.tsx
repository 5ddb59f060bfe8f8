import type { Job } from '@radx/contracts/jobs'
import { countFr } from '@radx/locale/format-fr'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callJson } from '../../app/api/client.ts'
import { genericErrorText } from '../../app/api/errors.ts'
import { useJob } from '../../jobs/useJob.ts'
import { qualityTexts as texts } from '../../texts/forecast-quality.ts'
import { Message } from '../../ui/Message.tsx'
import { TextButton } from '../../ui/TextButton.tsx'

/** What the jobs answer: how many images it was, and the instant of the last. */
interface Replayed {
  frames: number
  last: string | null
}

/** Forecasts ordered again as a job, followed until it is over. */
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

interface Props {
  order: ReturnType<typeof useOrder>
  onShow: (issued: string) => void
}

/** How an order stands, the way to cancel it, and the way to what it made. */
export function OrderState({
  order: { job, running, progress, lineError, error, order, cancel },
  onShow,
}: Props) {
  const { value, max } = progress
  const { frames, last } = (job?.status === 'done' && (job.result as Replayed | null)) || {
    frames: 0,
    last: null,
  }
  const failure = order.error ?? error ?? cancel.error
  return (
    <>
      {running && (
        <p role="status">
          {max > 0 ? texts.remaking(value, max) : texts.waiting}{' '}
          <TextButton disabled={cancel.isPending || cancel.isSuccess} onClick={() => cancel.mutate()}>
            {cancel.isSuccess ? texts.cancelling : texts.cancel}
          </TextButton>
        </p>
      )}
      {lineError !== null && <Message kind="warning">{lineError}</Message>}
      {job?.status === 'done' && (
        <p role="status">
          {last === null ? texts.nothing : texts.remade(countFr(frames, 'image'))}{' '}
          {last !== null && <TextButton onClick={() => onShow(last)}>{texts.show}</TextButton>}
        </p>
      )}
      {job?.status === 'error' && (
        <Message kind={cancel.isSuccess ? 'nfo' : 'error'}>
          {cancel.isSuccess ? texts.cancelled : (job.output?.error ?? texts.remakeFailed)}
        </Message>
      )}
      {failure && <Message kind="error">{genericErrorText(failure)}</Message>}
    </>
  )
}
