import { distanceM } from '@radx/rainfall/grid'
import { expect, test } from 'vitest'
import { circle, ringRadiiKm } from './geometry.ts'

test('every point of a range ring lies at its distance from the radar', () => {
  const radar = { lat: 48.84251, lng: 2.58871 }
  for (const point of circle(radar, 40_000)) expect(distanceM(radar, point)).toBeCloseTo(40_000, 0)
})

test('rings are round distances and end at the range', () => {
  expect(ringRadiiKm(100)).toEqual([20, 40, 60, 80, 100])
  expect(ringRadiiKm(50)).toEqual([10, 20, 30, 40, 50])
  expect(ringRadiiKm(150)).toEqual([50, 100, 150])
})
