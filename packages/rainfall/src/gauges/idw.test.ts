import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inverseDistance, inverseDistanceGrid } from './idw.ts'

const place = fc.record({
  // Places on cells and between them, many as far from a cell as others, some outside.
  x: fc.integer({ min: -40, max: 140 }).map((v) => v / 2),
  y: fc.integer({ min: -40, max: 140 }).map((v) => v / 2),
  value: fc.double({ min: -20, max: 20, noNaN: true }),
})

test('every cell has what the points say there, whichever of them its neighbourhood looks at', () => {
  fc.assert(
    fc.property(
      fc.array(place, { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 8 }),
      fc.constantFrom([45, 38], [16, 17], [1, 40], [3, 1]),
      fc.constantFrom(1, -1),
      (points, nearest, [nrows, ncols], dy) => {
        const given = {
          x: points.map(({ x }) => x),
          y: points.map(({ y }) => y),
          values: points.map(({ value }) => value),
        }
        const grid = { nrows, ncols, x0: 0.5, dx: 1.25, y0: 3, dy }
        const field = inverseDistanceGrid(given, grid, { nearest })
        for (let row = 0; row < nrows; row++)
          for (let col = 0; col < ncols; col++)
            expect(field[row * ncols + col]).toBe(
              inverseDistance(given, grid.x0 + col * grid.dx, grid.y0 + row * dy, { nearest }),
            )
      },
    ),
    { numRuns: 60 },
  )
})
