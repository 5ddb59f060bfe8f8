import { init } from 'echarts'
import { expect, test } from 'vitest'
import { ownStatisticsChart } from './own-statistics-chart.ts'
import { lightTheme } from './theme.ts'

const durations = [6, 60, 1440].map((durationMin) => ({
  durationMin,
  quantiles: [2, 10, 100].map((periodYears) => {
    const depthMm = durationMin ** 0.3 * (1 + Math.log(periodYears))
    return { periodYears, depthMm, lowMm: depthMm - 4, highMm: depthMm + 4 }
  }),
}))
const names = { low: 'borne basse', high: 'borne haute' }

test('curves of all periods, the bounds of one of them, and the depths of places', () => {
  const places = [{ name: 'Melun', depths: [{ durationMin: 60, depthMm: 12.5 }] }]
  const size = { width: 700, height: 380 }
  const option = ownStatisticsChart({ durations, boundsOf: 10, names, places }, lightTheme, size)
  const series = option.series as { name: string; data: [number, number | null][] }[]
  expect(series.map(({ name }) => name)).toEqual([
    'borne basse',
    'borne haute',
    '2 ans',
    '10 ans',
    '100 ans',
    'Melun',
  ])
  const ten = durations.map(({ durationMin, quantiles }) => ({ durationMin, ...quantiles[1] }))
  // A bound of nothing or less has no place on a logarithmic axis.
  expect(ten.some(({ lowMm }) => lowMm > 0)).toBe(true)
  const positive = (mm: number) => (mm > 0 ? mm : null)
  expect(series[0].data).toEqual(ten.map((one) => [one.durationMin, positive(one.lowMm)]))
  expect(series[1].data).toEqual(ten.map((one) => [one.durationMin, one.highMm]))
  expect(series[3].data).toEqual(ten.map((one) => [one.durationMin, one.depthMm]))
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...size })
  chart.setOption(option)
  const svg = chart.renderToSVGString()
  chart.dispose()
  for (const text of ['100 ans', 'Melun']) expect(svg).toContain(text)
  // Both bounds are told from curves by their dashes.
  expect(svg.match(/stroke-dasharray/g)?.length).toBeGreaterThanOrEqual(2)
})

test('bounds that no period has are not drawn', () => {
  const option = ownStatisticsChart({ durations, boundsOf: 7, names, places: [] }, lightTheme, {
    width: 390,
    height: 320,
  })
  const series = option.series as { data: unknown[] }[]
  expect(series.slice(0, 2).map(({ data }) => data)).toEqual([[], []])
})
