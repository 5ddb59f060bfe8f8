import { Button } from '@mantine/core'
import type { AdminJobs } from '@radx/contracts/administration'
import { CANCELLED_LABEL, JOB_STATUS_LABELS } from '@radx/contracts/jobs'
import { formatDateTimeFr, formatNumberFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { serverErrorText } from '../../../app/api/errors.ts'
import { useSite } from '../../../app/site.ts'
import { administrationTexts } from '../../../texts/administration.ts'
import { Message } from '../../../ui/Message.tsx'
import classes from '../AdminScreen.module.css'
import { AdminTable } from '../AdminTable.tsx'
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
  const { timeZone } = useSite()
  return (
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
          formatDateTimeFr(job.finishedAt ?? job.startedAt ?? job.createdAt, timeZone),
          <Act key="act" job={job} busy={busy} onAct={onAct} />,
        ],
      }))}
    />
  )
}

function Act({ job, busy, onAct }: { job: Job } & Pick<ListProps, 'busy' | 'onAct'>) {
  const what = job.status === 'error' ? 'retry' : 'cancel'
  return (
    <Button
      variant="default"
      size="xs"
      disabled={busy}
      aria-label={`${texts[what]} : ${job.title ?? job.id}`}
      onClick={() => onAct(job.id, what)}
    >
      {texts[what]}
    </Button>
  )
}
