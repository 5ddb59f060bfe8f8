import { Button, NativeSelect } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { genericErrorText } from '../../app/api/errors.ts'
import { isManager, useAuth } from '../../app/auth/store.ts'
import { qualityTexts as texts } from '../../texts/forecast-quality.ts'
import { forecastQualityTitle } from '../../texts/forecast-quality-title.ts'
import { Message } from '../../ui/Message.tsx'
import { TextButton } from '../../ui/TextButton.tsx'
import { type Span, savedPeriodsQuery, saveScores, scoresQuery } from './api.ts'
import classes from './QualityScreen.module.css'
import { Remake } from './Remake.tsx'
import { Replay } from './Replay.tsx'
import { Scores } from './Scores.tsx'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** Whole minutes, so that what was asked a moment ago need not be asked again. */
function lastDays(days: number): Span {
  const end = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS
  return { s: new Date(end - days * DAY_MS).toISOString(), e: new Date(end).toISOString() }
}

/** What forecasts were worth, of late and in saved events, and past moments forecast again. */
export default function QualityScreen() {
  const [chosen, setChosen] = useState('day')
  const [issued, setIssued] = useState<string | null>(null)
  const manager = useAuth(isManager)
  const [recent] = useState(() => ({ day: lastDays(1), month: lastDays(30) }))
  const events = useQuery(savedPeriodsQuery)
  const event = events.data?.find(({ _id }) => _id === chosen)
  const span: Span = event
    ? { s: event.selectionDates.start, e: event.selectionDates.end }
    : chosen === 'month'
      ? recent.month
      : recent.day
  const scores = useQuery(scoresQuery(span))
  const save = useMutation({ mutationFn: () => saveScores(span) })
  return (
    <div className={classes.root}>
      <h1>{forecastQualityTitle}</h1>
      <p>{texts.intro}</p>
      <div className={classes.bar}>
        <NativeSelect
          label={texts.period}
          value={chosen}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          data={[
            { value: 'day', label: texts.day },
            { value: 'month', label: texts.month },
            ...(events.data ?? []).map(({ _id, title }) => ({ value: _id, label: texts.event(title) })),
          ]}
        />
        <Button
          variant="default"
          loading={save.isPending}
          disabled={!scores.data || scores.data.leads.length === 0}
          onClick={() => save.mutate()}
        >
          {texts.csv}
        </Button>
      </div>
      {save.isError && <Message kind="error">{texts.csvFailed}</Message>}
      {scores.isPending && <p role="status">{texts.loading}</p>}
      {scores.error && (
        <Message
          kind="error"
          action={<TextButton onClick={() => void scores.refetch()}>{texts.retry}</TextButton>}
        >
          {genericErrorText(scores.error)}
        </Message>
      )}
      {scores.data && <Scores scores={scores.data} />}
      {manager && <Remake onShow={setIssued} />}
      <Replay issued={issued} onIssued={setIssued} />
    </div>
  )
}
