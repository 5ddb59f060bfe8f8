import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useId, useState } from 'react'
import { depthTexts as texts } from '../../../../texts/flood.ts'
import classes from './Depth.module.css'

interface Props {
  minCm: number
  maxCm: number
  onSet: (minCm: number, maxCm: number) => void
}

const NUMERIC = /^\d*[.,]?\d*$/
const shown = (cm: number): string => String(cm).replace('.', ',')
/** NaN while there is no number. */
const read = (text: string): number => (/\d/.test(text) ? Number(text.replace(',', '.')) : Number.NaN)

/** Lowest and highest depth of the colour scale; they count once they are set. */
export function ThresholdForm({ minCm, maxCm, onSet }: Props) {
  const [min, setMin] = useState(shown(minCm))
  const [max, setMax] = useState(shown(maxCm))
  const hint = useId()
  useEffect(() => {
    setMin(shown(minCm))
    setMax(shown(maxCm))
  }, [minCm, maxCm])
  const [low, high] = [read(min), read(max)]
  const crossed = low >= high
  const changed = low !== minCm || high !== maxCm
  const ready = changed && !Number.isNaN(low) && !Number.isNaN(high) && !crossed
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (ready) onSet(low, high)
  }
  const field = (label: string, value: string, set: (text: string) => void) => (
    <TextInput
      className={classes.threshold}
      label={label}
      size="sm"
      inputMode="decimal"
      autoComplete="off"
      value={value}
      error={crossed}
      aria-describedby={crossed ? hint : undefined}
      onChange={({ currentTarget: { value: text } }) => {
        // Anything else than a number is not taken at all.
        if (NUMERIC.test(text)) set(text)
      }}
    />
  )
  return (
    <form className={classes.thresholds} onSubmit={submit}>
      {field(texts.min, min, setMin)}
      {field(texts.max, max, setMax)}
      <Button type="submit" size="sm" variant="default" disabled={!ready}>
        {texts.set}
      </Button>
      {crossed && (
        <small id={hint} role="status" className={classes.hint}>
          {texts.minAboveMax}
        </small>
      )}
    </form>
  )
}
