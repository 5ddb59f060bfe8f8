import { FormatError } from '@radx/contracts/errors'
import { readDelimited, readNumber } from '@radx/rainfall/storms/delimited'

/** Rows of a small CSV file with a header: what each column holds, and the line it stands on, from 1. */
export interface TableRow {
  line: number
  cell(name: string): string
}

/**
 * Reads a CSV file as `readDelimited` does, with names of columns in any case.
 * @throws FormatError `table.binary`, `table.size`
 */
export function readTable(text: string, file: string): { header: string[]; rows: TableRow[] } {
  const [head, ...lines] = readDelimited(text, file).rows
  const header = head?.cells ?? []
  const at = new Map(header.map((name, k) => [name.toLowerCase(), k]))
  const rows = lines.map(({ line, cells }) => ({
    line,
    cell: (name: string) => cells[at.get(name.toLowerCase()) ?? -1] ?? '',
  }))
  return { header, rows }
}

/** A finite number of a row, with a decimal point or comma. @throws FormatError `table.value` with file and line */
export function numberOf(row: TableRow, name: string, file: string): number {
  const text = row.cell(name)
  const value = readNumber(text)
  if (Number.isFinite(value)) return value
  throw new FormatError(
    'table.value',
    `${file}, ligne ${row.line} : ${name} vaut « ${text} » ; il faut un nombre.`,
    { details: { file, line: row.line } },
  )
}
