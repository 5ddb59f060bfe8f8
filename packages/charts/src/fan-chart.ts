import type { EChartsOption, SeriesOption } from 'echarts'
import { bandArea } from './bands-chart.ts'
import type { ChartSize, ChartTheme } from './theme.ts'
import { type TimePoint, type TimeSeries, timeChart } from './time-chart.ts'

/** A forecast intensity over its leads, mm/h unless `unit` says otherwise; null where nothing is known. */
export interface FanChartData {
  values: readonly {
    time: string
    mmH: number | null
    p10: number | null
    p50: number | null
    p90: number | null
  }[]
  /** From when on the forecast is not to be trusted any more, ISO instant; null for never. */
  untrustedFrom: string | null
  timeZone: string
  /** Of values that are no rain. @default mm/h */
  unit?: string
  decimals?: number
}

export const FAN_SERIES = {
  mmH: 'Prévision',
  p10: '10\u00a0% des membres',
  p50: 'Médiane des membres',
  p90: '90\u00a0% des membres',
} as const

/** What is forecast, and what 10 to 90 % of the members lie between, with their median dashed. */
export function fanChart(data: FanChartData, theme: ChartTheme, size: ChartSize): EChartsOption {
  const { values, untrustedFrom, timeZone, unit = 'mm/h', decimals = 1 } = data
  const points = (name: keyof typeof FAN_SERIES): TimePoint[] =>
    values.map((value) => ({ datetime: value.time, value: value[name] }))
  const line = (name: keyof typeof FAN_SERIES, color: string, dashed = false): TimeSeries => ({
    name: FAN_SERIES[name],
    unit,
    decimals,
    kind: 'line',
    axis: 'left',
    points: points(name),
    color,
    dashed,
  })
  const last = values.at(-1)?.time
  const option = timeChart(
    {
      timeZone,
      gaps: untrustedFrom !== null && last !== undefined ? [{ start: untrustedFrom, end: last }] : [],
      series: [
        line('mmH', theme.accent),
        line('p90', theme.bar),
        line('p50', theme.text, true),
        line('p10', theme.bar),
      ],
    },
    theme,
    size,
  )
  const band = {
    timesMs: values.map(({ time }) => Date.parse(time)),
    p10: values.map(({ p10 }) => p10),
    p90: values.map(({ p90 }) => p90),
  }
  return { ...option, series: [...bandArea(band, theme), ...(option.series as SeriesOption[])] }
}
