import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inverseCubeRoot } from './cube-root.ts'

test('the inverse cube root is that of any depth, within a few roundings', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-9, max: 1e5, noNaN: true }), (h) => {
      expect(Math.abs(inverseCubeRoot(h) * Math.cbrt(h) - 1)).toBeLessThan(2e-15)
    }),
    { numRuns: 2000 },
  )
})
