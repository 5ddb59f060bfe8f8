import { formatNumberFr, MISSING_FR } from '@radx/locale/format-fr'

interface Props {
  value: number | null | undefined
  unit: string
  decimals?: number
}

/** A number with its unit beside it in a lighter tone. */
export function Quantity({ value, unit, decimals = 0 }: Props) {
  const text = formatNumberFr(value, decimals)
  if (text === MISSING_FR) return <span>{text}</span>
  return (
    <span className="rx-number">
      {text}
      {'\u202f'}
      <span className="rx-unit">{unit}</span>
    </span>
  )
}
