import { formatNumberFr } from '@radx/locale/format-fr'
import type { EChartsOption, SeriesOption } from 'echarts'
import type { ChartSize, ChartTheme } from './theme.ts'
import { hovered, tooltipBox } from './tooltip.ts'

export type Point = readonly [x: number, y: number]

export interface LogLogSeries {
  name: string
  points: readonly Point[]
  /** A straight line through them, its two ends; none where nothing was fitted. */
  line?: readonly [Point, Point] | null
}

export interface LogLogData {
  xName: string
  yName: string
  series: readonly LogLogSeries[]
  /** Part of the x axis that lines are fitted to. */
  range?: readonly [number, number]
  /** Where the x axis is told; powers of ten by default. */
  xTicks?: readonly number[]
}

const SYMBOLS = ['circle', 'diamond', 'triangle', 'rect', 'emptyCircle', 'emptyDiamond'] as const

const short = (value: number): string =>
  value !== 0 && (value < 1e-3 || value >= 1e5)
    ? value.toExponential(0).replace('e', '\u00a0E')
    : formatNumberFr(value, 3, true)

/** Points and lines on two logarithmic axes, with the part that the lines are fitted to. */
export function logLogChart(data: LogLogData, theme: ChartTheme, size: ChartSize): EChartsOption {
  const label = { color: theme.dim, fontSize: 11 }
  const axis = {
    type: 'log' as const,
    axisLine: { lineStyle: { color: theme.grid } },
    splitLine: { lineStyle: { color: theme.grid } },
    minorSplitLine: { show: false },
  }
  const all = data.series.flatMap(({ points }) => points.filter(([x, y]) => x > 0 && y > 0))
  const [lowX, highX] = ends(all.map(([x]) => x))
  const lines = data.series.flatMap(({ line }) => line ?? [])
  const [lowY, highY] = ends([...all, ...lines].map(([, y]) => y).filter((y) => y > 0))
  const yTicks = { customValues: ticksOf(lowY / 1.2, highY * 1.2) }
  const custom = { customValues: data.xTicks ? [...data.xTicks] : ticksOf(lowX / 1.1, highX * 1.1) }
  return {
    animation: false,
    textStyle: { fontFamily: theme.fontFamily, color: theme.dim, fontSize: 12 },
    ...(data.series.length > 1 && {
      legend: {
        data: data.series.map(({ name }) => name),
        bottom: 0,
        type: 'scroll' as const,
        textStyle: { color: theme.text },
      },
    }),
    grid: { left: 56, right: 16, top: 28, bottom: data.series.length > 1 ? 68 : 44 },
    xAxis: {
      ...axis,
      name: data.xName,
      nameLocation: 'middle',
      nameGap: 26,
      min: lowX / 1.1,
      max: highX * 1.1,
      axisTick: { show: true, ...custom, lineStyle: { color: theme.grid } },
      axisLabel: { ...label, ...custom, hideOverlap: size.width < 560, formatter: short },
    },
    yAxis: {
      ...axis,
      name: data.yName,
      min: lowY / 1.2,
      max: highY * 1.2,
      nameTextStyle: { color: theme.dim, align: 'left' },
      axisLabel: { ...label, ...yTicks, formatter: short },
      axisTick: { show: false, ...yTicks },
    },
    tooltip: {
      trigger: 'item',
      ...tooltipBox(theme),
      formatter: (given: unknown) => {
        const [first] = hovered<{ seriesName: string; value: [number, number] }>(given)
        return first
          ? `${first.seriesName}<br>${short(first.value[0])} : <b>${short(first.value[1])}</b>`
          : ''
      },
    },
    series: seriesOf(data, theme),
  }
}

/** Below this, whole powers of ten are too few ticks: one or two. */
const FEW_DECADES = 1000

/** Powers of ten from `low` to `high`; with 2 and 5 times these where that leaves few. */
function ticksOf(low: number, high: number): number[] {
  const first = Math.floor(Math.log10(low))
  const powers = Array.from({ length: Math.ceil(Math.log10(high)) - first + 1 }, (_, k) => 10 ** (first + k))
  return powers
    .flatMap((power) => (high / low < FEW_DECADES ? [1, 2, 5] : [1]).map((times) => times * power))
    .map((tick) => Number(tick.toPrecision(3)))
    .filter((tick) => tick >= low && tick <= high)
}

function ends(values: readonly number[]): [number, number] {
  if (values.length === 0) return [1, 10]
  return [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))]
}

function seriesOf({ series, range }: LogLogData, theme: ChartTheme): SeriesOption[] {
  const colors = [theme.accent, ...theme.gauges]
  return series.flatMap(({ name, points, line }, k): SeriesOption[] => {
    const color = colors[k % colors.length]
    return [
      {
        name,
        type: 'line',
        symbol: SYMBOLS[k % SYMBOLS.length],
        symbolSize: points.length > 40 ? 3 : 7,
        data: points.filter(([x, y]) => x > 0 && y > 0).map(([x, y]) => [x, y]),
        lineStyle: { width: 0 },
        itemStyle: { color },
        ...(k === 0 &&
          range && {
            markArea: {
              silent: true,
              itemStyle: { color: theme.missing, opacity: 0.9 },
              data: [[{ xAxis: range[0] }, { xAxis: range[1] }]],
            },
          }),
      },
      ...(line
        ? [
            {
              name: `${name} `,
              type: 'line' as const,
              silent: true,
              showSymbol: false,
              data: line.map(([x, y]) => [x, y]),
              lineStyle: { color, width: 1.5 },
              itemStyle: { color },
            },
          ]
        : []),
    ]
  })
}

/**
 * The line of a given slope (ln y over ln x) through the middle of the points whose x lies in the range, from one end
 * of the range to the other; null without two points.
 */
export function fittedLine(
  points: readonly Point[],
  slope: number,
  [from, to]: readonly [number, number],
): readonly [Point, Point] | null {
  const used = points.filter(([x, y]) => x >= from * (1 - 1e-9) && x <= to * (1 + 1e-9) && y > 0)
  if (used.length < 2) return null
  const mean = (of: (point: Point) => number) => used.reduce((sum, point) => sum + of(point), 0) / used.length
  const [mx, my] = [mean(([x]) => Math.log(x)), mean(([, y]) => Math.log(y))]
  const at = (x: number): Point => [x, Math.exp(my + slope * (Math.log(x) - mx))]
  return [at(from), at(to)]
}
