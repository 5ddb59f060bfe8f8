import { formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { depthsAt, type MontanaLaw } from '@radx/rainfall/storms/montana'
import type { EChartsOption, SeriesOption } from 'echarts'
import type { ChartSize, ChartTheme } from './theme.ts'
import { hovered, tooltipBox } from './tooltip.ts'

export interface DepthDurationData {
  title?: string
  laws: readonly MontanaLaw[]
  places: readonly { name: string; depths: readonly { durationMin: number; depthMm: number }[] }[]
}

/** Points of a curve: laws are straight on these axes but where one range ends. */
const CURVE_POINTS = 40

const TICKS = [6, 15, 30, 60, 180, 360, 720, 1440]

/** Duration in minutes or hours, as axes say it: "30 min", "6 h". */
export const durationFr = (minutes: number): string =>
  minutes < 60 || minutes % 60 !== 0
    ? formatQuantityFr(minutes, 'min', 1, true)
    : formatQuantityFr(minutes / 60, 'h', 1, true)

/** Largest depths by duration of places, over the curves of a table's return periods; both axes logarithmic. */
export function depthDurationChart(
  data: DepthDurationData,
  theme: ChartTheme,
  size: ChartSize,
): EChartsOption {
  const label = { color: theme.dim, fontSize: 11 }
  const axis = {
    type: 'log' as const,
    axisLine: { lineStyle: { color: theme.grid } },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: theme.grid } },
    minorSplitLine: { show: false },
  }
  return {
    animation: false,
    textStyle: { fontFamily: theme.fontFamily, color: theme.dim, fontSize: 12 },
    ...(data.title && {
      title: {
        text: data.title,
        left: 8,
        top: 8,
        textStyle: { fontSize: 15, fontWeight: 600, color: theme.text },
      },
    }),
    legend: {
      data: data.places.map(({ name }) => name),
      bottom: 0,
      type: 'scroll',
      textStyle: { color: theme.text },
    },
    grid: { left: 48, right: size.width < 480 ? 44 : 72, top: data.title ? 64 : 28, bottom: 68 },
    xAxis: {
      ...axis,
      name: 'durée',
      nameLocation: 'middle',
      nameGap: 28,
      min: 6,
      max: 1440,
      axisTick: { show: true, customValues: TICKS, lineStyle: { color: theme.grid } },
      axisLabel: { ...label, customValues: TICKS, hideOverlap: true, formatter: durationFr },
    },
    yAxis: {
      ...axis,
      name: 'mm',
      nameTextStyle: { color: theme.dim, align: 'right' },
      axisLabel: { ...label, formatter: (mm: number) => formatNumberFr(mm, 2, true) },
    },
    tooltip: {
      trigger: 'item',
      ...tooltipBox(theme),
      formatter: (given: unknown) => {
        const [first] = hovered<{ seriesName: string; value: [number, number] }>(
          Array.isArray(given) ? given : [given],
        )
        if (!first) return ''
        return `${first.seriesName}<br>${durationFr(Math.round(first.value[0] * 10) / 10)} : <b>${formatQuantityFr(first.value[1], 'mm', 1)}</b>`
      },
    },
    series: [...curves(data.laws, theme), ...points(data.places, theme)],
  }
}

function curves(laws: readonly MontanaLaw[], theme: ChartTheme): SeriesOption[] {
  const years = [...new Set(laws.map(({ periodYears }) => periodYears))].sort((a, b) => a - b)
  const [from, to] = [Math.min(...laws.map((law) => law.fromMin)), Math.max(...laws.map((law) => law.toMin))]
  const durations = Array.from(
    { length: CURVE_POINTS + 1 },
    (_, k) => from * (to / from) ** (k / CURVE_POINTS),
  )
  return years.map((periodYears) => {
    const name = `${formatNumberFr(periodYears, 1, true)} ${periodYears < 2 ? 'an' : 'ans'}`
    return {
      name,
      type: 'line',
      showSymbol: false,
      data: durations.map((minutes) => [
        minutes,
        depthsAt(laws, minutes).find((line) => line.periodYears === periodYears)?.depthMm ?? null,
      ]),
      lineStyle: { color: theme.dim, width: 1, opacity: 0.75 },
      itemStyle: { color: theme.dim },
      // Periods lie close together: their names give way to each other.
      labelLayout: { moveOverlap: 'shiftY' as const },
      endLabel: { show: true, formatter: name, color: theme.dim, fontSize: 11 },
    }
  })
}

const SYMBOLS = ['circle', 'diamond', 'triangle', 'rect'] as const

/** Colour and mark tell places apart, so that neither is needed alone. */
const points = (places: DepthDurationData['places'], theme: ChartTheme): SeriesOption[] => {
  const colors = [theme.accent, ...theme.gauges]
  return places.map(({ name, depths }, k) => ({
    name,
    type: 'line',
    symbol: SYMBOLS[Math.floor(k / colors.length + k) % SYMBOLS.length],
    symbolSize: 7,
    data: depths
      .filter(({ depthMm }) => depthMm > 0)
      .map(({ durationMin, depthMm }) => [durationMin, depthMm]),
    lineStyle: { color: colors[k % colors.length], width: 2 },
    itemStyle: { color: colors[k % colors.length] },
  }))
}
