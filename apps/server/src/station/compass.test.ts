import { COMPASS_DIRECTIONS, WIND_CLASSES } from '@radx/contracts/constants'
import { compassSchema } from '@radx/contracts/station'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { directionTo, windClass, windCompass } from './compass.ts'

test('[STATION-05] [STATION-08] the compass shows where the wind goes, in 16 directions', () => {
  expect(directionTo(0)).toBe('s')
  expect(directionTo(360)).toBe('s')
  expect(directionTo(270)).toBe('e')
  expect(directionTo(225)).toBe('ne')
  expect(directionTo(202.5)).toBe('nne')
  expect(directionTo(180)).toBe('n')
  expect(directionTo(-90)).toBe('e')
  // Half a sector to either side of north.
  expect(directionTo(180 + 11.24)).toBe('n')
  expect(directionTo(180 - 11.24)).toBe('n')
  expect(directionTo(180 + 11.26)).toBe('nne')
})

test('[STATION-09] [STATION-10] shares fall into their speed class and direction', () => {
  const compass = windCompass([
    { speedKmH: 30, fromDeg: 270 },
    { speedKmH: 10, fromDeg: 270 },
    { speedKmH: 9.9, fromDeg: 0 },
    { speedKmH: 25, fromDeg: 270 },
    { speedKmH: null, fromDeg: 270 },
    { speedKmH: 5, fromDeg: null },
    { speedKmH: Number.NaN, fromDeg: 10 },
    { speedKmH: 0, fromDeg: 0 },
  ])!
  expect(compass.t3.e).toBe(20)
  expect(compass.t1.e).toBe(20)
  expect(compass.t2.e).toBe(20)
  // Calm air counts in the slowest class.
  expect(compass.t0.s).toBe(40)
  expect(compassSchema.parse(compass)).toEqual(compass)
})

test('[STATION-11] a period without readings has no compass', () => {
  expect(windCompass([])).toBeNull()
  expect(windCompass([{ speedKmH: null, fromDeg: null }])).toBeNull()
})

test('shares add up to 100 %', () => {
  const reading = fc.record({
    speedKmH: fc.double({ min: 0, max: 120, noNaN: true }),
    fromDeg: fc.double({ min: 0, max: 360, noNaN: true }),
  })
  fc.assert(
    fc.property(fc.array(reading, { minLength: 1 }), (readings) => {
      const compass = windCompass(readings)!
      const total = WIND_CLASSES.flatMap((c) => COMPASS_DIRECTIONS.map((d) => compass[c][d]))
      expect(total.reduce((a, b) => a + b, 0)).toBeCloseTo(100, 9)
    }),
  )
})

test('[STATION-10] wind classes: exactly 30 km/h belongs to the last', () => {
  expect([0, 9.99, 10, 19.9, 20, 29.99, 30, 90].map(windClass)).toEqual([
    't0',
    't0',
    't1',
    't1',
    't2',
    't2',
    't3',
    't3',
  ])
})
