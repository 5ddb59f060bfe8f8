import { expect, test } from 'vitest'
import { seriesRows } from './series-rows.ts'

test('a short series is told in full', () => {
  expect(seriesRows(4, 10, [0, 3, 1, 2])).toEqual({ every: 1, rows: [0, 1, 2, 3] })
  expect(seriesRows(0, 10)).toEqual({ every: 1, rows: [] })
})

test('a long series is told every n-th, and its largest value is never left out', () => {
  const values = Array.from({ length: 10_000 }, (_, k) => (k === 7_777 ? 61 : k % 2 === 0 ? null : 1))
  const { every, rows } = seriesRows(values.length, 200, values)
  expect(every).toBe(50)
  expect(rows).toHaveLength(201)
  expect(rows).toContain(7_777)
  expect(rows).toEqual([...rows].sort((a, b) => a - b))
})

test('without a largest value only the n-th rows are told', () => {
  expect(seriesRows(6, 3, [null, Number.NaN, null, 0, null, 0])).toEqual({ every: 2, rows: [0, 2, 4] })
})
