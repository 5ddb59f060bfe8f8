import type { InpUnits } from '@radx/formats/inp/units'

/** A number as C's `%w.df`. */
export const fixed = (value: number, width: number, digits: number): string =>
  (Number.isFinite(value) ? value : 0).toFixed(digits).padStart(width)

/** A number as C's `%w.3g`. */
export function general(value: number, width: number): string {
  if (value === 0 || !Number.isFinite(value)) return '0'.padStart(width)
  const exponent = Math.floor(Math.log10(Math.abs(Number(value.toPrecision(3)))))
  if (exponent >= -4 && exponent < 3)
    return String(Number(value.toFixed(Math.max(0, 2 - exponent)))).padStart(width)
  const [mantissa, power] = value.toExponential(2).split('e')
  const digits = power.slice(1).padStart(2, '0')
  return `${Number(mantissa)}e${power[0]}${digits}`.padStart(width)
}

export const text = (value: string, width: number): string => value.padEnd(width)

/** Days, hours and minutes since the start, as `days hr:min` stands in EPA SWMM's tables. */
export function elapsed(timeS: number): string {
  const minutes = Math.floor(timeS / 60 + 1e-6)
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${String(Math.floor(minutes / 1440)).padStart(4)}  ${pad(Math.floor(minutes / 60) % 24)}:${pad(minutes % 60)}`
}

/** How EPA SWMM's report writes things in the file's units. */
export function reportUnits(units: InpUnits) {
  const { us, flow, flowFactor, length, volume } = units
  const cubicFoot = 0.3048 ** 3
  const digits = flow === 'MGD' || flow === 'CMS' ? 3 : 2
  return {
    us,
    flowName: flow.padStart(3),
    /** Flow, 9 wide. */
    flow: (m3s: number) => fixed(m3s / flowFactor, 9, digits),
    length: (m: number) => m / length,
    /** 10^6 gallons (as 7.48 a cubic foot) or 10^6 litres. */
    bulk: (m3: number) => (us ? (m3 / cubicFoot) * 7.48e-6 : (m3 / cubicFoot) * 28.317e-6),
    bulkName: us ? '10^6 gal' : '10^6 ltr',
    /** Acre-feet or hectare-metres. */
    large: (m3: number) => (us ? m3 / cubicFoot / 43_560 : m3 / 10_000),
    largeName: us ? 'acre-feet' : 'hectare-m',
    /** Thousands of cubic feet or metres. */
    thousands: (m3: number) => m3 / volume / 1000,
    rain: (m: number) => m / (us ? 0.0254 : 0.001),
    rainName: us ? 'in' : 'mm',
    cubic: us ? '1000 ft³' : ' 1000 m³',
    feet: us ? 'Feet' : 'Meters',
    speed: us ? 'ft/sec' : ' m/sec',
  }
}
export type ReportUnits = ReturnType<typeof reportUnits>

/** Title of a section, between lines of stars as in EPA SWMM. */
export function heading(title: string, stars = title.length): string[] {
  const line = '*'.repeat(stars)
  return ['', line, title, line]
}

/** A table: its rows indented as EPA SWMM's, its heads between dashes. */
export function table(dashes: number, heads: string[], rows: string[]): string[] {
  const line = '-'.repeat(dashes)
  return ['', line, ...heads, line, ...rows, '']
}
