import type { EChartsOption } from 'echarts'
import type { ChartSize, ChartTheme } from './theme.ts'
import { type TimePoint, type TimeSeries, timeChart } from './time-chart.ts'

/** What a run has at its moments; rates are means since the moment before. */
export interface FloodCourseData {
  timesS: readonly number[]
  rainMmH: readonly number[]
  sewerInM3S: readonly number[]
  outfallM3S: readonly number[]
  surfaceM3: readonly number[]
  sewerM3: readonly number[]
  /** m. */ limitsM: readonly number[]
  /** m2, `[limit][moment]`. */ floodedM2: readonly (readonly number[])[]
}

export interface FloodChartData {
  title?: string
  timeZone: string
  /** Instant of the run's start, ms. */
  startMs: number
  course: FloodCourseData
  /** Virtual rain fell on no day: moments are then told since the start. */
  elapsed?: boolean
  /** The run that it is compared with, drawn dashed. */
  reference?: FloodCourseData | null
  margins?: { left: number; right: number }
}

export const FLOOD_SERIES = {
  rain: 'Pluie moyenne',
  sewerIn: 'De la surface au réseau',
  outfall: 'Aux exutoires',
  surface: 'En surface',
  sewer: 'Dans le réseau',
  area: (fromCm: number) => `Au moins ${fromCm}\u00a0cm`,
  reference: (name: string) => `${name}, référence`,
} as const

const instant = (ms: number): string => new Date(ms).toISOString()

/** Values at the moments themselves. */
const states = (startMs: number, timesS: readonly number[], values: readonly number[]): TimePoint[] =>
  timesS.map((timeS, k) => ({ datetime: instant(startMs + 1000 * timeS), value: values[k] }))

/** Means since the moment before, in the middle of their time. */
const means = (startMs: number, timesS: readonly number[], values: readonly number[]): TimePoint[] =>
  timesS.slice(1).map((timeS, k) => ({
    datetime: instant(startMs + 500 * (timeS + timesS[k])),
    value: values[k + 1],
  }))

/** Mean rain over the catchment, mm/h. */
export const floodRain = (data: FloodChartData, theme: ChartTheme, size: ChartSize): EChartsOption =>
  chart(
    data,
    [
      {
        name: FLOOD_SERIES.rain,
        unit: 'mm/h',
        decimals: 1,
        kind: 'bar',
        axis: 'left',
        points: means(data.startMs, data.course.timesS, data.course.rainMmH),
      },
    ],
    theme,
    size,
  )

/** Flooded areas in ha: those at least so deep, cm; one of the course's limits. */
export const floodedHa = ({ limitsM, floodedM2 }: FloodCourseData, fromCm: number): number[] => {
  const k = limitsM.findIndex((limit) => Math.round(100 * limit) === fromCm)
  return (floodedM2[k] ?? []).map((area) => area / 10_000)
}

/** Area at least so deep, ha. */
export const floodedArea = (
  data: FloodChartData & { fromCm: number },
  theme: ChartTheme,
  size: ChartSize,
): EChartsOption => {
  const of = (course: FloodCourseData) => states(data.startMs, course.timesS, floodedHa(course, data.fromCm))
  const series: TimeSeries = {
    name: FLOOD_SERIES.area(data.fromCm),
    unit: 'ha',
    decimals: 2,
    kind: 'line',
    axis: 'left',
    points: of(data.course),
    color: theme.accent,
  }
  return chart(data, withReference(series, data.reference, of), theme, size)
}

/** Water on the surface and in the sewer, m3. */
export const storedVolumes = (data: FloodChartData, theme: ChartTheme, size: ChartSize): EChartsOption =>
  chart(
    data,
    pair(data, 'm³', 0, states, [
      [FLOOD_SERIES.surface, 'surfaceM3', theme.accent],
      [FLOOD_SERIES.sewer, 'sewerM3', theme.gauges[1]],
    ]),
    theme,
    size,
  )

/** Flow from the surface into the sewer, and out of it, m3/s. */
export const sewerFlows = (data: FloodChartData, theme: ChartTheme, size: ChartSize): EChartsOption =>
  chart(
    data,
    pair(data, 'm³/s', 3, means, [
      [FLOOD_SERIES.sewerIn, 'sewerInM3S', theme.accent],
      [FLOOD_SERIES.outfall, 'outfallM3S', theme.gauges[0]],
    ]),
    theme,
    size,
  )

function pair(
  { course, reference, startMs }: FloodChartData,
  unit: string,
  decimals: number,
  place: typeof states,
  lines: readonly [string, 'surfaceM3' | 'sewerM3' | 'sewerInM3S' | 'outfallM3S', string][],
): TimeSeries[] {
  return lines.flatMap(([name, field, color]) =>
    withReference(
      {
        name,
        unit,
        decimals,
        kind: 'line',
        axis: 'left',
        color,
        points: place(startMs, course.timesS, course[field]),
      },
      reference,
      (other) => place(startMs, other.timesS, other[field]),
    ),
  )
}

const withReference = (
  series: TimeSeries,
  reference: FloodCourseData | null | undefined,
  points: (reference: FloodCourseData) => TimePoint[],
): TimeSeries[] =>
  reference
    ? [
        series,
        { ...series, name: FLOOD_SERIES.reference(series.name), points: points(reference), dashed: true },
      ]
    : [series]

const chart = (
  { title, timeZone, margins, startMs, elapsed, course }: FloodChartData,
  series: TimeSeries[],
  theme: ChartTheme,
  size: ChartSize,
): EChartsOption =>
  timeChart(
    {
      title,
      timeZone,
      margins,
      series,
      leftFromZero: !hasNegative(series),
      range: { start: instant(startMs), end: instant(startMs + 1000 * (course.timesS.at(-1) ?? 0)) },
      ...(elapsed && { sinceMs: startMs }),
    },
    theme,
    size,
  )

/** A sewer that gives back flows the other way round. */
const hasNegative = (series: readonly TimeSeries[]): boolean =>
  series.some(({ points }) => points.some(({ value }) => value !== null && value < 0))
