import { type Power, powerOf, propertyOf } from './property.ts'

const PowerOfTen = ({ factor, exponent }: Power) => (
  <>
    {factor}·10<sup>{exponent < 0 ? `−${-exponent}` : exponent}</sup>
  </>
)

/** A soil or land property as it is read. */
export function Property({ value }: { value: number }) {
  const shown = propertyOf(value)
  return typeof shown === 'string' ? shown : <PowerOfTen {...shown} />
}

/** A very small or large number as a power of ten. */
export function PowerText({ value }: { value: number }) {
  const power = powerOf(value)
  return power === null ? '0' : <PowerOfTen {...power} />
}
