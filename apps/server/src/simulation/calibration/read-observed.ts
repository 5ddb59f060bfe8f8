import type { ObservedQuantity, ObservedUnit } from '@radx/contracts/calibration'
import { OBSERVED_UNITS } from '@radx/contracts/calibration'
import { FormatError } from '@radx/contracts/errors'
import { decodeText } from '@radx/formats/decode-text'
import { toUtcMs } from '@radx/formats/toa5'
import { MISSING_VALUE } from '@radx/rainfall/gauges/gauge-text'
import { readTime } from '@radx/rainfall/gauges/instants'
import { type DelimitedRow, plainHeading, readDelimited, readNumber } from '@radx/rainfall/storms/delimited'

/** A table of measured values over time. */
export interface ObservedTable {
  /** Instants, ms UTC, or s since the start of a run where the table counts so; ascending, each once. */
  times: Float64Array
  /** The table counts seconds since the start of the run (column `time_s`). */
  isRelative: boolean
  columns: ObservedColumn[]
  /** What the table left open and how it was read, French. */
  remarksFr: string[]
}

export interface ObservedColumn {
  name: string
  /** As the heading says it; null where it does not. */
  unit: ObservedUnit | null
  quantity: ObservedQuantity | null
  /** As written; NaN = missing. */
  values: Float64Array
  missing: number
}

/** More lines than a minute's series of a year has. */
const MAX_ROWS = 600_000
const MAX_COLUMNS = 200

const TIME =
  /^(time|date( ?time)?|date ?\/ ?heure|timestamp|datetime|heure|horodatage|instant|date (et )?heure|time utc|date utc|temps|aaaammjj[a-z]*|yyyymmdd[a-z]*)( utc)?$/
const CLOCK = /^(heure|hour|time|hh ?mm( ss)?)( utc)?$/
const SECONDS = /^(time s|temps s|seconds|secondes|t s)$/

const UNITS: [RegExp, ObservedUnit][] = [
  [/(^|[\s([_])(m3\/s|m³\/s|m3 s-1|m3s|cumecs|cms)($|[\s)\]])/i, 'm3/s'],
  [/(^|[\s([_])(m3\/h|m³\/h)($|[\s)\]])/i, 'm3/h'],
  [/(^|[\s([_])(l\/s|ls|lps)($|[\s)\]])/i, 'l/s'],
  [/(^|[\s([_])(mm)($|[\s)\]])/i, 'mm'],
  [/(^|[\s([_])(cm)($|[\s)\]])/i, 'cm'],
  [/(^|[\s([_])(m|m ?ngf|mngf|ngf)($|[\s)\]])/i, 'm'],
]

/** In SI. */
export const OBSERVED_FACTOR: Record<ObservedUnit, number> = {
  'm3/s': 1,
  'l/s': 1e-3,
  'm3/h': 1 / 3600,
  m: 1,
  cm: 0.01,
  mm: 0.001,
}

/**
 * Reads a table of measured series as spreadsheets and loggers write them: one or two columns of time, then a column a series.
 * Separators `;`, `,` or tab, decimal points or commas, empty cells and the usual words for what is missing.
 *
 * @param timeZone of clock times that say none: a name (`Europe/Paris`) or an offset (`+01:00`)
 * @throws FormatError `calibration.noData`, `table.*`, with file and line
 */
export function readObserved(bytes: Uint8Array, file: string, timeZone = 'UTC'): ObservedTable {
  const { rows } = readDelimited(decodeText(bytes), file)
  const refuse = (line: number, message: string): never => {
    throw new FormatError('calibration.noData', `${file}, ligne ${line} : ${message}`, {
      details: { file, line },
    })
  }
  if (rows.length < 2) refuse(1, 'il faut un en-tête et au moins une mesure.')
  if (rows.length > MAX_ROWS) refuse(MAX_ROWS, `plus de ${MAX_ROWS} lignes : partager la série.`)
  const [head, ...body] = rows
  const layout = layoutOf(head, refuse)
  const remarksFr: string[] = []
  const times = layout.isRelative
    ? Float64Array.from(body, (row) => secondsOf(row, layout.time, refuse))
    : instantsOf(body, layout, timeZone, remarksFr, refuse)
  const values = layout.columns.map((at) =>
    Float64Array.from(body, (row) => measuredAt(row, at, head, refuse)),
  )
  const order = inOrder(times, remarksFr)
  const columns = layout.columns.map((at, k) => {
    const own = Float64Array.from(order, (row) => values[k][row])
    const name = head.cells[at] || `colonne ${at + 1}`
    return {
      name,
      ...meantBy(name),
      values: own,
      missing: own.reduce((n, v) => n + (Number.isNaN(v) ? 1 : 0), 0),
    }
  })
  return {
    times: Float64Array.from(order, (row) => times[row]),
    isRelative: layout.isRelative,
    columns,
    remarksFr,
  }
}

type Refuse = (line: number, message: string) => never

interface Layout {
  time: number
  clock: number | null
  columns: number[]
  isRelative: boolean
}

function layoutOf({ cells, line }: DelimitedRow, refuse: Refuse): Layout {
  const names = cells.map(plainHeading)
  const seconds = names.findIndex((name) => SECONDS.test(name))
  const time = seconds >= 0 ? seconds : names.findIndex((name) => TIME.test(name))
  const said = `L’en-tête lu : ${cells.join(' | ').slice(0, 200)}.`
  if (time < 0) refuse(line, `aucune colonne de temps (date, heure, time_s). ${said}`)
  const clock =
    seconds < 0 && /^date( utc)?$/.test(names[time])
      ? names.findIndex((name, k) => k !== time && CLOCK.test(name))
      : -1
  const columns = names.flatMap((name, k) => (k === time || k === clock || name === '' ? [] : [k]))
  if (columns.length === 0)
    refuse(
      line,
      `aucune colonne de mesures. ${said} Séparer les colonnes par « ; », « , » ou une tabulation.`,
    )
  if (columns.length > MAX_COLUMNS) refuse(line, `plus de ${MAX_COLUMNS} colonnes.`)
  return { time, clock: clock < 0 ? null : clock, columns, isRelative: seconds >= 0 }
}

function secondsOf({ cells, line }: DelimitedRow, at: number, refuse: Refuse): number {
  const value = readNumber(cells[at] ?? '')
  return Number.isNaN(value)
    ? refuse(line, `« ${(cells[at] ?? '').slice(0, 40)} » n’est pas un nombre de secondes.`)
    : value
}

function instantsOf(
  body: readonly DelimitedRow[],
  { time, clock }: Layout,
  timeZone: string,
  remarksFr: string[],
  refuse: Refuse,
): Float64Array {
  const zoned: boolean[] = []
  const clocks = Float64Array.from(body, ({ cells, line }) => {
    const written = `${cells[time] ?? ''} ${clock === null ? '' : (cells[clock] ?? '')}`.trim()
    const read = readTime(written)
    if (read === null) {
      const serial = /^\d{5}([.,]\d+)?$/.test(written)
      return refuse(
        line,
        serial
          ? `« ${written} » est une date en nombre d’un tableur : donner à la colonne le format date et heure avant d’enregistrer.`
          : `« ${written.slice(0, 40)} » n’est pas une date lisible : AAAA-MM-JJ HH:MM, JJ/MM/AAAA HH:MM ou AAAAMMJJHHMN.`,
      )
    }
    zoned.push(read.zoned)
    return read.ms
  })
  const utc = inZone(clocks, timeZone)
  if (zoned.some((own) => !own)) {
    const local = zoned.flatMap((own, k) => (own ? [] : [clocks[k] - utc[k]]))
    if (new Set(local).size > 1)
      remarksFr.push(
        `la série passe un changement d’heure (${timeZone}) ; l’heure qui revient à l’automne est prise dans l’ordre du fichier. Un appareil qui garde la même heure toute l’année demande un décalage fixe (UTC, +01:00).`,
      )
  }
  return clocks.map((ms, k) => (zoned[k] ? ms : utc[k]))
}

/** @throws FormatError for a zone that there is not */
function inZone(clocks: Float64Array, timeZone: string): Float64Array {
  try {
    return toUtcMs(clocks, timeZone)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new FormatError(
      'calibration.config',
      `Fuseau horaire « ${timeZone.slice(0, 60)} » inconnu : donner UTC, Europe/Paris ou un décalage comme +01:00.`,
    )
  }
}

function measuredAt({ cells, line }: DelimitedRow, at: number, head: DelimitedRow, refuse: Refuse): number {
  if (cells.length > head.cells.length && cells.slice(head.cells.length).some((text) => text !== ''))
    refuse(
      line,
      `${cells.length} cases pour ${head.cells.length} colonnes. Des virgules décimales demandent « ; » ou une tabulation entre les colonnes.`,
    )
  const text = cells[at] ?? ''
  if (MISSING_VALUE.test(text)) return Number.NaN
  const value = readNumber(text)
  return Number.isNaN(value) ? refuse(line, `« ${text.slice(0, 40)} » n’est pas un nombre.`) : value
}

/** Rows in the order of time; of those at one instant the last. */
function inOrder(times: Float64Array, remarksFr: string[]): number[] {
  const order = Array.from(times, (_, k) => k).sort((a, b) => times[a] - times[b] || a - b)
  const once = order.filter((row, k) => k === order.length - 1 || times[order[k + 1]] !== times[row])
  const twice = order.length - once.length
  if (twice > 0)
    remarksFr.push(
      twice === 1
        ? 'un instant vient deux fois : sa dernière ligne est gardée.'
        : `${twice} instants viennent plusieurs fois : leur dernière ligne est gardée.`,
    )
  return once
}

function meantBy(name: string): Pick<ObservedColumn, 'unit' | 'quantity'> {
  const unit = UNITS.find(([pattern]) => pattern.test(name))?.[1] ?? null
  const plain = plainHeading(name)
  const isFlow = /\b(debit|flow|q)\b/.test(plain) || unit?.includes('/') === true
  const isLevel = /\b(niveau|cote|level|ngf|altitude)\b/.test(plain)
  const isDepth = /\b(hauteur|depth|h|tirant|profondeur)\b/.test(plain)
  return { unit, quantity: isFlow ? 'flow' : isLevel ? 'level' : isDepth ? 'depth' : null }
}

/** @throws FormatError for a unit of another quantity */
export function checkUnit(unit: ObservedUnit, quantity: ObservedQuantity): void {
  const known: readonly string[] = OBSERVED_UNITS[quantity]
  if (!known.includes(unit))
    throw new FormatError(
      'calibration.config',
      `${unit} n’est pas l’unité ${quantity === 'flow' ? 'd’un débit' : 'd’une hauteur'} : ${known.join(', ')}.`,
    )
}
