import { TABLE_PAGE_SIZE } from '@radx/contracts/simulation-constants'

export interface Sort {
  /** Place of the column; -1 keeps the order of the network or of the path. */
  column: number
  direction: 'asc' | 'desc'
}

export const NATURAL: Sort = { column: -1, direction: 'asc' }

/** Figures begin with the largest, as they are looked for; the third click gives the natural order back. */
export function toggleSort(sort: Sort, column: number): Sort {
  const first = column === 0 ? 'asc' : 'desc'
  if (sort.column !== column) return { column, direction: first }
  return sort.direction === first ? { column, direction: first === 'asc' ? 'desc' : 'asc' } : NATURAL
}

/** Rows by what a column tells; unknown values come last either way, equal ones keep their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  value: ((row: Row) => number | string | null) | undefined,
  { direction }: Sort,
): readonly Row[] {
  if (value === undefined) return rows
  const sign = direction === 'asc' ? 1 : -1
  const compare = (a: number | string, b: number | string) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : NAMES.compare(String(a), String(b))
  return rows
    .map((row) => ({ row, key: value(row) }))
    .sort((a, b) => {
      if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null)
      return sign * compare(a.key, b.key)
    })
    .map(({ row }) => row)
}

/** J-9 before J-10. */
const NAMES = new Intl.Collator('fr', { numeric: true })

/** Ten rows; a page that is not there is the nearest one. */
export function pageOf<Row>(
  rows: readonly Row[],
  asked: number,
): { items: readonly Row[]; page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(rows.length / TABLE_PAGE_SIZE))
  const page = Math.min(pages, Math.max(1, asked))
  return { items: rows.slice((page - 1) * TABLE_PAGE_SIZE, page * TABLE_PAGE_SIZE), page, pages }
}
