import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  DEPTH_OUTSIDE,
  depthCodes,
  depthQuantiles,
  exceedance,
  quantile,
  quantiles,
  reached,
  SHARE_OUTSIDE,
} from './spread.ts'

const SHARES = [0, 0.1, 0.5, 0.9, 1]
/** Members of three cells, of which the last is outside the model. */
const members = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 3000 }), fc.constantFrom(0, 0, 49, 50, 51)), {
    minLength: 1,
    maxLength: 25,
  })
  .map((cells) => cells.map(([a, b]) => Uint16Array.of(a, b, DEPTH_OUTSIDE)))

describe('how members spread', () => {
  test('shares over a depth count members, strictly; quantiles lie between least and largest, in order', () => {
    fc.assert(
      fc.property(members, (all) => {
        const over = exceedance(all, 50)
        for (const cell of [0, 1])
          expect(over[cell]).toBe(Math.round((100 * all.filter((one) => one[cell] > 50).length) / all.length))
        expect(over[2]).toBe(SHARE_OUTSIDE)
        const found = depthQuantiles(all, SHARES)
        const [least, low, middle, high, largest] = found
        for (const cell of [0, 1]) {
          const values = all.map((one) => one[cell]).sort((a, b) => a - b)
          expect([least[cell], largest[cell]]).toEqual([values[0], values[values.length - 1]])
          expect(found.map((depths) => depths[cell])).toEqual(
            SHARES.map((share) => Math.round(quantile(values, share))),
          )
          expect([low[cell], middle[cell], high[cell]]).toEqual(
            [low[cell], middle[cell], high[cell]].sort((a, b) => a - b),
          )
        }
        expect(middle[2]).toBe(DEPTH_OUTSIDE)
      }),
    )
  })

  test('of elements: quantiles between members, and the share that reaches a value', () => {
    const all = [Float32Array.of(1, 0), Float32Array.of(3, 0.5), Float32Array.of(2, 1)]
    expect(quantiles(all, [0, 0.25, 0.5, 1]).map((values) => [...values])).toEqual([
      [1, 0],
      [1.5, 0.25],
      [2, 0.5],
      [3, 1],
    ])
    expect([...reached(all, 1)]).toEqual([100, 33])
    expect([...reached(all, 0.5)]).toEqual([100, 67])
  })

  test('depths are whole millimetres; outside stays outside, deep water is cut', () => {
    expect([...depthCodes(Float32Array.of(0, 0.0504, 100, Number.NaN))]).toEqual([
      0,
      50,
      DEPTH_OUTSIDE - 1,
      DEPTH_OUTSIDE,
    ])
  })

  test('no members, or members of other lengths, are a fault', () => {
    expect(() => exceedance([], 0)).toThrow(RangeError)
    expect(() => quantiles([new Float32Array(1), new Float32Array(2)], [0.5])).toThrow(RangeError)
  })
})
