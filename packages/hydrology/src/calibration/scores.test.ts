import { describe, expect, test } from 'vitest'
import { scoresOf, valuesAt } from './scores.ts'

const times = [0, 60, 120, 180, 240, 300]
const measured = [1, 2, 4, 3, 2, 1]

describe('scores of a simulation', () => {
  test('the same series is perfect', () => {
    const scores = scoresOf(times, measured, measured)!
    expect(scores).toMatchObject({
      pairs: 6,
      missing: 0,
      nse: 1,
      peakError: 0,
      peakDelayS: 0,
      volumeError: 0,
    })
    expect(scores.kge).toBeCloseTo(1, 12)
  })

  test('a series twice too large, by hand', () => {
    const scores = scoresOf(
      times,
      measured,
      measured.map((v) => 2 * v),
    )!
    const mean = 13 / 6
    const squares = measured.reduce((sum, v) => sum + (v - mean) ** 2, 0)
    expect(scores.nse).toBeCloseTo(1 - 35 / squares, 12)
    expect(scores.kgeParts).toEqual({
      r: expect.closeTo(1, 12),
      alpha: expect.closeTo(2, 12),
      beta: expect.closeTo(2, 12),
    })
    expect(scores.kge).toBeCloseTo(1 - Math.SQRT2, 12)
    expect(scores).toMatchObject({ peakError: 1, volumeError: 1 })
  })

  test('the mean of the measured values has an NSE of 0 and no KGE', () => {
    const flat = measured.map(() => 13 / 6)
    const scores = scoresOf(times, measured, flat)!
    expect(scores.nse).toBeCloseTo(0, 12)
    expect(scores.kge).toBeNull()
  })

  test('a later peak is told with its delay', () => {
    expect(scoresOf(times, measured, [1, 1, 2, 4, 3, 2])!.peakDelayS).toBe(60)
  })

  test('what is missing counts nowhere, whatever the simulation says there', () => {
    const holes = [...measured, Number.NaN, Number.NaN]
    const wild = [...measured, 1e9, Number.NaN]
    const scores = scoresOf([...times, 360, 420], holes, wild)!
    expect(scores).toMatchObject({ pairs: 6, missing: 2, nse: 1, volumeError: 0, peakError: 0 })
  })

  test('a gap has no volume', () => {
    const later = [...times, 36_000, 36_060]
    const scores = scoresOf(later, [...measured, 1, 1], [...measured, 1, 1.5])!
    // Trapezoids of 60 s: 12 units of them before the gap, 1 after it.
    expect(scores.volumeError).toBeCloseTo(0.25 / 13, 12)
  })

  test('nothing is said of too few pairs, nor of what never varies', () => {
    expect(scoresOf([0, 1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4])).toBeNull()
    const zero = times.map(() => 0)
    expect(scoresOf(times, zero, measured)).toMatchObject({
      nse: null,
      kge: null,
      peakError: null,
      volumeError: null,
    })
  })

  test('refuses series of other lengths', () => {
    expect(() => scoresOf(times, measured, [1])).toThrow(/longueurs/)
  })
})

test('values between moments are linear, and none beyond the ends', () => {
  expect([...valuesAt([0, 10, 20], [0, 1, 5], [-1, 0, 5, 10, 15, 20, 21])]).toEqual([
    Number.NaN,
    0,
    0.5,
    1,
    3,
    5,
    Number.NaN,
  ])
})
