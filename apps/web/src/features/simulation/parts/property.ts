import { formatNumberFr } from '@radx/locale/format-fr'

const SUPERSCRIPT = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** A number as a power of ten: `3·10⁻⁶`. */
export function formatPower(value: number): string {
  if (value === 0) return '0'
  const exponent = Math.floor(Math.log10(Math.abs(value)))
  const digits = [...String(Math.abs(exponent))].map((digit) => SUPERSCRIPT[Number(digit)]).join('')
  return `${formatNumberFr(value / 10 ** exponent, 2, true)}·10${exponent < 0 ? '⁻' : ''}${digits}`
}

/** A soil or land property: very small values as a power of ten. */
export const formatProperty = (value: number): string =>
  value === 0 || Math.abs(value) >= 0.001 ? formatNumberFr(value, 3, true) : formatPower(value)

/** A property as a manager types it: comma or point, also `3e-6`; null when it is no number from 0 up. */
export function parseProperty(text: string): number | null {
  const trimmed = text.trim().replace(',', '.').replace('−', '-')
  const value = Number(trimmed)
  return trimmed !== '' && Number.isFinite(value) && value >= 0 ? value : null
}
