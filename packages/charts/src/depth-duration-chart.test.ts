import { init } from 'echarts'
import { expect, test } from 'vitest'
import { depthDurationChart, durationFr, spread } from './depth-duration-chart.ts'
import { lightTheme } from './theme.ts'

const LAWS = [5, 100].map((periodYears) => ({ periodYears, a: periodYears, b: 0.6, fromMin: 30, toMin: 360 }))

test('curves stay within their table, places carry their depths and names', () => {
  const size = { width: 700, height: 400 }
  const places = [
    {
      name: 'Melun',
      depths: [
        { durationMin: 6, depthMm: 0 },
        { durationMin: 60, depthMm: 12.5 },
      ],
    },
  ]
  const option = depthDurationChart({ laws: LAWS, places }, lightTheme, size)
  const [five, hundred, melun] = option.series as { name: string; data: [number, number | null][] }[]
  expect([five.name, hundred.name]).toEqual(['5 ans', '100 ans'])
  expect(five.data[0]).toEqual([30, expect.closeTo(5 * 30 ** 0.4, 9)])
  expect(five.data.at(-1)?.[0]).toBeCloseTo(360, 9)
  // A depth of nothing has no place on a logarithmic axis.
  expect(melun).toMatchObject({ name: 'Melun', data: [[60, 12.5]] })
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...size })
  chart.setOption(option)
  const svg = chart.renderToSVGString()
  chart.dispose()
  for (const text of ['15\u202fmin', '6\u202fh', '100 ans', 'Melun']) expect(svg).toContain(text)
})

test('names of close curves keep their distance, each as near to its own as that leaves', () => {
  expect(spread([10, 40, 80], 13)).toEqual([10, 40, 80])
  expect(spread([52, 20, 26], 13)).toEqual([52, 16.5, 29.5])
  const close = spread([100, 104, 109, 118, 60], 13)
  expect(close[4]).toBe(60)
  expect(close.slice(0, 4)).toEqual([88.25, 101.25, 114.25, 127.25])
  expect(spread([], 13)).toEqual([])
  const laws = [5, 10, 20, 30, 50, 100].map((periodYears) => ({
    periodYears,
    a: 3 + periodYears ** 0.3,
    b: 0.65,
    fromMin: 30,
    toMin: 360,
  }))
  const size = { width: 390, height: 320 }
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...size })
  chart.setOption(depthDurationChart({ laws, places: [] }, lightTheme, size))
  const svg = chart.renderToSVGString()
  chart.dispose()
  const heights = [...svg.matchAll(/translate\([\d.]+ ([\d.]+)\)"[^>]*>\d+ ans</g)].map(([, y]) => Number(y))
  expect(heights).toHaveLength(laws.length)
  const sorted = heights.toSorted((a, b) => a - b)
  for (const [k, y] of sorted.slice(1).entries()) expect(y - sorted[k]).toBeGreaterThanOrEqual(12.9)
})

test('durations read as minutes, or as hours where they are whole', () => {
  expect([6, 90, 60, 1440].map(durationFr)).toEqual(['6\u202fmin', '90\u202fmin', '1\u202fh', '24\u202fh'])
})
