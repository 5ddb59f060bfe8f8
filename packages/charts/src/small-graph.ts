import type { EChartsOption } from 'echarts'
import type { ChartSize, ChartTheme } from './theme.ts'
import { type TimePoint, timeChart } from './time-chart.ts'

export interface SmallGraphData {
  title?: string
  timeZone: string
  name: string
  unit: string
  decimals: number
  points: readonly TimePoint[]
}

/** A curve of the weather station: temperature, pressure, humidity or vertical wind. */
export const smallGraph = (data: SmallGraphData, theme: ChartTheme, size: ChartSize): EChartsOption =>
  timeChart(
    {
      title: data.title,
      timeZone: data.timeZone,
      leftFromZero: false,
      series: [
        {
          name: data.name,
          unit: data.unit,
          decimals: data.decimals,
          kind: 'line',
          axis: 'left',
          points: data.points,
        },
      ],
    },
    theme,
    size,
  )
