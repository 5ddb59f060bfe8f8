/** A part of docs/validation.md: what one area of the engine is held against, with the figures of this run. */
export interface ValidationSection {
  title: string
  /** Sections come in this order. */
  order: number
  /** Markdown lines under the title. Every figure in them is computed here, none is typed in. */
  run(): Promise<string[]> | string[]
}

/** A markdown table, its columns of one width. */
export function table(header: string[], rows: (string | number)[][]): string[] {
  const texts = [header, ...rows].map((cells) => cells.map(String))
  const widths = header.map((_, column) => Math.max(3, ...texts.map((cells) => cells[column].length)))
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`
  return [line(texts[0]), line(widths.map((width) => '-'.repeat(width))), ...texts.slice(1).map(line), '']
}

/** A number with so many significant digits, never in a form that hides its size. */
export function figure(value: number, digits = 3): string {
  if (value === 0) return '0'
  const size = Math.abs(value)
  return size < 1e-3 || size >= 1e6
    ? value.toExponential(digits - 1)
    : String(Number(value.toPrecision(digits)))
}
