import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBins, encodeBins } from './day-bins.ts'
import type { RadarBins } from './nine-bins.ts'

const STEPS = 288
const depth = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constant(Number.NaN) },
  { weight: 1, arbitrary: fc.float({ min: 0, max: 80, noNaN: true }) },
)
/** As nine cells make them: where the cell is unknown, nothing is told around it. */
const day = fc.array(fc.tuple(depth, depth), { minLength: STEPS, maxLength: STEPS }).map(
  (steps): RadarBins => ({
    radar: Float64Array.from(steps, ([mm]) => mm),
    low: Float64Array.from(steps, ([mm, more]) => (Number.isNaN(mm + more) ? 0 : mm / 2)).map(Math.fround),
    high: Float64Array.from(steps, ([mm, more]) => (Number.isNaN(mm + more) ? 0 : mm + more)).map(
      Math.fround,
    ),
  }),
)
const unknown = (steps: number): RadarBins => ({
  radar: new Float64Array(steps).fill(Number.NaN),
  low: new Float64Array(steps),
  high: new Float64Array(steps),
})

test('days that are kept come back bit by bit, where they belong in a span that cuts the first and the last', () => {
  fc.assert(
    fc.property(
      fc.array(day, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 0, max: 287 }),
      (days, cut) => {
        const steps = STEPS * days.length - 2 * cut
        const out = unknown(Math.max(0, steps))
        decodeBins(
          Buffer.concat(days.map(encodeBins)),
          days.map((_, k) => k * STEPS - cut),
          out,
        )
        for (const series of ['radar', 'low', 'high'] as const) {
          const whole = days.flatMap((one) => [...one[series]])
          expect([...out[series]]).toEqual(whole.slice(cut, cut + out.radar.length))
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('a dry day takes four bytes, and days that are cut are not taken for such', () => {
  const dry = { ...unknown(STEPS), radar: new Float64Array(STEPS) }
  expect(encodeBins(dry)).toHaveLength(4)
  const wet = encodeBins({ ...dry, radar: dry.radar.slice().fill(1, 3, 9) })
  expect(() => decodeBins(wet.subarray(0, wet.length - 4), [0], unknown(STEPS))).toThrow(RangeError)
  expect(() => decodeBins(Buffer.concat([wet, wet]), [0], unknown(2 * STEPS))).toThrow(RangeError)
})
