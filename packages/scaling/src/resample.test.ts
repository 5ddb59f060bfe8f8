import fc from 'fast-check'
import { expect, test } from 'vitest'
import { resample } from './resample.ts'

const sum = (grids: readonly Float32Array[]) =>
  grids.reduce((all, grid) => all + grid.reduce((a, b) => a + b, 0), 0)

test('sums stay the same on any other grid, finer or coarser', () => {
  const count = fc.integer({ min: 1, max: 7 })
  fc.assert(
    fc.property(count, count, count, count, count, count, (nrows, ncols, times, toRows, toCols, toTimes) => {
      const rateMmH = Array.from({ length: times }, (_, t) =>
        Float32Array.from({ length: nrows * ncols }, (_, i) => ((7 * t + 3 * i) % 11) / 4),
      )
      const found = resample({ nrows, ncols, rateMmH }, { nrows: toRows, ncols: toCols, times: toTimes })
      const share = (toRows * toCols * toTimes) / (nrows * ncols * times)
      expect(sum(found.rateMmH)).toBeCloseTo(sum(rateMmH) * share, 3)
    }),
  )
})

test('means are those of what a cell covers, and missing where most of it is', () => {
  const rain = { nrows: 1, ncols: 3, rateMmH: [Float32Array.of(2, 4, Number.NaN)] }
  expect([...resample(rain, { nrows: 1, ncols: 2, times: 1 }).rateMmH[0]]).toEqual([
    expect.closeTo(8 / 3, 6),
    Number.NaN,
  ])
  expect(() => resample(rain, { nrows: 0, ncols: 1, times: 1 })).toThrow('cannot resample')
})
