import { COMPASS_DIRECTIONS, GRAPH_SVG, HISTOGRAM_SVG, WIND_CLASSES } from '@radx/contracts/constants'
import type { Compass } from '@radx/contracts/station'
import * as echarts from 'echarts'
import { afterEach, describe, expect, test } from 'vitest'
import {
  CHART_TITLES,
  catchmentHyetogram,
  compassChart,
  coverage,
  cumul,
  cursorAt,
  darkTheme,
  hyetogram,
  lightTheme,
  pixelHyetogram,
  smallGraph,
} from './index.ts'
import { runsBoxes, runsChart } from './runs-chart.ts'
import { scoreChart } from './score-chart.ts'

const open: echarts.ECharts[] = []
afterEach(() => {
  for (const chart of open.splice(0)) chart.dispose()
})

/** The chart as the server draws it: SVG text, without a page. */
function svg(option: echarts.EChartsOption, size: { width: number; height: number }): string {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, ...size })
  open.push(chart)
  chart.setOption(option)
  return chart.renderToSVGString()
}

const START = Date.UTC(2021, 6, 4, 15, 50)
const points = [0.5, 1.25, null, 2].map((value, i) => ({
  datetime: new Date(START + i * 206_000).toISOString(),
  value,
}))
const timeZone = 'Europe/Paris'

/** Shapes filled with the given colour. */
const filled = (text: string, color: string) =>
  text.match(new RegExp(`<(?:path|polygon)[^>]*fill="${color}"[^>]*>`, 'g')) ?? []

describe('charts are drawn without a page', () => {
  test('[LIVE-15] [ANA-60] a bar for each frame with data, none where data is missing', () => {
    const text = svg(
      hyetogram({ title: CHART_TITLES.hyetogram, points, timeZone }, lightTheme, HISTOGRAM_SVG),
      HISTOGRAM_SVG,
    )
    expect(text).toContain('Hyétogramme Rmoyen zone pluvieuse')
    expect(text).toContain('width="1000" height="301"')
    expect(text).toContain('mm/h')
    expect(filled(text, lightTheme.bar)).toHaveLength(3)
  })

  test('weeks are told by days, wherever the machine stands that draws them', () => {
    const days = Array.from({ length: 20 }, (_, k) => ({
      datetime: new Date(START + k * 86_400_000).toISOString(),
      value: k,
    }))
    // The other end of the world: midnight here is no midnight there.
    const text = svg(
      hyetogram({ title: '', points: days, timeZone: 'Pacific/Auckland' }, lightTheme, GRAPH_SVG),
      GRAPH_SVG,
    )
    expect(text).toMatch(/>1\d\/07</)
    expect(text).not.toMatch(/>\d\d:\d\d</)
  })

  test('a period without rain says so across the plot, one with rain or without an image does not', () => {
    const values = (rates: (number | null)[]) =>
      points.map(({ datetime }, k) => ({ datetime, value: rates[k] }))
    const told = (rates: (number | null)[], totals?: (number | null)[]) =>
      svg(
        hyetogram(
          { points: values(rates), cumulMm: totals && values(totals), timeZone },
          lightTheme,
          HISTOGRAM_SVG,
        ),
        HISTOGRAM_SVG,
      ).includes('>Pas de pluie sur ces images<')
    expect(told([0, 0, null, 0], [0, 0, 0, 0])).toBe(true)
    expect(told([0, 0, null, 0.01])).toBe(false)
    expect(told([null, null, null, null])).toBe(false)
    // Rain that passed between the images.
    expect(told([0, 0, 0, 0], [0, 0.1, 0.1, 0.1])).toBe(false)
    const dry = { title: CHART_TITLES.coverage, points: values([0, 0, 0, 0]), timeZone }
    const text = svg(coverage(dry, darkTheme, HISTOGRAM_SVG), HISTOGRAM_SVG)
    expect(text).toContain('>Pas de pluie sur ces images<')
    expect(text).toContain(CHART_TITLES.coverage)
  })

  test('hours are those of the time zone, numbers are French', () => {
    const text = svg(hyetogram({ points, timeZone }, lightTheme, HISTOGRAM_SVG), HISTOGRAM_SVG)
    expect(text).toMatch(/>17:5\d</)
    expect(text).toContain('>0,5<')
  })

  test('[LIVE-16] coverage is in % on an axis up to 100', () => {
    const text = svg(
      coverage({ title: CHART_TITLES.coverage, points, timeZone }, darkTheme, HISTOGRAM_SVG),
      HISTOGRAM_SVG,
    )
    expect(text).toContain('Évolution de la couverture pluvieuse')
    expect(text).toContain('>100<')
    expect(text).toContain('>%<')
  })

  test('a cumul has its axis in mm beside the intensities', () => {
    const option = catchmentHyetogram({ points, cumulMm: points, timeZone }, lightTheme, HISTOGRAM_SVG)
    const text = svg(option, HISTOGRAM_SVG)
    expect(text).toContain('>mm<')
    expect(text).toContain('>mm/h<')
    expect(svg(cumul({ points, timeZone }, lightTheme, HISTOGRAM_SVG), HISTOGRAM_SVG)).toContain('>mm<')
  })

  test.each([3.5e-6, 0.0035, 0.09, 0.5, 700])('ticks up to %d are told apart', (most) => {
    const totals = points.map((point, i) => ({ ...point, value: (most * i) / 3 }))
    const text = svg(cumul({ points: totals, timeZone }, lightTheme, HISTOGRAM_SVG), HISTOGRAM_SVG)
    const ticks = [...text.matchAll(/>(\d+(?:,\d+)?)</g)].map(([, tick]) => tick)
    expect(ticks.length).toBeGreaterThan(2)
    expect(new Set(ticks).size).toBe(ticks.length)
  })

  test('no line goes from one score to the next over a hole', () => {
    const lines = (longestGap?: number) => {
      const series = [{ name: 'CSI', points: [5, 10, 15, 115, 120].map((x) => [x, 0.5] as const) }]
      const option = scoreChart(
        { xName: 'min', yName: 'CSI', xMax: 120, series, longestGap },
        lightTheme,
        HISTOGRAM_SVG,
      )
      const [path] =
        svg(option, HISTOGRAM_SVG).match(/<path d="[^"]*" fill="none"[^>]*stroke-width="2.5"/g) ?? []
      return path?.match(/M/g)?.length
    }
    expect([lines(), lines(20)]).toEqual([1, 2])
  })

  test('runs are marks by group against two numbers, and boxes', () => {
    const axis = { name: 'Pluie', unit: 'mm', decimals: 1 }
    const groups = ['Herbe', 'Route'].map((name, k) => ({
      name,
      points: [1, 2, 3].map((x) => ({ title: `<b>${x}</b>`, x, y: x * (k + 1) })),
    }))
    const marks = svg(runsChart({ x: axis, y: axis, groups }, lightTheme), HISTOGRAM_SVG)
    expect(marks.match(/>Pluie \(mm\)</g)).toHaveLength(2)
    expect(filled(marks, lightTheme.gauges[0]).length).toBeGreaterThanOrEqual(3)
    const boxes = [{ name: 'Herbe', five: [1, 2, 3, 4, 9] as const }]
    expect(svg(runsBoxes({ y: axis, boxes }, lightTheme), HISTOGRAM_SVG)).toContain('>Herbe<')
  })

  test('[ANA-60] a gauge has its own colour, at the size of a graph', () => {
    const text = svg(pixelHyetogram({ points, color: 4, timeZone }, lightTheme, GRAPH_SVG), GRAPH_SVG)
    expect(text).toContain('width="600" height="150"')
    expect(filled(text, lightTheme.gauges[1])).toHaveLength(3)
  })

  test('a gap is shaded', () => {
    const gaps = [{ start: points[1].datetime, end: points[3].datetime }]
    const text = svg(hyetogram({ points, gaps, timeZone }, lightTheme, HISTOGRAM_SVG), HISTOGRAM_SVG)
    expect(filled(text, lightTheme.missing)).toHaveLength(1)
  })

  test('the mark of the current frame can be moved and taken away', () => {
    const base = hyetogram({ points, timeZone }, lightTheme, HISTOGRAM_SVG)
    const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, ...HISTOGRAM_SVG })
    open.push(chart)
    const marks = () =>
      (chart.renderToSVGString().match(new RegExp(`stroke="${lightTheme.accent}"`, 'g')) ?? []).length
    chart.setOption(base)
    expect(marks()).toBe(0)
    chart.setOption(cursorAt(points[1].datetime, lightTheme))
    expect(marks()).toBe(1)
    chart.setOption(cursorAt(null, lightTheme))
    expect(marks()).toBe(0)
  })

  test('[STATION-03] a station graph does not start at zero', () => {
    const pressure = points.map((point, i) => ({ ...point, value: 1009 + i / 10 }))
    const data = { points: pressure, timeZone, name: 'Pression', unit: 'hPa', decimals: 1 }
    const text = svg(smallGraph(data, lightTheme, GRAPH_SVG), GRAPH_SVG)
    expect(text).toContain('>hPa<')
    expect(text).not.toContain('>0<')
  })

  test('[STATION-08] [STATION-09] [STATION-10] a compass has 16 directions, north on top, and four classes', () => {
    const compass = Object.fromEntries(
      WIND_CLASSES.map((name) => [
        name,
        Object.fromEntries(COMPASS_DIRECTIONS.map((direction) => [direction, direction === 'n' ? 25 : 0])),
      ]),
    ) as NonNullable<Compass>
    const option = compassChart({ compass }, lightTheme, { width: 240, height: 240 })
    expect((option.angleAxis as { data: string[] }).data).toHaveLength(16)
    expect((option.series as { name: string }[]).map((series) => series.name)).toEqual([
      '<10',
      '10-20',
      '20-30',
      '>30',
    ])
    const text = svg(option, { width: 240, height: 240 })
    for (const label of ['N', 'E', 'S', 'O']) expect(text).toContain(`>${label}<`)
    for (const color of lightTheme.scale) expect(filled(text, color).length).toBeGreaterThan(0)
  })
})

test('[ANA-61] graphs below each other keep the same room beside their plots when told to', () => {
  const data = { timeZone: 'Europe/Paris', points: [], margins: { left: 40, right: 40 } }
  const size = { width: 480, height: 150 }
  for (const option of [
    hyetogram({ ...data, cumulMm: [] }, lightTheme, size),
    coverage(data, lightTheme, size),
  ])
    expect(option.grid).toMatchObject({ left: 40, right: 40, outerBoundsMode: 'none' })
})
