import { Button, Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import type { AlertRule } from '@radx/contracts/alerts'
import { ALERT_SEVERITIES, ALERT_UNITS, type AlertKind } from '@radx/contracts/alerts-constants'
import { type FormEvent, Suspense, useEffect, useRef, useState } from 'react'
import { serverErrorText } from '../../app/api/errors.ts'
import { useAuth } from '../../app/auth/store.ts'
import { part } from '../../app/part.tsx'
import { replayTexts } from '../../texts/alert-replay.ts'
import { alertTexts } from '../../texts/alerts.ts'
import { onEscape } from '../../ui/inline-form.ts'
import { Message } from '../../ui/Message.tsx'
import { useOneAtATime } from '../../ui/one-at-a-time.ts'
import classes from './Alerts.module.css'
import { useSaveRule } from './api.ts'
import { bodyOf, type Draft, draftOf, USUAL } from './draft.ts'
import { type Choices, MeasureFields } from './MeasureFields.tsx'
import { hasTrial, keepTrial, keptTrial } from './replay/kept.ts'
import { Recipients } from './told/Recipients.tsx'

const texts = alertTexts.form
const Replay = part(() => import('./replay/Replay.tsx'))
const GROUPS: [keyof typeof texts.groups, AlertKind[]][] = [
  ['rain', ['rain-rate', 'rain-total', 'rain-return']],
  ['forecast', ['rain-chance', 'flood-cell', 'flood-node', 'flood-link']],
  ['instrument', ['radar-down', 'gauge-stuck', 'no-cycle']],
]

interface Props {
  /** null for a new one. */
  rule: AlertRule | null
  empty: Draft
  choices: Choices
  onDone(): void
}

export function RuleForm({ rule, empty, choices, onDone: close }: Props) {
  const account = useAuth(({ name }) => name)
  const id = rule?.id ?? 'new'
  // Whoever left before it was saved finds it as it was.
  const [kept] = useState(() => {
    const found = account === null ? null : keptTrial(account)
    return found?.rule === id ? found : null
  })
  const [draft, setDraft] = useState(() => kept?.draft ?? (rule ? draftOf(rule, empty) : empty))
  const [asked, setAsked] = useState(false)
  const [tries, setTries] = useState(kept !== null && hasTrial(kept))
  const first = useRef(draft)
  useEffect(() => {
    if (account === null || draft === first.current) return
    const before = keptTrial(account)
    // A trial keeps its form along with it.
    if (before?.rule === id && hasTrial(before)) return
    keepTrial({ account, rule: id, draft, start: null, end: null, event: null, job: null, trial: null })
  }, [account, draft, id])
  const onDone = () => {
    keepTrial(null)
    close()
  }
  const save = useSaveRule()
  const once = useOneAtATime()
  const change = (values: Partial<Draft>) => setDraft((before) => ({ ...before, ...values }))
  const body = bodyOf(draft, rule?.version)
  const isOver = body !== null && body.clear > body.threshold
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (body === null || isOver) return
    once((ended) => save.mutate({ id: rule?.id ?? null, body }, { onSuccess: onDone, onSettled: ended }))
  }
  const problem = isOver ? texts.clearOver : asked && body === null ? texts.incomplete : null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape leaves whatever of it has the focus
    <div className={classes.form} data-form={rule?.id ?? 'new'} onKeyDown={onEscape(onDone)}>
      <form
        className={classes.form}
        aria-label={rule ? alertTexts.editLabel(rule.name) : alertTexts.add}
        onSubmit={submit}
        noValidate
      >
        <div className={classes.fields}>
          <TextInput
            label={texts.name}
            value={draft.name}
            maxLength={100}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
          <NativeSelect
            label={texts.kind}
            value={draft.kind}
            onChange={({ currentTarget }) => {
              const kind = currentTarget.value as AlertKind
              change({ kind, ...USUAL[kind] })
            }}
            data={GROUPS.map(([group, kinds]) => ({
              group: texts.groups[group],
              items: kinds.map((value) => ({ value, label: alertTexts.kind[value] })),
            }))}
          />
          <MeasureFields draft={draft} choices={choices} change={change} />
          <Limits draft={draft} change={change} />
        </div>
        <Recipients draft={draft} change={change} />
        <Checkbox
          label={texts.enabled}
          checked={draft.enabled}
          onChange={({ currentTarget }) => change({ enabled: currentTarget.checked })}
        />
        {problem && <Message kind="error">{problem}</Message>}
        {save.error && <Message kind="error">{serverErrorText(save.error)}</Message>}
        <div className={classes.actions}>
          <Button type="submit" loading={save.isPending}>
            {texts.save}
          </Button>
          <Button variant="default" onClick={onDone}>
            {texts.cancel}
          </Button>
        </div>
      </form>
      <details
        className={classes.more}
        open={tries}
        onToggle={({ currentTarget }) => setTries(currentTarget.open)}
      >
        <summary>{replayTexts.title}</summary>
        {tries && (
          <Suspense fallback={<p role="status">{alertTexts.loading}</p>}>
            <Replay rule={id} draft={draft} choices={choices} change={change} />
          </Suspense>
        )}
      </details>
    </div>
  )
}

function Limits({ draft, change }: { draft: Draft; change(values: Partial<Draft>): void }) {
  const unit = ALERT_UNITS[draft.kind]
  const number = (
    key: 'threshold' | 'clear' | 'minMinutes' | 'escalateMin',
    label: string,
    hint?: string,
  ) => (
    <NumberInput
      label={label}
      description={hint}
      value={draft[key]}
      min={0}
      decimalSeparator=","
      onChange={(value) => change({ [key]: value })}
    />
  )
  return (
    <>
      {number('threshold', texts.threshold(unit))}
      {number('clear', texts.clear(unit), texts.clearHint)}
      {number('minMinutes', texts.minMinutes)}
      <NativeSelect
        label={texts.severity}
        value={draft.severity}
        onChange={({ currentTarget }) => change({ severity: currentTarget.value as Draft['severity'] })}
        data={ALERT_SEVERITIES.map((value) => ({ value, label: alertTexts.severity[value] }))}
      />
      {number('escalateMin', texts.escalate)}
    </>
  )
}
