import { init } from 'echarts'
import { expect, test } from 'vitest'
import { depthDurationChart, durationFr } from './depth-duration-chart.ts'
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

test('durations read as minutes, or as hours where they are whole', () => {
  expect([6, 90, 60, 1440].map(durationFr)).toEqual(['6\u202fmin', '90\u202fmin', '1\u202fh', '24\u202fh'])
})
