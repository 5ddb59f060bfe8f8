import { formatNumberFr } from '@radx/locale/format-fr'
import type { ReactNode } from 'react'
import { sweepTexts as texts } from '../../texts/sweep.ts'
import { Quantity } from '../../ui/Quantity.tsx'
import type { Reading } from './gates.ts'
import classes from './Ppi.module.css'
import { valueText } from './scales.ts'

interface Props {
  field: { name: string; unit: string } | null
  reading: Reading | null
}

/** What the gate under the pointer, or the chosen one, says. */
export function ReadingLine({ field, reading }: Props) {
  if (!field || !reading)
    return (
      <p id="sweep-reading" className={classes.reading}>
        {texts.ppi.hint}
      </p>
    )
  const { azimuth, rangeM, heightM, at, value } = reading
  const said =
    value === 'ray'
      ? texts.reading.noRay
      : value === Number.NEGATIVE_INFINITY
        ? texts.reading.noEcho
        : Number.isNaN(value)
          ? texts.reading.noData
          : valueText(field, value)
  const rows: [string, ReactNode][] = [
    [texts.reading.value, <strong key="v">{said}</strong>],
    [texts.reading.azimuth, `${formatNumberFr(azimuth, 1)}°`],
    [texts.reading.range, <Quantity key="r" value={rangeM / 1000} unit="km" decimals={2} />],
    [texts.reading.height, <Quantity key="h" value={heightM} unit="m" />],
    [texts.reading.place, `${formatNumberFr(at.lat, 4)}° N, ${formatNumberFr(at.lng, 4)}° E`],
  ]
  return (
    <dl id="sweep-reading" className={classes.reading} aria-live="polite" data-testid="sweep-reading">
      {rows.map(([label, content]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{content}</dd>
        </div>
      ))}
    </dl>
  )
}
