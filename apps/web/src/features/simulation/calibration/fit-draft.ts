import type { CalibrationBody, CalibrationParameter } from '@radx/contracts/calibration'
import {
  CALIBRATED_LIMITS,
  CALIBRATION_LIMITS,
  type Calibrated,
  type CalibrationObjective,
  parameterKey,
} from '@radx/contracts/calibration-constants'

export type EventUse = 'calibration' | 'validation'

/** A parameter as its fields have it. */
export interface ParameterDraft {
  kind: Calibrated
  /** Null for all classes, or where there are none. */
  code: number | null
  min: string
  max: string
  scale: 'linear' | 'log'
}

export interface FitDraft {
  name: string
  /** What finished runs are for; those that are not named are for nothing. */
  events: Readonly<Record<string, EventUse>>
  /** Series that were taken out: those that come later count. */
  without: readonly string[]
  parameters: readonly ParameterDraft[]
  objective: CalibrationObjective
  runs: number | string
  seed: number | string
}

export const FIRST_DRAFT: FitDraft = {
  name: '',
  events: {},
  without: [],
  parameters: [],
  objective: 'nse',
  runs: 200,
  seed: 1,
}

/** A land-use class as far as bounds hang on it. */
export interface FittedClass {
  code: number
  title: string
  nmanningov: number
  kh: number
}

/** Bounds of a factor on a conductivity, or on its value, go this far each way: it is known to an order of magnitude. */
const KH_TIMES = 5
const ROUGHNESS_TIMES = 3
const FACTOR_TIMES = 2

/** Bounds to begin with, about what the catchment has. */
export function firstBounds(
  kind: Calibrated,
  entry: FittedClass | undefined,
): Pick<ParameterDraft, 'min' | 'max' | 'scale'> {
  const about = (value: number, times: number, scale: ParameterDraft['scale']) => {
    const { min, max } = entry ? CALIBRATED_LIMITS[kind] : { min: 0, max: Number.POSITIVE_INFINITY }
    const least = Math.max(min, value / times)
    return { min: boundText(least), max: boundText(Math.min(max, value * times)), scale }
  }
  switch (kind) {
    case 'roughness':
      return entry ? about(entry.nmanningov, ROUGHNESS_TIMES, 'linear') : about(1, FACTOR_TIMES, 'linear')
    case 'kh':
      return entry && entry.kh > 0 ? about(entry.kh, KH_TIMES, 'log') : about(1, KH_TIMES, 'log')
    case 'imperviousness':
      return { min: '0', max: '0,8', scale: 'linear' }
    case 'gullyEfficiency':
      return { min: '0,2', max: '1', scale: 'linear' }
    case 'sewerRoughness':
      return about(1, FACTOR_TIMES, 'linear')
  }
}

const DIGITS = 3
const boundText = (value: number): string =>
  (value !== 0 && value < 1e-3
    ? value.toExponential(DIGITS - 1)
    : String(Number(value.toPrecision(DIGITS)))
  ).replace('.', ',')

/** A bound as it is typed: comma or point, also with a power of ten; null for none. */
export function boundOf(text: string): number | null {
  const plain = text.trim().replace(',', '.')
  return /^\d+(\.\d*)?(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : null
}

function parameterOf({ kind, code, min, max, scale }: ParameterDraft): CalibrationParameter | null {
  const [least, most] = [boundOf(min), boundOf(max)]
  if (least === null || most === null || least >= most) return null
  return { kind, ...(code !== null && { code }), min: least, max: most, scale }
}

export type Missing = 'name' | 'event' | 'series' | 'parameter' | 'bounds' | 'twice' | 'runs'

/** What a draft asks for, or what it lacks. @param series ids that there are */
export function bodyOf(
  draft: FitDraft,
  catchmentId: string,
  series: readonly string[],
): { body: CalibrationBody } | { missing: Missing[] } {
  const events = Object.entries(draft.events).map(([jobId, use]) => ({ jobId, use }))
  const observations = series.filter((id) => !draft.without.includes(id))
  const parameters = draft.parameters.map(parameterOf).filter((one) => one !== null)
  const keys = parameters.map(parameterKey)
  const [runs, seed] = [Number(draft.runs), Number(draft.seed)]
  const { min, max } = CALIBRATION_LIMITS.runs
  const lacks: [Missing, boolean][] = [
    ['name', draft.name.trim() === ''],
    ['event', !events.some(({ use }) => use === 'calibration')],
    ['series', observations.length === 0],
    ['parameter', draft.parameters.length === 0],
    ['bounds', parameters.length < draft.parameters.length],
    ['twice', new Set(keys).size < keys.length],
    ['runs', !(Number.isInteger(runs) && runs >= min && runs <= max)],
  ]
  const missing = lacks.filter(([, is]) => is).map(([what]) => what)
  if (missing.length > 0) return { missing }
  const { objective, name } = draft
  return { body: { name: name.trim(), catchmentId, events, observations, parameters, objective, runs, seed } }
}
