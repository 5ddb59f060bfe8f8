import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { atPlace } from '../motion-field.ts'
import { showers, withMissing } from '../testing/weather.ts'
import { estimateMotion } from './estimate.ts'

const shape = { nrows: 160, ncols: 180 }
const kernelPath = join(import.meta.dirname, '../../build/follow.wasm')
const kernel = existsSync(kernelPath) ? readFileSync(kernelPath) : undefined
const middle = (values: Float32Array, estimate: NonNullable<ReturnType<typeof estimateMotion>>) =>
  atPlace(values, estimate.field, 90, 80)

describe('motion of rain', () => {
  test('any even motion up to 12 cells a frame is found within an eighth of a cell a minute, or not at all', () => {
    const speed = fc.double({ min: -2.4, max: 2.4, noNaN: true })
    let found = 0
    const check = (u: number, v: number, seed: number) => {
      // Showers that lie apart may all come in at the edge or leave over it: then nothing can be followed.
      const estimate = estimateMotion(showers(shape, [u, v], [0, 5, 10], seed), shape, kernel)
      if (!estimate) return
      found++
      expect(Math.abs(middle(estimate.field.u, estimate) - u)).toBeLessThan(0.125)
      expect(Math.abs(middle(estimate.field.v, estimate) - v)).toBeLessThan(0.125)
    }
    // Little rain in the middle, and corners at the edge that new showers come in over.
    check(0, -2.0237413161698994, 862)
    check(2.199, -1.887, 555)
    fc.assert(fc.property(speed, speed, fc.integer({ min: 1, max: 1000 }), check), { numRuns: 8 })
    expect(found).toBeGreaterThanOrEqual(5)
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

  test('showers that fly past what can be followed, and pictures without relation, have no motion', () => {
    const wide = { nrows: 300, ncols: 300 }
    const fast = (speed: number) => showers(wide, [0.8 * speed, -0.6 * speed], [0, 5, 10], 5)
    expect(estimateMotion(fast(6), wide, kernel)!.field.u[500]).toBeCloseTo(4.8, 1)
    for (const speed of [12, 16, 30]) expect(estimateMotion(fast(speed), wide, kernel)).toBeNull()
    const strange = [0, 1, 2].map((k) => showers(wide, [0, 0], [5 * k], 5 + k)[0])
    expect(estimateMotion(strange, wide, kernel)).toBeNull()
  })

  test('the compiled loops and the reference find the same motion', () => {
    expect(kernel, 'npm run build:kernels').toBeDefined()
    const frames = withMissing(showers(shape, [1.5, 0.8], [0, 5, 10], 8), shape, (row) => row < 20)
    const [slow, fast] = [estimateMotion(frames, shape)!, estimateMotion(frames, shape, kernel)!]
    expect(fast.followed).toBe(slow.followed)
    slow.field.u.forEach((u, k) => {
      expect(Math.abs(u - fast.field.u[k])).toBeLessThan(0.002)
      expect(Math.abs(slow.field.v[k] - fast.field.v[k])).toBeLessThan(0.002)
    })
  })
})
