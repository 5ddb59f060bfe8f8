import { expect, test } from 'vitest'
import { streetDepths } from './street-depths.ts'

test('streets under water are told by name, the most flooded first, each with its deepest place', () => {
  const no = Number.NaN
  const grid = {
    ncols: 3,
    nrows: 3,
    xll: 0,
    yll: 0,
    cellSize: 10,
    data: [0.1, 0.05, no, 0.3, 0.25, 0.12, 0.09, 0, 0.5],
  }
  const streets = {
    names: ['Rue Sèche', 'Quai', 'Rue Haute'],
    shapes: [],
    ofCell: Int32Array.from([2, 2, 2, 1, 1, -1, 0, 0, -1]),
  }
  expect(streetDepths(grid as never, streets)).toEqual({
    limitsM: [0.1, 0.2],
    named: true,
    streets: [
      { name: 'Quai', areasM2: [200, 200], wholeM2: 200, deepest: { depthM: 0.3, row: 1, col: 0 } },
      { name: 'Rue Haute', areasM2: [100, 0], wholeM2: 200, deepest: { depthM: 0.1, row: 0, col: 0 } },
    ],
  })
  expect(streetDepths(grid as never, undefined)).toEqual({ limitsM: [0.1, 0.2], named: false, streets: [] })
})
