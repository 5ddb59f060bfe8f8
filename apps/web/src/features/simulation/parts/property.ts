import { SOIL_LIMITS } from '@radx/contracts/simulation-constants'
import { formatNumberFr } from '@radx/locale/format-fr'

/** A number as a power of ten. */
export interface Power {
  /** Before the ten, between 1 and 10. */
  factor: string
  exponent: number
}

export function powerOf(value: number): Power | null {
  if (value === 0) return null
  // Rounded first: 9.999 is 1 of the next power.
  const [factor, exponent] = value.toExponential(2).split('e').map(Number)
  return { factor: formatNumberFr(factor, 2, true), exponent }
}

/** Values from here on are written out. */
const WRITTEN_FROM = 0.001

/** A soil or land property: very small values as a power of ten, else as text. */
export const propertyOf = (value: number): string | Power =>
  (Math.abs(value) < WRITTEN_FROM ? powerOf(value) : null) ?? formatNumberFr(value, 3, true)

/** Why a typed property cannot be, in words; null when it can. */
export function propertyIssue(name: keyof typeof SOIL_LIMITS, value: number | null): string | null {
  const [least, most] = SOIL_LIMITS[name]
  if (value !== null && value >= least && value <= most) return null
  return `de ${formatNumberFr(least, 3, true)} à ${formatNumberFr(most, 3, true)}`
}

/** A property as a manager types it: comma or point, also `3e-6`; null when it is no number from 0 up. */
export function parseProperty(text: string): number | null {
  const trimmed = text.replace(/\s/g, '').replace(',', '.').replace('−', '-')
  const value = Number(trimmed)
  return trimmed !== '' && Number.isFinite(value) && value >= 0 ? value : null
}
