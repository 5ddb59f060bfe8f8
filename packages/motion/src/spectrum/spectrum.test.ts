import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ar2, expectation, rescaledLag2 } from './autoregression.ts'
import { createFft, transformLength } from './fft.ts'
import { levelsOf, radialFactor } from './levels.ts'

const kernel = join(import.meta.dirname, '../../build/fft.wasm')
const wasm = existsSync(kernel) ? readFileSync(kernel) : undefined

const fill = ({ re, im }: { re: Float32Array; im: Float32Array }, seed: number) => {
  for (let i = 0; i < re.length; i++) {
    re[i] = Math.sin(seed + i * 12.9898) * 10
    im[i] = Math.cos(seed * 3 + i * 78.233) * 10
  }
}

describe('transform', () => {
  test('the reference is the sum that defines it', () => {
    const fft = createFft({ nrows: 6, ncols: 10 })
    fill(fft, 1)
    const [re, im] = [fft.re.slice(), fft.im.slice()]
    fft.forward()
    for (const [row, col] of [
      [0, 0],
      [1, 3],
      [5, 9],
      [3, 5],
    ]) {
      let [sumR, sumI] = [0, 0]
      for (let i = 0; i < 60; i++) {
        const angle = -2 * Math.PI * ((row * Math.floor(i / 10)) / 6 + (col * (i % 10)) / 10)
        sumR += re[i] * Math.cos(angle) - im[i] * Math.sin(angle)
        sumI += re[i] * Math.sin(angle) + im[i] * Math.cos(angle)
      }
      expect(fft.re[row * 10 + col]).toBeCloseTo(sumR, 3)
      expect(fft.im[row * 10 + col]).toBeCloseTo(sumI, 3)
    }
  })

  test('the compiled kernel agrees with the reference, and its inverse brings every field back', () => {
    expect(wasm, 'npm run build:kernels').toBeDefined()
    const side = fc.integer({ min: 1, max: 40 }).map(transformLength)
    fc.assert(
      fc.property(side, side, fc.integer({ min: 0, max: 99 }), (nrows, ncols, seed) => {
        const slow = createFft({ nrows, ncols })
        const fast = createFft({ nrows, ncols }, wasm)
        fill(slow, seed)
        fill(fast, seed)
        const before = slow.re.slice()
        slow.forward()
        fast.forward()
        const off = (a: Float32Array, b: Float32Array) =>
          a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0)
        const room = 1e-5 * Math.sqrt(nrows * ncols) * 40
        expect(off(slow.re, fast.re)).toBeLessThan(room)
        expect(off(slow.im, fast.im)).toBeLessThan(room)
        slow.inverse()
        fast.inverse()
        expect(off(slow.re, before)).toBeLessThan(1e-4)
        expect(off(fast.re, before)).toBeLessThan(1e-4)
      }),
      { numRuns: 40 },
    )
  })

  test('sides with other factors are refused', () => {
    expect(() => createFft({ nrows: 7, ncols: 8 })).toThrow(RangeError)
    expect(transformLength(700)).toBe(720)
  })
})

describe('scales', () => {
  test('the levels of every wavenumber sum to one', () => {
    const levels = levelsOf({ nrows: 64, ncols: 90 })
    for (const value of radialFactor(levels, new Array(6).fill(1), 1)) expect(value).toBeCloseTo(1, 5)
  })

  test('an AR(2) is stationary and gives back the correlations that it may have', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 0.999, noNaN: true }),
        fc.double({ min: -0.99, max: 0.999, noNaN: true }),
        (g1, g2) => {
          const { first, second, noise } = ar2(g1, g2)
          expect(Math.abs(second)).toBeLessThan(1)
          expect(first + second).toBeLessThan(1)
          expect(second - first).toBeLessThan(1)
          // Yule-Walker, first equation.
          expect(first + second * g1).toBeCloseTo(g1, 6)
          expect(noise).toBeGreaterThanOrEqual(0)
        },
      ),
    )
  })

  test('what is expected decays from the two fields that are known', () => {
    const model = ar2(0.9, 0.78)
    const { now, before } = expectation(model, 3)
    expect([now[0], before[0]]).toEqual([1, 0])
    expect(now[2]).toBeCloseTo(model.first ** 2 + model.second)
    expect(before[2]).toBeCloseTo(model.first * model.second)
  })

  test('a later second lag is taken back to twice the first', () => {
    const of = (t: number) => Math.exp(-((t / 30) ** 1.3))
    expect(rescaledLag2(of(5), of(13), 5, 13)).toBeCloseTo(of(10), 6)
    expect(rescaledLag2(0.8, 0.5, 5, 10)).toBe(0.5)
  })
})
