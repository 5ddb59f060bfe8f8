import { describe, expect, test } from 'vitest'
import { rainBetween } from '../advection/between.ts'
import { atPlace, motionFieldOf } from '../motion-field.ts'
import { showers } from '../testing/weather.ts'
import { refineMotion } from './refine.ts'

const shape = { nrows: 120, ncols: 120 }
const [a, middle, b] = showers(shape, [0.6, -0.3], [0, 5, 10], 3)
const off = (one: Float32Array, two: Float32Array) => {
  let sum = 0
  for (let i = 0; i < one.length; i++) if (one[i] >= 0 && two[i] >= 0) sum += (one[i] - two[i]) ** 2
  return Math.sqrt(sum)
}

describe('motion made to fit two frames', () => {
  test('a motion that is a cell off is set right where there is rain', () => {
    const near = motionFieldOf(shape, () => [0.5, -0.2])
    const refined = refineMotion(a, b, near)
    let [before, after, wet] = [0, 0, 0]
    for (let i = 0; i < middle.rateMmH.length; i++) {
      if (!(middle.rateMmH[i] > 1)) continue
      const [x, y] = [i % shape.ncols, Math.floor(i / shape.ncols)]
      const away = (motion: typeof near) =>
        Math.hypot(atPlace(motion.u, motion, x, y) - 0.6, atPlace(motion.v, motion, x, y) + 0.3)
      before += away(near)
      after += away(refined)
      wet++
    }
    expect(wet).toBeGreaterThan(100)
    expect(after).toBeLessThan(0.35 * before)
    const met = (motion: typeof near) => off(rainBetween(a, b, motion, 5), middle.rateMmH)
    expect(met(refined)).toBeLessThan(0.6 * met(near))
  })

  test('frames that say nothing leave the motion as it was: dry, missing, or the same', () => {
    const motion = motionFieldOf(shape, () => [0.5, -0.2])
    const still = motionFieldOf(shape, () => [0, 0])
    const all = (rate: number) => new Float32Array(a.rateMmH.length).fill(rate)
    for (const rate of [0, Number.NaN])
      expect(refineMotion({ ...a, rateMmH: all(rate) }, { ...b, rateMmH: all(rate) }, motion)).toBe(motion)
    expect(refineMotion(a, { ...b, rateMmH: a.rateMmH }, still)).toBe(still)
  })

  test('cells that are missing move nothing: what is near them is as without them', () => {
    const near = motionFieldOf(shape, () => [0.5, -0.2])
    const gone = (rates: Float32Array) => rates.map((rate, i) => (i % shape.ncols > 80 ? Number.NaN : rate))
    const refined = refineMotion({ ...a, rateMmH: gone(a.rateMmH) }, { ...b, rateMmH: gone(b.rateMmH) }, near)
    for (const values of [refined.u, refined.v])
      for (const value of values) expect(value).toBeTypeOf('number')
    expect(refined.u.every(Number.isFinite) && refined.v.every(Number.isFinite)).toBe(true)
    // The edge of what is known stands still; the rain does not take it over.
    for (let y = 8; y < 112; y += 8)
      expect(Math.abs(atPlace(refined.u, refined, 78, y) - 0.55)).toBeLessThan(0.3)
  })
})
