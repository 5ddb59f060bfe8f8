import { expect, test } from 'vitest'
import { deltaOf, differenceClass, differencePercent, volumeM3 } from './difference.ts'

test('[SWMM-32] the volume is the sum of flow x 60 x interval minutes', () => {
  expect(volumeM3([0.5, 1, 0], 5)).toBe(450)
  expect(volumeM3([1, 1], 3.433)).toBeCloseTo(411.96, 9)
  expect(volumeM3([], 1)).toBe(0)
})

test('[SWMM-33] the percentage is floored, also below zero', () => {
  expect(differencePercent(109.9, 100)).toBe(9)
  expect(differencePercent(99.9, 100)).toBe(-1)
  expect(differencePercent(100, 100)).toBe(0)
  // More water back than before is a fall.
  expect(differencePercent(-150, -100)).toBe(-50)
  expect(differencePercent(0, 0)).toBe(0)
  expect(differencePercent(1, 0)).toBeNull()
})

test('[SWMM-31] five classes with their bounds', () => {
  expect([-21, -20, -11, -10, -1, 0, 19, 20, 500].map(differenceClass)).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 4])
})

test('[SWMM-12] the delta is the run minus its reference, interval by interval', () => {
  expect(deltaOf([3, 2, 1], [1, 2])).toEqual([2, 0])
})
