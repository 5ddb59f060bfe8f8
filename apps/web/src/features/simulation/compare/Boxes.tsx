import { runsBoxes } from '@radx/charts/runs-chart'
import { countFr, formatNumberFr } from '@radx/locale/format-fr'
import { useCallback, useMemo } from 'react'
import { compareTexts as texts } from '../../../texts/compare.ts'
import { Chart } from '../../../ui/Chart.tsx'
import { useChartTheme } from '../../../ui/chart-theme.ts'
import { DataTable } from '../../../ui/DataTable.tsx'
import { axisOf, fiveNumbers, type QuantityKey } from './quantities.ts'

const parts = () => import('./spread-parts.ts')

interface Props {
  y: QuantityKey
  label: string
  /** What groups are, in the table's first column. */
  groupName: string
  groups: readonly { name: string; values: readonly number[] }[]
  /** Runs below which a box says less than its points; smaller groups have none. */
  fewest: number
}

/** A box a group of runs, with its numbers as a table. */
export function Boxes({ y, label, groupName, groups, fewest }: Props) {
  const theme = useChartTheme()
  const boxes = useMemo(
    () =>
      groups.flatMap(({ name, values }) => {
        const five = fiveNumbers(values)
        return five && values.length >= fewest ? [{ name, five, count: values.length }] : []
      }),
    [groups, fewest],
  )
  const { decimals } = axisOf(y)
  const build = useCallback(() => runsBoxes({ y: axisOf(y), boxes }, theme), [y, boxes, theme])
  const rows = boxes.map(({ name, five, count }) => [
    name,
    countFr(count, 'simulation'),
    ...five.map((value) => formatNumberFr(value, decimals)),
  ])
  if (boxes.length === 0) return null
  return (
    <>
      <h3>{label}</h3>
      <Chart
        label={label}
        height={300}
        build={build}
        parts={parts}
        table={<DataTable caption={label} head={[groupName, ...texts.boxHead]} rows={rows} />}
      />
    </>
  )
}
