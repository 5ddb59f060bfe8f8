import type { Job } from '@radx/contracts/jobs'
import { IconDownload } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { callJson, send } from '../../../app/api/client.ts'
import { genericErrorText } from '../../../app/api/errors.ts'
import { useJob } from '../../../jobs/useJob.ts'
import { exportTexts as texts } from '../../../texts/exports.ts'
import { QuietButton } from '../../../ui/Button.tsx'
import { Message } from '../../../ui/Message.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import { downloadExport } from './download.ts'
import classes from './Exports.module.css'
import { keptExportsQuery } from './kept.ts'

interface Props {
  label: string
  /** What the file is called once it is there. */
  ready: string
  /** Call that starts the job, and its body. */
  start: { path: string; body: Record<string, string> }
  /** Longest period that it takes, and whether this one is longer. */
  limit?: { days: number; isOver: boolean }
  /** Folder from which the result is fetched. */
  folder: string
}

/** A file that takes its time: a job, followed while it runs, whose file is offered once it is done. */
export default function JobExport({ label, ready, start, limit, folder }: Props) {
  const [id, setId] = useState<string | null>(null)
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: keptExportsQuery.queryKey })
  const submit = useMutation({
    mutationFn: () => callJson<Job>(start.path, { method: 'POST', body: start.body }),
    onSuccess: (job) => {
      setId(job.id)
      return refresh()
    },
  })
  const { job, error, running, progress, lineError } = useJob(id)
  const save = useMutation({
    mutationFn: (result: string) =>
      downloadExport(`${folder}/${encodeURIComponent(result)}`, {}, () => result),
  })
  const remove = useMutation({
    mutationFn: () => send(`/api/job/${id}`, { method: 'DELETE' }),
    onSuccess: () => {
      setId(null)
      return refresh()
    },
  })
  const limitId = useId()
  const working = submit.isPending || running
  const failure = submit.error ?? error ?? save.error ?? remove.error
  const result = job?.status === 'done' ? String(job.result) : null
  const { value, max } = progress
  return (
    <div>
      <QuietButton
        disabled={working || limit?.isOver}
        aria-describedby={limit && limitId}
        onClick={() => {
          setId(null)
          save.reset()
          remove.reset()
          submit.mutate()
        }}
      >
        <IconDownload size={16} stroke={1.75} aria-hidden />
        {label}
      </QuietButton>
      {limit && (
        <span id={limitId} className={classes.state}>
          {texts.limit(limit.days)}
        </span>
      )}
      {working && (
        <span className={classes.state} role="status">
          {max > 1 ? texts.progress(Math.floor((100 * value) / max)) : texts.working}
        </span>
      )}
      {lineError !== null && <Message kind="warning">{lineError}</Message>}
      {result !== null && (
        <span className={classes.state} role="status">
          {ready}{' '}
          <TextButton disabled={save.isPending} onClick={() => save.mutate(result)}>
            {texts.download}
          </TextButton>
          {save.isSuccess && ` ${texts.saved}`}{' '}
          <TextButton
            aria-label={texts.removeThis(ready)}
            disabled={remove.isPending}
            onClick={() => remove.mutate()}
          >
            {texts.remove}
          </TextButton>
        </span>
      )}
      {job?.status === 'error' && <Message kind="error">{job.output?.error ?? texts.jobFailed}</Message>}
      {failure && <Message kind="error">{genericErrorText(failure)}</Message>}
    </div>
  )
}
