import { printable } from '../printable.ts'

/** Rows of text in columns that line up, the header first. */
export function table(header: string[], typed: string[][]): string {
  const rows = typed.map((row) => row.map(printable))
  const widths = header.map((cell, i) => Math.max(cell.length, ...rows.map((row) => row[i].length)))
  return [header, ...rows]
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
