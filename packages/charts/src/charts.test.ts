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
