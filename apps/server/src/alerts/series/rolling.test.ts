import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rollingTotals } from './rolling.ts'

const MINUTE = 60_000

test('steady rain adds up to its rate times the time, from when it is known', () => {
  const times = Array.from({ length: 41 }, (_, k) => k * 3 * MINUTE)
  const totals = rollingTotals(
    times,
    times.map(() => 12),
    60,
    15 * MINUTE,
  )
  expect(totals[10].mm).toBeCloseTo(6, 9)
  expect(totals[10].missing).toBeCloseTo(0.5, 9)
  expect(totals[40].mm).toBeCloseTo(12, 9)
  expect(totals[40].missing).toBeCloseTo(0, 9)
})

test('frames without a value, or too far apart, are missing and not dry', () => {
  const times = [0, 5, 10, 15, 40, 45].map((m) => m * MINUTE)
  const totals = rollingTotals(times, [6, 6, null, 6, 6, 6], 45, 15 * MINUTE)
  expect(totals[5].mm).toBeCloseTo(1, 9)
  expect(totals[5].missing).toBeCloseTo(35 / 45, 9)
})

test('totals of a window are those of its parts, whatever came before and after it', () => {
  const rates = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 3, maxLength: 80 })
  fc.assert(
    fc.property(rates, fc.nat(79), fc.integer({ min: 5, max: 60 }), (all, cut, minutes) => {
      const times = all.map((_, k) => k * 4 * MINUTE)
      const whole = rollingTotals(times, all, minutes, 15 * MINUTE)
      const end = Math.min(all.length, cut + 1)
      // Nothing that comes later changes what was seen.
      expect(rollingTotals(times.slice(0, end), all.slice(0, end), minutes, 15 * MINUTE)).toEqual(
        whole.slice(0, end),
      )
      for (const { mm, missing } of whole) {
        expect(mm).toBeGreaterThanOrEqual(-1e-9)
        expect(missing).toBeGreaterThanOrEqual(0)
        expect(missing).toBeLessThanOrEqual(1)
      }
    }),
  )
})
