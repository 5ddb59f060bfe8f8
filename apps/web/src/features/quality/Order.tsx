import { countFr } from '@radx/locale/format-fr'
import { genericErrorText } from '../../app/api/errors.ts'
import type { useOrder } from '../../jobs/useOrder.ts'
import { qualityTexts as texts } from '../../texts/forecast-quality.ts'
import { Message } from '../../ui/Message.tsx'
import { TextButton } from '../../ui/TextButton.tsx'

/** What the jobs answer: how many images it was, and the instant of the last. */
interface Replayed {
  frames: number
  last: string | null
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
