import { formatNumberFr } from '@radx/locale/format-fr'

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** A very small or large number as a power of ten, as the page writes it: `4,31·10⁻¹¹`. */
export function powerFr(value: number): string {
  if (value === 0) return '0'
  const [factor, exponent] = value.toExponential(2).split('e').map(Number)
  const raised = [...String(Math.abs(exponent))].map((digit) => RAISED[Number(digit)]).join('')
  return `${formatNumberFr(factor, 2, true)}·10${exponent < 0 ? '⁻' : ''}${raised}`
}
