import { Button } from '@mantine/core'
import { SUBMISSION_KEY_HEADER } from '@radx/contracts/jobs'
import type { CatchmentSummary } from '@radx/contracts/simulation'
import { formatDuration } from '@radx/locale/duration'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { callJson } from '../../../app/api/client.ts'
import { genericErrorText } from '../../../app/api/errors.ts'
import { rainTexts as texts } from '../../../texts/simulation.ts'
import { Message } from '../../../ui/Message.tsx'
import { simulationsQuery } from '../api.ts'
import { randomKey } from './drafts.ts'
import classes from './Submit.module.css'
import { estimatedHours, type FormState, formFields, isRainValid, isStepValid, stepsOf } from './state.ts'
import { changeForm, useForm } from './store.ts'

const HOUR_MS = 3_600_000
/** A painted map of a large basin is several megabytes. */
const SUBMIT_TIMEOUT_MS = 120_000

/** A rain has been drawn and not been taken yet. */
const isUnused = ({ rainfallSelection, virtualData }: FormState): boolean =>
  rainfallSelection === 'virtual' && virtualData.length === 0

/** The last part of the form: how long it will take, and off it goes. */
export function Submit({ catchment }: { catchment: CatchmentSummary | undefined }) {
  const state = useForm()
  const navigate = useNavigate()
  const queries = useQueryClient()
  // Of this component, since a mutation tells that it is under way only after the second click of two.
  const [sending, setSending] = useState(false)
  const submit = useMutation({
    mutationFn: () => {
      const body = new FormData()
      for (const [key, value] of formFields(useForm.getState())) body.set(key, value)
      // The same key until something is changed: what is sent again, e.g. after a lost answer, is the same run.
      if (useForm.getState().submissionKey === '') useForm.setState({ submissionKey: randomKey() })
      return callJson<{ jobId: string }>('/api/job/multihydro', {
        method: 'POST',
        body,
        headers: { [SUBMISSION_KEY_HEADER]: useForm.getState().submissionKey },
        timeoutMs: SUBMIT_TIMEOUT_MS,
      })
    },
    onSettled: () => setSending(false),
    onSuccess: ({ jobId }) => {
      changeForm((before) => ({ ...before, jobId }))
      void queries.invalidateQueries({ queryKey: simulationsQuery.queryKey })
      void navigate(`/multihydro/${jobId}`)
    },
  })
  const open = stepsOf(state).filter((step) => !isStepValid(state, step))
  const ready = open.length === 0
  const id = useId()
  return (
    <section className={classes.root}>
      <dl className={classes.times} aria-live="polite">
        <div>
          <dt>{texts.estimate}</dt>
          <dd>
            {isRainValid(state) ? formatDuration(estimatedHours(state.simulationDuration) * HOUR_MS) : '–'}
          </dd>
        </div>
        <div>
          <dt>{texts.machine}</dt>
          <dd>
            <Machine
              recent={catchment?.recentMsPerHour ?? []}
              expected={catchment?.expectedMsPerHour ?? null}
              hours={state.simulationDuration}
            />
          </dd>
        </div>
      </dl>
      <Button
        size="md"
        disabled={!ready || sending}
        aria-describedby={ready ? undefined : id}
        onClick={() => {
          setSending(true)
          submit.mutate()
        }}
      >
        {sending ? texts.sending : texts.submit}
      </Button>
      {!ready && (
        <p id={id} className={classes.open}>
          {open.map((step) => texts.open[step === 'rain' && isUnused(state) ? 'unused' : step]).join(' ')}
        </p>
      )}
      {submit.isError && (
        <div className={classes.error}>
          <Message kind="error">{genericErrorText(submit.error)}</Message>
        </div>
      )}
    </section>
  )
}

interface MachineProps {
  recent: readonly number[]
  /** ms a simulated hour by cells and steps. */
  expected: number | null
  /** h */
  hours: number
}

/** What the last runs took here, or would take by the catchment's cells and steps, for the chosen duration. */
function Machine({ recent, expected, hours }: MachineProps) {
  if (recent.length === 0 && expected === null) return texts.machineNone
  if (hours === 0) return '–'
  if (recent.length === 0)
    return (
      <>
        {formatDuration((expected as number) * hours)} <span className="rx-unit">{texts.machineCells}</span>
      </>
    )
  const sorted = recent.toSorted((a, b) => a - b)
  return (
    <>
      {formatDuration(sorted[Math.floor((sorted.length - 1) / 2)] * hours)}{' '}
      <span className="rx-unit">{texts.machineRuns(recent.length)}</span>
    </>
  )
}
