import { chartTexts as texts } from '../texts/chart.ts'
import { DataTable } from './DataTable.tsx'
import { seriesRows } from './series-rows.ts'

interface Props {
  caption: string
  /** Names of the columns with their units. */
  head: readonly string[]
  /** Length of the series. */
  count: number
  row: (k: number) => readonly string[]
  /** A longer series is thinned. */
  most?: number
  /** Whose largest value is told in any case. */
  values?: readonly (number | null)[]
}

/** A series as a table for screen readers: of a long one every n-th row and its largest value. */
export function SeriesTable({ caption, head, count, row, most = 200, values }: Props) {
  const { every, rows } = seriesRows(count, most, values)
  return (
    <DataTable
      caption={every === 1 ? caption : texts.thinned(caption, every, rows.length)}
      head={head}
      rows={rows.map(row)}
    />
  )
}
