import { expect, test } from 'vitest'
import { even, flat } from '../testing/flat.ts'
import { bothKernels, fullScheme } from '../testing/kernels.ts'
import { defraClass, defraRating, HazardMaps, ppriClass } from './hazard.ts'
import { createSurface } from './surface.ts'

test.each([
  [0.2, 0, 1],
  [0.3, 0, 2],
  [0.6, 0.5, 3],
  [1.5, 1, 4],
  [0.2, 2.5, 3],
])('Defra: %d m at %d m/s is class %i', (depth, speed, expected) => {
  expect(defraClass(defraRating(depth, speed))).toBe(expected)
})

test.each([
  [0.4, 0.1, 1],
  [0.4, 0.3, 2],
  [0.4, 0.6, 3],
  [0.8, 0.1, 2],
  [1.5, 0.1, 3],
  [1.5, 0.6, 4],
  [2.5, 0, 4],
  [0, 3, 0],
])('PPRI: %d m at %d m/s is class %i', (depth, speed, expected) => {
  expect(ppriClass(depth, speed)).toBe(expected)
})

test.each([...bothKernels(), ['full', fullScheme(1)]] as const)(
  'water is noted from when it arrives, for as long as it stands (%s)',
  (_, choice) => {
    const grid = flat(1, 3)
    const surface = createSurface({ ...grid, elevationM: Float64Array.of(0, 10, 0) }, even(grid), choice)
    const maps = new HazardMaps(surface)
    for (let t = 10; t <= 60; t += 10) {
      surface.setDepth(2, t < 30 ? 0 : t < 50 ? 0.3 : 0.1)
      maps.look(t)
    }
    expect([...maps.arrivalS]).toEqual([Number.NaN, Number.NaN, 30])
    expect(maps.durationsS.map((durations) => durations[2])).toEqual([40, 20, 0])
    expect([maps.defra[2], maps.ppri[2], maps.defra[0]]).toEqual([2, 1, 0])
    surface.dispose()
  },
)
