import { Button } from '@mantine/core'
import type { AdminJobs } from '@radx/contracts/administration'
import { CANCELLED_LABEL, JOB_STATUS_LABELS } from '@radx/contracts/jobs'
import { formatNumberFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { serverErrorText } from '../../../app/api/errors.ts'
import { administrationTexts } from '../../../texts/administration.ts'
import { questionKeys, useInlineForm } from '../../../ui/inline-form.ts'
import { Message } from '../../../ui/Message.tsx'
import classes from '../AdminScreen.module.css'
import { AdminTable } from '../AdminTable.tsx'
import { Instant } from '../Instant.tsx'
import { jobsQuery, useJobAction } from './api.ts'

const texts = administrationTexts.jobs

/** The queue: what runs, what waits, what failed. */
export default function JobsPart() {
  const { data, error } = useQuery(jobsQuery)
  const action = useJobAction()
  const count = (n: number) => formatNumberFr(n, 0)
  return (
    <section className={classes.section} aria-labelledby="jobs-title">
      <h2 id="jobs-title">{texts.title}</h2>
      {error && <Message kind="error">{serverErrorText(error)}</Message>}
      {action.error && <Message kind="error">{serverErrorText(action.error)}</Message>}
      {!data && !error && <p role="status">{administrationTexts.loading}</p>}
      {data && (
        <>
          <p role="status">
            {texts.counts(count(data.waiting), count(data.running), count(data.failed), count(data.done))}
          </p>
          {data.jobs.length === 0 ? (
            <p>{texts.none}</p>
          ) : (
            <List
              jobs={data.jobs}
              busy={action.isPending}
              onAct={(id, what) => action.mutate({ id, what })}
            />
          )}
        </>
      )}
    </section>
  )
}

type Job = AdminJobs['jobs'][number]

interface ListProps {
  jobs: Job[]
  busy: boolean
  onAct: (id: string, what: 'cancel' | 'retry') => void
}

function List({ jobs, busy, onAct }: ListProps) {
  /** The job whose cancelling is being asked about. */
  const [asked, setAsked] = useState<string | null>(null)
  const open = jobs.some(({ id, status }) => id === asked && status !== 'error') ? asked : null
  const root = useInlineForm<HTMLDivElement>(open)
  const act = (id: string, what: 'cancel' | 'retry') => {
    setAsked(null)
    onAct(id, what)
  }
  return (
    <div ref={root}>
      <AdminTable
        caption={texts.title}
        heads={[texts.work, texts.who, texts.state, texts.since, texts.actions]}
        rows={jobs.map((job) => ({
          key: job.id,
          cells: [
            <>
              {job.title ?? texts.kinds[job.kind] ?? job.kind}
              {job.title !== null && <small>{texts.kinds[job.kind] ?? job.kind}</small>}
            </>,
            job.username,
            <>
              {job.cancelled ? CANCELLED_LABEL : JOB_STATUS_LABELS[job.status]}
              {job.status === 'running' && ` ${formatNumberFr(job.progress * 100, 0)} %`}
              <small>{job.error ?? job.message}</small>
            </>,
            <Instant key="at" at={job.finishedAt ?? job.startedAt ?? job.createdAt} />,
            <Act key="act" job={job} busy={busy} asks={job.id === open} onAsk={setAsked} onAct={act} />,
          ],
        }))}
      />
    </div>
  )
}

interface ActProps extends Pick<ListProps, 'busy' | 'onAct'> {
  job: Job
  /** Whether it is being cancelled: somebody else may wait for it, so a second click has to say so. */
  asks: boolean
  onAsk: (id: string | null) => void
}

function Act({ job, busy, asks, onAsk, onAct }: ActProps) {
  const name = job.title ?? job.id
  if (job.status === 'error')
    return (
      <Button
        variant="default"
        size="xs"
        disabled={busy}
        aria-label={`${texts.retry} : ${name}`}
        onClick={() => onAct(job.id, 'retry')}
      >
        {texts.retry}
      </Button>
    )
  if (asks)
    return (
      <fieldset className={classes.asked} data-form={job.id} {...questionKeys(() => onAsk(null))}>
        <legend>{texts.cancelAsk}</legend>
        <div className={classes.pair}>
          <Button color="red.9" size="xs" disabled={busy} onClick={() => onAct(job.id, 'cancel')}>
            {texts.cancelYes}
          </Button>
          <Button variant="default" size="xs" data-autofocus onClick={() => onAsk(null)}>
            {texts.cancelNo}
          </Button>
        </div>
      </fieldset>
    )
  return (
    <Button
      variant="default"
      size="xs"
      disabled={busy}
      aria-label={`${texts.cancel} : ${name}`}
      data-opens={job.id}
      onClick={() => onAsk(job.id)}
    >
      {texts.cancel}
    </Button>
  )
}
