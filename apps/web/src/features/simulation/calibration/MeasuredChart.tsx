import type { ChartSize } from '@radx/charts/theme'
import { timeChart } from '@radx/charts/time-chart'
import type { ObservedRun } from '@radx/contracts/calibration'
import { formatDateTimeFr, formatNumberFr } from '@radx/locale/format-fr'
import { useCallback } from 'react'
import { useSite } from '../../../app/site.ts'
import { formatElapsed } from '../../../player/run/elapsed.ts'
import { measuredTexts as texts } from '../../../texts/calibration.ts'
import { Chart } from '../../../ui/Chart.tsx'
import { useChartTheme } from '../../../ui/chart-theme.ts'
import { SeriesTable } from '../../../ui/SeriesTable.tsx'
import classes from './Calibration.module.css'
import { placeText, SHOWN } from './words.ts'

interface Props {
  series: ObservedRun
  /** Start of the run, an instant. */
  start: string
  /** The rain fell on no day: moments are told since its start. */
  isVirtual: boolean
}

/** A measured series over what the run gave at its place. */
export function MeasuredChart({ series, start, isVirtual }: Props) {
  const { timeZone } = useSite()
  const theme = useChartTheme()
  const { name, place, quantity, timesS, measured, simulated } = series
  const { unit, decimals } = SHOWN[quantity]
  const startMs = Date.parse(start)
  const build = useCallback(
    (size: ChartSize) => {
      const line = (label: string, values: readonly (number | null)[], color: string) => ({
        name: label,
        unit,
        decimals,
        kind: 'line' as const,
        axis: 'left' as const,
        color,
        points: timesS.map((timeS, k) => ({
          datetime: new Date(startMs + 1000 * timeS).toISOString(),
          value: values[k],
        })),
      })
      return timeChart(
        {
          timeZone,
          series: [
            line(texts.measured, measured, theme.gauges[0]),
            line(texts.simulated, simulated, theme.accent),
          ],
          ...(isVirtual && { sinceMs: startMs }),
        },
        theme,
        size,
      )
    },
    [timesS, measured, simulated, unit, decimals, startMs, timeZone, theme, isVirtual],
  )
  const moment = (timeS: number) =>
    isVirtual ? formatElapsed(timeS) : formatDateTimeFr(startMs + 1000 * timeS, timeZone)
  return (
    <section className={classes.chart} aria-label={texts.chart(name)}>
      <h3>
        {name} <small>{placeText(place)}</small>
        <span className={classes.key}>
          <Key color={theme.gauges[0]} name={texts.measured} />
          <Key color={theme.accent} name={texts.simulated} />
        </span>
      </h3>
      <Chart
        label={texts.chart(name)}
        height={220}
        build={build}
        table={
          <SeriesTable
            caption={texts.chart(name)}
            head={[texts.instant, `${texts.measured} (${unit})`, `${texts.simulated} (${unit})`]}
            count={timesS.length}
            row={(k) => [
              moment(timesS[k]),
              formatNumberFr(measured[k], decimals),
              formatNumberFr(simulated[k], decimals),
            ]}
            values={measured}
          />
        }
      />
    </section>
  )
}

const Key = ({ color, name }: { color: string; name: string }) => (
  <span>
    <i style={{ background: color }} aria-hidden /> {name}
  </span>
)
