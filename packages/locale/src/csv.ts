/**
 * A field of a CSV file, in quotes where it must be. A text that a spreadsheet would take for a formula (it begins
 * with =, +, -, @, a tab or a carriage return) gets an apostrophe before it; numbers stay numbers.
 */
export function csvField(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  // A number that was written as text is one.
  const formula = /^[=+\-@\t\r]/.test(value) && !/^[+-]?\d+([.,]\d+)?(e[+-]?\d+)?$/i.test(value)
  const text = formula ? `'${value}` : value
  return /[",;\n\r\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Lines of fields, each ended. @param separator between fields */
export const csvText = (
  rows: readonly (readonly (string | number | null | undefined)[])[],
  separator: ',' | ';' = ',',
): string => rows.map((row) => `${row.map(csvField).join(separator)}\n`).join('')

/** How CSV files are written for a reader: semicolons and decimal commas, or commas and decimal points. */
export type CsvDialect = 'semicolon' | 'comma'

/** The first line of a file says how the rest is written. */
const DIALECT_HEAD = {
  semicolon: '# CSV : champs séparés par des points-virgules, virgule décimale',
  comma: '# CSV : champs séparés par des virgules, point décimal',
} as const

/** Columns of names, which may look like numbers and are none. */
const NAME_COLUMN = /(^|_)(id|name|node|link|junction|subcatchment|point|boundary|file)$/
const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i

/**
 * A file that `csvText` wrote with commas, as a reader wants it: the dialect is said in the first line; lines of
 * comment (#) stay; numbers get the decimal mark of the dialect in columns that hold nothing else.
 */
export function csvFile(text: string, dialect: CsvDialect): string {
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
