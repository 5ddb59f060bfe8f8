import fc from 'fast-check'
import { expect, test } from 'vitest'
import { significant } from './significant.ts'

test('digits are those of toPrecision, to the bit', () => {
  const sizes = fc.oneof(
    fc.float({ noDefaultInfinity: true }),
    fc.double({ min: -1e7, max: 1e7 }),
    fc.double({ min: -1e-3, max: 1e-3 }),
    // At ties and at powers of ten.
    fc
      .tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.integer({ min: -12, max: 6 }))
      .map(([n, e]) => Number(`${n}5e${e}`)),
    fc
      .tuple(fc.integer({ min: -12, max: 9 }), fc.integer({ min: -3, max: 3 }))
      .map(([e, off]) => Number(`1e${e}`) * (1 + off * 2 ** -52)),
  )
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 6 }), (value, digits) => {
      expect(significant(value, digits)).toBe(Number(value.toPrecision(digits)))
    }),
    { numRuns: 5_000 },
  )
  for (const value of [0, -0, Number.NaN, 9.9995, 0.00099995, 1e-9, 9.99e-10, 9999.5, 99_999.5, 1e12])
    for (const digits of [3, 4]) expect(significant(value, digits)).toBe(Number(value.toPrecision(digits)))
})
