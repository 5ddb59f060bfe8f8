import type { CodeOf } from '@radx/contracts/errors'
import { risesOf as risesBetween } from './bins.ts'

/** What the values of a table are: depths since the reading before, rates, totals that only grow, or tips. */
export type GaugeUnit = 'mm' | 'mm/h' | 'total' | 'tips'

export interface GaugeTableOptions {
  /** Of the values; the heading's `mm/h` or tips otherwise, else depths in mm. */
  unit?: GaugeUnit
  /** Depth of a tip, mm. @default 0.2 */
  tipMm?: number
  /** Zone of times that say none, and its instants of clock times in the order of the file. UTC otherwise. */
  zone?: { name: string; toUtcMs(clockMs: Float64Array): Float64Array }
}

/** One gauge with its readings in the order of time. */
export interface GaugeSeries {
  id: string
  /** Degrees; null where the table gives plane coordinates. */
  place: { lng: number; lat: number } | null
  /** As the table has them; null where it gives degrees only. */
  plane: { x: number; y: number } | null
  /** End of each reading's interval (moment of a rate), ms UTC, rising. */
  timesMs: number[]
  /** mm or mm/h as `unit`; NaN = missing. */
  values: number[]
  unit: 'mm' | 'mm/h'
}

export interface Reading {
  id: string
  line: number
  timeMs: number
  /** The table says the offset of its time. */
  zoned: boolean
  value: number
  lng: number
  lat: number
  x: number
  y: number
}

export type Refuse = (line: number, code: CodeOf<'gauges'>, message: string) => never

/** Notes what was put right in the readings of a gauge, in French. */
export type Remark = (id: string, what: string) => void

/** A gauge that stands this far from where it stood is another one, or a slip. */
const MAX_MOVE_DEGREES = 0.01
/** Readings from which values that never fall are hardly depths. */
const TOTALS_FROM = 6

/** Falls of totals are resets, and rare; those of depths come as often as rises. */
const RISES_A_FALL = 5

/** Whether the values of every gauge grow and hardly ever fall, as those of totals do, and do so over many readings. */
export function looksLikeTotals(gauges: readonly Reading[][]): boolean {
  return gauges.every((readings) => {
    const sorted = readings.toSorted((a, b) => a.timeMs - b.timeMs).map(({ value }) => value)
    const known = sorted.filter((value) => !Number.isNaN(value))
    const rises = known.filter((value, i) => i > 0 && value > known[i - 1]).length
    const falls = known.filter((value, i) => i > 0 && value < known[i - 1]).length
    return known.length >= TOTALS_FROM && rises >= 3 && rises >= RISES_A_FALL * falls
  })
}

interface SeriesContext extends GaugeTableOptions {
  unit: GaugeUnit
  /** Each line is a tip. */
  tipLines: boolean
  remark: Remark
  at: Refuse
}

/** @throws FormatError where a gauge moves */
function holdPlace(id: string, readings: readonly Reading[], at: Refuse): void {
  const [first] = readings
  for (const { line, lng, lat, x, y } of readings) {
    const far = Number.isNaN(lng)
      ? Math.hypot(x - first.x, y - first.y) > Math.max(1, Math.abs(first.x) * 1e-3)
      : Math.hypot(lng - first.lng, lat - first.lat) > MAX_MOVE_DEGREES
    if (far)
      at(
        line,
        'moved',
        `le pluviomètre ${id} a changé de place depuis la ligne ${first.line} : lui donner un autre nom.`,
      )
  }
}

/** Readings of one gauge in the order of time, as depths or rates. @throws FormatError where two say otherwise, or it moves */
export function seriesOf(id: string, readings: Reading[], context: SeriesContext): GaugeSeries {
  const { unit, tipMm = 0.2, remark, at } = context
  const [first] = readings
  holdPlace(id, readings, at)
  if (readings.some(({ timeMs }, i) => i > 0 && timeMs < readings[i - 1].timeMs))
    remark(id, 'mesures remises dans l’ordre du temps.')
  const sorted = readings.toSorted((a, b) => a.timeMs - b.timeMs)
  const kept = context.tipLines ? minutesOf(sorted) : once(id, sorted, context)
  const lng = first.lng
  return {
    id,
    place: Number.isNaN(lng) || Number.isNaN(first.lat) ? null : { lng, lat: first.lat },
    plane: Number.isNaN(first.x) || Number.isNaN(first.y) ? null : { x: first.x, y: first.y },
    timesMs: kept.map(({ timeMs }) => timeMs),
    values:
      unit === 'total'
        ? risesOf(id, kept, remark)
        : kept.map(({ value }) => (unit === 'tips' ? value * tipMm : value)),
    unit: unit === 'mm/h' ? 'mm/h' : 'mm',
  }
}

const valueFr = (value: number): string =>
  Number.isNaN(value) ? 'manquante' : String(value).replace('.', ',')

/** Readings without those that are there twice. */
function once(id: string, sorted: Reading[], { zone, remark, at }: SeriesContext): Reading[] {
  const kept = sorted.filter((reading, i) => {
    const before = sorted[i - 1]
    if (before?.timeMs !== reading.timeMs) return true
    if (before.value !== reading.value && !(Number.isNaN(before.value) && Number.isNaN(reading.value)))
      at(
        reading.line,
        'twice',
        `le pluviomètre ${id} a deux valeurs pour le même instant (ligne ${before.line} : ${valueFr(before.value)}, ici ${valueFr(reading.value)}).${
          zone && zone.name !== 'UTC'
            ? ` L’appareil garde-t-il la même heure toute l’année ? Donner alors un décalage fixe plutôt que ${zone.name}.`
            : ' Au changement d’heure d’automne, donner le fuseau horaire du fichier.'
        }`,
      )
    return false
  })
  const twice = sorted.length - kept.length
  if (twice > 0)
    remark(
      id,
      `${twice > 1 ? `${twice} mesures en double, comptées` : 'une mesure en double, comptée'} une fois.`,
    )
  return kept
}

/** Single tips as depths a minute, zero between the first and the last. */
function minutesOf(sorted: Reading[]): Reading[] {
  const { timesMs, mm } = tipMinutes(
    sorted.map(({ timeMs }) => timeMs),
    1,
  )
  return Array.from(timesMs, (timeMs, i) => ({ ...sorted[0], timeMs, value: mm[i] }))
}

const MINUTE_MS = 60_000
/** Minutes of a year and a bit; what is longer stays as tips alone. */
const MOST_MINUTES = 600_000

/** Times of single tips, in any order, as depths of the minutes from the first to the last, zero between them. */
export function tipMinutes(
  tipsMs: ArrayLike<number>,
  tipMm: number,
): { timesMs: Float64Array; mm: Float64Array } {
  if (tipsMs.length === 0) return { timesMs: new Float64Array(0), mm: new Float64Array(0) }
  const minutes = Array.from(tipsMs, (ms) => Math.ceil(ms / MINUTE_MS))
  const first = minutes.reduce((a, b) => Math.min(a, b))
  const last = minutes.reduce((a, b) => Math.max(a, b))
  const all = last - first < MOST_MINUTES
  const kept = all
    ? Array.from({ length: last - first + 1 }, (_, k) => first + k)
    : [...new Set(minutes)].sort((a, b) => a - b)
  const at = new Map(kept.map((minute, i) => [minute, i]))
  const mm = new Float64Array(kept.length)
  for (const minute of minutes) mm[at.get(minute)!] += tipMm
  return { timesMs: Float64Array.from(kept, (minute) => minute * MINUTE_MS), mm }
}

/** Depths between totals; a total that falls back was set to zero, and what fell meanwhile is not known. */
function risesOf(id: string, readings: readonly Reading[], remark: Remark): number[] {
  const values = readings.map(({ value }) => value)
  const falls = values.filter((value, i) => i > 0 && value < values[i - 1]).length
  if (falls > 0) remark(id, `le cumul recule ${falls} fois ; ces intervalles comptent comme manquants.`)
  return [
    ...risesBetween(
      readings.map(({ timeMs }) => timeMs),
      values,
    ),
  ]
}
