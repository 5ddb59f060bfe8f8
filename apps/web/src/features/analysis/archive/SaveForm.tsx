import { COMMENT_MAX, TITLE_MAX } from '@radx/contracts/constants'
import { type FormEvent, useId, useState } from 'react'
import { genericErrorText } from '../../../app/api/errors.ts'
import type { Selection } from '../../../selection/selection.ts'
import { analysisTexts } from '../../../texts/analysis.ts'
import { PrimaryButton } from '../../../ui/Button.tsx'
import { Message } from '../../../ui/Message.tsx'
import { useOneAtATime } from '../../../ui/one-at-a-time.ts'
import { Section } from '../../../ui/Section.tsx'
import { useSaveEvent } from '../events/api.ts'
import classes from './SaveForm.module.css'
import { useTotals } from './store.ts'

const texts = analysisTexts.save
/** From this many characters on the reader is told how many are left. */
const TELL_FROM = 0.8

interface Props {
  selection: Selection
  period: { s: string; e: string }
}

/** Keeps the selection among the reader's events. */
export function SaveForm({ selection, period }: Props) {
  const id = useId()
  const [title, setTitle] = useState('')
  const [comment, setComment] = useState('')
  const save = useSaveEvent()
  const once = useOneAtATime()
  const cumul = useTotals()?.totals.catchmentMm?.at(-1)
  const valid = title.trim() !== '' && title.length <= TITLE_MAX && comment.length <= COMMENT_MAX
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault()
    if (!valid) return
    const { selectedProduct: product, catchment, subcatchment } = selection
    const event = {
      title: title.trim(),
      product,
      selectionDates: { start: period.s, end: period.e },
      catchment: catchment === null ? null : { catchment, subcatchment },
      ...(catchment !== null && cumul !== undefined ? { cumul } : {}),
      comment,
    }
    const onSuccess = () => {
      setTitle('')
      setComment('')
    }
    once((ended) => save.mutate(event, { onSuccess, onSettled: ended }))
  }
  const edit = (set: (value: string) => void) => (value: string) => {
    set(value)
    if (!save.isPending && !save.isIdle) save.reset()
  }
  return (
    <Section title={texts.title}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <Field id={`${id}t`} label={texts.name} value={title} most={TITLE_MAX} onChange={edit(setTitle)} />
        <Field
          id={`${id}c`}
          label={texts.comment}
          value={comment}
          most={COMMENT_MAX}
          onChange={edit(setComment)}
          long
        />
        <div className={classes.foot}>
          <PrimaryButton type="submit" disabled={!valid || save.isPending}>
            {save.isPending ? texts.saving : texts.submit}
          </PrimaryButton>
          {save.isSuccess && <Message kind="nfo">{texts.success}</Message>}
        </div>
        {save.isError && <Message kind="error">{genericErrorText(save.error)}</Message>}
      </form>
    </Section>
  )
}

interface FieldProps {
  id: string
  label: string
  value: string
  most: number
  onChange: (value: string) => void
  long?: boolean
}

function Field({ id, label, value, most, onChange, long = false }: FieldProps) {
  const over = value.length > most
  const told = value.length >= most * TELL_FROM
  const common = {
    id,
    value,
    'aria-invalid': over,
    'aria-describedby': told ? `${id}n` : undefined,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  }
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      {long ? <textarea rows={4} {...common} /> : <input type="text" autoComplete="off" {...common} />}
      {told && (
        <p id={`${id}n`} className={classes.count} data-over={over}>
          {texts.count(value.length, most)}
          {over && ` : ${texts.tooLong(most)}`}
        </p>
      )}
    </div>
  )
}
