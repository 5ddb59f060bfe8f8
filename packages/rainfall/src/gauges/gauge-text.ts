import { FormatError } from '@radx/contracts/errors'
import { type DelimitedRow, plainHeading, readDelimited, readNumber } from '../storms/delimited.ts'

/** What the values of a gauge table are: depths since the reading before, rates, or totals that only grow. */
export type GaugeUnit = 'mm' | 'mm/h' | 'total'

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

const HEADINGS: Record<keyof Columns, RegExp> = {
  time: /^(time|date( ?time)?|timestamp|datetime|heure|horodatage|instant|date (et )?heure|valid time|time utc|date utc|temps)( utc)?$/,
  clock: /^(heure|hour|time|hh ?mm)( utc)?$/,
  id: /^(station ?id|station|id|gauge|gauge ?id|code|pluviometre|poste|num(ero)? ?poste|identifiant|location|name|nom|station name)$/,
  lng: /^(lon|long|longitude|lng)$/,
  lat: /^(lat|latitude)$/,
  x: /^x( m| km)?$/,
  y: /^y( m| km)?$/,
  value:
    /^(mm|mm\/h|mm h|rr\d*|rain(fall)?( amount| depth| rate| mm| mm h| mm\/h)?|precip(itation)?( mm| mm\/h)?|amount( mm)?|depth( mm)?|value|valeur|pluie( mm| mm\/h)?|cumul( mm)?|hauteur( mm)?|intensite( mm\/h| mm h)?|lame( d eau)?( mm)?|total( mm)?)$/,
}

interface Columns {
  time: number | null
  clock: number | null
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
 * @param unit of the values; the heading's `mm/h` otherwise, else depths in mm
 * @throws FormatError `gauges.*` with file and line
 */
export function readGaugeTable(text: string, file: string, { unit }: { unit?: GaugeUnit } = {}): GaugeTable {
  // Names that lost their accents on the way are names all the same.
  const { rows } = readDelimited(text.replaceAll('\ufffd', '?'), file)
  const at: Refuse = (line, code, message) => {
    throw new FormatError(`gauges.${code}`, `${file}, ligne ${line} : ${message}`, {
      details: { file, line },
    })
  }
  if (rows.length < 2) at(1, 'empty', 'il faut un en-tête et au moins une mesure.')
  const [head, ...body] = rows
  const columns = columnsOf(head, at)
  const remarksFr: string[] = []
  const found = unit ?? (/mm ?\/? ?h$/.test(plainHeading(head.cells[columns.value!])) ? 'mm/h' : 'mm')
  const gauges = new Map<string, Reading[]>()
  for (const row of body) {
    const reading = readingOf(row, columns, found, at)
    const list = gauges.get(reading.id)
    if (list) list.push(reading)
    else gauges.set(reading.id, [reading])
  }
  const series = [...gauges].map(([id, readings]) => seriesOf(id, readings, found, remarksFr, at))
  return { gauges: series, remarksFr }
}

interface Reading {
  id: string
  line: number
  timeMs: number
  value: number
  lng: number
  lat: number
  x: number
  y: number
}

function columnsOf({ cells, line }: DelimitedRow, at: Refuse): Columns {
  const names = cells.map(plainHeading)
  const find = (key: keyof Columns, not: number | null = null): number | null => {
    const index = names.findIndex((name, i) => i !== not && HEADINGS[key].test(name))
    return index < 0 ? null : index
  }
  const time = find('time')
  const columns: Columns = {
    time,
    clock: time !== null && /^date( utc)?$/.test(names[time]) ? find('clock', time) : null,
    id: find('id'),
    lng: find('lng'),
    lat: find('lat'),
    x: find('x'),
    y: find('y'),
    value: find('value'),
  }
  const said = `L’en-tête lu : ${cells.join(' | ').slice(0, 200)}.`
  if (columns.time === null) at(line, 'header', `aucune colonne de temps (time, date, heure). ${said}`)
  if (columns.value === null)
    at(line, 'header', `aucune colonne de pluie (mm, mm/h, pluie, rainfall). ${said}`)
  if ((columns.lng === null || columns.lat === null) && (columns.x === null || columns.y === null))
    at(line, 'header', `aucune position (longitude et latitude, ou x et y). ${said}`)
  return columns
}

function readingOf({ cells, line }: DelimitedRow, columns: Columns, unit: GaugeUnit, at: Refuse): Reading {
  const cell = (index: number | null): string => (index === null ? '' : (cells[index] ?? ''))
  const place = (index: number | null): number => (index === null ? Number.NaN : readNumber(cell(index)))
  const written = [cell(columns.time), cell(columns.clock)].join(' ').trim()
  const timeMs = instantOf(written)
  if (Number.isNaN(timeMs))
    at(
      line,
      'time',
      `« ${written.slice(0, 40)} » n’est pas une date lisible : AAAA-MM-JJ HH:MM ou JJ/MM/AAAA HH:MM.`,
    )
  const [lng, lat, x, y] = [place(columns.lng), place(columns.lat), place(columns.x), place(columns.y)]
  const placed = (Math.abs(lat) <= 90 && Math.abs(lng) <= 360) || (Number.isFinite(x) && Number.isFinite(y))
  if (!placed) at(line, 'place', 'la position manque ou n’est pas un nombre.')
  const id = cell(columns.id) || (Number.isNaN(lng) ? `${x} ${y}` : `${lng} ${lat}`)
  return { id, line, timeMs, value: amountOf(cell(columns.value), line, unit, at), lng, lat, x, y }
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

/** ms UTC of a date as people and programs write it; NaN for anything else. */
function instantOf(text: string): number {
  const parts =
    /^(?:(\d{4})[-/](\d\d?)[-/](\d\d?)|(\d\d?)[/.](\d\d?)[/.](\d{4}))(?:[T ]+(\d\d?)[:h](\d\d)(?::(\d\d)(?:\.\d+)?)?)?\s*(Z|UTC|[+-]\d\d:?\d\d)?$/i.exec(
      text,
    )
  if (!parts) return Number.NaN
  const [, y1, m1, d1, d2, m2, y2, hour = '0', minute = '0', second = '0', zone = 'Z'] = parts
  const [year, month, day] = y1 ? [+y1, +m1, +d1] : [+y2, +m2, +d2]
  const ms = Date.UTC(year, month - 1, day, +hour, +minute, +second)
  const real = new Date(ms)
  const fits = real.getUTCMonth() === month - 1 && real.getUTCDate() === day && +hour < 24 && +minute < 60
  if (!fits) return Number.NaN
  const offset = /^([+-])(\d\d):?(\d\d)$/.exec(zone)
  return offset ? ms - (offset[1] === '+' ? 1 : -1) * (+offset[2] * 60 + +offset[3]) * 60_000 : ms
}

function seriesOf(
  id: string,
  readings: Reading[],
  unit: GaugeUnit,
  remarksFr: string[],
  at: Refuse,
): GaugeSeries {
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
  if (readings.some(({ timeMs }, i) => i > 0 && timeMs < readings[i - 1].timeMs))
    remarksFr.push(`${id} : mesures remises dans l’ordre du temps.`)
  const sorted = readings.toSorted((a, b) => a.timeMs - b.timeMs)
  const kept = sorted.filter((reading, i) => {
    const before = sorted[i - 1]
    if (before?.timeMs !== reading.timeMs) return true
    if (before.value !== reading.value && !(Number.isNaN(before.value) && Number.isNaN(reading.value)))
      at(
        reading.line,
        'twice',
        `le pluviomètre ${id} a deux valeurs pour le même instant (ligne ${before.line} : ${before.value}, ici ${reading.value}).`,
      )
    return false
  })
  const twice = sorted.length - kept.length
  if (twice > 0)
    remarksFr.push(
      `${id} : ${twice > 1 ? `${twice} mesures en double, comptées` : 'une mesure en double, comptée'} une fois.`,
    )
  const lng = first.lng
  return {
    id,
    place: Number.isNaN(lng) || Number.isNaN(first.lat) ? null : { lng, lat: first.lat },
    plane: Number.isNaN(first.x) || Number.isNaN(first.y) ? null : { x: first.x, y: first.y },
    timesMs: kept.map(({ timeMs }) => timeMs),
    values: unit === 'total' ? risesOf(id, kept, remarksFr) : kept.map(({ value }) => value),
    unit: unit === 'mm/h' ? 'mm/h' : 'mm',
  }
}

/** Depths between totals; a total that falls back was set to zero, and what fell meanwhile is not known. */
function risesOf(id: string, readings: readonly Reading[], remarksFr: string[]): number[] {
  let falls = 0
  const out = readings.map(({ value }, i) => {
    if (i === 0) return Number.NaN
    const rise = value - readings[i - 1].value
    if (rise < 0) falls++
    return rise >= 0 ? rise : Number.NaN
  })
  if (falls > 0)
    remarksFr.push(`${id} : le cumul recule ${falls} fois ; ces intervalles comptent comme manquants.`)
  return out
}
