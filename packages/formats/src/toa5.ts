import type { CodeOf } from '@radx/contracts/errors'
import { FormatError } from '@radx/contracts/errors'
import { decodeText } from './decode-text.ts'
import { assertFileSize } from './limits.ts'

export { toUtcMs } from './wall-clock.ts'

/** One measured column. `processing` is Campbell's word: `Avg`, `Smp`, `Max`, `WVc`, `Tot`, or nothing. */
export interface Toa5Column {
  name: string
  unit: string
  processing: string
  /** A value a record; NaN where the logger wrote "NAN", nothing, or text. */
  values: Float64Array
}

/** A Campbell TOA5 table: four header lines, then a line a record. */
export interface Toa5Table {
  kind: 'toa5'
  station: string
  /** Data logger model, such as `CR1000X`. */
  model: string
  serialNumber: string
  operatingSystem: string
  program: string
  signature: string
  table: string
  /** Columns after TIMESTAMP, in file order, RECORD included. */
  columns: Toa5Column[]
  /**
   * Time stamp of every record as the logger's clock shows it, in ms as if that clock were UTC: TOA5 carries
   * no zone. `toUtcMs` gives the instants.
   */
  localMs: Float64Array
}

const MAX_COLUMNS = 1000
const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?$/
const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?$/
const MISSING = /^(|[-+]?nan|[-+]?inf)$/i

function refuse(code: CodeOf<'toa5'>, messageFr: string, details?: Record<string, unknown>): FormatError {
  return new FormatError(`toa5.${code}`, messageFr, { details })
}

/**
 * Fields of one line: quoted with doubled quotes inside, or plain up to the comma; undefined when a quote never closes.
 */
function fields(line: string): { text: string; quoted: boolean }[] | undefined {
  const result: { text: string; quoted: boolean }[] = []
  let at = 0
  for (;;) {
    if (line[at] === '"') {
      let text = ''
      for (;;) {
        const end = line.indexOf('"', at + 1)
        if (end < 0) return undefined
        text += line.slice(at + 1, end)
        at = end + 1
        if (line[at] !== '"') break
        text += '"'
      }
      if (at < line.length && line[at] !== ',') return undefined
      result.push({ text, quoted: true })
    } else {
      const comma = line.indexOf(',', at)
      const end = comma < 0 ? line.length : comma
      result.push({ text: line.slice(at, end).trim(), quoted: false })
      at = end
    }
    if (at >= line.length) return result
    at++
  }
}

function timestampMs(text: string): number {
  const m = TIMESTAMP.exec(text)
  if (!m) return Number.NaN
  const [year, month, day, hour, minute, second] = m.slice(1, 7).map(Number)
  const ms = Date.UTC(year, month - 1, day, hour, minute, second)
  const back = new Date(ms)
  // Date.UTC makes 1 March of 30 February, January of month 13, and 1924 of the year 24.
  const exists =
    back.getUTCFullYear() === year && back.getUTCDate() === day && hour < 24 && minute < 60 && second < 60
  return exists ? ms + Math.round(Number(`0.${m[7] ?? 0}`) * 1000) : Number.NaN
}

/**
 * Reads a Campbell TOA5 table. Records keep the order of the file. When the last line has no line end, its
 * last field may be cut short and counts as missing.
 * @throws FormatError `toa5.empty`, `.tooLarge`, `.notToa5`, `.badHeader`, `.badRecord`, `.truncated`
 */
export function readToa5(bytes: Uint8Array): Toa5Table {
  assertFileSize('toa5', bytes.length)
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 10)).toString('latin1')
  if (!/^(\u00ef\u00bb\u00bf)?"?TOA5"?,/.test(head))
    throw refuse(
      'notToa5',
      "Le fichier n'est pas une table TOA5 de Campbell. Choisissez le format TOA5 dans LoggerNet puis déposez la table de nouveau.",
    )
  const text = decodeText(bytes)
  const lines = text.split(/\r\n|\n|\r/)
  const complete = lines[lines.length - 1] === ''
  if (complete) lines.pop()
  if (lines.length < 4)
    throw refuse(
      'truncated',
      "La table TOA5 n'a pas ses quatre lignes d'en-tête. Copiez-la de nouveau depuis la centrale.",
    )
  const header = lines.slice(0, 4).map(fields)
  const [environment, names, units, processing] = header
  if (!environment || !names || !units || !processing)
    throw refuse(
      'badHeader',
      "Une ligne d'en-tête de la table TOA5 a un guillemet sans fin. Copiez-la de nouveau depuis la centrale.",
    )
  const width = names.length
  if (environment.length < 8 || width < 2 || width > MAX_COLUMNS || names[0].text !== 'TIMESTAMP')
    throw refuse(
      'badHeader',
      "L'en-tête de la table TOA5 n'a pas la forme attendue, la première colonne doit être TIMESTAMP. Vérifiez l'export de la centrale.",
      { columns: width, first: names[0].text.slice(0, 40) },
    )
  if (units.length !== width || processing.length !== width)
    throw refuse(
      'badHeader',
      "Les lignes d'en-tête de la table TOA5 n'ont pas le même nombre de colonnes. Vérifiez l'export de la centrale.",
      { names: width, units: units.length, processing: processing.length },
    )
  const count = lines.length - 4
  const localMs = new Float64Array(count)
  const columns: Toa5Column[] = names.slice(1).map((name, i) => ({
    name: name.text,
    unit: units[i + 1].text,
    processing: processing[i + 1].text,
    values: new Float64Array(count),
  }))
  for (let record = 0; record < count; record++) {
    const last = record === count - 1 && !complete
    readRecord(lines[record + 4], record, last, localMs, columns)
  }
  const [, station, model, serialNumber, operatingSystem, program, signature, table] = environment.map(
    (f) => f.text,
  )
  return {
    kind: 'toa5',
    station,
    model,
    serialNumber,
    operatingSystem,
    program,
    signature,
    table,
    columns,
    localMs,
  }
}

function readRecord(
  line: string,
  record: number,
  cut: boolean,
  localMs: Float64Array,
  columns: Toa5Column[],
): void {
  const row = fields(line)
  if (!row || row.length !== columns.length + 1)
    throw refuse(
      cut ? 'truncated' : 'badRecord',
      `La ligne ${record + 5} de la table TOA5 ${cut ? 'est coupée' : "n'a pas le bon nombre de champs"}. Copiez la table de nouveau depuis la centrale.`,
      { line: record + 5 },
    )
  localMs[record] = timestampMs(row[0].text)
  if (Number.isNaN(localMs[record]))
    throw refuse(
      'badRecord',
      `La date de la ligne ${record + 5} de la table TOA5 est illisible. Corrigez-la ou copiez la table de nouveau depuis la centrale.`,
      { line: record + 5, text: row[0].text.slice(0, 40) },
    )
  for (let c = 0; c < columns.length; c++) {
    const { text, quoted } = row[c + 1]
    const unfinished = cut && c === columns.length - 1 && !quoted
    if (MISSING.test(text) || unfinished || (quoted && !NUMBER.test(text)))
      columns[c].values[record] = Number.NaN
    else if (NUMBER.test(text)) columns[c].values[record] = Number(text)
    else
      throw refuse(
        'badRecord',
        `La ligne ${record + 5} de la table TOA5 contient « ${text.slice(0, 40)} » dans la colonne ${columns[c].name}. Copiez la table de nouveau depuis la centrale.`,
        { line: record + 5, column: columns[c].name },
      )
  }
}

const quote = (text: string): string => `"${text.replaceAll('"', '""').replace(/[\r\n]/g, ' ')}"`

/** As loggers print: 7 significant digits, whole numbers in full, "NAN" for no value. */
function printNumber(value: number): string {
  if (!Number.isFinite(value)) return '"NAN"'
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(7)))
}

function printTimestamp(ms: number): string {
  const iso = new Date(ms).toISOString()
  const milliseconds = Number(iso.slice(20, 23))
  const fraction = milliseconds === 0 ? '' : String(milliseconds / 1000).slice(1)
  return quote(`${iso.slice(0, 10)} ${iso.slice(11, 19)}${fraction}`)
}

/**
 * Writes a Campbell TOA5 table as the loggers do: CRLF, header fields quoted, "NAN" for a missing value.
 * @throws RangeError where the columns have not one value a time stamp
 */
export function writeToa5(table: Omit<Toa5Table, 'kind'>): Uint8Array {
  const { columns, localMs } = table
  for (const column of columns)
    if (column.values.length !== localMs.length)
      throw new RangeError(
        `column ${column.name} holds ${column.values.length} values for ${localMs.length} records`,
      )
  const { station, model, serialNumber, operatingSystem, program, signature } = table
  const lines = [
    ['TOA5', station, model, serialNumber, operatingSystem, program, signature, table.table]
      .map(quote)
      .join(','),
    ['TIMESTAMP', ...columns.map((c) => c.name)].map(quote).join(','),
    ['TS', ...columns.map((c) => c.unit)].map(quote).join(','),
    ['', ...columns.map((c) => c.processing)].map(quote).join(','),
  ]
  for (let i = 0; i < localMs.length; i++)
    lines.push([printTimestamp(localMs[i]), ...columns.map((c) => printNumber(c.values[i]))].join(','))
  return Buffer.from(`${lines.join('\r\n')}\r\n`)
}
