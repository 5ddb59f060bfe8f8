import type { Obstacle } from './scene.ts'

/** What stands around the demonstration's radar: a tower, a wood on a hill, blocks of flats. */
export const OBSTACLES: readonly Obstacle[] = [
  { fromDeg: 36, toDeg: 40, distanceM: 1800, topDeg: 1.9 },
  { fromDeg: 108, toDeg: 126, distanceM: 4200, topDeg: 0.75 },
  { fromDeg: 205, toDeg: 222, distanceM: 2600, topDeg: 1.05 },
  { fromDeg: 286, toDeg: 297, distanceM: 900, topDeg: 1.25 },
]

/** The same as a survey of the horizon would give it to the chain of polarimetry. */
export const HORIZON = OBSTACLES.map(({ distanceM, ...obstacle }) => ({
  ...obstacle,
  distanceKm: distanceM / 1000,
}))
