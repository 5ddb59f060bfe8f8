import { describe, expect, test } from 'vitest'
import {
  autoHideCm,
  BAND_NAMES,
  bandCounts,
  bandOf,
  cmAt,
  LIMITS_CM,
  positionOf,
  sliderStops,
} from './bands.ts'
import { barsOf, movingBudget, toGround } from './bars.ts'
import { countFrom, depthField, differenceOf } from './field.ts'

const corner: [number, number] = [0, 0]
const corners = { sw: corner, se: corner, ne: corner, nw: corner }
/** A field of one row, m. */
const fieldOf = (metres: (number | null)[]) =>
  depthField({
    outputType: 'max_waterdepth_10m.txt',
    cellSizeM: 10,
    place: { nrows: 1, ncols: metres.length, cellSizeM: 10, crs: 'EPSG:2154', xll: 0, yll: 0, corners },
    data: [metres],
  })

describe('the largest depths', () => {
  test('[DEPTH-12] values are in cm; zero is empty, and outside is neither', () => {
    const field = fieldOf([0, 0.1234, null, 1.5])
    expect([...field.cm]).toEqual([0, 12.34, Number.NaN, 150])
    expect([...field.wet]).toEqual([3, 1])
    expect(field.maxCm).toBe(150)
    expect(fieldOf([0, null]).maxCm).toBe(0)
  })

  test('a difference needs the same cells', () => {
    const own = fieldOf([0.2, 0.1, null])
    expect([...differenceOf(own, fieldOf([0.05, 0.1, null]))!].map((cm) => Math.round(cm * 10) / 10)).toEqual(
      [15, 0, Number.NaN],
    )
    expect(differenceOf(own, fieldOf([0.05, 0.1]))).toBeNull()
  })
})

describe('the bands of the 3D view', () => {
  test('[DEPTH-15] [DEPTH-16] thresholds in cm bound eight bands, the last is 100 cm and more', () => {
    expect(LIMITS_CM).toEqual([0, 1, 3, 10, 20, 30, 50, 100])
    expect(BAND_NAMES.map((name) => name.replace('\u00a0', ''))).toEqual([
      '<1',
      '<3',
      '<10',
      '<20',
      '<30',
      '<50',
      '<100',
      '>100',
    ])
    expect([0.5, 1, 2.99, 3, 99.9, 100, 300].map(bandOf)).toEqual([0, 1, 1, 2, 6, 7, 7])
    const field = fieldOf([0, 0.005, 0.01, 0.02, 0.15, 1, 2, null])
    expect(bandCounts(field)).toEqual([1, 2, 0, 1, 0, 0, 0, 2])
    expect([0, 1, 15, 15.1, 200, 201].map((cm) => countFrom(field, cm))).toEqual([6, 5, 3, 2, 1, 0])
  })

  test('[DEPTH-18] hiding by itself takes the smallest of 100 steps that leaves at most 2,000 pixels', () => {
    expect(autoHideCm(fieldOf([0.5, 0.2, 0.1]))).toBe(0)
    // 0.1 mm to 1 m in 10,000 equal steps: 8,001 cells or more must go.
    const many = fieldOf(Array.from({ length: 10_000 }, (_, k) => (k + 1) / 10_000))
    const limit = autoHideCm(many)
    expect(limit).toBeCloseTo(81, 9)
    expect(countFrom(many, limit)).toBe(1901)
    expect(countFrom(many, limit - 1)).toBeGreaterThan(2000)
    expect(autoHideCm(fieldOf(new Array(3000).fill(0.4)))).toBe(40)
  })

  test('the slider gives each band the same room and comes back to what it was', () => {
    expect(sliderStops(36)).toBe(LIMITS_CM)
    const stops = sliderStops(250)
    expect(stops.at(-1)).toBe(250)
    stops.forEach((stop, k) => {
      expect(positionOf(stop, stops)).toBe(k)
      expect(cmAt(k, stops)).toBe(stop)
    })
    for (const cm of [0.4, 7.3, 15.3, 88, 120]) expect(cmAt(positionOf(cm, stops), stops)).toBeCloseTo(cm, 9)
    expect(positionOf(999, stops)).toBe(8)
  })

  test('[DEPTH-17] the highest bar is 20 high, the others in proportion, at their cells', () => {
    const { count, matrices, colors } = barsOf(fieldOf([0.1, 0, 0.4, null]))
    expect(count).toBe(2)
    const bar = (k: number) => [5, 12, 14].map((m) => matrices[16 * k + m])
    expect(bar(0)).toEqual([20, 0.5, 0])
    expect(bar(1)).toEqual([5, -1.5, 0])
    expect([...colors.subarray(0, 3)]).not.toEqual([...colors.subarray(3)])
  })

  test('a moving view draws fewer bars where pictures come late, never fewer than it hides to by itself', () => {
    expect(movingBudget(100_000, 200, 120_000)).toBe(50_000)
    expect(movingBudget(2_100, 200, 120_000)).toBe(2_000)
    expect(movingBudget(50_000, 10, 60_000)).toBe(60_000)
    expect(movingBudget(50_000, 40, 60_000)).toBe(50_000)
  })

  test('the ground keeps its land use, quieter, and is not there outside the basin', () => {
    const pixels = Uint8ClampedArray.from([255, 0, 0, 255, 255, 255, 255, 255])
    toGround(pixels, [3, Number.NaN], 1)
    expect([...pixels]).toEqual([178, 38, 38, 255, 255, 255, 255, 0])
  })
})
