import { FormatError } from '@radx/contracts/errors'
import { type DelimitedRow, plainHeading, readDelimited, readNumber } from '../storms/delimited.ts'
import { risesOf as risesBetween } from './bins.ts'
import { readTime } from './instants.ts'

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

export interface GaugeTable {
  gauges: GaugeSeries[]
  /** What the table left open and how it was read, in French. */
  remarksFr: string[]
}

const MAX_STEP_MM = 500
const MAX_RATE_MM_H = 3000
/** A gauge that stands this far from where it stood is another one, or a slip. */
const MAX_MOVE_DEGREES = 0.01
const MISSING = new Set([
  '',
  'nan',
  'na',
  'null',
  'none',
  '-',
  '-999',
  '-9999',
  '-999.0',
  '-9999.0',
  '-99',
  'mq',
])

const HEADINGS: Record<Exclude<keyof Columns, 'width'>, RegExp> = {
  time: /^(time|date( ?time)?|timestamp|datetime|heure|horodatage|instant|date (et )?heure|valid time|time utc|date utc|temps)( utc)?$/,
  clock: /^(heure|hour|time|hh ?mm)( utc)?$/,
  id: /^(station ?id|station|id|gauge|gauge ?id|code|pluviometre|poste|num(ero)? ?poste|identifiant|location|name|nom|station name)$/,
  lng: /^(lon|long|longitude|lng)$/,
  lat: /^(lat|latitude)$/,
  x: /^x( m| km)?$/,
  y: /^y( m| km)?$/,
  value:
    /^(mm|mm\/h|mm h|rr\d*|rain(fall)?( amount| depth| rate| mm| mm h| mm\/h)?|precip(itation)?( mm| mm\/h)?|amount( mm)?|depth( mm)?|value|valeur|pluie( mm| mm\/h)?|cumul( mm)?|hauteur( mm)?|intensite( mm\/h| mm h)?|lame( d eau)?( mm)?|total( mm)?|tips?|tip count|basculements?|impulsions?|augets?|counts?)$/,
}

interface Columns {
  time: number | null
  clock: number | null
  /** Cells of the heading. */
  width: number
  id: number | null
  lng: number | null
  lat: number | null
  x: number | null
  y: number | null
  value: number | null
}

type Refuse = (line: number, code: string, message: string) => never

/**
 * Reads gauges from a table with a heading: a line a reading, with its time (UTC unless it says its offset), the gauge,
 * its place in degrees or plane coordinates, and the value. Separators `;`, `,` or tab, decimal points or commas.
 * @throws FormatError `gauges.*` with file and line
 */
export function readGaugeTable(text: string, file: string, options: GaugeTableOptions = {}): GaugeTable {
  // Names that lost their accents on the way are names all the same.
  const { rows } = readDelimited(text.replaceAll('\ufffd', '?'), file)
  const at: Refuse = (line, code, message) => {
    throw new FormatError(`gauges.${code}`, `${file}, ligne ${line} : ${message}`, {
      details: { file, line },
    })
  }
  if (rows.length < 2) at(1, 'empty', 'il faut un en-tête et au moins une mesure.')
  const [head, ...body] = rows
  const columns = columnsOf(head, at, options.unit === 'tips')
  const unit = options.unit ?? unitOf(columns.value === null ? '' : plainHeading(head.cells[columns.value]))
  const gauges = new Map<string, Reading[]>()
  for (const row of body) {
    const reading = readingOf(row, columns, unit, at)
    const list = gauges.get(reading.id)
    if (list) list.push(reading)
    else gauges.set(reading.id, [reading])
  }
  const remarksFr: string[] = []
  const series = [...gauges].map(([id, readings]) =>
    seriesOf(id, inUtc(id, readings, options, remarksFr), {
      ...options,
      unit,
      tipLines: columns.value === null,
      remarksFr,
      at,
    }),
  )
  return { gauges: series, remarksFr }
}

function unitOf(heading: string): GaugeUnit {
  if (/mm ?\/? ?h$/.test(heading)) return 'mm/h'
  return /^(tip|basculement|impulsion|auget|count)/.test(heading) ? 'tips' : 'mm'
}

/** Clock times of one gauge, in the order of the file, as instants. */
function inUtc(id: string, readings: Reading[], { zone }: GaugeTableOptions, remarksFr: string[]): Reading[] {
  const local = readings.filter(({ zoned }) => !zoned)
  if (!zone || local.length === 0) return readings
  const clocks = Float64Array.from(local, ({ timeMs }) => timeMs)
  const instants = zone.toUtcMs(clocks)
  const offsets = new Set<number>()
  local.forEach((reading, i) => {
    offsets.add(clocks[i] - instants[i])
    reading.timeMs = instants[i]
  })
  if (offsets.size > 1)
    remarksFr.push(
      `${id} : le fichier passe un changement d’heure ; les heures légales (${zone.name}) ont été converties en UTC, l’heure qui revient à l’automne dans l’ordre du fichier.`,
    )
  return readings
}

interface Reading {
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

function columnsOf({ cells, line }: DelimitedRow, at: Refuse, tipLines: boolean): Columns {
  const names = cells.map(plainHeading)
  const find = (key: keyof typeof HEADINGS, not: number | null = null): number | null => {
    const index = names.findIndex((name, i) => i !== not && HEADINGS[key].test(name))
    return index < 0 ? null : index
  }
  const time = find('time')
  const columns: Columns = {
    time,
    clock: time !== null && /^date( utc)?$/.test(names[time]) ? find('clock', time) : null,
    width: cells.length,
    id: find('id'),
    lng: find('lng'),
    lat: find('lat'),
    x: find('x'),
    y: find('y'),
    value: find('value'),
  }
  const said =
    cells.length < 3
      ? `L’en-tête lu : ${cells.join(' | ').slice(0, 200)}. Les colonnes sont-elles séparées par « ; », « , » ou une tabulation ?`
      : `L’en-tête lu : ${cells.join(' | ').slice(0, 200)}.`
  if (columns.time === null) at(line, 'header', `aucune colonne de temps (time, date, heure). ${said}`)
  if (columns.value === null && !tipLines)
    at(line, 'header', `aucune colonne de pluie (mm, mm/h, pluie, rainfall). ${said}`)
  if ((columns.lng === null || columns.lat === null) && (columns.x === null || columns.y === null))
    at(line, 'header', `aucune position (longitude et latitude, ou x et y). ${said}`)
  return columns
}

function readingOf({ cells, line }: DelimitedRow, columns: Columns, unit: GaugeUnit, at: Refuse): Reading {
  const cell = (index: number | null): string => (index === null ? '' : (cells[index] ?? ''))
  const place = (index: number | null): number => (index === null ? Number.NaN : readNumber(cell(index)))
  if (cells.length > columns.width && cells.slice(columns.width).some((text) => text !== ''))
    at(
      line,
      'cells',
      `${cells.length} cases pour ${columns.width} colonnes. Des virgules décimales demandent « ; » ou une tabulation entre les colonnes.`,
    )
  if (cells.length < columns.width && cells.length <= (columns.value ?? 0))
    at(line, 'cells', `${cells.length} cases pour ${columns.width} colonnes : la ligne est-elle coupée ?`)
  const written = [cell(columns.time), cell(columns.clock)].join(' ').trim()
  const time = readTime(written)
  if (time === null)
    at(
      line,
      'time',
      `« ${written.slice(0, 40)} » n’est pas une date lisible : AAAA-MM-JJ HH:MM ou JJ/MM/AAAA HH:MM.`,
    )
  const [lng, lat, x, y] = [place(columns.lng), place(columns.lat), place(columns.x), place(columns.y)]
  const placed = (Math.abs(lat) <= 90 && Math.abs(lng) <= 360) || (Number.isFinite(x) && Number.isFinite(y))
  if (!placed) at(line, 'place', 'la position manque ou n’est pas un nombre.')
  const id = cell(columns.id) || (Number.isNaN(lng) ? `${x} ${y}` : `${lng} ${lat}`)
  const value = columns.value === null ? 1 : amountOf(cell(columns.value), line, unit, at)
  return { id, line, timeMs: time!.ms, zoned: time!.zoned, value, lng, lat, x, y }
}

function amountOf(text: string, line: number, unit: GaugeUnit, at: Refuse): number {
  if (MISSING.has(text.toLowerCase())) return Number.NaN
  const value = readNumber(text)
  if (Number.isNaN(value)) at(line, 'value', `« ${text.slice(0, 40)} » n’est pas un nombre.`)
  if (value < 0) at(line, 'negative', `${text} est négatif ; une mesure absente s’écrit vide ou -999.`)
  if (unit === 'mm' && value > MAX_STEP_MM)
    at(
      line,
      'value',
      `${text} mm en une mesure est impossible. Des cumuls qui montent se lisent avec l’unité « total ».`,
    )
  if (unit === 'mm/h' && value > MAX_RATE_MM_H) at(line, 'value', `${text} mm/h est impossible.`)
  return value
}

interface SeriesContext extends GaugeTableOptions {
  unit: GaugeUnit
  /** Each line is a tip. */
  tipLines: boolean
  remarksFr: string[]
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

function seriesOf(id: string, readings: Reading[], context: SeriesContext): GaugeSeries {
  const { unit, tipMm = 0.2, remarksFr, at } = context
  const [first] = readings
  holdPlace(id, readings, at)
  if (readings.some(({ timeMs }, i) => i > 0 && timeMs < readings[i - 1].timeMs))
    remarksFr.push(`${id} : mesures remises dans l’ordre du temps.`)
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
        ? risesOf(id, kept, remarksFr)
        : kept.map(({ value }) => (unit === 'tips' ? value * tipMm : value)),
    unit: unit === 'mm/h' ? 'mm/h' : 'mm',
  }
}

/** Readings without those that are there twice. */
function once(id: string, sorted: Reading[], { zone, remarksFr, at }: SeriesContext): Reading[] {
  const kept = sorted.filter((reading, i) => {
    const before = sorted[i - 1]
    if (before?.timeMs !== reading.timeMs) return true
    if (before.value !== reading.value && !(Number.isNaN(before.value) && Number.isNaN(reading.value)))
      at(
        reading.line,
        'twice',
        `le pluviomètre ${id} a deux valeurs pour le même instant (ligne ${before.line} : ${before.value}, ici ${reading.value}).${
          zone && zone.name !== 'UTC'
            ? ` L’appareil garde-t-il la même heure toute l’année ? Donner alors un décalage fixe plutôt que ${zone.name}.`
            : ' Au changement d’heure d’automne, donner le fuseau horaire du fichier.'
        }`,
      )
    return false
  })
  const twice = sorted.length - kept.length
  if (twice > 0)
    remarksFr.push(
      `${id} : ${twice > 1 ? `${twice} mesures en double, comptées` : 'une mesure en double, comptée'} une fois.`,
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
function risesOf(id: string, readings: readonly Reading[], remarksFr: string[]): number[] {
  const values = readings.map(({ value }) => value)
  const falls = values.filter((value, i) => i > 0 && value < values[i - 1]).length
  if (falls > 0)
    remarksFr.push(`${id} : le cumul recule ${falls} fois ; ces intervalles comptent comme manquants.`)
  return [
    ...risesBetween(
      readings.map(({ timeMs }) => timeMs),
      values,
    ),
  ]
}
