import { COMMENT_MAX, TITLE_MAX } from '@radx/contracts/constants'
import { type FormEvent, useId } from 'react'
import { genericErrorText } from '../../../app/api/errors.ts'
import { useAuth } from '../../../app/auth/store.ts'
import type { Selection } from '../../../selection/selection.ts'
import { analysisTexts } from '../../../texts/analysis.ts'
import { PrimaryButton } from '../../../ui/Button.tsx'
import { Message } from '../../../ui/Message.tsx'
import { useOneAtATime } from '../../../ui/one-at-a-time.ts'
import { Section } from '../../../ui/Section.tsx'
import { useUnload } from '../../../ui/useUnload.ts'
import { useSaveEvent } from '../events/api.ts'
import classes from './SaveForm.module.css'
import { useTotals } from './store.ts'
import { NOTHING, useWritten } from './written.ts'

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
  const owner = useAuth(({ name }) => name)
  const written = useWritten()
  const { title, comment } = written.owner === owner ? written : NOTHING
  useUnload(title.trim() !== '' || comment.trim() !== '')
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
    const forget = () => useWritten.setState(NOTHING)
    // Also where the form has gone meanwhile: what was kept is not offered again.
    once(
      (ended) =>
        void save
          .mutateAsync(event)
          .then(forget, () => undefined)
          .finally(ended),
    )
  }
  const edit = (field: keyof typeof NOTHING) => (value: string) => {
    useWritten.setState({ owner, title, comment, [field]: value })
    if (!save.isPending && !save.isIdle) save.reset()
  }
  return (
    <Section title={texts.title}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <Field id={`${id}t`} label={texts.name} value={title} most={TITLE_MAX} onChange={edit('title')} />
        <Field
          id={`${id}c`}
          label={texts.comment}
          value={comment}
          most={COMMENT_MAX}
          onChange={edit('comment')}
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
