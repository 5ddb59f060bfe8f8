import fc from 'fast-check'
import { expect, test } from 'vitest'
import { powerOf, powerTable } from './power.ts'

test('a power by tables is that of Math.pow, to 3e-13 of itself', () => {
  const table = powerTable(0.852)
  const speed = fc.double({ min: 1e-300, max: 1e6, noNaN: true })
  fc.assert(
    fc.property(speed, (x) => {
      expect(Math.abs(powerOf(table, x) / x ** 0.852 - 1)).toBeLessThan(3e-13)
    }),
    { numRuns: 500 },
  )
  expect(powerOf(table, 0)).toBe(0)
  expect(powerOf(table, 1)).toBeCloseTo(1, 12)
})
