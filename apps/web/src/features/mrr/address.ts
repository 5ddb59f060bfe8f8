import {
  MRR_PALETTES,
  MRR_SCALE,
  MRR_VARIABLE_UNITS,
  type MrrPalette,
  type MrrVariableName,
} from '@radx/contracts/mrr-constants'

/** What the page shows, as its address carries it. */
export interface MrrAddress {
  /** Local civil day YYYY-MM-DD. */
  day: string | null
  /** Start of the hour, UTC instant. */
  hour: string | null
  variable: MrrVariableName
  palette: MrrPalette
  /** Upper threshold of the settings, g/m3. */
  threshold: number
  /** Largest value of the explorer, g/m3; null = fitted to the hour that is looked at. */
  max: number | null
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** A control's value: one decimal, within its range; the default for anything else. */
export function scaleValue(text: string | number | null): number {
  const value = text === null || text === '' ? Number.NaN : Number(text)
  if (!Number.isFinite(value)) return MRR_SCALE.default
  return Math.round(Math.min(MRR_SCALE.max, Math.max(MRR_SCALE.min, value)) * 10) / 10
}

export function readAddress(params: URLSearchParams): MrrAddress {
  const day = params.get('jour')
  const hour = params.get('heure')
  const variable = params.get('v') as MrrVariableName | null
  const palette = params.get('palette') as MrrPalette | null
  return {
    day: day && DAY.test(day) ? day : null,
    hour: hour && !Number.isNaN(Date.parse(hour)) ? hour : null,
    variable: variable && Object.hasOwn(MRR_VARIABLE_UNITS, variable) ? variable : 'LWC',
    palette: palette && MRR_PALETTES.includes(palette) ? palette : 'turbo',
    threshold: scaleValue(params.get('seuil')),
    max: params.has('max') ? scaleValue(params.get('max')) : null,
  }
}

/** The address after a change. Selecting a day clears the hour; defaults are left out. */
export function writeAddress(before: URLSearchParams, change: Partial<MrrAddress>): URLSearchParams {
  const next = { ...readAddress(before), ...change }
  if (change.day !== undefined && change.hour === undefined) next.hour = null
  const params = new URLSearchParams(before)
  const set = (key: string, value: string | null) =>
    value === null ? params.delete(key) : params.set(key, value)
  set('jour', next.day)
  set('heure', next.hour)
  set('v', next.variable === 'LWC' ? null : next.variable)
  set('palette', next.palette === 'turbo' ? null : next.palette)
  set('seuil', next.threshold === MRR_SCALE.default ? null : String(next.threshold))
  set('max', next.max === null ? null : String(next.max))
  return params
}
