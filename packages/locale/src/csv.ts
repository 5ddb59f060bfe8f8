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
