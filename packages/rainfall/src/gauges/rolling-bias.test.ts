import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BiasPlace, hourlyFactors, placesTold, type RollingBias, rollingFactor } from './rolling-bias.ts'

const HOURS = 12
const rule: RollingBias = { limits: [0.2, 5], windowSteps: 6 * 12, minGauges: 3, mode: 'live' }

/** Places whose gauges have so many times the radar's rain, hour by hour. */
const places = (factors: readonly number[], radarMm = 0.5, count = 3): BiasPlace[] =>
  Array.from({ length: count }, () => ({
    radar: new Float64Array(12 * factors.length).fill(radarMm),
    gauge: Float64Array.from(
      { length: 12 * factors.length },
      (_, i) => radarMm * factors[Math.floor(i / 12)],
    ),
  }))
const factorAt = (given: readonly BiasPlace[], step: number, options: Partial<RollingBias> = {}) =>
  rollingFactor(given, hourlyFactors(given, 3), step, { ...rule, ...options })

describe('the factor of a mean field bias over time', () => {
  test('it is the median of the hours in the window, before the moment or around it', () => {
    const given = places([1, 1, 1, 1, 2, 3, 4, 4, 4, 4, 4, 4])
    expect(factorAt(given, 12 * 6)).toBeCloseTo(1, 12)
    expect(factorAt(given, 12 * 8)).toBeCloseTo(2.5, 12)
    expect(factorAt(given, 12 * 6, { mode: 'hindsight' })).toBeCloseTo(3.5, 12)
  })

  test('it stays within the limits, real ones go below a half', () => {
    expect(factorAt(places([0.4, 0.4]), 24)).toBeCloseTo(0.4, 12)
    expect(factorAt(places([0.1, 0.1]), 24)).toBe(0.2)
    expect(factorAt(places([9, 9]), 24)).toBe(5)
  })

  test('hours of too few gauges or too little rain tell nothing; without any the rain stays as it is', () => {
    expect(factorAt(places([2, 2], 0.5, 2), 24)).toBe(1)
    expect(factorAt(places([2, 2], 0.01), 24)).toBe(1)
    const dry = places([2, 2])
    for (const { gauge } of dry) gauge.fill(0)
    expect(factorAt(dry, 24)).toBe(1)
    for (const { gauge } of dry) gauge.fill(Number.NaN)
    expect(factorAt(dry, 24)).toBe(1)
  })

  test('only gauges that know an hour which told a factor count as those that it was made of', () => {
    const given = places([2, 2, 2, 2, 2, 2, 2, 2], 0.5, 5)
    const count = (steps: number[], options: Partial<RollingBias> = {}) =>
      placesTold(given, hourlyFactors(given, 3), steps, { ...rule, windowSteps: 24, ...options })
    expect(count([60])).toBe(5)
    // One knows the first hour alone, one nothing at all.
    given[3].gauge.fill(Number.NaN, 12)
    given[4].gauge.fill(Number.NaN)
    expect(count([60])).toBe(3)
    expect(count([20, 60])).toBe(4)
    // Live, what comes after the moment does not count; where no hour tells, nobody does.
    expect(count([6])).toBe(4)
    given[0].gauge.fill(Number.NaN, 0, 12)
    given[1].gauge.fill(Number.NaN, 0, 12)
    expect(count([6])).toBe(0)
    expect(count([12], { mode: 'hindsight' })).toBe(3)
  })

  const series = fc.array(fc.double({ min: 0, max: 3, noNaN: true }), {
    minLength: 12 * HOURS,
    maxLength: 12 * HOURS,
  })
  const random = fc
    .array(fc.record({ gauge: series, radar: series }), { minLength: 3, maxLength: 4 })
    .map((list): BiasPlace[] =>
      list.map(({ gauge, radar }) => ({
        gauge: Float64Array.from(gauge, (v) => (v < 0.2 ? Number.NaN : v)),
        radar: Float64Array.from(radar),
      })),
    )
  const step = fc.integer({ min: 1, max: 12 * HOURS })

  test('live, it knows nothing of what comes after the moment, whatever it is asked for with', () => {
    fc.assert(
      fc.property(random, step, (given, at) => {
        const later = given.map(({ gauge, radar }) => ({
          gauge: gauge.map((v, i) => (i < at ? v : 99)),
          radar: radar.map((v, i) => (i < at ? v : 1)),
        }))
        expect(factorAt(later, at)).toBe(factorAt(given, at))
        const cut = given.map(({ gauge, radar }) => ({
          gauge: gauge.subarray(0, at),
          radar: radar.subarray(0, at),
        }))
        expect(factorAt(cut, at)).toBe(factorAt(given, at))
      }),
      { numRuns: 50 },
    )
  })

  test('gauges in another order tell the same, and twice the rain in the gauges twice the factor', () => {
    fc.assert(
      fc.property(random, step, (given, at) => {
        const wide = { limits: [0, 1000] as const }
        const factor = factorAt(given, at, wide)
        expect(factorAt(given.toReversed(), at, wide)).toBeCloseTo(factor, 9)
        const twice = given.map(({ gauge, radar }) => ({ gauge: gauge.map((v) => 2 * v), radar }))
        if (factor !== 1) expect(factorAt(twice, at, wide)).toBeCloseTo(2 * factor, 9)
      }),
      { numRuns: 50 },
    )
  })
})
