/** Sorting, filtering, paging and folding of the saved events (spec 1 §4, §5, §9). */
import { COMMENT_FOLD } from '@radx/contracts/constants'

export interface Sort<Column extends string> {
  column: Column
  descending: boolean
}

/** The same column again turns the order round; another one starts ascending. */
export function toggleSort<Column extends string>(sort: Sort<Column>, column: Column): Sort<Column> {
  return sort.column === column ? { column, descending: !sort.descending } : { column, descending: false }
}

const collator = new Intl.Collator('fr', { numeric: true, sensitivity: 'base' })

/** Sorted copy; rows without a value come last in either order. */
export function sortRows<Row>(
  rows: readonly Row[],
  value: (row: Row) => string | number | null | undefined,
  descending: boolean,
): Row[] {
  const sign = descending ? -1 : 1
  return [...rows].sort((a, b) => {
    const x = value(a) ?? null
    const y = value(b) ?? null
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1
    return (
      sign * (typeof x === 'number' && typeof y === 'number' ? x - y : collator.compare(String(x), String(y)))
    )
  })
}

/** Case-insensitive; an empty filter keeps everything. */
export function filterByTitle<Row extends { title: string }>(
  rows: readonly Row[],
  filter: string,
): readonly Row[] {
  const needle = filter.trim().toLocaleLowerCase('fr')
  return needle === '' ? rows : rows.filter((row) => row.title.toLocaleLowerCase('fr').includes(needle))
}

/** Rows of a page (1-based) and the number of pages; a page that no longer exists becomes the last one. */
export function paginate<Row>(
  rows: readonly Row[],
  page: number,
  size: number,
): { rows: readonly Row[]; page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(rows.length / size))
  const current = Math.min(Math.max(1, page), pages)
  return { rows: rows.slice((current - 1) * size, current * size), page: current, pages }
}

/** Page numbers to offer: the first, the last, and `around` on either side of the current; null is a gap. */
export function pageWindow(page: number, pages: number, around = 1): (number | null)[] {
  const wanted = new Set([1, pages])
  for (let p = page - around; p <= page + around; p++) if (p >= 1 && p <= pages) wanted.add(p)
  const sorted = [...wanted].sort((a, b) => a - b)
  return sorted.flatMap((p, i) => {
    const step = i === 0 ? 1 : p - sorted[i - 1]
    // A gap of a single page is shown as that page.
    if (step === 2) return [p - 1, p]
    return step > 2 ? [null, p] : [p]
  })
}

/**
 * What a comment shows when folded: null when it is shown in full, which holds for a comment under 50
 * characters without a newline in its first 50; any other is cut to 50 characters.
 */
export function foldComment(comment: string): string | null {
  const head = comment.slice(0, COMMENT_FOLD)
  return comment.length < COMMENT_FOLD && !head.includes('\n') ? null : head
}
