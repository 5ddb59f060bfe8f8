import { TextInput } from '@mantine/core'
import { formatNumberFr } from '@radx/locale/format-fr'
import { useState } from 'react'
import { parseParameter } from '../state.ts'

interface Props {
  label: string
  unit: string
  value: number
  disabled: boolean
  error?: string | null
  /** Below 0 is a value too. */
  signed?: boolean
  onChange: (value: number) => void
}

/** A number that was pasted reads as it was pasted. */
const DECIMALS = 12

/** Keeps what is typed while it is typed; what is no number counts as 0 and reads so afterwards. */
export function ParameterInput({ label, unit, value, disabled, error, signed = false, onChange }: Props) {
  const [draft, setDraft] = useState<string | null>(null)
  return (
    <TextInput
      label={label}
      inputMode={signed ? 'text' : 'decimal'}
      value={draft ?? formatNumberFr(value, DECIMALS, true)}
      disabled={disabled}
      error={error}
      rightSection={<span className="rx-unit">{unit}</span>}
      rightSectionWidth={56}
      onChange={({ currentTarget: { value: text } }) => {
        setDraft(text)
        onChange(parseParameter(text))
      }}
      onBlur={() => setDraft(null)}
    />
  )
}
