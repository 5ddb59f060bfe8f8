import { expect, test } from 'vitest'
import { fittedLine, logLogChart } from './log-log-chart.ts'
import { lightTheme } from './theme.ts'

const points = [1, 2, 4, 8, 16].map((x) => [x, 3 * x ** -0.5] as const)

test('a line of the true slope goes through the points of its range', () => {
  const line = fittedLine(points, -0.5, [2, 8])!
  expect(line.map(([x]) => x)).toEqual([2, 8])
  expect(line[0][1]).toBeCloseTo(3 / Math.SQRT2, 10)
  expect(line[1][1]).toBeCloseTo(3 / Math.sqrt(8), 10)
  expect(fittedLine(points, -0.5, [5, 7])).toBeNull()
})

test('both axes are logarithmic, hold every point, and show the range; what is not above 0 is left out', () => {
  const series = [
    { name: 'q 1,5', points: [...points, [32, 0] as const], line: fittedLine(points, -0.5, [1, 16]) },
  ]
  const option = logLogChart({ xName: 'km', yName: 'M', series, range: [1, 16] }, lightTheme, {
    width: 600,
    height: 300,
  })
  expect(option).toMatchObject({ xAxis: { type: 'log' }, yAxis: { type: 'log' } })
  const [drawn, line] = option.series as { data: number[][]; markArea?: object }[]
  expect(drawn.data).toHaveLength(5)
  expect(drawn.markArea).toBeDefined()
  expect(line.data).toHaveLength(2)
  expect((option.xAxis as { max: number }).max).toBeGreaterThan(16)
  // An axis of a decade or two tells 1, 2 and 5 too, one of many decades powers of ten alone.
  const ticks = (axis: unknown) => (axis as { axisLabel: { customValues: number[] } }).axisLabel.customValues
  expect(ticks(option.xAxis)).toEqual([1, 2, 5, 10])
  expect(ticks(option.yAxis)).toEqual([1, 2])
  const far = [{ name: 'E', points: [1, 1e5].map((x) => [x, 1e-6 * x] as const) }]
  const wide = logLogChart({ xName: 'km', yName: 'E', series: far }, lightTheme, { width: 600, height: 300 })
  expect(ticks(wide.xAxis)).toEqual([1, 10, 100, 1000, 10_000, 100_000])
})
