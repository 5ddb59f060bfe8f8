import type { SweepRay } from '@radx/contracts/radar-volumes'
import type { SweepStage } from '@radx/contracts/sweep-bundle'
import type { sweepTexts } from '../../texts/sweep.ts'

export type Family = keyof (typeof sweepTexts)['scope']['families']
type Line = SweepRay['fields'][number]

/** Quantities that are shares from 0 to 1. */
const SHARES = new Set(['RHOHV', 'SQIH', 'CLUTTER', 'QUALITY', 'BLOCKAGE'])

/** With which others a field is drawn; null for what no curve tells. */
export function familyOf({ name, unit }: Pick<Line, 'name' | 'unit'>): Family | null {
  if (unit === 'dBZ') return 'reflectivity'
  if (name === 'ZDR' || name === 'ZDR_CORRECTED') return 'zdr'
  if (name === 'PHIDP') return 'phase'
  if (name === 'KDP') return 'kdp'
  if (name === 'PIA') return 'attenuation'
  if (unit === 'mm h-1') return 'rain'
  if (/^[VW]RAD/.test(name)) return 'velocity'
  return SHARES.has(name) ? 'share' : null
}

/** Steps on the way that are drawn on demand: what comes of them is drawn. */
const ON_DEMAND: ReadonlySet<SweepStage> = new Set(['rain_echo', 'zphi_fixed'])
export const isShownFirst = ({ stage, name }: Pick<Line, 'stage' | 'name'>): boolean =>
  !ON_DEMAND.has(stage) && name !== 'TH' && name !== 'DBZH_GROUND'

export const keyOf = ({ stage, name }: Pick<Line, 'stage' | 'name'>): string => `${stage} ${name}`

/** Families of a ray in the order of their first fields. */
export function familiesOf(fields: readonly Line[]): Family[] {
  return [...new Set(fields.map(familyOf).filter((family) => family !== null))]
}

const TICKS_KM = [1, 2, 5, 10, 20, 50, 100]

/** Round kilometres from 0 to a distance, some eight of them. */
export function ticksWithin(endM: number): number[] {
  const step = TICKS_KM.find((km) => endM / 1000 / km <= 8) ?? 200
  return Array.from({ length: Math.floor(endM / 1000 / step) + 1 }, (_, k) => k * step)
}

/** Round steps of an axis. */
const STEPS = [1, 2, 2.5, 5, 10]

/** Round ends and ticks of an axis that holds values; about five ticks. */
export function axisOf(low: number, high: number): { low: number; high: number; ticks: number[] } {
  const span = high > low ? high - low : 1
  const power = 10 ** Math.floor(Math.log10(span / 4))
  const step = power * (STEPS.find((one) => one * power * 5 >= span) ?? 10)
  const from = Math.floor(low / step)
  const to = Math.max(from + 1, Math.ceil(high / step))
  return {
    low: from * step,
    high: to * step,
    ticks: Array.from({ length: to - from + 1 }, (_, k) => (from + k) * step),
  }
}

/** Least and largest of all values; null without any. */
export function endsOf(lines: readonly Pick<Line, 'values'>[]): [number, number] | null {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const { values } of lines)
    for (const value of values) {
      if (value === null) continue
      if (value < low) low = value
      if (value > high) high = value
    }
  return low <= high ? [low, high] : null
}

/** A curve as an SVG path, broken where nothing is; a value alone gets a short dash. */
export function pathOf(
  values: readonly (number | null)[],
  x: (bin: number) => number,
  y: (value: number) => number,
): string {
  const parts: string[] = []
  values.forEach((value, bin) => {
    if (value === null) return
    const isFirst = bin === 0 || values[bin - 1] === null
    const at = `${x(bin).toFixed(1)} ${y(value).toFixed(1)}`
    parts.push(isFirst ? `M${at}h0.5` : `L${at}`)
  })
  return parts.join('')
}

/** The gate of a distance, null where the ray has none there. */
export function valueAt(
  { rangeStartM, rangeStepM }: Pick<SweepRay, 'rangeStartM' | 'rangeStepM'>,
  values: readonly (number | null)[],
  rangeM: number,
): number | null {
  return values[Math.floor((rangeM - rangeStartM) / rangeStepM)] ?? null
}
