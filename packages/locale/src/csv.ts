export type CsvCell = string | number | null | undefined

/**
 * A field of a CSV file, in quotes where it must be. A text that a spreadsheet would take for a formula (it begins
 * with =, +, -, @, a tab or a carriage return) gets an apostrophe before it; numbers stay numbers.
 */
export function csvField(value: CsvCell): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  // A number that was written as text is one.
  const formula = /^[=+\-@\t\r]/.test(value) && !/^[+-]?\d+([.,]\d+)?(e[+-]?\d+)?$/i.test(value)
  const text = formula ? `'${value}` : value
  return /[",;\n\r\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

type CsvRows = Iterable<readonly CsvCell[]>
type DecimalMark = '.' | ','

/** Lines of fields, each ended. @param separator between fields */
export const csvText = (rows: CsvRows, separator: ',' | ';' = ','): string => csvLines(rows, separator, '.')

function csvLines(rows: CsvRows, separator: ',' | ';', mark: DecimalMark): string {
  const lines: string[] = []
  for (const row of rows) {
    const fields: string[] = []
    for (const cell of row) fields.push(typeof cell === 'number' ? decimal(cell, mark) : csvField(cell))
    lines.push(fields.join(separator))
  }
  lines.push('')
  return lines.join('\n')
}

/** What follows the whole part of a number of ten-thousandths, by the mark: made once each. */
const FRACTIONS: Record<DecimalMark, string[]> = { '.': [], ',': [] }
const PARTS = 10_000

/**
 * A number as `String` writes it, with its decimal mark. A year of frames has two million of them, most of few decimals:
 * putting these together takes less than finding the shortest digits of any.
 */
function decimal(value: number, mark: DecimalMark): string {
  const parts = Math.round(value * PARTS)
  if (!(value >= 0 && parts < 2 ** 31 && parts / PARTS === value)) return String(value).replace('.', mark)
  const whole = Math.floor(parts / PARTS)
  const rest = parts - whole * PARTS
  if (rest === 0) return String(whole)
  FRACTIONS[mark][rest] ??= mark + String(rest).padStart(4, '0').replace(/0+$/, '')
  return whole + FRACTIONS[mark][rest]
}

/** How CSV files are written for a reader: semicolons and decimal commas, or commas and decimal points. */
export type CsvDialect = 'semicolon' | 'comma'

/** A file before it is written: lines of comment, which begin with #, and rows, of which the first names the columns. */
export interface CsvTable {
  comments: readonly string[]
  rows: CsvRows
}

/** The first line of a file says how the rest is written. */
const DIALECT_HEAD = {
  semicolon: '# CSV : champs séparés par des points-virgules, virgule décimale',
  comma: '# CSV : champs séparés par des virgules, point décimal',
} as const

/** A table as a reader wants it: the dialect is said in the first line, and its numbers get the dialect's decimal mark. */
export function csvFile({ comments, rows }: CsvTable, dialect: CsvDialect): string {
  const lines = dialect === 'semicolon' ? csvLines(rows, ';', ',') : csvLines(rows, ',', '.')
  return [DIALECT_HEAD[dialect], ...comments, lines].join('\n')
}

/** Where a file comes from, as lines of comment. */
export const csvComments = (about: readonly (readonly [string, string | number])[]): string[] =>
  about.map(([name, value]) => `# ${name} : ${value}`.replace(/[\r\n]+/g, ' '))

/** Columns of names, which may look like numbers and are none. */
const NAME_COLUMN = /(^|_)(id|name|node|link|junction|subcatchment|point|boundary|file)$/
const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i

/**
 * A text that `csvText` wrote with commas, as a reader wants it: lines of comment (#) stay; numbers get the decimal mark
 * of the dialect in columns that hold nothing else.
 */
export function csvInDialect(text: string, dialect: CsvDialect): string {
  if (dialect === 'comma') return `${DIALECT_HEAD.comma}\n${text}`
  const comments: string[] = []
  const rows = csvRows(text, (comment) => comments.push(comment))
  const [head = [], ...body] = rows
  const isNumeric = head.map(
    (name, j) => !NAME_COLUMN.test(name) && body.every((row) => (row[j] ?? '') === '' || NUMBER.test(row[j])),
  )
  const written = (field: string, j: number) => (isNumeric[j] ? field.replace('.', ',') : quoted(field))
  const lines = [head.map(quoted), ...body.map((row) => row.map(written))]
  return `${[DIALECT_HEAD.semicolon, ...comments, ...lines.map((row) => row.join(';'))].join('\n')}\n`
}

const quoted = (field: string): string =>
  /[",;\n\r\t]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field

/** Fields of a CSV with commas; empty lines are left out, lines of comment are handed over. */
function csvRows(text: string, comment: (line: string) => void): string[][] {
  const rows: string[][] = []
  // Nothing is quoted in most files, and a year of frames is long to read character by character.
  if (!/["\r]/.test(text)) {
    for (const line of text.split('\n'))
      if (line.startsWith('#')) comment(line)
      else if (line !== '') rows.push(line.split(','))
    return rows
  }
  let row: string[] = []
  let field = ''
  let inQuotes = false
  const endRow = () => {
    row.push(field)
    field = ''
    if (row.length > 1 || row[0] !== '') {
      if (row[0].startsWith('#')) comment(row.join(','))
      else rows.push(row)
    }
    row = []
  }
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if (inQuotes) {
      if (c !== '"') field += c
      else if (text[i + 1] === '"') {
        field += '"'
        i++
      } else inQuotes = false
    } else if (c === '"' && field === '') inQuotes = true
    else if (c === ',') {
      row.push(field)
      field = ''
    } else if (c === '\n') endRow()
    else if (c !== '\r') field += c
  }
  if (field !== '' || row.length > 0) endRow()
  return rows
}
