import { formatDateTimeFr, formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import type { EChartsOption, SeriesOption } from 'echarts'
import type { ChartSize, ChartTheme } from './theme.ts'
import { type TimePoint, timeChart } from './time-chart.ts'
import { hovered, tooltipBox } from './tooltip.ts'

/** Radar and gauge, mm, as points or as a curve. */
export interface GaugeXy {
  name: string
  points: readonly (readonly [radarMm: number, gaugeMm: number])[]
}

export interface GaugeXyData {
  xName: string
  yName: string
  series: readonly GaugeXy[]
  kind: 'points' | 'curves'
  /** Name of the series that stands out; all alike without one. */
  chosen?: string | null
}

/** Gauges over radar on two equal axes, with the line on which both agree. */
export function gaugeXyChart(data: GaugeXyData, theme: ChartTheme, size: ChartSize): EChartsOption {
  const most = data.series.reduce(
    (max, { points }) => points.reduce((a, [x, y]) => Math.max(a, x, y), max),
    0,
  )
  const end = most > 0 ? most : 1
  const axis = {
    type: 'value' as const,
    min: 0,
    max: Number((end * 1.02).toPrecision(3)),
    splitNumber: size.width < 420 ? 3 : 5,
    axisLine: { lineStyle: { color: theme.grid } },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: theme.grid } },
    axisLabel: {
      color: theme.dim,
      fontSize: 11,
      showMaxLabel: false,
      formatter: (value: number) => formatNumberFr(value, 2, true),
    },
  }
  return {
    animation: false,
    textStyle: { fontFamily: theme.fontFamily, color: theme.dim, fontSize: 12 },
    grid: { left: 48, right: 16, top: 28, bottom: 44 },
    xAxis: { ...axis, name: data.xName, nameLocation: 'middle', nameGap: 26 },
    yAxis: { ...axis, name: data.yName, nameTextStyle: { color: theme.dim, align: 'left' } },
    tooltip: {
      trigger: 'item',
      ...tooltipBox(theme),
      formatter: (given: unknown) => {
        const [first] = hovered<{ seriesName: string; value: [number, number] }>(given)
        if (!first) return ''
        const [x, y] = first.value.map((mm) => formatQuantityFr(mm, 'mm', 2))
        return `${first.seriesName}<br>${data.xName} : <b>${x}</b><br>${data.yName} : <b>${y}</b>`
      },
    },
    series: [
      {
        id: 'equal',
        type: 'line',
        silent: true,
        showSymbol: false,
        data: [
          [0, 0],
          [axis.max, axis.max],
        ],
        lineStyle: { color: theme.dim, width: 1, type: 'dashed' },
        tooltip: { show: false },
      },
      ...data.series.map((series) => xySeries(series, data, theme)),
    ],
  }
}

function xySeries({ name, points }: GaugeXy, { kind, chosen }: GaugeXyData, theme: ChartTheme): SeriesOption {
  const out = chosen === name
  const color = out ? theme.gauges[0] : theme.bar
  const shy = Boolean(chosen) && !out
  return {
    name,
    type: 'line',
    z: out ? 4 : 3,
    data: points.map(([x, y]) => [x, y]),
    showSymbol: kind === 'points',
    symbol: 'circle',
    symbolSize: out ? 6 : 4,
    triggerLineEvent: true,
    lineStyle: { width: kind === 'points' ? 0 : out ? 2.5 : 1.5, color, opacity: shy ? 0.6 : 1 },
    itemStyle: { color, opacity: shy ? 0.45 : 0.8 },
  }
}

export interface GaugeBandData {
  timeZone: string
  /** mm a step. */
  gauge: readonly TimePoint[]
  radar: readonly TimePoint[]
  /** Least and most of the cells around. */
  low: readonly TimePoint[]
  high: readonly TimePoint[]
  names: { gauge: string; radar: string; band: string }
}

/** A gauge's depths over the cell that it stands in, and the range of the cells around as a band. */
export function gaugeBandChart(data: GaugeBandData, theme: ChartTheme, size: ChartSize): EChartsOption {
  const { names, low, high, timeZone } = data
  const line = { unit: 'mm', decimals: 2, kind: 'line' as const, axis: 'left' as const }
  const base = timeChart(
    {
      timeZone,
      series: [
        { ...line, kind: 'bar', name: names.gauge, points: data.gauge },
        { ...line, name: names.radar, points: data.radar, color: theme.gauges[0] },
      ],
    },
    theme,
    size,
  )
  const band = (
    id: string,
    points: readonly (readonly [number, number | null])[],
    filled: boolean,
  ): SeriesOption => ({
    id,
    name: id,
    type: 'line',
    stack: 'band',
    silent: true,
    showSymbol: false,
    data: points.map(([at, value]) => [at, value]),
    lineStyle: { width: 0 },
    areaStyle: { color: theme.gauges[0], opacity: filled ? 0.22 : 0 },
    tooltip: { show: false },
  })
  const lows = low.map(({ datetime, value }) => [Date.parse(datetime), value] as const)
  const widths = high.map(({ datetime, value }, i) => {
    const least = low[i]?.value
    return [Date.parse(datetime), value === null || least == null ? null : value - least] as const
  })
  const known = new Map(lows.map(([at, least], i) => [at, [least, high[i]?.value ?? null] as const]))
  return {
    ...base,
    tooltip: {
      trigger: 'axis',
      ...tooltipBox(theme),
      axisPointer: { type: 'line', lineStyle: { color: theme.dim, type: 'dashed' } },
      formatter: (given: unknown) => {
        const items = hovered<{ seriesName: string; value: [number, number | null] }>(given)
        if (items.length === 0) return ''
        const at = items[0].value[0]
        const lines = items
          .filter(({ seriesName }) => seriesName === names.gauge || seriesName === names.radar)
          .map(({ seriesName, value }) => `${seriesName} : <b>${mmOf(value[1])}</b>`)
        const [least, most] = known.get(at) ?? [null, null]
        const range = least === null ? [] : [`${names.band} : <b>${mmOf(least)} à ${mmOf(most)}</b>`]
        return [formatDateTimeFr(at, timeZone), ...lines, ...range].join('<br>')
      },
    },
    series: [band('low', lows, false), band('band', widths, true), ...(base.series as SeriesOption[])],
  }
}

const mmOf = (value: number | null) => (value === null ? '–' : formatQuantityFr(value, 'mm', 2))
