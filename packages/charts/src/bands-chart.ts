import type { EChartsOption, SeriesOption } from 'echarts'
import type { ChartSize, ChartTheme } from './theme.ts'
import { type TimePoint, type TimeSeries, timeChart } from './time-chart.ts'

/** Runs of an ensemble over time, each list with a value a moment. */
export interface BandsChartData {
  timesMs: readonly number[]
  control: readonly number[]
  p10: readonly number[]
  p50: readonly number[]
  p90: readonly number[]
  members: readonly (readonly number[])[]
  unit: string
  decimals: number
  /** Every member as a thin line behind. */
  all: boolean
  timeZone: string
}

export const BAND_SERIES = {
  p10: '10\u00a0% des membres',
  p50: 'Médiane',
  p90: '90\u00a0% des membres',
  control: 'Sans désagrégation',
} as const

/** What 10 to 90 % of the members lie between, their median, the run without downscaling dashed, and the members. */
export function bandsChart(data: BandsChartData, theme: ChartTheme, size: ChartSize): EChartsOption {
  const { timesMs, unit, decimals, timeZone } = data
  const points = (values: readonly number[]): TimePoint[] =>
    timesMs.map((ms, k) => ({ datetime: new Date(ms).toISOString(), value: values[k] }))
  const line = (name: keyof typeof BAND_SERIES, color: string, dashed = false): TimeSeries => ({
    name: BAND_SERIES[name],
    unit,
    decimals,
    kind: 'line',
    axis: 'left',
    points: points(data[name]),
    color,
    dashed,
  })
  const negative = [data.control, ...data.members].some((values) => values.some((value) => value < 0))
  const option = timeChart(
    {
      timeZone,
      leftFromZero: !negative,
      series: [
        line('p90', theme.bar),
        line('p50', theme.accent),
        line('p10', theme.bar),
        line('control', theme.gauges[0], true),
      ],
    },
    theme,
    size,
  )
  const drawn = option.series as SeriesOption[]
  return { ...option, series: [...members(data, theme), ...bandArea(data, theme), ...drawn] }
}

const quiet = { type: 'line' as const, silent: true, showSymbol: false, tooltip: { show: false } }

function members({ timesMs, members: all, all: shown }: BandsChartData, theme: ChartTheme): SeriesOption[] {
  if (!shown) return []
  return all.map((values, k) => ({
    ...quiet,
    id: `member-${k}`,
    data: values.map((value, i) => [timesMs[i], value]),
    lineStyle: { color: theme.dim, width: 0.75, opacity: 0.45 },
  }))
}

interface BandData {
  timesMs: readonly number[]
  p10: readonly (number | null)[]
  p90: readonly (number | null)[]
}

/** An area between two lines is a line and, stacked on it, what the other is above; null leaves a gap. */
export function bandArea({ timesMs, p10, p90 }: BandData, theme: ChartTheme): SeriesOption[] {
  const base = {
    ...quiet,
    stack: 'band',
    stackStrategy: 'all' as const,
    lineStyle: { width: 0, opacity: 0 },
  }
  return [
    { ...base, id: 'band-low', data: p10.map((value, k) => [timesMs[k], value]) },
    {
      ...base,
      id: 'band',
      data: p90.map((value, k) => {
        const low = p10[k]
        return [timesMs[k], value === null || low === null ? null : value - low]
      }),
      areaStyle: { color: theme.bar, opacity: 0.3 },
    },
  ]
}
