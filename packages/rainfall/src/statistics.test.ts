import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RATE_NO_DATA } from './rates.ts'
import { frameStatistics, maxMmH, validPct, zoneStats } from './statistics.ts'

test('means, Rmoyen, coverage and maximum of a frame worked out by hand', () => {
  const s = frameStatistics(Uint16Array.from([0, 100, 300, RATE_NO_DATA, 0, 300]))
  expect(s).toEqual({ cells: 6, validCount: 5, wetCount: 3, sumCodes: 700, maxCode: 300, maxIndex: 2 })
  expect(zoneStats(s).mean).toBeCloseTo(1.4, 12)
  expect(zoneStats(s).nonzerosmean).toBeCloseTo(7 / 3, 12)
  expect(zoneStats(s).nonzerospc).toBe(60)
  expect(maxMmH(s)).toBe(3)
  expect(validPct(s)).toBeCloseTo(83.333, 3)
})

test('a dry frame has means of 0, one without data has none', () => {
  const dry = frameStatistics(new Uint16Array(9))
  expect(zoneStats(dry)).toEqual({ mean: 0, nonzerosmean: 0, nonzerospc: 0 })
  expect(dry.maxIndex).toBe(-1)
  const none = frameStatistics(new Uint16Array(9).fill(RATE_NO_DATA))
  expect(zoneStats(none)).toEqual({ mean: null, nonzerosmean: null, nonzerospc: null })
  expect(maxMmH(none)).toBeNull()
  expect(validPct(none)).toBe(0)
})

test('one pass agrees with counting each thing alone', () => {
  const code = fc.oneof(fc.constant(0), fc.constant(RATE_NO_DATA), fc.nat(65534))
  fc.assert(
    fc.property(fc.array(code, { maxLength: 200 }), (codes) => {
      const s = frameStatistics(Uint16Array.from(codes))
      const valid = codes.filter((c) => c !== RATE_NO_DATA)
      expect(s.validCount).toBe(valid.length)
      expect(s.wetCount).toBe(valid.filter((c) => c > 0).length)
      expect(s.sumCodes).toBe(valid.reduce((a, b) => a + b, 0))
      expect(s.maxCode).toBe(Math.max(0, ...valid))
      expect(s.maxIndex).toBe(s.maxCode > 0 ? codes.indexOf(s.maxCode) : -1)
    }),
  )
})
