import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { compareTexts as texts } from '../../../texts/compare.ts'
import table from '../parts/Table.module.css'
import type { QuantityKey } from './quantities.ts'

/** Column that rows are sorted by; null leaves them in their own order. */
export type Sort = { by: QuantityKey; ascending: boolean } | null

/** The order after a click on a column: falling, rising, none. */
export function nextSort(sort: Sort, by: QuantityKey): Sort {
  if (sort?.by !== by) return { by, ascending: false }
  return sort.ascending ? null : { by, ascending: true }
}

interface SortProps {
  of: QuantityKey
  sort: Sort
  onSort(): void
}

/** The head of a column of numbers, which sorts by it. */
export function SortHead({ of, sort, onSort }: SortProps) {
  const { name, unit } = texts.quantities[of]
  const isSorted = sort?.by === of
  const Icon = sort?.ascending ? IconArrowUp : IconArrowDown
  return (
    <th
      scope="col"
      className={table.number}
      aria-sort={isSorted ? (sort.ascending ? 'ascending' : 'descending') : undefined}
    >
      <button type="button" title={texts.sortBy(name)} onClick={onSort}>
        {name}
        {unit !== '' && <small>{unit}</small>}
        {isSorted && <Icon size={14} stroke={2} aria-hidden />}
      </button>
    </th>
  )
}
