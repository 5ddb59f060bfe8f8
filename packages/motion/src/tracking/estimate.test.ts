import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { atPlace } from '../motion-field.ts'
import { showers, withMissing } from '../testing/weather.ts'
import { estimateMotion } from './estimate.ts'

const shape = { nrows: 160, ncols: 180 }
const middle = (values: Float32Array, estimate: NonNullable<ReturnType<typeof estimateMotion>>) =>
  atPlace(values, estimate.field, 90, 80)

describe('motion of rain', () => {
  test('any even motion up to 12 cells a frame is found within an eighth of a cell a minute', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -2.4, max: 2.4, noNaN: true }),
        fc.double({ min: -2.4, max: 2.4, noNaN: true }),
        fc.integer({ min: 1, max: 1000 }),
        (u, v, seed) => {
          const found = estimateMotion(showers(shape, [u, v], [0, 5, 10], seed), shape)!
          expect(Math.abs(middle(found.field.u, found) - u)).toBeLessThan(0.125)
          expect(Math.abs(middle(found.field.v, found) - v)).toBeLessThan(0.125)
        },
      ),
      { numRuns: 8 },
    )
  })

  test('it is the same for uneven intervals', () => {
    const found = estimateMotion(showers(shape, [1.2, -0.7], [0, 3.4, 11], 5), shape)!
    expect(middle(found.field.u, found)).toBeCloseTo(1.2, 1)
    expect(middle(found.field.v, found)).toBeCloseTo(-0.7, 1)
  })

  test('a sector without data, which stands still, does not hold the rain back', () => {
    const frames = withMissing(
      showers(shape, [1.5, 0.8], [0, 5, 10], 3),
      shape,
      (row, col) => col < 60 || (row - 80) ** 2 + (col - 90) ** 2 > 78 ** 2,
    )
    const found = estimateMotion(frames, shape)!
    for (const [x, y] of [
      [70, 80],
      [90, 80],
      [140, 110],
      [100, 30],
    ]) {
      expect(Math.abs(atPlace(found.field.u, found.field, x, y) - 1.5)).toBeLessThan(0.1)
      expect(Math.abs(atPlace(found.field.v, found.field, x, y) - 0.8)).toBeLessThan(0.1)
    }
  })

  test('where there is nothing to follow, there is no motion', () => {
    const dry = showers(shape, [1, 1], [0, 5]).map((frame) => ({
      ...frame,
      rateMmH: new Float32Array(160 * 180),
    }))
    expect(estimateMotion(dry, shape)).toBeNull()
    const gone = dry.map((frame) => ({ ...frame, rateMmH: new Float32Array(160 * 180).fill(Number.NaN) }))
    expect(estimateMotion(gone, shape)).toBeNull()
  })

  test('the compiled loops and the reference find the same motion', () => {
    const kernel = join(import.meta.dirname, '../../build/follow.wasm')
    expect(existsSync(kernel), 'npm run build:kernels').toBe(true)
    const frames = withMissing(showers(shape, [1.5, 0.8], [0, 5, 10], 8), shape, (row) => row < 20)
    const [slow, fast] = [
      estimateMotion(frames, shape)!,
      estimateMotion(frames, shape, readFileSync(kernel))!,
    ]
    expect(fast.followed).toBe(slow.followed)
    slow.field.u.forEach((u, k) => {
      expect(Math.abs(u - fast.field.u[k])).toBeLessThan(0.002)
      expect(Math.abs(slow.field.v[k] - fast.field.v[k])).toBeLessThan(0.002)
    })
  })
})
