import { type GaugeXyData, gaugeBandChart, gaugeXyChart } from '@radx/charts/gauge-charts'
import type { ChartSize } from '@radx/charts/theme'
import type { GaugeComparison } from '@radx/contracts/gauges'
import { formatDateTimeFr, formatNumberFr } from '@radx/locale/format-fr'
import { type ReactNode, useCallback, useMemo } from 'react'
import { useSite } from '../../../app/site.ts'
import { gaugeComparisonTexts as texts } from '../../../texts/gauge-comparison.ts'
import { Chart } from '../../../ui/Chart.tsx'
import { useChartTheme } from '../../../ui/chart-theme.ts'
import { DataTable } from '../../../ui/DataTable.tsx'
import classes from './GaugeComparison.module.css'

const HEIGHT = 320
const mm = (value: number | null) => (value === null ? texts.empty : formatNumberFr(value, 2))

export const Figure = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={classes.figure}>
    <h3>{label}</h3>
    {children}
  </div>
)

function Xy({ label, data }: { label: string; data: GaugeXyData }) {
  const theme = useChartTheme()
  const build = useCallback((size: ChartSize) => gaugeXyChart(data, theme, size), [data, theme])
  const rows = data.series.map(({ name, points }) => {
    const last = points[points.length - 1] ?? [null, null]
    return [name, String(points.length), mm(last[0]), mm(last[1])]
  })
  return (
    <Figure label={label}>
      <Chart
        label={label}
        height={HEIGHT}
        build={build}
        table={
          <DataTable
            caption={label}
            head={[texts.gauge, texts.figures.pairs, data.xName, data.yName]}
            rows={rows}
          />
        }
      />
    </Figure>
  )
}

interface Props {
  found: GaugeComparison
  chosen: string | null
}

/** Every wet step of every gauge. */
export function Scatter({ found, chosen }: Props) {
  const data = useMemo((): GaugeXyData => {
    const points = found.gauges.map((): [number, number][] => [])
    for (const [g, radar, gauge] of found.scatter) points[g].push([radar, gauge])
    return {
      xName: texts.radarAxis,
      yName: texts.gaugeAxis,
      kind: 'points',
      chosen: found.gauges.find(({ id }) => id === chosen)?.name,
      series: found.gauges
        .map(({ name }, g) => ({ name, points: points[g] }))
        .filter((s) => s.points.length > 0),
    }
  }, [found, chosen])
  return <Xy label={texts.scatter} data={data} />
}

/** Running totals of both: a kink is a gauge or a radar that changed. */
export function DoubleMass({ found, chosen }: Props) {
  const data = useMemo(
    (): GaugeXyData => ({
      xName: texts.radarAxis,
      yName: texts.gaugeAxis,
      kind: 'curves',
      chosen: found.gauges.find(({ id }) => id === chosen)?.name,
      series: found.gauges
        .filter(({ doubleMass }) => doubleMass.length > 1)
        .map(({ name, doubleMass }) => ({ name, points: doubleMass })),
    }),
    [found, chosen],
  )
  return <Xy label={texts.mass} data={data} />
}

/** The chosen gauge's depths over its cell, and the range of the cells around. */
export function GaugeSeries({ found }: { found: GaugeComparison }) {
  const theme = useChartTheme()
  const { timeZone } = useSite()
  const { series } = found
  const name = found.gauges.find(({ id }) => id === series?.gauge)?.name ?? ''
  const build = useCallback(
    (size: ChartSize) => {
      const points = (values: readonly (number | null)[]) =>
        values.map((value, i) => ({ datetime: series!.times[i], value }))
      return gaugeBandChart(
        {
          timeZone,
          gauge: points(series!.gaugeMm),
          radar: points(series!.radarMm),
          low: points(series!.lowMm),
          high: points(series!.highMm),
          names: { gauge: texts.gauge, radar: texts.radarCell, band: texts.band },
        },
        theme,
        size,
      )
    },
    [series, theme, timeZone],
  )
  if (!series) return null
  const wet = series.times.flatMap((time, i) =>
    series.gaugeMm[i] || series.radarMm[i]
      ? [
          [
            formatDateTimeFr(time, timeZone),
            mm(series.gaugeMm[i]),
            mm(series.radarMm[i]),
            `${mm(series.lowMm[i])} à ${mm(series.highMm[i])}`,
          ],
        ]
      : [],
  )
  return (
    <div className={classes.wide}>
      <Figure label={texts.series(name)}>
        <Chart
          label={texts.series(name)}
          height={260}
          build={build}
          table={
            <DataTable
              caption={texts.series(name)}
              head={[texts.time, texts.gaugeAxis, texts.radarAxis, texts.bandAxis]}
              rows={wet.slice(0, 500)}
            />
          }
        />
        <ul className={classes.legend} style={{ '--bar': theme.bar, '--line': theme.gauges[0] }} aria-hidden>
          <li data-kind="bar">{texts.gauge}</li>
          <li data-kind="line">{texts.radarCell}</li>
          <li data-kind="band">{texts.band}</li>
        </ul>
      </Figure>
    </div>
  )
}
