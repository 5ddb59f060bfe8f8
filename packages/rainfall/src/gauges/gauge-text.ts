import { FormatError } from '@radx/contracts/errors'
import { type DelimitedRow, plainHeading, readDelimited, readNumber } from '../storms/delimited.ts'
import {
  type GaugeSeries,
  type GaugeTableOptions,
  type GaugeUnit,
  looksLikeTotals,
  type Reading,
  type Refuse,
  type Remark,
  seriesOf,
} from './gauge-series.ts'
import { readTime } from './instants.ts'
import { type RainHeading, rainHeading } from './rain-heading.ts'

export type { GaugeSeries, GaugeTableOptions, GaugeUnit } from './gauge-series.ts'

export interface GaugeTable {
  gauges: GaugeSeries[]
  /** What the table left open and how it was read, in French. */
  remarksFr: string[]
}

const MAX_STEP_MM = 500
const MAX_RATE_MM_H = 3000
/** How tables write that a value is missing. */
export const MISSING_VALUE =
  /^(|#?n\/?a|nan|nd|null|none|missing|manquante?|mq|[-–—*?]+|-9{2,4}([.,]0+)?|-99[.,]9+)$/i

const HEADINGS: Record<Exclude<keyof Columns, 'width' | 'value' | 'heading'>, RegExp> = {
  time: /^(time|date( ?time)?|date ?\/ ?heure|timestamp|datetime|heure|horodatage|instant|date (et )?heure|valid time|time utc|date utc|temps|aaaammjj[a-z]*|yyyymmdd[a-z]*)( utc)?$/,
  clock: /^(heure|hour|time|hh ?mm)( utc)?$/,
  id: /^(station ?id|station|id|gauge|gauge ?id|code|pluviometre|poste|num(ero)? ?poste|identifiant|location|name|nom|station name)$/,
  lng: /^(lon|long|longitude|lng)$/,
  lat: /^(lat|latitude)$/,
  x: /^x( m| km)?$/,
  y: /^y( m| km)?$/,
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
  heading: RainHeading
}

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
  const unit = unitOf(columns, head, options, at)
  const gauges = new Map<string, Reading[]>()
  for (const row of body) {
    const reading = readingOf(row, columns, unit, at)
    const list = gauges.get(reading.id)
    if (list) list.push(reading)
    else gauges.set(reading.id, [reading])
  }
  const remarksFr: string[] = []
  const ofGauges = new Map<string, string[]>()
  const remark = (id: string, what: string): void => {
    ofGauges.set(what, [...(ofGauges.get(what) ?? []), id])
  }
  if (options.unit === undefined && unit === 'mm' && looksLikeTotals([...gauges.values()])) {
    const written = head.cells[columns.value!]
    if (/^(cumul|total)/.test(plainHeading(written)))
      at(
        head.line,
        'unit',
        `« ${written.slice(0, 40)} » ne baisse presque jamais : donner l’unité « total » si ce sont des cumuls qui montent, « mm » si c’est la pluie de chaque mesure.`,
      )
    remarksFr.push(
      'les valeurs ne baissent presque jamais : si ce sont des cumuls qui montent, donner l’unité « total ».',
    )
  }
  const series = [...gauges].map(([id, readings]) =>
    seriesOf(id, inUtc(id, readings, options, { remark, at }), {
      ...options,
      unit,
      tipLines: columns.value === null,
      remark,
      at,
    }),
  )
  for (const [what, ids] of ofGauges) remarksFr.push(`${namesFr(ids)} : ${what}`)
  return { gauges: series, remarksFr }
}

/** More would hide what is said of them. */
const NAMED = 6

const namesFr = (ids: readonly string[]): string =>
  ids.length <= NAMED
    ? ids.join(', ')
    : `${ids.slice(0, NAMED).join(', ')} et ${ids.length - NAMED} ${ids.length - NAMED > 1 ? 'autres' : 'autre'}`

function unitOf(
  { value, heading }: Columns,
  head: DelimitedRow,
  { unit }: GaugeTableOptions,
  at: Refuse,
): GaugeUnit {
  const written = (value === null ? '' : head.cells[value]).slice(0, 40)
  if (heading === 'otherUnit')
    at(head.line, 'unit', `« ${written} » : unité non lue, rien n’est converti. Donner des mm ou des mm/h.`)
  if (heading === 'bareRate' && unit === undefined)
    at(
      head.line,
      'unit',
      `« ${written} » ne dit pas son unité : l’écrire dans l’en-tête (mm/h) ou la choisir.`,
    )
  const isOther = (heading === 'mm/h' && unit === 'mm') || (heading === 'mm' && unit === 'mm/h')
  if (isOther)
    at(head.line, 'unit', `l’en-tête dit « ${written} », la demande dit ${unit} : n’en garder qu’une.`)
  if (unit !== undefined) return unit
  return heading === 'mm/h' || heading === 'tips' ? heading : 'mm'
}

const HOUR_MS = 3_600_000

/** Clock times of one gauge, in the order of the file, as instants. @throws FormatError for an hour that the zone skips */
function inUtc(
  id: string,
  readings: Reading[],
  { zone }: GaugeTableOptions,
  { remark, at }: { remark: Remark; at: Refuse },
): Reading[] {
  const local = readings.filter(({ zoned }) => !zoned)
  if (!zone || local.length === 0) return readings
  const clocks = Float64Array.from(local, ({ timeMs }) => timeMs)
  const instants = zone.toUtcMs(clocks)
  const offsets = new Set<number>()
  local.forEach((reading, i) => {
    offsets.add(clocks[i] - instants[i])
    reading.timeMs = instants[i]
  })
  if (offsets.size > 1) {
    // What is skipped in spring falls on the hour after it.
    const after = zone.toUtcMs(clocks.map((ms) => ms + HOUR_MS))
    const skipped = local.find((_, i) => after[i] === instants[i])
    if (skipped)
      at(
        skipped.line,
        'skipped',
        `cette heure n’existe pas ce jour-là (${zone.name} passe à l’heure d’été). L’appareil garde-t-il la même heure toute l’année ? Donner alors un décalage fixe plutôt que ${zone.name}.`,
      )
    remark(
      id,
      `le fichier passe un changement d’heure ; les heures légales (${zone.name}) ont été converties en UTC, l’heure qui revient à l’automne dans l’ordre du fichier.`,
    )
  }
  return readings
}

function columnsOf({ cells, line }: DelimitedRow, at: Refuse, tipLines: boolean): Columns {
  const names = cells.map(plainHeading)
  const find = (key: keyof typeof HEADINGS, not: number | null = null): number | null => {
    const index = names.findIndex((name, i) => i !== not && HEADINGS[key].test(name))
    return index < 0 ? null : index
  }
  const time = find('time')
  const kinds = names.map(rainHeading)
  const value = kinds.findIndex((kind) => kind !== null)
  const columns: Columns = {
    time,
    clock: time !== null && /^date( utc)?$/.test(names[time]) ? find('clock', time) : null,
    width: cells.length,
    id: find('id'),
    lng: find('lng'),
    lat: find('lat'),
    x: find('x'),
    y: find('y'),
    value: value < 0 ? null : value,
    heading: kinds[value] ?? null,
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
      `« ${written.slice(0, 40)} » n’est pas une date lisible : AAAA-MM-JJ HH:MM, JJ/MM/AAAA HH:MM ou AAAAMMJJHHMN.`,
    )
  const [lng, lat, x, y] = [place(columns.lng), place(columns.lat), place(columns.x), place(columns.y)]
  const placed = (Math.abs(lat) <= 90 && Math.abs(lng) <= 360) || (Number.isFinite(x) && Number.isFinite(y))
  if (!placed) at(line, 'place', 'la position manque ou n’est pas un nombre.')
  const id = cell(columns.id) || (Number.isNaN(lng) ? `${x} ${y}` : `${lng} ${lat}`)
  const value = columns.value === null ? 1 : amountOf(cell(columns.value), line, unit, at)
  return { id, line, timeMs: time!.ms, zoned: time!.zoned, value, lng, lat, x, y }
}

function amountOf(text: string, line: number, unit: GaugeUnit, at: Refuse): number {
  if (MISSING_VALUE.test(text)) return Number.NaN
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
