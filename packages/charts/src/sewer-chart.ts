import { formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import type { EChartsOption, SeriesOption } from 'echarts'
import type { ChartSize, ChartTheme } from './theme.ts'
import { hovered, tooltipBox } from './tooltip.ts'

export interface SewerCurve {
  name: string
  /** Mean of each interval. */
  values: readonly number[]
  /** Place in the list of line colours. */
  color: number
  /** The run that is compared with. */
  dashed?: boolean
}

export interface SewerChartData {
  /** End of each interval, s since the start of the run; moments themselves with `instants`. */
  timesS: readonly number[]
  curves: readonly SewerCurve[]
  unit: string
  decimals: number
  /** Values stand at their moments: they are no means of intervals. */
  instants?: boolean
  /** Drawn below on an axis of its own. */
  delta?: { name: string; values: readonly number[] }
}

const LINES = {
  light: ['#0b5a63', '#b4470e', '#5a3fb0', '#0b6b3a', '#a3231f', '#1f5fae', '#7a5b00', '#8a2f7a'],
  dark: ['#7fd6db', '#f2975d', '#b3a0f5', '#6fd39b', '#f08a80', '#8ab8f5', '#e0c25a', '#e29bd5'],
} as const

/** Colour of a line; after the last one they begin again. */
export const lineColor = (theme: ChartTheme, place: number): string => {
  const colors = LINES[isDark(theme) ? 'dark' : 'light']
  return colors[place % colors.length]
}

/** Light ink means a dark ground. */
const isDark = (theme: ChartTheme): boolean => Number.parseInt(theme.text.slice(1, 3), 16) > 0x80

/** The mark of the clock, so that moving it redraws nothing else. */
const CURSOR_ID = 'cursor'

/**
 * Depths or flows of a sewer over the minutes of a run, each value in the middle of its interval; below them the
 * delta to a reference. A pure function of its arguments.
 */
export function sewerChart(data: SewerChartData, theme: ChartTheme, size: ChartSize): EChartsOption {
  const { timesS, curves, delta, unit, decimals } = data
  const points = data.instants ? atMoments : inIntervals
  const end = (timesS.at(-1) ?? 0) / 60
  const compact = size.width < 560
  const line = { lineStyle: { color: theme.grid } }
  const split = delta ? 0.62 : 1
  const room = size.height - 28 - 44
  const grids = [
    { left: 64, right: 16, top: 28, height: room * split - (delta ? 20 : 0) },
    ...(delta ? [{ left: 64, right: 16, top: 28 + room * split + 12, height: room * (1 - split) - 12 }] : []),
  ]
  const xAxis = grids.map((_, k) => ({
    type: 'value' as const,
    gridIndex: k,
    min: 0,
    max: Math.max(1, end),
    splitNumber: compact ? 4 : 8,
    axisLine: { ...line, onZero: false },
    axisTick: line,
    splitLine: { show: false },
    name: k === grids.length - 1 ? 'min' : '',
    nameLocation: 'middle' as const,
    nameGap: 26,
    axisLabel: {
      show: k === grids.length - 1,
      color: theme.dim,
      hideOverlap: true,
      showMaxLabel: false,
      formatter: (value: number) => formatNumberFr(value, 1, true),
    },
  }))
  const yAxis = grids.map((_, k) => ({
    type: 'value' as const,
    gridIndex: k,
    name: k === 0 ? unit : `Δ ${unit}`,
    nameGap: 10,
    nameTextStyle: { color: theme.dim, align: 'left' as const },
    splitNumber: k === 0 ? 4 : 2,
    axisLabel: { color: theme.dim, formatter: (value: number) => formatNumberFr(value, 5, true) },
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: line,
  }))
  const cursor = grids.map(
    (_, k): SeriesOption => ({
      id: `${CURSOR_ID}${k}`,
      type: 'line',
      xAxisIndex: k,
      yAxisIndex: k,
      data: [],
      silent: true,
      tooltip: { show: false },
    }),
  )
  return {
    animation: false,
    textStyle: { fontFamily: theme.fontFamily, color: theme.dim, fontSize: compact ? 11 : 12 },
    grid: grids,
    xAxis,
    yAxis,
    axisPointer: { link: [{ xAxisIndex: 'all' }] },
    tooltip: {
      trigger: 'axis',
      ...tooltipBox(theme),
      axisPointer: { type: 'line', lineStyle: { color: theme.dim, type: 'dashed' } },
      formatter: (given: unknown) => {
        const items = hovered<{
          seriesName: string
          value: [number, number]
        }>(given)
        const told = items.filter(({ value }) => Array.isArray(value))
        if (told.length === 0) return ''
        return [
          formatQuantityFr(told[0].value[0], 'min', 1, true),
          ...told.map(
            ({ seriesName, value }) =>
              `${escapeHtml(seriesName)} : <b>${formatQuantityFr(value[1], unit, decimals)}</b>`,
          ),
        ].join('<br>')
      },
    },
    series: [
      ...curves.map((curve): SeriesOption => {
        const color = lineColor(theme, curve.color)
        return {
          id: curve.name,
          name: curve.name,
          type: 'line',
          data: points(timesS, curve.values),
          showSymbol: false,
          lineStyle: { color, width: 1.75, type: curve.dashed ? 'dashed' : 'solid' },
          itemStyle: { color },
        }
      }),
      ...(delta
        ? [
            {
              id: delta.name,
              name: delta.name,
              type: 'line',
              xAxisIndex: 1,
              yAxisIndex: 1,
              data: points(timesS, delta.values),
              showSymbol: false,
              lineStyle: { color: theme.text, width: 1.25 },
              itemStyle: { color: theme.text },
              areaStyle: { color: theme.bar, opacity: 0.35 },
            } satisfies SeriesOption,
          ]
        : []),
      ...cursor,
    ],
  }
}

/** Option to merge into a sewer chart so that its mark stands at a moment, min. */
export function sewerCursor(minute: number, theme: ChartTheme, panes: number): EChartsOption {
  return {
    series: Array.from({ length: panes }, (_, k) => ({
      id: `${CURSOR_ID}${k}`,
      markLine: {
        silent: true,
        animation: false,
        symbol: ['none', 'none'],
        label: { show: false },
        lineStyle: { color: theme.accent, width: 2, type: 'solid' },
        data: [{ xAxis: minute }],
      },
    })),
  }
}

const atMoments = (timesS: readonly number[], values: readonly number[]): [number, number][] =>
  values.map((value, k) => [timesS[k] / 60, value])

/** Minutes in the middle of each interval and the values. */
const inIntervals = (timesS: readonly number[], values: readonly number[]): [number, number][] =>
  values.map((value, k) => [((timesS[k - 1] ?? 0) + timesS[k]) / 120, value])

const escapeHtml = (text: string): string =>
  text.replace(/[&<>]/g, (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[mark] as string)
