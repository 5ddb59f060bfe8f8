import { expect, test } from 'vitest'
import { ROTATION_MAX, rotationDeg } from './city-scene.ts'

test('[SIMFORM-16] the slider turns the town by 3 degrees a step from -45', () => {
  expect([0, 1, ROTATION_MAX].map(rotationDeg)).toEqual([-45, -42, -15])
})
