import { virtualRainChart } from '@radx/charts/virtual-rain-chart'
import { formatNumberFr } from '@radx/locale/format-fr'
import { useCallback } from 'react'
import { rainTexts as texts } from '../../../texts/simulation.ts'
import { Chart } from '../../../ui/Chart.tsx'
import { useChartTheme } from '../../../ui/chart-theme.ts'
import { SeriesTable } from '../../../ui/SeriesTable.tsx'

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
        <SeriesTable
          caption={texts.curve}
          head={texts.curveHead}
          count={rateMmH.length}
          row={(k) => [String(k), formatNumberFr(rateMmH[k], 2)]}
          values={rateMmH}
        />
      }
    />
  )
}
