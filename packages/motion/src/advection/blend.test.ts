import { describe, expect, test } from 'vitest'
import { blend } from './blend.ts'

const shape = { nrows: 130, ncols: 100 }
const cells = shape.nrows * shape.ncols
const field = (at: (row: number, col: number) => number) =>
  Float32Array.from({ length: cells }, (_, i) => at(Math.floor(i / shape.ncols), i % shape.ncols))
const sum = (values: Float32Array) => values.reduce((total, value) => total + value, 0)

describe('two fields blended', () => {
  test('where they agree it is their average, and dry stays dry', () => {
    const both = field((row, col) => (col < 50 ? 0 : (row + col) / 20))
    const out = blend(both.slice(), both.slice(), 0.3, shape)
    out.forEach((value, i) => {
      if (both[i] === 0) expect(value).toBe(0)
      else expect(value).toBeCloseTo(both[i], 5)
    })
  })

  test('where they disagree there is less than their average, and the water is that of the averages', () => {
    const a = field((row, col) => 4 + 3 * Math.sin(row / 5) * Math.sin(col / 7))
    const b = field((row, col) => 4 + 3 * Math.sin(row / 5 + 0.5) * Math.sin(col / 7))
    a[40 * 100 + 40] = 9
    b[40 * 100 + 40] = 0
    const average = a.map((rate, i) => 0.5 * (rate + b[i]))
    const out = blend(a.slice(), b.slice(), 0.5, shape)
    expect(out[40 * 100 + 40]).toBeLessThan(0.6 * average[40 * 100 + 40])
    expect(sum(out) / sum(average)).toBeCloseTo(1, 5)
  })

  test('a lone shower in one of them keeps its water', () => {
    const a = field((row, col) => (Math.hypot(row - 60, col - 50) < 4 ? 8 : 0))
    const out = blend(a.slice(), new Float32Array(cells), 0.25, shape)
    expect(sum(out) / sum(a)).toBeCloseTo(0.75, 5)
  })

  test('where one is missing it is the other, and where both are it is missing', () => {
    const [a, b] = [field(() => 3), field(() => 5)]
    a[10] = Number.NaN
    b[20] = Number.NaN
    a[30] = b[30] = Number.NaN
    const out = blend(a, b, 0.5, shape)
    expect([out[10], out[20], out[30]]).toEqual([5, 3, Number.NaN])
    expect(out[40]).toBeCloseTo(4, 5)
  })
})
