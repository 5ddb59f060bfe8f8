import { expect, test } from 'vitest'
import { lineColor, type SewerChartData, sewerChart, sewerCursor } from './sewer-chart.ts'
import { darkTheme, lightTheme } from './theme.ts'

const SIZE = { width: 900, height: 400 }
const DATA: SewerChartData = {
  timesS: [60, 120, 150],
  curves: [{ name: 'C-1', values: [1, 2, 3], color: 0 }],
  unit: 'm³/s',
  decimals: 3,
}
type Drawn = { series: { id: string; data: number[][]; xAxisIndex?: number }[]; grid: unknown[] }

test('a mean stands in the middle of its interval, also of a shorter last one', () => {
  const { series, grid } = sewerChart(DATA, lightTheme, SIZE) as unknown as Drawn
  expect(series[0].data).toEqual([
    [0.5, 1],
    [1.5, 2],
    [2.25, 3],
  ])
  expect(grid).toHaveLength(1)
  const states = sewerChart({ ...DATA, instants: true }, lightTheme, SIZE) as unknown as Drawn
  expect(states.series[0].data[0]).toEqual([1, 1])
})

test('[SWMM-12] the delta to a reference has an axis of its own below the curves', () => {
  const delta = { name: 'Écart', values: [0, -1, 0.5] }
  const { series, grid } = sewerChart({ ...DATA, delta }, lightTheme, SIZE) as unknown as Drawn
  expect(grid).toHaveLength(2)
  const drawn = series.find(({ id }) => id === 'Écart')
  expect([drawn?.xAxisIndex, drawn?.data.map(([, value]) => value)]).toEqual([1, [0, -1, 0.5]])
  expect((sewerCursor(2, lightTheme, 2) as unknown as Drawn).series).toHaveLength(2)
})

test('names of a file do not become markup in the tooltip', () => {
  const option = sewerChart(DATA, lightTheme, SIZE) as unknown as {
    tooltip: { formatter: (items: unknown) => string }
  }
  expect(option.tooltip.formatter([{ seriesName: '<img src=x>', value: [1, 2] }])).toContain(
    '&lt;img src=x&gt;',
  )
})

test('lines differ from each other in both modes and begin again after the last colour', () => {
  for (const theme of [lightTheme, darkTheme])
    expect(new Set(Array.from({ length: 8 }, (_, k) => lineColor(theme, k))).size).toBe(8)
  expect(lineColor(lightTheme, 8)).toBe(lineColor(lightTheme, 0))
  expect(lineColor(lightTheme, 0)).not.toBe(lineColor(darkTheme, 0))
})
