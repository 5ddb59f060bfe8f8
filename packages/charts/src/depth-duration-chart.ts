import { formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { depthsAt, type MontanaLaw } from '@radx/rainfall/storms/montana'
import type { EChartsOption, LineSeriesOption, SeriesOption } from 'echarts'
import type { ChartSize, ChartTheme } from './theme.ts'
import { hovered, tooltipBox } from './tooltip.ts'

export interface DepthDurationData {
  title?: string
  laws: readonly MontanaLaw[]
  places: readonly { name: string; depths: readonly { durationMin: number; depthMm: number | null }[] }[]
}

/** Points of a curve: laws are straight on these axes but where one range ends. */
const CURVE_POINTS = 40
/** Room below the plot, and height of a curve's name, px. */
const BOTTOM = 68
const NAME_PX = 13

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
  const ends = data.laws.flatMap(({ a, b, fromMin, toMin }) =>
    [fromMin, toMin].map((minutes) => a * minutes ** (1 - b)),
  )
  const { plane, yOf } = depthPlane({ ...data, depthsMm: ends }, theme, size)
  return { ...plane, series: [...curves(data.laws, theme, yOf), ...placeLines(data.places, theme)] }
}

interface Plane extends Omit<DepthDurationData, 'laws'> {
  /** Depths that the axis holds beside those of the places, mm. */
  depthsMm: readonly number[]
}

/** The axes that depths by duration are drawn on, and how far below the top of the plot a depth stands, px. */
export function depthPlane(
  { title, places, depthsMm }: Plane,
  theme: ChartTheme,
  size: ChartSize,
): { plane: EChartsOption; yOf: (mm: number) => number } {
  const label = { color: theme.dim, fontSize: 11 }
  const top = title ? 64 : 28
  const [low, high] = decades([
    ...depthsMm,
    ...places.flatMap(({ depths }) => depths.map(({ depthMm }) => depthMm ?? 0)),
  ])
  const plot = size.height - top - BOTTOM
  const axis = {
    type: 'log' as const,
    axisLine: { lineStyle: { color: theme.grid } },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: theme.grid } },
    minorSplitLine: { show: false },
  }
  const plane: EChartsOption = {
    animation: false,
    textStyle: { fontFamily: theme.fontFamily, color: theme.dim, fontSize: 12 },
    ...(title && {
      title: {
        text: title,
        left: 8,
        top: 8,
        textStyle: { fontSize: 15, fontWeight: 600, color: theme.text },
      },
    }),
    legend: {
      data: places.map(({ name }) => name),
      bottom: 0,
      type: 'scroll',
      textStyle: { color: theme.text },
    },
    grid: { left: 48, right: size.width < 480 ? 56 : 72, top, bottom: BOTTOM },
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
      min: low,
      max: high,
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
  }
  return { plane, yOf: (mm) => (Math.log10(high / mm) / Math.log10(high / low)) * plot }
}

/** Whole decades that hold every depth, mm. */
function decades(given: readonly number[]): [low: number, high: number] {
  const depths = given.filter((mm) => mm > 0)
  if (depths.length === 0) return [1, 10]
  const low = 10 ** Math.floor(Math.log10(Math.min(...depths)))
  return [low, Math.max(10 * low, 10 ** Math.ceil(Math.log10(Math.max(...depths))))]
}

/** Heights of names that keep their distance, px from the top; each as near to its own as that leaves. */
export function spread(wanted: readonly number[], distance: number): number[] {
  const order = wanted.map((_, k) => k).sort((i, j) => wanted[i] - wanted[j])
  const blocks: { at: number; members: number[] }[] = []
  for (const k of order) {
    let block = { at: wanted[k], members: [k] }
    // What would overlap stands together, around the middle of what it wants.
    for (
      let last = blocks.at(-1);
      last && block.at - last.at < (distance * (block.members.length + last.members.length)) / 2;
      last = blocks.at(-1)
    ) {
      blocks.pop()
      const members = [...last.members, ...block.members]
      block = { at: members.reduce((sum, m) => sum + wanted[m], 0) / members.length, members }
    }
    blocks.push(block)
  }
  const found = [...wanted]
  for (const { at, members } of blocks)
    members.forEach((k, n) => {
      found[k] = at + distance * (n - (members.length - 1) / 2)
    })
  return found
}

function curves(laws: readonly MontanaLaw[], theme: ChartTheme, yOf: (mm: number) => number): SeriesOption[] {
  const years = [...new Set(laws.map(({ periodYears }) => periodYears))].sort((a, b) => a - b)
  const [from, to] = [Math.min(...laws.map((law) => law.fromMin)), Math.max(...laws.map((law) => law.toMin))]
  const durations = Array.from(
    { length: CURVE_POINTS + 1 },
    (_, k) => from * (to / from) ** (k / CURVE_POINTS),
  )
  const depthOf = (minutes: number, periodYears: number) =>
    depthsAt(laws, minutes).find((line) => line.periodYears === periodYears)?.depthMm ?? null
  return periodCurves(
    years.map((periodYears) => ({
      periodYears,
      points: durations.map((minutes) => [minutes, depthOf(minutes, periodYears)]),
    })),
    theme,
    yOf,
  )
}

/** A curve a return period, its name behind its end; a depth of null is a gap. */
export function periodCurves(
  given: readonly { periodYears: number; points: [minutes: number, depthMm: number | null][] }[],
  theme: ChartTheme,
  yOf: (mm: number) => number,
): LineSeriesOption[] {
  const ends = given.map(({ points }) => yOf(points.findLast(([, mm]) => mm !== null)?.[1] ?? 1))
  const names = spread(ends, NAME_PX)
  return given.map(({ periodYears, points }, k) => {
    const name = `${formatNumberFr(periodYears, 1, true)} ${periodYears < 2 ? 'an' : 'ans'}`
    return {
      name,
      type: 'line',
      showSymbol: false,
      data: points,
      lineStyle: { color: theme.dim, width: 1, opacity: 0.75 },
      itemStyle: { color: theme.dim },
      // Periods lie close together: their names give way to each other.
      endLabel: {
        show: true,
        formatter: name,
        color: theme.dim,
        fontSize: 11,
        offset: [0, names[k] - ends[k]],
      },
    }
  })
}

const SYMBOLS = ['circle', 'diamond', 'triangle', 'rect'] as const

/** Colour and mark tell places apart, so that neither is needed alone. */
export const placeLines = (places: DepthDurationData['places'], theme: ChartTheme): SeriesOption[] => {
  const colors = [theme.accent, ...theme.gauges]
  return places.map(({ name, depths }, k) => ({
    name,
    type: 'line',
    symbol: SYMBOLS[Math.floor(k / colors.length + k) % SYMBOLS.length],
    symbolSize: 7,
    data: depths.flatMap(({ durationMin, depthMm }) =>
      depthMm !== null && depthMm > 0 ? [[durationMin, depthMm]] : [],
    ),
    lineStyle: { color: colors[k % colors.length], width: 2 },
    itemStyle: { color: colors[k % colors.length] },
  }))
}
