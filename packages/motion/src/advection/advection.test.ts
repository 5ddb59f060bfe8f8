import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { motionFieldOf } from '../motion-field.ts'
import { backwardPath } from './displacement.ts'
import { passingMean, sampleAlong } from './sample.ts'

const shape = { nrows: 40, ncols: 50 }
const ramp = Float32Array.from({ length: 2000 }, (_, i) => Math.floor(i / 50) * 2 + (i % 50) * 3)

describe('advection', () => {
  test('an even motion shifts a field; what comes from outside is missing', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -3, max: 3, noNaN: true }),
        fc.double({ min: -3, max: 3, noNaN: true }),
        fc.integer({ min: 1, max: 30 }),
        (u, v, minutes) => {
          const out = sampleAlong(ramp, backwardPath(motionFieldOf(shape, () => [u, v])).to(minutes))
          for (let i = 0; i < out.length; i++) {
            const [x, y] = [(i % 50) - u * minutes, Math.floor(i / 50) - v * minutes]
            if (x < -0.001 || y < -0.001 || x > 49.001 || y > 39.001) expect(out[i]).toBeNaN()
            else if (x > 0.001 && y > 0.001 && x < 48.999 && y < 38.999)
              expect(Math.abs(out[i] - (2 * y + 3 * x))).toBeLessThan(0.01)
          }
        },
      ),
      { numRuns: 10 },
    )
  })

  test('what passes over a place is the mean of what stands there at each moment, and as much in all', () => {
    const storm = Float32Array.from(ramp, (_, i) =>
      Math.hypot((i % 50) - 15, Math.floor(i / 50) - 20) < 2.5 ? 60 : 0,
    )
    const motion = motionFieldOf(shape, () => [1.5, -0.25])
    const all = Int32Array.from(storm, (_, i) => i)
    const passing = passingMean(storm, backwardPath(motion).to(5), motion, all, [-2.5, 2.5])
    const moments = Array.from({ length: 100 }, (_, n) =>
      sampleAlong(storm, backwardPath(motion).to(2.5 + (5 * (n + 0.5)) / 100)),
    )
    let [apart, fell] = [0, 0]
    for (let i = 0; i < passing.length; i++) {
      const mean = moments.reduce((sum, field) => sum + field[i], 0) / moments.length
      if (Number.isNaN(mean)) continue
      apart = Math.max(apart, Math.abs(passing[i] - mean))
      fell += passing[i]
    }
    // Steps of a cell are as fine as the field; still pictures are wrong by all of the storm.
    expect(apart).toBeLessThan(8)
    const still = sampleAlong(storm, backwardPath(motion).to(5))
    const most = (field: Float32Array) => Math.max(...field.filter((rate) => rate >= 0))
    expect(most(still)).toBeGreaterThan(1.3 * most(passing))
    expect(fell).toBeCloseTo(
      still.reduce((sum, rate) => sum + (rate >= 0 ? rate : 0), 0),
      -2,
    )
    expect(passingMean(storm, backwardPath(motion).to(5), motion, [0], [-2.5, 2.5])).toEqual(
      new Float32Array([Number.NaN]),
    )
  })

  test('standing still keeps every value beside a missing one', () => {
    const field = ramp.slice()
    field[1025] = Number.NaN
    expect(sampleAlong(field, backwardPath(motionFieldOf(shape, () => [0, 0])).to(60))).toEqual(field)
  })

  test('a missing cell makes missing what touches it, and nothing else', () => {
    const field = ramp.slice()
    field[20 * 50 + 20] = Number.NaN
    const out = sampleAlong(field, backwardPath(motionFieldOf(shape, () => [0.1, 0.1])).to(5))
    const gone = [...out.keys()].filter((i) => Number.isNaN(out[i]) && i % 50 > 0 && i >= 50)
    expect(gone).toEqual([20 * 50 + 20, 20 * 50 + 21, 21 * 50 + 20, 21 * 50 + 21])
  })

  test('a turning motion brings a point back after a full turn, and smaller steps bring it nearer', () => {
    const turn = (Math.PI * 2) / 120
    const motion = motionFieldOf(shape, (x, y) => [-(y - 20) * turn, (x - 25) * turn], 1)
    const { dx, dy } = backwardPath(motion).to(120)
    const k = 20 * motion.nodes.ncols + 35
    expect(Math.hypot(dx[k], dy[k])).toBeLessThan(1)
    const path = backwardPath(motion)
    for (let minute = 1; minute <= 120; minute++) path.to(minute)
    const fine = path.to(120)
    expect(Math.hypot(fine.dx[k], fine.dy[k])).toBeLessThan(0.05)
  })
})
