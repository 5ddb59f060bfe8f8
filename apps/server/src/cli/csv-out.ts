import { type CsvDialect, csvInDialect } from '@radx/locale/csv'
import { UsageError } from './command.ts'

const DIALECTS: readonly CsvDialect[] = ['semicolon', 'comma']

/**
 * How commands write CSV, by `RADX_CSV`; null when it is not set.
 * @throws UsageError for a dialect that there is not
 */
export function csvDialect(set = process.env.RADX_CSV): CsvDialect | null {
  const wanted = set?.trim() ?? ''
  if (wanted === '') return null
  const dialect = DIALECTS.find((name) => name === wanted)
  if (!dialect)
    throw new UsageError(
      `RADX_CSV : « ${wanted} » n’est pas connu. Donnez semicolon (points-virgules, virgule décimale) ou comma (virgules, point décimal).`,
    )
  return dialect
}

/**
 * A CSV as a command writes it: in the dialect of `RADX_CSV`, which its first line then names; without the setting with
 * commas, and nothing before the columns' names.
 * @param text with commas, as `csvText` writes it
 */
export function csvOut(text: string, dialect = csvDialect()): string {
  return dialect === null ? text : csvInDialect(text, dialect)
}
