import { formatNumberFr } from '@radx/locale/format-fr'
import type { EChartsOption } from 'echarts'
import type { ChartSize, ChartTheme } from './theme.ts'
import { hovered, tooltipBox } from './tooltip.ts'

export interface ScoreSeries {
  name: string
  points: readonly (readonly [x: number, y: number | null])[]
  /** What it is held against. */
  dashed?: boolean
}

export interface ScoreChartData {
  xName: string
  yName: string
  xMax: number
  series: readonly ScoreSeries[]
  /** Between points farther apart nothing is known. @default none is too far */
  longestGap?: number
  /** The line on which both axes are equal. */
  diagonal?: boolean
  /** A value that is marked across. */
  limit?: { name: string; value: number }
}

/** Marks of an axis: of many minutes every five or a multiple. */
const stepsTo = (most: number, count: number) =>
  most >= 20 ? { interval: 5 * Math.ceil(most / count / 5) } : { splitNumber: count }

/** Curves between 0 and 1, with points where they are known. */
export function scoreChart(data: ScoreChartData, theme: ChartTheme, size: ChartSize): EChartsOption {
  const label = {
    color: theme.dim,
    fontSize: 11,
    formatter: (value: number) => formatNumberFr(value, 2, true),
  }
  const axis = {
    type: 'value' as const,
    min: 0,
    axisLine: { lineStyle: { color: theme.grid } },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: theme.grid } },
    axisLabel: label,
  }
  const colors = [theme.accent, ...theme.gauges]
  const straight = (id: string, points: [number, number][]) => ({
    id,
    type: 'line' as const,
    silent: true,
    showSymbol: false,
    data: points,
    lineStyle: { color: theme.dim, width: 1, type: 'dashed' as const },
    tooltip: { show: false },
  })
  return {
    animation: false,
    textStyle: { fontFamily: theme.fontFamily, color: theme.dim, fontSize: 12 },
    legend: {
      data: data.series.map(({ name }) => name),
      bottom: 0,
      type: 'scroll' as const,
      textStyle: { color: theme.text },
    },
    grid: { left: 44, right: 16, top: 28, bottom: 68 },
    xAxis: {
      ...axis,
      max: data.xMax,
      ...stepsTo(data.xMax, size.width < 420 ? 4 : 8),
      axisLabel: { ...label, hideOverlap: true },
      name: data.xName,
      nameLocation: 'middle',
      nameGap: 26,
    },
    yAxis: { ...axis, max: 1, name: data.yName, nameTextStyle: { color: theme.dim, align: 'left' } },
    tooltip: {
      trigger: 'item',
      ...tooltipBox(theme),
      formatter: (given: unknown) => {
        const [first] = hovered<{ seriesName: string; value: [number, number] }>(given)
        if (!first) return ''
        const [x, y] = first.value.map((value) => formatNumberFr(value, 2, true))
        return `${first.seriesName}<br>${data.xName} : <b>${x}</b><br>${data.yName} : <b>${y}</b>`
      },
    },
    series: [
      ...(data.diagonal
        ? [
            straight('equal', [
              [0, 0],
              [data.xMax, 1],
            ]),
          ]
        : []),
      ...(data.limit
        ? [
            straight(data.limit.name, [
              [0, data.limit.value],
              [data.xMax, data.limit.value],
            ]),
          ]
        : []),
      ...data.series.map(({ name, points, dashed }, k) => ({
        name,
        type: 'line' as const,
        data: withHoles(points, data.longestGap ?? Number.POSITIVE_INFINITY),
        symbol: dashed ? 'diamond' : 'circle',
        symbolSize: 6,
        lineStyle: { width: dashed ? 1.5 : 2.5, type: dashed ? ('dotted' as const) : ('solid' as const) },
        color: colors[k % colors.length],
      })),
    ],
  }
}

/** No line goes between points farther apart than this. */
const withHoles = (points: ScoreSeries['points'], longestGap: number) =>
  points.flatMap(([x, y], k) => {
    const before = k > 0 ? points[k - 1][0] : x
    return x - before > longestGap
      ? [
          [(before + x) / 2, null],
          [x, y],
        ]
      : [[x, y]]
  })
