import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeRate, decodeRates, encodeRate, encodeRates, RATE_NO_DATA } from './rates.ts'

test('a wet cell stays wet, a dry one dry, one without data without data', () => {
  expect(encodeRate(1e-9)).toBe(1)
  expect(encodeRate(0)).toBe(0)
  expect(encodeRate(-1)).toBe(0)
  expect(encodeRate(Number.NaN)).toBe(RATE_NO_DATA)
  expect(decodeRate(RATE_NO_DATA)).toBeNaN()
  expect(encodeRate(1e6)).toBe(65534)
  expect(encodeRate(Number.POSITIVE_INFINITY)).toBe(65534)
})

test('a rate comes back within half a step of 0.01 mm/h', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.005, max: 655.34, noNaN: true }), (rate) => {
      expect(Math.abs(decodeRate(encodeRate(rate)) - rate)).toBeLessThanOrEqual(0.005 + 1e-9)
    }),
  )
})

test('every code survives its own round trip', () => {
  const codes = Uint16Array.from({ length: 65536 }, (_, i) => i)
  expect(encodeRates(decodeRates(codes))).toEqual(codes)
})

test('a field is coded as its rates are one by one', () => {
  const rate = fc.oneof(
    fc.constantFrom(0, Number.NaN, -3, Number.POSITIVE_INFINITY),
    fc.float({ min: 0, max: 700 }),
  )
  fc.assert(
    fc.property(fc.array(rate), (rates) => {
      expect([...encodeRates(Float32Array.from(rates))]).toEqual(
        [...Float32Array.from(rates)].map(encodeRate),
      )
    }),
  )
})
