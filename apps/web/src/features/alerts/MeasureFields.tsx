import { NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { AHEAD_DEPTHS_MM } from '@radx/contracts/ahead'
import { NOWCAST_CHANCES_MM_H } from '@radx/contracts/nowcast'
import { formatNumberFr } from '@radx/locale/format-fr'
import { Link } from 'react-router'
import { alertTexts } from '../../texts/alerts.ts'
import classes from './Alerts.module.css'
import type { Draft } from './draft.ts'

const texts = alertTexts.form
type Option = { value: string; label: string }

/** What there is to choose from. */
export interface Choices {
  products: Option[]
  places: Option[]
  tables: Option[]
  catchments: Option[]
  gauges: Option[]
}

interface Props {
  draft: Draft
  choices: Choices
  change(values: Partial<Draft>): void
}

/** The fields of one kind of rule. */
export function MeasureFields({ draft, choices, change }: Props) {
  const { kind } = draft
  const select = (
    key: 'product' | 'place' | 'table' | 'catchment' | 'gauge',
    label: string,
    data: Option[],
  ) => (
    <NativeSelect
      label={label}
      value={draft[key]}
      data={data}
      onChange={({ currentTarget }) => change({ [key]: currentTarget.value })}
    />
  )
  const number = (key: 'lat' | 'lng' | 'minutes' | 'withinMin' | 'cell', label: string) => (
    <NumberInput
      label={label}
      value={draft[key]}
      hideControls={key !== 'minutes' && key !== 'withinMin'}
      decimalSeparator=","
      onChange={(value) => change({ [key]: value })}
    />
  )
  const isRain = kind === 'rain-rate' || kind === 'rain-total' || kind === 'rain-return'
  const isTown =
    kind === 'flood-cell' || kind === 'flood-node' || kind === 'flood-link' || kind === 'no-cycle'
  const hasPoint = kind === 'rain-chance' || (isRain && draft.place === 'point')
  return (
    <>
      {(isRain || kind === 'radar-down') && select('product', texts.product, choices.products)}
      {isRain && select('place', texts.place, [...choices.places, { value: 'point', label: texts.point }])}
      {hasPoint && number('lat', texts.lat)}
      {hasPoint && number('lng', texts.lng)}
      {(kind === 'rain-total' || kind === 'gauge-stuck') && number('minutes', texts.minutes)}
      {kind === 'rain-return' && select('table', texts.table, choices.tables)}
      {kind === 'rain-chance' && (
        <NativeSelect
          label={texts.aboveMmH}
          value={String(draft.aboveMmH)}
          onChange={({ currentTarget }) => change({ aboveMmH: Number(currentTarget.value) })}
          data={NOWCAST_CHANCES_MM_H.map((mmH) => ({
            value: String(mmH),
            label: formatNumberFr(mmH, 1, true),
          }))}
        />
      )}
      {isTown && select('catchment', texts.catchment, choices.catchments)}
      {kind === 'flood-cell' && number('cell', texts.cell)}
      {isTown && kind !== 'no-cycle' && (
        <p className={classes.pick}>
          <Link to={`/prevision?${new URLSearchParams({ c: draft.catchment })}`}>{texts.onMap}</Link>
        </p>
      )}
      {kind === 'flood-cell' && (
        <NativeSelect
          label={texts.aboveMm}
          value={String(draft.aboveMm)}
          onChange={({ currentTarget }) => change({ aboveMm: Number(currentTarget.value) })}
          data={AHEAD_DEPTHS_MM.map((mm) => ({ value: String(mm), label: String(mm / 10) }))}
        />
      )}
      {(kind === 'flood-node' || kind === 'flood-link') && (
        <TextInput
          label={kind === 'flood-node' ? texts.node : texts.link}
          value={draft.element}
          maxLength={200}
          onChange={({ currentTarget }) => change({ element: currentTarget.value })}
        />
      )}
      {(kind === 'rain-chance' || (isTown && kind !== 'no-cycle')) && number('withinMin', texts.withinMin)}
      {kind === 'gauge-stuck' && select('gauge', texts.gauge, choices.gauges)}
    </>
  )
}
