import { Button, NativeSelect, NumberInput } from '@mantine/core'
import { ALERT_RAIN_KINDS, ALERT_UNITS } from '@radx/contracts/alerts-constants'
import { useEffect, useState } from 'react'
import { serverErrorText } from '../../../app/api/errors.ts'
import { useAuth } from '../../../app/auth/store.ts'
import { useSite } from '../../../app/site.ts'
import { replayTexts as texts } from '../../../texts/alert-replay.ts'
import { DateField } from '../../../ui/DateField.tsx'
import { Message } from '../../../ui/Message.tsx'
import { instantOf, localText } from '../../../ui/moments.ts'
import { TextButton } from '../../../ui/TextButton.tsx'
import classes from '../Alerts.module.css'
import type { Draft } from '../draft.ts'
import { type Choices, MeasureFields } from '../MeasureFields.tsx'
import { keepTrial, keptTrial } from './kept.ts'
import { ReplayResult } from './ReplayResult.tsx'
import {
  type EventDraft,
  type EventKind,
  eventFor,
  ofKind,
  replayBody,
  withThreshold,
} from './replay-draft.ts'
import { useReplay } from './useReplay.ts'

const DAYS = 30

interface Props {
  /** Id of the rule, or `new`. */
  rule: string
  draft: Draft
  choices: Choices
  change(values: Partial<Draft>): void
}

/** A rule tried on a period of the archive, from which its threshold can be chosen. */
export default function Replay({ rule, draft, choices, change }: Props) {
  const { timeZone } = useSite()
  const account = useAuth(({ name }) => name)
  const [kept] = useState(() => keptOf(account, rule))
  const [nowMs] = useState(Date.now)
  const [start, setStart] = useState<string | null>(
    () => kept?.start ?? localText(nowMs - DAYS * 86_400_000, timeZone),
  )
  const [end, setEnd] = useState<string | null>(() => kept?.end ?? localText(nowMs, timeZone))
  // Until it is touched the event goes along with the rule.
  const [chosen, setEvent] = useState<EventDraft | null>(kept?.event ?? null)
  const event = chosen ?? eventFor(draft)
  const [asked, setAsked] = useState(false)
  const replay = useReplay(kept)
  const { job } = replay
  useEffect(() => {
    if (account !== null && (job || replay.trial))
      keepTrial({ account, rule, draft, start, end, event: chosen, job, trial: replay.trial })
  }, [account, rule, draft, start, end, chosen, job, replay.trial])
  const [startMs, endMs] = [start, end].map((text) => instantOf(text, timeZone))
  const body = replayBody(draft, event, startMs, endMs)
  const isBackwards = startMs !== null && endMs !== null && endMs <= startMs
  const problem = isBackwards ? texts.badPeriod : body === null ? texts.incomplete : null
  const { trial, isBusy, progress } = replay
  return (
    <form
      className={classes.replay}
      aria-label={texts.title}
      onSubmit={(submitted) => {
        submitted.preventDefault()
        setAsked(true)
        if (body !== null && problem === null) replay.start(body)
      }}
      noValidate
    >
      <p className={classes.dim}>{texts.intro}</p>
      <div className={classes.fields}>
        <DateField withTime label={texts.start} value={start} onChange={setStart} />
        <DateField withTime label={texts.end} value={end} onChange={setEnd} />
        <EventFields event={event} choices={choices} onChange={setEvent} />
      </div>
      <div className={classes.actions}>
        <Button type="submit" variant="default" loading={isBusy}>
          {texts.run}
        </Button>
        {isBusy && (
          <>
            <span role="status">
              {progress.max > 1
                ? texts.progress(Math.floor((100 * progress.value) / progress.max))
                : texts.waiting}
            </span>
            <TextButton
              disabled={!replay.canCancel || replay.cancel.isPending || replay.cancel.isSuccess}
              onClick={() => replay.cancel.mutate()}
            >
              {replay.cancel.isSuccess ? texts.cancelling : texts.cancel}
            </TextButton>
          </>
        )}
      </div>
      {asked && problem && <Message kind="error">{problem}</Message>}
      {replay.isCancelled && <p role="status">{texts.cancelled}</p>}
      {replay.failed !== null && !replay.isCancelled && (
        <Message kind="error">{replay.failed || texts.failed}</Message>
      )}
      {replay.lineError !== null && <Message kind="warning">{replay.lineError}</Message>}
      {replay.error && <Message kind="error">{serverErrorText(replay.error)}</Message>}
      {trial && (
        <ReplayResult
          trial={trial}
          isStale={!isSameRule(trial.body.rule.measure, body?.rule.measure)}
          threshold={Number(draft.threshold)}
          onChoose={(threshold) => change(withThreshold(draft, threshold))}
        />
      )}
    </form>
  )
}

function keptOf(account: string | null, rule: string) {
  const kept = account === null ? null : keptTrial(account)
  return kept?.rule === rule ? kept : null
}

const isSameRule = (before: unknown, now: unknown) => JSON.stringify(before) === JSON.stringify(now)

interface EventProps {
  event: EventDraft
  choices: Choices
  onChange(event: EventDraft): void
}

/** What there was to warn of. */
function EventFields({ event, choices, onChange }: EventProps) {
  const { kind, rain } = event
  const setRain = (values: Partial<Draft>) => onChange({ ...event, rain: { ...rain, ...values } })
  const number = (label: string, value: number | string, set: (value: number | string) => void) => (
    <NumberInput label={label} value={value} min={0} decimalSeparator="," onChange={set} />
  )
  return (
    <>
      <NativeSelect
        label={texts.event}
        value={kind}
        onChange={({ currentTarget }) => onChange(ofKind(event, currentTarget.value as EventKind))}
        data={[
          ...ALERT_RAIN_KINDS.map((value) => ({ value, label: texts.eventKind[value] })),
          { value: 'own', label: texts.own },
        ]}
      />
      {kind !== 'own' && (
        <>
          <MeasureFields draft={rain} choices={choices} change={setRain} />
          {number(texts.eventThreshold(ALERT_UNITS[kind]), rain.threshold, (threshold) =>
            setRain({ threshold }),
          )}
        </>
      )}
      {number(texts.window, event.windowMin, (windowMin) => onChange({ ...event, windowMin }))}
    </>
  )
}
