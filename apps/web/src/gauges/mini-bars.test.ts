import { expect, test } from 'vitest'
import { largestOf, smallBars } from './mini-bars.ts'

const series = (...values: (number | null)[]) =>
  values.map((value, k) => ({ datetime: new Date(Date.UTC(2026, 5, 4, 10, 5 * k)).toISOString(), value }))

test('a long series has at most so many bars, each the largest of its images', () => {
  const long = series(...Array.from({ length: 1000 }, (_, k) => (k === 777 ? 80 : 1)))
  const bars = smallBars(long, 120)
  expect(bars.length).toBeLessThanOrEqual(120)
  expect(bars.filter(({ value }) => value === 80)).toHaveLength(1)
  expect(bars.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(1, 9)
  expect(smallBars([], 120)).toEqual([])
})

test('missing is not zero, and a gap between images stays open', () => {
  const points = series(1, null, 2, 3)
  expect(smallBars(points, 120).map(({ value }) => value)).toEqual([1, null, 2, 3])
  const gap = smallBars(
    [points[0], points[1], points[2], { datetime: '2026-06-04T12:00:00Z', value: 4 }],
    120,
  )
  expect(gap[3].x).toBeCloseTo(120 / 125)
  expect(gap[3].width).toBeCloseTo(5 / 125)
  expect(smallBars(points.slice(0, 1), 120)).toEqual([{ x: 0, width: 1, value: 1 }])
})

test('the maximum is told with the first moment that has it', () => {
  expect(largestOf(series(0, 3, null, 3))).toEqual({ value: 3, datetime: '2026-06-04T10:05:00.000Z' })
  expect(largestOf(series(null))).toBeNull()
})
