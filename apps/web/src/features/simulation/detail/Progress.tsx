import { Progress as Bar, Button } from '@mantine/core'
import { formatNumberFr, formatTimeFr } from '@radx/locale/format-fr'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callJson } from '../../../app/api/client.ts'
import { genericErrorText } from '../../../app/api/errors.ts'
import { hasManagerRole, useAuth } from '../../../app/auth/store.ts'
import { useSite } from '../../../app/site.ts'
import { useJobProgress } from '../../../jobs/useJobProgress.ts'
import { detailTexts } from '../../../texts/simulation.ts'
import { questionKeys, useInlineForm } from '../../../ui/inline-form.ts'
import { Message } from '../../../ui/Message.tsx'
import { isOpen, jobQuery, type SimulationJob } from '../api.ts'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import classes from './Progress.module.css'

const texts = detailTexts.progress

/** 'Statut et logs' of a run that is not over; what it says last turns the page into the result. */
export function Progress({ job }: { job: SimulationJob }) {
  const { timeZone } = useSite()
  const queries = useQueryClient()
  const mine = useAuth((state) => state.name === job.username || hasManagerRole(state))
  const [asked, setAsked] = useState(false)
  const root = useInlineForm<HTMLElement>(asked ? 'cancel' : null)
  const { progress, messages, error } = useJobProgress(job.id, true)
  // Once the line is lost or refused, what the page asks for itself is newer.
  const heard = error === null ? progress : null
  const status = heard?.status ?? job.status
  const over = !isOpen(status)
  const changed = status !== job.status

  // The rest of the page follows: a footer once the run has begun, its result once it is over.
  useEffect(() => {
    if (changed) void queries.invalidateQueries({ queryKey: jobQuery(job.id).queryKey })
  }, [changed, job.id, queries])

  const cancel = useMutation({
    mutationFn: () => callJson<SimulationJob>(`/api/job/${job.id}/cancel`, { method: 'POST' }),
    onSuccess: () => queries.invalidateQueries({ queryKey: jobQuery(job.id).queryKey }),
  })
  // Asked for here or in another window.
  const cancelling = cancel.isPending || cancel.isSuccess || job.cancelled
  const { value, max } = heard ?? job.progress
  const share = max > 0 ? (100 * value) / max : 0
  const waiting =
    job.queuePlace === null || job.queuePlace === 1 ? texts.waiting : texts.waitingBehind(job.queuePlace - 1)
  const started = status === 'running' || share > 0
  return (
    <section ref={root} className={classes.root} aria-labelledby="progress">
      <header>
        <h2 id="progress">{texts.title}</h2>
        <StatusBadge status={status} cancelled={job.cancelled} place={job.queuePlace} />
        {mine && !over && (
          <Button
            size="compact-md"
            variant="default"
            disabled={cancelling}
            aria-expanded={cancelling ? undefined : asked}
            data-opens="cancel"
            onClick={() => setAsked(true)}
          >
            {cancelling ? texts.cancelling : texts.cancel}
          </Button>
        )}
      </header>
      {asked && !over && !cancelling && (
        <fieldset
          className={classes.confirm}
          aria-label={texts.cancel}
          data-form="cancel"
          {...questionKeys(() => setAsked(false))}
        >
          <p>{texts.cancelAsk}</p>
          <Button
            size="compact-md"
            color="red.9"
            onClick={() => {
              setAsked(false)
              cancel.mutate()
            }}
          >
            {texts.cancelYes}
          </Button>
          <Button size="compact-md" variant="default" data-autofocus onClick={() => setAsked(false)}>
            {texts.cancelNo}
          </Button>
        </fieldset>
      )}
      <Bar.Root
        size={20}
        radius="xl"
        className={classes.bar}
        role="progressbar"
        aria-label={texts.title}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share}
        aria-valuetext={started ? `${Math.round(share)}\u202f%` : texts.pending}
      >
        {/* Its own words would be a share even before there is one. */}
        <Bar.Section value={share} withAria={false} />
      </Bar.Root>
      <p className={classes.share} aria-hidden>
        {started ? `${formatNumberFr(share, 1)}\u202f%` : texts.pending}
      </p>
      <ol className={classes.messages} aria-live="polite">
        {messages.length === 0 && <li>{job.msg || (started ? texts.begun : waiting)}</li>}
        {messages.slice(-8).map(({ at, text }) => (
          <li key={`${at} ${text}`}>
            <time dateTime={at}>{formatTimeFr(at, timeZone)}</time> {text}
          </li>
        ))}
      </ol>
      {error && <Message kind="warning">{error}</Message>}
      {cancel.isError && <Message kind="error">{genericErrorText(cancel.error)}</Message>}
      <p className={classes.hint}>{texts.follow}</p>
    </section>
  )
}
