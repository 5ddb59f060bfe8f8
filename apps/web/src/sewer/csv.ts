import { csvText as linesOf } from '@radx/locale/csv'

export { saveCsv } from '../app/csv.ts'

/** The text of a table: one header line. */
export const csvText = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  linesOf([head, ...rows])
