import { describe, expect, test } from 'vitest'
import { motionFieldOf } from '../motion-field.ts'
import { showers } from '../testing/weather.ts'
import { movedSum, rainBetween } from './between.ts'

const shape = { nrows: 120, ncols: 120 }
const inner = (values: Float32Array) => {
  let sum = 0
  for (let row = 40; row < 80; row++) for (let col = 40; col < 80; col++) sum += values[row * 120 + col]
  return sum
}
const off = (a: Float32Array, b: Float32Array) => {
  let sum = 0
  for (let row = 20; row < 100; row++)
    for (let col = 20; col < 100; col++) sum += (a[row * 120 + col] - b[row * 120 + col]) ** 2
  return Math.sqrt(sum)
}

describe('rain between two frames', () => {
  const motion = motionFieldOf(shape, () => [1.7, -0.9])
  const [a, middle, b] = showers(shape, [1.7, -0.9], [0, 4, 10], 3)

  test('moved from both sides it is met, where averaging shows two faint bands', () => {
    const linear = a.rateMmH.map((rate, i) => 0.6 * rate + 0.4 * b.rateMmH[i])
    expect(off(rainBetween(a, b, motion, 4), middle.rateMmH)).toBeLessThan(0.2 * off(linear, middle.rateMmH))
  })

  test('at the frames themselves it is the frames', () => {
    expect(off(rainBetween(a, b, motion, 0), a.rateMmH)).toBe(0)
    expect(off(rainBetween(a, b, motion, 10), b.rateMmH)).toBe(0)
  })

  test('the sum is that of frames a second apart, and keeps what fell within 1 %', () => {
    const sum = movedSum(a, b, motion)!
    const minutes = Array.from({ length: 100 }, (_, k) => (k + 0.5) / 10)
    const fine = new Float32Array(14400)
    for (const { rateMmH } of showers(shape, [1.7, -0.9], minutes, 3))
      for (let i = 0; i < fine.length; i++) fine[i] += rateMmH[i] / 600
    expect(sum.steps).toBe(20)
    expect(Math.abs(inner(sum.depthMm) / inner(fine) - 1)).toBeLessThan(0.01)
    expect(off(sum.depthMm, fine)).toBeLessThan(0.03 * off(new Float32Array(14400), fine))
  })

  test('one side missing leaves the other; both missing is missing; beyond 15 min nothing is summed', () => {
    const still = motionFieldOf(shape, () => [0, 0])
    const [one, two] = [a.rateMmH.slice(), b.rateMmH.slice()]
    one[50] = Number.NaN
    one[60] = two[60] = Number.NaN
    const rain = rainBetween({ ...a, rateMmH: one }, { ...b, rateMmH: two }, still, 5)
    expect(rain[50]).toBe(two[50])
    expect(rain[60]).toBeNaN()
    expect(movedSum(a, { ...b, timeMs: a.timeMs + 16 * 60_000 }, still)).toBeNull()
  })
})
