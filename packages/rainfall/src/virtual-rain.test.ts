import { DEFAULT_DOUBLE_TRIANGLE, DEFAULT_SIMPLE_TRIANGLE } from '@radx/contracts/simulation'
import { describe, expect, test } from 'vitest'
import { virtualRain } from './virtual-rain.ts'

const depthMm = (series: number[]) => series.reduce((sum, rate) => sum + rate / 60, 0)

describe('virtual rain', () => {
  test('starts with 15 zeros, then the curve, then the calm', () => {
    const series = virtualRain('simple', { d: 30, t: 15, iMax: 80, calmAfter: 390 })
    expect(series).toHaveLength(15 + 30 + 390)
    expect(series.slice(0, 15).every((rate) => rate === 0)).toBe(true)
    expect(series[15]).toBeGreaterThan(0)
    expect(series.slice(45).every((rate) => rate === 0)).toBe(true)
  })

  test('holds exactly the depth of its triangles, peaks on a minute or not', () => {
    expect(depthMm(virtualRain('simple', { d: 30, t: 15, iMax: 80, calmAfter: 1 }))).toBeCloseTo(20, 10)
    expect(depthMm(virtualRain('simple', { d: 10.5, t: 3.3, iMax: 10, calmAfter: 2 }))).toBeCloseTo(
      (10.5 / 60) * 5,
      10,
    )
    expect(depthMm(virtualRain('simple', DEFAULT_SIMPLE_TRIANGLE))).toBeCloseTo((10 / 60) * 5, 10)
    const { t1, t2, t3, iMax, i2 } = DEFAULT_DOUBLE_TRIANGLE
    const exact = (0.5 * i2 * t2 + 0.5 * (i2 + iMax) * t1 + 0.5 * i2 * (t3 - t1 - t2)) / 60
    expect(depthMm(virtualRain('double', DEFAULT_DOUBLE_TRIANGLE))).toBeCloseTo(exact, 10)
  })

  test('the peak stands where it is asked for, at the latest at the end', () => {
    const early = virtualRain('simple', { d: 10, t: 2, iMax: 60, calmAfter: 1 })
    expect(early.slice(15, 25).map((rate) => Math.round(rate * 100) / 100)).toEqual([
      15, 45, 56.25, 48.75, 41.25, 33.75, 26.25, 18.75, 11.25, 3.75,
    ])
    const late = virtualRain('simple', { d: 4, t: 9, iMax: 8, calmAfter: 1 })
    expect(late.slice(15)).toEqual([1, 3, 5, 7, 0])
    const double = virtualRain('double', { t1: 4, t2: 2, t3: 10, iMax: 20, i2: 4, calmAfter: 1 })
    expect(double.slice(15)).toEqual([1, 3, 8, 16, 16, 8, 3.5, 2.5, 1.5, 0.5, 0])
    const short = virtualRain('double', { t1: 4, t2: 2, t3: 1, iMax: 20, i2: 4, calmAfter: 1 })
    expect(short.slice(15)).toEqual([1, 3, 8, 16, 16, 8, 0])
  })

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('gives no curve with a parameter of %d', (bad) => {
    for (const key of ['d', 't', 'iMax', 'calmAfter'])
      expect(virtualRain('simple', { ...DEFAULT_SIMPLE_TRIANGLE, [key]: bad })).toEqual([])
    expect(virtualRain('double', { ...DEFAULT_DOUBLE_TRIANGLE, calmAfter: bad })).toEqual([])
  })
})
