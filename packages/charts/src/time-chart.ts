import { formatClock } from '@radx/locale/duration'
import {
  formatDateTimeFr,
  formatHourMinuteFr,
  formatNumberFr,
  formatQuantityFr,
} from '@radx/locale/format-fr'
import { zoneOffsetMs } from '@radx/locale/time'
import type { EChartsOption, SeriesOption } from 'echarts'
import type { ChartSize, ChartTheme } from './theme.ts'
import { hovered, tooltipBox } from './tooltip.ts'

/** One value at a UTC instant; null is no data, not zero. */
export interface TimePoint {
  /** ISO 8601 with Z. */
  datetime: string
  value: number | null
}

export interface TimeSeries {
  name: string
  unit: string
  decimals: number
  kind: 'bar' | 'line'
  axis: 'left' | 'right'
  points: readonly TimePoint[]
  color?: string
  /** A line that stands beside another, say that of a reference. */
  dashed?: boolean
}

export interface TimeChartSpec {
  /** Drawn into the picture; on a page the heading stands beside the chart. */
  title?: string
  timeZone: string
  series: readonly TimeSeries[]
  /** Periods that nothing was measured for, ISO instants. */
  gaps?: readonly { start: string; end: string }[]
  /** Moments at the ends of the axis, ISO instants; by default those of the data. */
  range?: { start: string; end: string }
  leftMax?: number
  /** Fixed room beside the plot, px, so that graphs below each other share their moments. */
  margins?: { left: number; right: number }
  /** Tells moments as hours and minutes since this instant, ms, for what happened on no day. */
  sinceMs?: number
  /** Lowest value of the left axis; bars start at 0, curves where their values do. */
  leftFromZero?: boolean
  /** Said in the middle of the plot, where nothing stands in it. */
  words?: string
}

/** Series that carries the mark of the current frame, so that moving it redraws nothing else. */
export const CURSOR_ID = 'cursor'

/** Narrower than this, a chart has room for few ticks. */
const COMPACT_WIDTH = 560
/** As on a phone. */
const NARROW_WIDTH = 380
/** Two beside each other there. */
const SMALL_WIDTH = 220
const MOST_DECIMALS = 9
/** Lower than this, an axis of values has room for few ticks. */
const LOW_HEIGHT = 110

/**
 * Bars and lines over time: the base of every hyetogram, coverage and cumul chart. A pure function of its
 * arguments; ticks and texts are in the given time zone and in French.
 */
export function timeChart(spec: TimeChartSpec, theme: ChartTheme, size: ChartSize): EChartsOption {
  const compact = size.width < COMPACT_WIDTH
  const right = spec.series.find((series) => series.axis === 'right')
  const left = spec.series.find((series) => series.axis === 'left')
  const fontSize = compact ? 11 : 12
  const steps = size.height < LOW_HEIGHT ? 2 : compact ? 3 : 4
  return {
    animation: false,
    textStyle: { fontFamily: theme.fontFamily, color: theme.dim, fontSize },
    title: titles(spec, theme, fontSize),
    grid: {
      top: (spec.title ? 40 : 0) + 26,
      ...(spec.margins
        ? { ...spec.margins, bottom: 24, outerBoundsMode: 'none' }
        : {
            left: 8,
            right: right ? 8 : 12,
            bottom: 4,
            outerBoundsMode: 'same',
            outerBoundsContain: 'axisLabel',
          }),
    },
    xAxis: timeAxis(spec, theme, size.width),
    yAxis: [
      valueAxis(left, theme, steps, {
        max: spec.leftMax,
        fromZero: spec.leftFromZero ?? true,
        decimals: tickDecimals(spec, 'left'),
      }),
      ...(right
        ? [
            valueAxis(right, theme, steps, {
              fromZero: true,
              decimals: tickDecimals(spec, 'right'),
              quiet: true,
            }),
          ]
        : []),
    ],
    tooltip: tooltip(spec, theme),
    series: [
      ...spec.series.map((series) => drawn(series, theme)),
      ...(spec.gaps?.length ? [gapAreas(spec.gaps, theme)] : []),
      { id: CURSOR_ID, type: 'line', data: [], silent: true, tooltip: { show: false } },
    ],
  }
}

/** The title above, and what is said across an empty plot. */
function titles(
  { title, words }: TimeChartSpec,
  theme: ChartTheme,
  fontSize: number,
): EChartsOption['title'] {
  const text = (style: { fontSize: number; fontWeight: number; color: string }) => ({
    textStyle: { ...style, fontFamily: theme.fontFamily },
  })
  return [
    ...(title
      ? [{ text: title, left: 8, top: 8, ...text({ fontSize: 15, fontWeight: 600, color: theme.text }) }]
      : []),
    ...(words
      ? [
          {
            text: words,
            left: 'center',
            top: 'middle',
            ...text({ fontSize: fontSize + 1, fontWeight: 400, color: theme.dim }),
          },
        ]
      : []),
  ]
}

/** Option to merge into a time chart so that its mark stands at a moment; null takes it away. */
export function cursorAt(datetime: string | null, theme: ChartTheme): EChartsOption {
  return {
    series: [
      {
        id: CURSOR_ID,
        markLine: {
          silent: true,
          animation: false,
          symbol: ['none', 'none'],
          label: { show: false },
          lineStyle: { color: theme.accent, width: 2, type: 'solid' },
          data: datetime === null ? [] : [{ xAxis: Date.parse(datetime) }],
        },
      },
    ],
  }
}

function timeAxis(spec: TimeChartSpec, theme: ChartTheme, width: number): EChartsOption['xAxis'] {
  const { timeZone, range, sinceMs } = spec
  const isLong = spanMs(spec) > LONG_MS
  return {
    type: 'time',
    // Bars at the ends must not move the moments: charts below each other share them.
    ...(range && { min: Date.parse(range.start), max: Date.parse(range.end), containShape: false }),
    splitNumber: width < SMALL_WIDTH ? 2 : width < NARROW_WIDTH ? 3 : width < COMPACT_WIDTH ? 4 : 8,
    axisLine: { lineStyle: { color: theme.grid } },
    axisTick: { lineStyle: { color: theme.grid } },
    splitLine: { show: false },
    axisLabel: {
      color: theme.dim,
      hideOverlap: true,
      formatter: (value: number) =>
        sinceMs === undefined ? tickLabel(value, timeZone, isLong) : elapsedLabel(value - sinceMs),
    },
    axisPointer: { label: { show: false } },
  }
}

/** Hours and minutes since a start. */
const elapsedLabel = (ms: number): string => formatClock(Math.round(ms / 1000)).slice(0, -3)

/** Hours and minutes; the day where a civil day begins. */
/** Longer periods have ticks a day or more apart: at midnight of the machine, which need not be that of the site. */
const LONG_MS = 8 * 86_400_000

/** How much time the axis covers, ms. */
function spanMs({ range, series }: TimeChartSpec): number {
  const ends = range
    ? [range.start, range.end]
    : series.flatMap(({ points }) =>
        [points[0], points[points.length - 1]].map((point) => point?.datetime ?? ''),
      )
  const ms = ends.map((end) => Date.parse(end)).filter((end) => !Number.isNaN(end))
  return ms.length === 0 ? 0 : Math.max(...ms) - Math.min(...ms)
}

function tickLabel(instantMs: number, timeZone: string, isLong: boolean): string {
  const local = new Date(instantMs + zoneOffsetMs(instantMs, timeZone))
  if (isLong || (local.getUTCHours() === 0 && local.getUTCMinutes() === 0))
    return `${String(local.getUTCDate()).padStart(2, '0')}/${String(local.getUTCMonth() + 1).padStart(2, '0')}`
  return formatHourMinuteFr(instantMs, timeZone)
}

/** Decimals that tell the ticks of an axis apart: a total of some thousandths of a millimetre has its axis too. */
function tickDecimals({ series, leftFromZero = true }: TimeChartSpec, axis: TimeSeries['axis']): number {
  const isFromZero = axis === 'right' || leftFromZero
  let [least, most] = isFromZero ? [0, 0] : [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { points } of series.filter((one) => one.axis === axis))
    for (const { value } of points) {
      if (value === null) continue
      if (value < least) least = value
      if (value > most) most = value
    }
  const span = most - least
  return span > 0 ? Math.min(MOST_DECIMALS, Math.max(2, 2 - Math.floor(Math.log10(span)))) : 2
}

function valueAxis(
  series: TimeSeries | undefined,
  theme: ChartTheme,
  steps: number,
  range: { max?: number; fromZero: boolean; decimals: number; quiet?: boolean },
): NonNullable<Extract<EChartsOption['yAxis'], unknown[]>>[number] {
  return {
    type: 'value',
    name: series?.unit ?? '',
    nameGap: 10,
    nameTextStyle: { color: theme.dim, align: range.quiet ? 'right' : 'left', padding: [0, 0, 0, 0] },
    min: range.fromZero ? 0 : undefined,
    max: range.max,
    scale: !range.fromZero,
    splitNumber: steps,
    interval: range.max === undefined ? undefined : range.max / (steps < 4 ? 2 : 4),
    axisLabel: {
      color: theme.dim,
      hideOverlap: true,
      // A low axis writes every other value: nice steps may be more than were asked for.
      formatter: (value: number, index: number) =>
        steps === 2 && index % 2 === 1 ? '' : formatNumberFr(value, range.decimals, true),
    },
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { show: !range.quiet, lineStyle: { color: theme.grid } },
  }
}

function drawn(series: TimeSeries, theme: ChartTheme): SeriesOption {
  const data = series.points.map(({ datetime, value }) => [Date.parse(datetime), value])
  const yAxisIndex = series.axis === 'right' ? 1 : 0
  if (series.kind === 'bar')
    return {
      id: series.name,
      name: series.name,
      type: 'bar',
      yAxisIndex,
      data,
      barCategoryGap: '18%',
      itemStyle: { color: series.color ?? theme.bar },
      emphasis: { itemStyle: { color: theme.accent } },
      large: data.length > 2000,
    }
  return {
    id: series.name,
    name: series.name,
    type: 'line',
    yAxisIndex,
    data,
    showSymbol: false,
    connectNulls: false,
    lineStyle: {
      color: series.color ?? theme.accent,
      width: 1.75,
      type: series.dashed ? 'dashed' : 'solid',
    },
    itemStyle: { color: series.color ?? theme.accent },
  }
}

function gapAreas(gaps: readonly { start: string; end: string }[], theme: ChartTheme): SeriesOption {
  return {
    id: 'gaps',
    type: 'line',
    z: 1,
    data: [],
    silent: true,
    markArea: {
      silent: true,
      itemStyle: { color: theme.missing },
      data: gaps.map(({ start, end }) => [{ xAxis: Date.parse(start) }, { xAxis: Date.parse(end) }]),
    },
  }
}

function tooltip(spec: TimeChartSpec, theme: ChartTheme): EChartsOption['tooltip'] {
  return {
    trigger: 'axis',
    ...tooltipBox(theme),
    axisPointer: { type: 'line', lineStyle: { color: theme.dim, type: 'dashed' } },
    formatter: (given: unknown) => {
      const items = hovered<{
        seriesName: string
        value: [number, number]
      }>(given)
      if (items.length === 0) return ''
      const lines = items.flatMap(({ seriesName, value }) => {
        const series = spec.series.find((entry) => entry.name === seriesName)
        return series
          ? [`${series.name} : <b>${formatQuantityFr(value[1], series.unit, series.decimals)}</b>`]
          : []
      })
      const [at] = items[0].value
      const moment =
        spec.sinceMs === undefined ? formatDateTimeFr(at, spec.timeZone) : elapsedLabel(at - spec.sinceMs)
      return [moment, ...lines].join('<br>')
    },
  }
}
