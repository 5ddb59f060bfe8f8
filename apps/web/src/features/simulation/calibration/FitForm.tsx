import { Button, Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import type { Observation } from '@radx/contracts/calibration'
import {
  CALIBRATION_LIMITS,
  CALIBRATION_OBJECTIVES,
  type CalibrationObjective,
} from '@radx/contracts/calibration-constants'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { fitTexts as texts } from '../../../texts/calibration.ts'
import { Message } from '../../../ui/Message.tsx'
import { jobQuery } from '../api.ts'
import { useFits } from './api.ts'
import classes from './Calibration.module.css'
import { EventChoice } from './EventChoice.tsx'
import { bodyOf, FIRST_DRAFT, type FitDraft } from './fit-draft.ts'
import { ParameterFields } from './ParameterFields.tsx'
import { placeText, refusalText } from './words.ts'

interface Props {
  catchmentId: string
  series: readonly Observation[]
  /** A run that one came from: it is an event to begin with. */
  event: string | null
  onStarted: (id: string) => void
}

/** What a fit is asked for; what it lacks yet stands below the button. */
export function FitForm({ catchmentId, series, event, onStarted }: Props) {
  const [draft, setDraft] = useState<FitDraft>(() => ({
    ...FIRST_DRAFT,
    ...(event !== null && { events: { [event]: 'calibration' } }),
  }))
  const change = (part: Partial<FitDraft>) => setDraft((before) => ({ ...before, ...part }))
  const { start } = useFits()
  const [first] = Object.keys(draft.events)
  // The table of classes is the run's own: it may have painted ones.
  const run = useQuery({ ...jobQuery(first ?? ''), enabled: first !== undefined })
  const used = series.filter(({ id }) => !draft.without.includes(id))
  const asked = bodyOf(
    draft,
    catchmentId,
    series.map(({ id }) => id),
  )
  const submit = (sent: FormEvent) => {
    sent.preventDefault()
    if ('body' in asked && !start.isPending)
      start.mutate(asked.body, { onSuccess: ({ id }) => onStarted(id) })
  }
  return (
    <form className={classes.fit} aria-label={texts.newFit} onSubmit={submit} noValidate>
      <TextInput
        className={classes.name}
        label={texts.name}
        maxLength={120}
        value={draft.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <EventChoice
        catchmentId={catchmentId}
        series={used}
        events={draft.events}
        onChange={(events) => change({ events })}
      />
      <SeriesChoice series={series} without={draft.without} onChange={(without) => change({ without })} />
      <ParameterFields
        classesOf={run.data?.input.luseConfigs ?? []}
        parameters={draft.parameters}
        onChange={(parameters) => change({ parameters })}
      />
      <Settings draft={draft} onChange={change} />
      <Button type="submit" className={classes.start} disabled={!('body' in asked)} loading={start.isPending}>
        {texts.start}
      </Button>
      {'missing' in asked ? (
        <p className={classes.note}>
          {asked.missing
            .map((what) =>
              what === 'runs'
                ? texts.missing.runs(CALIBRATION_LIMITS.runs.min, CALIBRATION_LIMITS.runs.max)
                : texts.missing[what],
            )
            .join(' ')}
        </p>
      ) : (
        !asked.body.events.some(({ use }) => use === 'validation') && (
          <Message kind="warning">{texts.noValidation}</Message>
        )
      )}
      {start.error && <Message kind="error">{refusalText(start.error)}</Message>}
    </form>
  )
}

interface SeriesProps {
  series: readonly Observation[]
  without: readonly string[]
  onChange: (without: string[]) => void
}

function SeriesChoice({ series, without, onChange }: SeriesProps) {
  return (
    <fieldset className={classes.group}>
      <legend>{texts.observations}</legend>
      {series.length === 0 && <p className={classes.note}>{texts.noObservations}</p>}
      {series.map(({ id, name, place }) => (
        <Checkbox
          key={id}
          label={`${name} (${placeText(place)})`}
          checked={!without.includes(id)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(checked ? without.filter((other) => other !== id) : [...without, id])
          }
        />
      ))}
    </fieldset>
  )
}

interface SettingsProps {
  draft: FitDraft
  onChange: (part: Partial<FitDraft>) => void
}

function Settings({ draft: { objective, runs, seed }, onChange }: SettingsProps) {
  const { min, max } = CALIBRATION_LIMITS.runs
  return (
    <div className={classes.fields}>
      <NativeSelect
        label={texts.objective}
        value={objective}
        data={CALIBRATION_OBJECTIVES.map((value) => ({ value, label: texts.objectives[value] }))}
        onChange={({ currentTarget }) => onChange({ objective: currentTarget.value as CalibrationObjective })}
      />
      <NumberInput
        label={texts.runs}
        value={runs}
        min={min}
        max={max}
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="none"
        hideControls
        onChange={(value) => onChange({ runs: value })}
      />
      <NumberInput
        label={texts.seed}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={texts.seedHelp}
        value={seed}
        min={0}
        max={2 ** 31}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        onChange={(value) => onChange({ seed: value })}
      />
    </div>
  )
}
