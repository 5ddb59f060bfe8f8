import { FormatError } from '@radx/contracts/errors'
import type { Gully } from '@radx/hydrology/coupling/coupling'

export interface GullyRow extends Gully {
  row: number
  col: number
  /** Line in the file, from 1. */
  line: number
}

const REQUIRED = ['gully', 'row', 'col', 'junction'] as const
const MAX_INLET_M = 5

/**
 * Reads `gullies.csv`: `gully,row,col,junction` and, when given, `width_m,length_m` of the inlet; other columns
 * are left aside. Row 0 is the northern row.
 *
 * @throws FormatError `gullies.header`, `gullies.value`, with file and line
 */
export function readGullies(text: string, file: string, ncols: number): GullyRow[] {
  const lines = text.split(/\r?\n/)
  const header = (lines[0] ?? '').split(',').map((name) => name.trim().toLowerCase())
  const at = (name: string) => header.indexOf(name)
  const missing = REQUIRED.filter((name) => at(name) < 0)
  if (missing.length > 0)
    throw new FormatError(
      'gullies.header',
      `${file}, ligne 1 : il manque la colonne ${missing.join(', ')}. L’en-tête attendu est gully,row,col,junction.`,
    )
  const rows: GullyRow[] = []
  lines.forEach((text, k) => {
    if (k === 0 || text.trim() === '') return
    const cells = text.split(',').map((cell) => cell.trim())
    const line = k + 1
    const number = (name: string, low: number, high: number, whole: boolean) => {
      const value = Number(cells[at(name)])
      if (cells[at(name)] !== '' && value >= low && value <= high && (!whole || Number.isInteger(value)))
        return value
      throw new FormatError(
        'gullies.value',
        `${file}, ligne ${line} : ${name} vaut « ${cells[at(name)] ?? ''} » ; il faut un nombre${whole ? ' entier' : ''} entre ${low} et ${high}.`,
        { details: { file, line } },
      )
    }
    const optional = (name: string) =>
      at(name) < 0 || !cells[at(name)] ? undefined : number(name, 0.01, MAX_INLET_M, false)
    const row = number('row', 0, 1e6, true)
    const col = number('col', 0, ncols - 1, true)
    rows.push({
      name: cells[at('gully')],
      junction: cells[at('junction')],
      row,
      col,
      cell: row * ncols + col,
      widthM: optional('width_m'),
      lengthM: optional('length_m'),
      line,
    })
  })
  return rows
}
