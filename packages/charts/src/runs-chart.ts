import { formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import type { EChartsOption } from 'echarts'
import type { ChartTheme } from './theme.ts'
import { hovered, tooltipBox } from './tooltip.ts'

export interface RunsAxis {
  name: string
  unit: string
  decimals: number
}

export interface RunsGroup {
  name: string
  points: readonly { title: string; x: number; y: number }[]
}

const axisName = ({ name, unit }: RunsAxis) => (unit === '' ? name : `${name} (${unit})`)

const axisOf = (axis: RunsAxis, theme: ChartTheme) => ({
  type: 'value' as const,
  scale: true,
  name: axisName(axis),
  nameTextStyle: { color: theme.dim },
  axisLine: { lineStyle: { color: theme.grid } },
  axisTick: { show: false },
  splitLine: { lineStyle: { color: theme.grid } },
  axisLabel: {
    color: theme.dim,
    fontSize: 11,
    hideOverlap: true,
    formatter: (value: number) => formatNumberFr(value, 4, true),
  },
})

const frame = (theme: ChartTheme) => ({
  animation: false,
  textStyle: { fontFamily: theme.fontFamily, color: theme.dim, fontSize: 12 },
  grid: { left: 56, right: 24, top: 28, bottom: 72 },
})

/** A point a run, one number against another, a colour and a mark a group. */
export function runsChart(
  { x, y, groups }: { x: RunsAxis; y: RunsAxis; groups: readonly RunsGroup[] },
  theme: ChartTheme,
): EChartsOption {
  const colors = [theme.accent, ...theme.gauges]
  const marks = ['circle', 'diamond', 'triangle', 'rect', 'pin']
  return {
    ...frame(theme),
    legend: {
      data: groups.map(({ name }) => name),
      bottom: 0,
      type: 'scroll' as const,
      textStyle: { color: theme.text },
    },
    xAxis: { ...axisOf(x, theme), nameLocation: 'middle', nameGap: 28 },
    yAxis: { ...axisOf(y, theme), nameTextStyle: { color: theme.dim, align: 'left' } },
    tooltip: {
      trigger: 'item',
      ...tooltipBox(theme),
      formatter: (given: unknown) => {
        const [first] = hovered<{ name: string; value: [number, number] }>(given)
        if (!first) return ''
        const told = [x, y].map(
          ({ name, unit, decimals }, k) =>
            `${name} : <b>${formatQuantityFr(first.value[k], unit, decimals)}</b>`,
        )
        return [escaped(first.name), ...told].join('<br>')
      },
    },
    series: groups.map(({ name, points }, k) => ({
      name,
      type: 'scatter' as const,
      data: points.map((point) => ({ name: point.title, value: [point.x, point.y] })),
      symbol: marks[k % marks.length],
      symbolSize: 12,
      itemStyle: { color: colors[k % colors.length], borderColor: theme.grid },
    })),
  }
}

/** Titles are what somebody typed; a box beside the pointer is HTML. */
const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!)

export interface RunsBox {
  name: string
  /** Least, lower quartile, median, upper quartile, most. */
  five: readonly [number, number, number, number, number]
}

/** A box a group of runs. */
export function runsBoxes(
  { y, boxes }: { y: RunsAxis; boxes: readonly RunsBox[] },
  theme: ChartTheme,
): EChartsOption {
  return {
    ...frame(theme),
    xAxis: {
      type: 'category' as const,
      data: boxes.map(({ name }) => name),
      axisLine: { lineStyle: { color: theme.grid } },
      axisTick: { show: false },
      axisLabel: { color: theme.dim, width: 160, lineHeight: 15, overflow: 'break' as const },
    },
    yAxis: { ...axisOf(y, theme), nameTextStyle: { color: theme.dim, align: 'left' } },
    tooltip: { show: false },
    series: [
      {
        type: 'boxplot' as const,
        data: boxes.map(({ five }) => [...five]),
        boxWidth: [16, 48],
        itemStyle: { color: theme.missing, borderColor: theme.accent, borderWidth: 1.5 },
      },
    ],
  }
}
