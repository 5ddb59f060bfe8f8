import { describe, expect, test } from 'vitest'
import { extremalLevy } from './levy.ts'
import { seededRandom } from './random.ts'

describe('extremal Lévy variables', () => {
  test.each([
    [1.5, 0.25],
    [1.5, 1],
    [1.8, 0.5],
    [1.8, 1],
    [0.8, 0.5],
    [2, 0.5],
  ])('alpha %d: ln<exp(q x)> is sign(alpha - 1) q^alpha at q = %d', (alpha, q) => {
    const draw = extremalLevy(alpha, seededRandom(7))
    const n = 400_000
    let sum = 0
    for (let i = 0; i < n; i++) sum += Math.exp(q * draw())
    expect(Math.log(sum / n)).toBeCloseTo(Math.sign(alpha - 1) * q ** alpha, 1.7)
  })

  test('refuses what has no such variable', () => {
    for (const alpha of [0, 1, 2.1, Number.NaN])
      expect(() => extremalLevy(alpha, seededRandom(1))).toThrow(RangeError)
  })

  test('the same seed draws the same numbers, another seed others', () => {
    const three = (seed: number) => {
      const random = seededRandom(seed)
      return [random.uniform(), random.normal(), random.exponential()]
    }
    expect(three(42)).toEqual(three(42))
    expect(three(42)).not.toEqual(three(43))
    expect(three(1)).not.toEqual(three(1 + 2 ** 32))
  })
})
