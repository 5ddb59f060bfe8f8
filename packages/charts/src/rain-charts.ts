import type { EChartsOption } from 'echarts'
import type { ChartSize, ChartTheme } from './theme.ts'
import { type TimeChartSpec, type TimePoint, timeChart } from './time-chart.ts'

export const CHART_TITLES = {
  hyetogram: 'Hyétogramme Rmoyen zone pluvieuse',
  coverage: 'Évolution de la couverture pluvieuse',
} as const

interface Common {
  title?: string
  timeZone: string
  gaps?: TimeChartSpec['gaps']
  margins?: TimeChartSpec['margins']
  range?: TimeChartSpec['range']
}

export interface RainChartData extends Common {
  /** Intensities in mm/h. */
  points: readonly TimePoint[]
  /** Running totals in mm, drawn against a right axis. */
  cumulMm?: readonly TimePoint[]
  /** How the totals take the rain between frames; named beside them. */
  method?: CumulMethod
}

export type CumulMethod = 'moved' | 'raw'
/** Names of totals by how they take the rain between frames. */
export const CUMUL_NAMES: Record<CumulMethod, string> = {
  moved: 'Cumul, pluie déplacée',
  raw: 'Cumul, images fixes',
}

/** Of rain that none of the images shows. */
export const DRY_WORDS = 'Pas de pluie sur ces images'

/** Whether every known value is 0; rain that only passed between images is in the totals alone. */
export const isDry = (points: readonly TimePoint[], cumulMm: readonly TimePoint[] = []): boolean =>
  points.some(({ value }) => value === 0) && ![...points, ...cumulMm].some(({ value }) => (value ?? 0) > 0)

/** An axis without a bar would look like a fault. */
const dryWords = (points: readonly TimePoint[], cumulMm?: readonly TimePoint[]): string | undefined =>
  isDry(points, cumulMm) ? DRY_WORDS : undefined

const cumulSeries = (
  points: readonly TimePoint[] | undefined,
  method: CumulMethod | undefined,
  color?: string,
): TimeChartSpec['series'] =>
  points
    ? [
        {
          name: method ? CUMUL_NAMES[method] : 'Cumul',
          unit: 'mm',
          decimals: 2,
          kind: 'line',
          axis: 'right',
          points,
          color,
        },
      ]
    : []

function rainChart(
  name: string,
  data: RainChartData,
  theme: ChartTheme,
  size: ChartSize,
  colors: { bar?: string; line?: string } = {},
): EChartsOption {
  const { title, timeZone, gaps, margins, range } = data
  return timeChart(
    {
      title,
      timeZone,
      gaps,
      margins,
      range,
      words: dryWords(data.points, data.cumulMm),
      series: [
        {
          name,
          unit: 'mm/h',
          decimals: 2,
          kind: 'bar',
          axis: 'left',
          points: data.points,
          color: colors.bar,
        },
        ...cumulSeries(data.cumulMm, data.method, colors.line),
      ],
    },
    theme,
    size,
  )
}

/** Mean over the rainy zone (cells with rain), mm/h. */
export const hyetogram = (data: RainChartData, theme: ChartTheme, size: ChartSize): EChartsOption =>
  rainChart('Rmoyen', data, theme, size)

/** Area-weighted mean over a catchment, mm/h. */
export const catchmentHyetogram = (data: RainChartData, theme: ChartTheme, size: ChartSize): EChartsOption =>
  rainChart('Rmoyen bassin', data, theme, size)

/** Intensity of one pixel, in the colour of its gauge (0 to 2). */
export const pixelHyetogram = (
  data: RainChartData & { color: number },
  theme: ChartTheme,
  size: ChartSize,
): EChartsOption => {
  const color = theme.gauges[data.color % theme.gauges.length]
  return rainChart('Intensité', data, theme, size, { bar: color, line: color })
}

/** The radar's pixel over the micro rain radar, and the rain rate that this one measures near the ground. */
export const aboveInstrument = (
  data: RainChartData & { instrument: { name: string; points: readonly TimePoint[] } },
  theme: ChartTheme,
  size: ChartSize,
): EChartsOption => {
  const { title, timeZone, gaps, margins, range, points, instrument } = data
  const intensity = { unit: 'mm/h', decimals: 2, axis: 'left' } as const
  return timeChart(
    {
      title,
      timeZone,
      gaps,
      margins,
      range,
      series: [
        { ...intensity, name: 'Pixel du radar', kind: 'bar', points },
        {
          ...intensity,
          name: instrument.name,
          kind: 'line',
          points: instrument.points,
          color: theme.gauges[0],
        },
      ],
    },
    theme,
    size,
  )
}

/** Share of the zone where it rains, %, on a fixed axis up to 100. */
export const coverage = (
  data: Common & { points: readonly TimePoint[] },
  theme: ChartTheme,
  size: ChartSize,
): EChartsOption =>
  timeChart(
    {
      title: data.title,
      timeZone: data.timeZone,
      gaps: data.gaps,
      margins: data.margins,
      range: data.range,
      leftMax: 100,
      words: dryWords(data.points),
      series: [
        { name: 'Couverture', unit: '%', decimals: 1, kind: 'bar', axis: 'left', points: data.points },
      ],
    },
    theme,
    size,
  )

/** Running total alone, mm, on the right axis. */
export const cumul = (
  data: Common & { points: readonly TimePoint[]; method?: CumulMethod },
  theme: ChartTheme,
  size: ChartSize,
): EChartsOption =>
  timeChart(
    {
      title: data.title,
      timeZone: data.timeZone,
      gaps: data.gaps,
      series: cumulSeries(data.points, data.method),
    },
    theme,
    size,
  )
