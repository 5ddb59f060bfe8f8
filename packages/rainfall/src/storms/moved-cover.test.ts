import { expect, test } from 'vitest'
import { coveredShare } from './moved-cover.ts'

const bounds = { ul: { lat: 49, lng: 2 }, lr: { lat: 48, lng: 3 } }
const corners = { sw: [2.5, 48.4], ne: [2.6, 48.5] }
const DEGREE_M = 111_195

test('a catchment is covered wholly, in part or not at all by rain that moved', () => {
  const north = (degrees: number) => coveredShare(corners, bounds, { eastM: 0, northM: degrees * DEGREE_M })
  expect(north(0)).toBe(1)
  expect(north(0.39)).toBeCloseTo(1, 9)
  expect(north(0.45)).toBeCloseTo(0.5, 9)
  expect(north(0.51)).toBe(0)
  expect(north(-0.55)).toBeCloseTo(0.5, 9)
  const eastM = 0.525 * DEGREE_M * Math.cos((48.45 * Math.PI) / 180)
  expect(coveredShare(corners, bounds, { eastM, northM: 0 })).toBeCloseTo(0.75, 9)
  expect(coveredShare(corners, bounds, { eastM, northM: 0.45 * DEGREE_M })).toBeCloseTo(0.375, 9)
})
