import { FormatError } from '@radx/contracts/errors'

/** Rows of a small CSV file with a header: what each column holds, and the line it stands on, from 1. */
export interface TableRow {
  line: number
  cell(name: string): string
}

/**
 * Reads a CSV file: commas or semicolons, names of columns in any case; empty lines and those that begin with # are left
 * aside.
 */
export function readTable(text: string): { header: string[]; rows: TableRow[] } {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, k) => ({ line: k + 1, text: line.trim() }))
    .filter(({ text }) => text !== '' && !text.startsWith('#'))
  const separator = lines[0]?.text.includes(';') ? ';' : ','
  const split = (line: string) => line.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))
  const header = split(lines[0]?.text ?? '')
  const at = new Map(header.map((name, k) => [name.toLowerCase(), k]))
  const rows = lines.slice(1).map(({ line, text }) => {
    const cells = split(text)
    return { line, cell: (name: string) => cells[at.get(name.toLowerCase()) ?? -1] ?? '' }
  })
  return { header, rows }
}

/** A finite number of a row. @throws FormatError `table.value` with file and line */
export function numberOf(row: TableRow, name: string, file: string): number {
  const text = row.cell(name)
  const value = Number(text)
  if (text !== '' && Number.isFinite(value)) return value
  throw new FormatError(
    'table.value',
    `${file}, ligne ${row.line} : ${name} vaut « ${text} » ; il faut un nombre.`,
    { details: { file, line: row.line } },
  )
}
