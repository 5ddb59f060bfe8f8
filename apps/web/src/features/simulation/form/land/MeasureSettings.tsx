import { NativeSelect, TextInput } from '@mantine/core'
import type { StoringMeasure } from '@radx/contracts/measures'
import {
  DRAIN_NEAREST,
  DRAIN_SURFACE,
  drainOf,
  figuresOf,
  MEASURE_LIMITS,
  type MeasureFigure,
} from '@radx/contracts/measures-constants'
import type { LuseConfig } from '@radx/contracts/simulation'
import { formatNumberFr } from '@radx/locale/format-fr'
import { useState } from 'react'
import { measureFigures, measureTexts as texts } from '../../../../texts/measures.ts'
import { Section } from '../../parts/MeasureFacts.tsx'
import { parseProperty } from '../../parts/property.ts'
import { setMeasure } from '../land-use.ts'
import { changeForm } from '../store.ts'
import classes from './MeasureSettings.module.css'

/** Figures of the measures among the codes in use, which anybody may set: they are what is planned. */
export function MeasureSettings({ configs }: { configs: readonly LuseConfig[] }) {
  const storing = configs.filter(({ measure }) => measure !== undefined)
  if (storing.length === 0) return null
  return (
    <section className={classes.root} aria-label={texts.settings}>
      <h3>{texts.settings}</h3>
      <p>{texts.settingsHelp}</p>
      {storing.map(({ id, title, measure }) => (
        <details key={id}>
          <summary>{texts.of(title)}</summary>
          <Settings
            measure={measure!}
            onChange={(next) => changeForm((state) => setMeasure(state, id, next))}
          />
        </details>
      ))}
    </section>
  )
}

interface SettingsProps {
  measure: StoringMeasure
  onChange: (measure: StoringMeasure) => void
}

function Settings({ measure, onChange }: SettingsProps) {
  const figures = figuresOf(measure)
  const names = Object.keys(figures) as MeasureFigure[]
  const drains = figures.drainMmH !== undefined || figures.matN !== undefined
  return (
    <div className={classes.settings}>
      <Section measure={measure} />
      <div className={classes.fields}>
        {names.map((name) => (
          <Figure
            key={name}
            name={name}
            value={figures[name] ?? 0}
            onChange={(value) => onChange({ ...measure, [name]: value })}
          />
        ))}
        {drains && (
          <NativeSelect
            size="xs"
            label={texts.drainTo}
            value={drainOf(measure)}
            data={[DRAIN_NEAREST, DRAIN_SURFACE].map((value) => ({
              value,
              label: texts.drains[value as keyof typeof texts.drains],
            }))}
            onChange={({ currentTarget }) => onChange({ ...measure, drainTo: currentTarget.value })}
          />
        )}
      </div>
    </div>
  )
}

interface FigureProps {
  name: MeasureFigure
  value: number
  onChange: (value: number) => void
}

function Figure({ name, value, onChange }: FigureProps) {
  const [draft, setDraft] = useState<string | null>(null)
  const { min, max } = MEASURE_LIMITS[name]
  const can = (typed: number | null): typed is number => typed !== null && typed >= min && typed <= max
  const typed = draft === null ? value : parseProperty(draft)
  const issue = can(typed) ? null : texts.range(formatNumberFr(min, 4, true), formatNumberFr(max, 4, true))
  const { name: label, unit } = measureFigures[name]
  return (
    <TextInput
      size="xs"
      inputMode="decimal"
      label={unit === '' ? label : `${label} (${unit})`}
      value={draft ?? String(value).replace('.', ',')}
      error={issue}
      onChange={({ currentTarget: { value: text } }) => {
        setDraft(text)
        const parsed = parseProperty(text)
        if (can(parsed)) onChange(parsed)
      }}
      // What cannot be stays in sight with its reason; the measure keeps the last good value.
      onBlur={() => issue === null && setDraft(null)}
    />
  )
}
