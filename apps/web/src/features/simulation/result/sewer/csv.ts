import { saveBlob } from '../../../../app/api/download.ts'

/** A CSV file: comma, point, one header line; fields in quotes where they must be. */
export function csvText(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const field = (value: string | number) => {
    const text = String(value)
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  return `${[head, ...rows].map((row) => row.map(field).join(',')).join('\n')}\n`
}

export const saveCsv = (text: string, filename: string): void =>
  saveBlob(new Blob([text], { type: 'text/csv;charset=utf-8' }), filename)
