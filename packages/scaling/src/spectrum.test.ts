import { expect, test } from 'vitest'
import { discreteCascade } from './cascade.ts'
import { seededRandom } from './random.ts'
import { fluctuationExponent, powerSpectrum } from './spectrum.ts'
import { momentScaling } from './trace-moments.ts'

test('one wave has its power at its wavenumber', () => {
  const side = 32
  const wave = Float64Array.from(
    { length: side * side },
    (_, i) => 2 + Math.cos((2 * Math.PI * 5 * (i % side)) / side),
  )
  const { wavenumber, power } = powerSpectrum([wave], side)!
  expect(wavenumber[power.indexOf(Math.max(...power))]).toBe(5)
  expect(power[4]).toBeCloseTo(0.5, 5)
})

test('a conserved cascade falls with 1 - K(2), so that H is near 0', () => {
  const random = seededRandom(9)
  const parameters = { alpha: 1.8, c1: 0.1 }
  const fields = Array.from({ length: 24 }, () => discreteCascade(parameters, 7, 2, random))
  const { beta, r2 } = powerSpectrum(fields, 128)!
  expect(r2).toBeGreaterThan(0.9)
  expect(Math.abs(fluctuationExponent(beta, momentScaling(2, parameters)))).toBeLessThan(0.12)
})

test('dry fields and fields with gaps have no spectrum', () => {
  const gap = new Float64Array(64).fill(1)
  gap[3] = Number.NaN
  expect(powerSpectrum([new Float64Array(64), gap], 8)).toBeNull()
})
