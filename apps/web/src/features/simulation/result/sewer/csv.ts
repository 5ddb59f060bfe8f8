import { csvText as linesOf } from '@radx/locale/csv'
import { saveBlob } from '../../../../app/api/download.ts'

/** A CSV file: comma, point, one header line. */
export const csvText = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  linesOf([head, ...rows])

export const saveCsv = (text: string, filename: string): void =>
  saveBlob(new Blob([text], { type: 'text/csv;charset=utf-8' }), filename)
