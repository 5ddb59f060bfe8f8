import { TextInput } from '@mantine/core'
import { typedDay, typedMoment, writtenFr } from '@radx/locale/typed-dates'
import { useState } from 'react'
import { dateTexts as texts } from '../texts/dates.ts'

interface Props {
  label: string
  description?: string
  /** `YYYY-MM-DD`, with `withTime` `YYYY-MM-DDTHH:MM`; empty for none, null while what stands there is none. */
  value: string | null
  onChange: (value: string | null) => void
  withTime?: boolean
}

/**
 * A day, or a moment, typed as the product writes it. Fields of the browser show it in the browser's language, which
 * may put the month first.
 */
export function DateField({ label, description, value, onChange, withTime = false }: Props) {
  const read = (text: string) => (text.trim() === '' ? '' : withTime ? typedMoment(text) : typedDay(text))
  const [typed, setTyped] = useState(() => writtenFr(value ?? ''))
  const [left, setLeft] = useState(false)
  // Somebody else set another value: what was typed for the one before is not it.
  const shown = value === null || read(typed) === value ? typed : writtenFr(value)
  const wrong = value === null && read(typed) === null
  return (
    <TextInput
      label={label}
      description={description}
      placeholder={withTime ? texts.moment : texts.day}
      value={shown}
      maxLength={32}
      autoComplete="off"
      spellCheck={false}
      error={wrong && left ? (withTime ? texts.noMoment : texts.noDay) : null}
      onFocus={() => setLeft(false)}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange(read(currentTarget.value))
      }}
      onKeyDown={({ key }) => key === 'Enter' && setLeft(true)}
      onBlur={() => {
        setLeft(true)
        const found = read(shown)
        if (found) setTyped(writtenFr(found))
      }}
    />
  )
}
