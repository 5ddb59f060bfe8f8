import { virtualRainChart } from '@radx/charts/virtual-rain-chart'
import { formatNumberFr } from '@radx/rainfall/format-fr'
import { useCallback } from 'react'
import { rainTexts as texts } from '../../../texts/simulation.ts'
import { Chart } from '../../../ui/Chart.tsx'
import { useChartTheme } from '../../../ui/chart-theme.ts'
import { DataTable } from '../../../ui/DataTable.tsx'

/** Virtual rain minute by minute, mm/h. */
export function RainCurve({ rateMmH, height = 280 }: { rateMmH: readonly number[]; height?: number }) {
  const theme = useChartTheme()
  const build = useCallback(
    (size: { width: number; height: number }) => virtualRainChart({ rateMmH }, theme, size),
    [rateMmH, theme],
  )
  return (
    <Chart
      label={texts.curve}
      height={height}
      build={build}
      table={
        <DataTable
          caption={texts.curve}
          head={['min', 'mm/h']}
          rows={rateMmH.map((rate, k) => [String(k), formatNumberFr(rate, 2)])}
        />
      }
    />
  )
}
