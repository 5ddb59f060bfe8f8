import type { EChartsOption, SeriesOption } from 'echarts'
import { type DepthDurationData, depthPlane, periodCurves, placeLines } from './depth-duration-chart.ts'
import type { ChartSize, ChartTheme } from './theme.ts'

interface Quantile {
  periodYears: number
  depthMm: number
  lowMm: number
  highMm: number
}

export interface OwnStatisticsData {
  /** Depths of each return period by rising duration, with the bounds of each. */
  durations: readonly { durationMin: number; quantiles: readonly Quantile[] }[]
  /** The return period whose bounds are drawn, years; none for what is no period of the quantiles. */
  boundsOf: number
  /** What the bounds are called where the pointer asks. */
  names: { low: string; high: string }
  places: DepthDurationData['places']
}

/** Depths that the archive's own years give by duration, the bounds of one return period, and depths of places. */
export function ownStatisticsChart(
  { durations, boundsOf, names, places }: OwnStatisticsData,
  theme: ChartTheme,
  size: ChartSize,
): EChartsOption {
  const years = durations[0]?.quantiles.map(({ periodYears }) => periodYears) ?? []
  const at = (quantiles: readonly Quantile[], period: number) =>
    quantiles.find(({ periodYears }) => periodYears === period)
  const bounds = durations.flatMap(({ durationMin, quantiles }) => {
    const found = at(quantiles, boundsOf)
    return found ? [{ durationMin, ...found }] : []
  })
  const all = durations.flatMap(({ quantiles }) => quantiles.map(({ depthMm }) => depthMm))
  const reach = bounds.flatMap(({ lowMm, highMm }) => [lowMm, highMm])
  const { plane, yOf } = depthPlane({ places, depthsMm: [...all, ...reach] }, theme, size)
  const curves = periodCurves(
    years.map((periodYears) => ({
      periodYears,
      points: durations.map(({ durationMin, quantiles }) => {
        const depthMm = at(quantiles, periodYears)?.depthMm ?? 0
        return [durationMin, depthMm > 0 ? depthMm : null]
      }),
    })),
    theme,
    yOf,
  )
  const marked = years.indexOf(boundsOf)
  return {
    ...plane,
    series: [
      ...edges(bounds, names, theme),
      ...curves.map((curve, k) =>
        k === marked ? { ...curve, lineStyle: { color: theme.text, width: 2 } } : curve,
      ),
      ...placeLines(places, theme),
    ],
  }
}

/** Both bounds as dashed lines; one of 0 or less has no place on a logarithmic axis. */
function edges(
  bounds: readonly (Quantile & { durationMin: number })[],
  names: OwnStatisticsData['names'],
  theme: ChartTheme,
): SeriesOption[] {
  const edge = (name: string, of: (one: Quantile) => number): SeriesOption => ({
    name,
    type: 'line',
    showSymbol: false,
    data: bounds.map((one) => [one.durationMin, of(one) > 0 ? of(one) : null]),
    lineStyle: { color: theme.text, width: 1.5, type: 'dashed' },
    itemStyle: { color: theme.text },
  })
  return [edge(names.low, ({ lowMm }) => lowMm), edge(names.high, ({ highMm }) => highMm)]
}
