import { FormatError } from '@radx/contracts/errors'

/** A line of a table as text. */
export interface DelimitedRow {
  /** From 1, in the file. */
  line: number
  cells: string[]
}

const MAX_CHARS = 20_000_000
const BYTE_ORDER_MARK = '\ufeff'

/**
 * Lines and cells of a table typed by a person or written by a spreadsheet: separated by `;`, a tab or `,` (the first
 * of these that the first line has outside quotes, else any line), cells quoted or not; empty lines, those of empty cells alone (a spreadsheet ends with
 * such) and those that begin with # are left out.
 * @throws FormatError `table.binary`, `table.size`
 */
export function readDelimited(text: string, file: string): { rows: DelimitedRow[]; separator: string } {
  if (text.length > MAX_CHARS)
    throw new FormatError('table.size', `${file} est trop grand (${MAX_CHARS / 1e6} Mo au plus).`)
  if (text.includes('\0') || text.includes('\ufffd'))
    throw new FormatError(
      'table.binary',
      `${file} n’est pas un texte lisible : l’enregistrer en CSV (UTF-8) depuis le tableur.`,
    )
  const lines = (text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text).split(/\r\n|\n|\r/)
  const used = lines
    .map((content, k) => ({ line: k + 1, content }))
    .filter(({ content }) => /[^\s;,"]/.test(content) && !content.startsWith('#'))
  const separator = separatorOf(used.map(({ content }) => content))
  const rows = used.map(({ line, content }) => ({ line, cells: split(content, separator) }))
  return { rows, separator }
}

/** What the first line is parted by: a name further down may hold a semicolon of its own. */
function separatorOf(lines: readonly string[]): string {
  const outside = (line: string) => line.replace(/"[^"]*"/g, '')
  const [first = ''] = lines
  const has = (line: string) => (mark: string) => outside(line).includes(mark)
  const marks = [';', '\t', ',']
  return (
    marks.find(has(first)) ?? marks.slice(0, 2).find((mark) => lines.some((line) => has(line)(mark))) ?? ','
  )
}

function split(content: string, separator: string): string[] {
  if (!content.includes('"')) return content.split(separator).map((cell) => cell.trim())
  const cells: string[] = []
  let cell = ''
  let quoted = false
  for (const letter of content) {
    if (letter === '"') quoted = !quoted
    else if (letter === separator && !quoted) {
      cells.push(cell.trim())
      cell = ''
    } else cell += letter
  }
  return [...cells, cell.trim()]
}

/** A number with a decimal point or comma and spaces between thousands; NaN for anything else. */
export function readNumber(text: string): number {
  const plain = text.replace(/(?<=\d)[ \u00a0\u202f](?=\d{3}(?!\d))/g, '').replace('−', '-')
  return /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i.test(plain)
    ? Number(plain.replace(',', '.'))
    : Number.NaN
}

/** A heading without accents, capitals and what surrounds its words: "Durée (min)" is "duree min". */
export function plainHeading(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9/]+/g, ' ')
    .trim()
}
