import { bandsChart } from '@radx/charts/bands-chart'
import type { ChartSize } from '@radx/charts/theme'
import type { Bands } from '@radx/contracts/ensemble'
import { formatNumberFr } from '@radx/locale/format-fr'
import { useCallback } from 'react'
import { useSite } from '../../../../app/site.ts'
import { formatElapsed } from '../../../../player/run/elapsed.ts'
import { ensembleTexts as texts } from '../../../../texts/ensemble.ts'
import { Chart } from '../../../../ui/Chart.tsx'
import { useChartTheme } from '../../../../ui/chart-theme.ts'
import { SeriesTable } from '../../../../ui/SeriesTable.tsx'
import classes from './Ensemble.module.css'

interface Props {
  label: string
  bands: Bands
  timesS: readonly number[]
  startMs: number
  all: boolean
  unit: string
  decimals: number
  /** What of the values makes one unit. */
  per: number
}

/** Bands and members over time, with the bands as a table. */
export function BandsGraph({ label, bands, timesS, startMs, all, unit, decimals, per }: Props) {
  const theme = useChartTheme()
  const { timeZone } = useSite()
  const build = useCallback(
    (size: ChartSize) => {
      const scaled = (values: readonly number[]) => values.map((value) => value / per)
      return bandsChart(
        {
          timesMs: timesS.map((timeS) => startMs + 1000 * timeS),
          control: scaled(bands.control),
          p10: scaled(bands.p10),
          p50: scaled(bands.p50),
          p90: scaled(bands.p90),
          members: bands.members.map(scaled),
          unit,
          decimals,
          all,
          timeZone,
        },
        theme,
        size,
      )
    },
    [bands, timesS, startMs, all, unit, decimals, per, timeZone, theme],
  )
  const columns = [bands.p10, bands.p50, bands.p90, bands.control]
  return (
    <section aria-label={label} className={classes.graph}>
      <h3>{label}</h3>
      <Chart
        label={label}
        height={340}
        build={build}
        table={
          <SeriesTable
            caption={label}
            head={[texts.moment, '10 %', '50 %', '90 %', texts.control].map((name, k) =>
              k === 0 ? name : `${name} (${unit})`,
            )}
            count={timesS.length}
            row={(k) => [
              formatElapsed(timesS[k]),
              ...columns.map((values) => formatNumberFr(values[k] / per, decimals)),
            ]}
            values={bands.p90}
          />
        }
      />
    </section>
  )
}
