import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import type { Job } from '@radx/contracts/jobs'
import { countFr } from '@radx/locale/format-fr'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callJson } from '../../app/api/client.ts'
import { genericErrorText } from '../../app/api/errors.ts'
import { useSite } from '../../app/site.ts'
import { useJob } from '../../jobs/useJob.ts'
import { qualityTexts as texts } from '../../texts/forecast-quality.ts'
import { Message } from '../../ui/Message.tsx'
import { Section } from '../../ui/Section.tsx'
import { TextButton } from '../../ui/TextButton.tsx'
import { instantOf, localText } from './moments.ts'
import classes from './QualityScreen.module.css'

/** What the job answers: how many images it was, and the instant of the last. */
interface Replayed {
  frames: number
  last: string | null
}

const HOUR_MS = 3_600_000
const HOURS = [1, 3, 6, 24] as const

/** Orders the forecasts of a past period again, as a job: followed, cancelled, then scored and shown. */
export function Remake({ onShow }: { onShow: (issued: string) => void }) {
  const { timeZone } = useSite()
  const [start, setStart] = useState(() => localText(Date.now() - 6 * HOUR_MS, timeZone))
  const [hours, setHours] = useState('1')
  const [members, setMembers] = useState(false)
  const [id, setId] = useState<string | null>(null)
  const startMs = instantOf(start, timeZone)
  const client = useQueryClient()
  const order = useMutation({
    mutationFn: () =>
      callJson<Job>('/api/job/nowcast', {
        method: 'POST',
        body: {
          start: new Date(startMs!).toISOString(),
          end: new Date(startMs! + Number(hours) * HOUR_MS).toISOString(),
          members,
        },
      }),
    onSuccess: (job) => setId(job.id),
  })
  const { job, error, running, progress, lineError } = useJob(id)
  const cancel = useMutation({
    mutationFn: () => callJson<Job>(`/api/job/${id}/cancel`, { method: 'POST' }),
  })
  const done = job?.status === 'done'
  const { frames, last } = (done && (job.result as Replayed | null)) || { frames: 0, last: null }
  useEffect(() => {
    if (done) void client.invalidateQueries({ queryKey: ['nowcast-scores'] })
  }, [done, client])
  const { value, max } = progress
  const failure = order.error ?? error ?? cancel.error
  return (
    <Section title={texts.remake}>
      <p className={classes.note}>{texts.remakeHelp}</p>
      <form
        className={classes.bar}
        onSubmit={(event) => {
          event.preventDefault()
          if (startMs === null || running || order.isPending) return
          setId(null)
          cancel.reset()
          order.mutate()
        }}
      >
        <TextInput
          type="datetime-local"
          label={texts.from}
          value={start}
          onChange={({ currentTarget }) => setStart(currentTarget.value)}
        />
        <NativeSelect
          label={texts.length}
          value={hours}
          onChange={({ currentTarget }) => setHours(currentTarget.value)}
          data={HOURS.map((value) => ({ value: String(value), label: texts.hours(value) }))}
        />
        <Checkbox
          className={classes.check}
          label={texts.members}
          checked={members}
          onChange={({ currentTarget }) => setMembers(currentTarget.checked)}
        />
        <Button type="submit" disabled={startMs === null || running} loading={order.isPending}>
          {texts.remakeButton}
        </Button>
      </form>
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
    </Section>
  )
}
