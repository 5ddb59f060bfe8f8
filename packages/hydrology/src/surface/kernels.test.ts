import { describe, expect, test } from 'vitest'
import { reference, simd, threaded } from '../testing/kernels.ts'
import { smallTown } from '../testing/town.ts'
import { createSurface } from './surface.ts'
import type { KernelChoice } from './types.ts'

/** A cloudburst of 10 min over the town, then 10 min of flow, in the same steps for every kernel. */
function storm(choice: KernelChoice) {
  const { grid, params } = smallTown()
  const surface = createSurface(grid, params, choice)
  surface.setRain(150 / 3.6e6)
  const stepsS: number[] = []
  const run = () => {
    for (let k = 0; k < 300; k++) {
      surface.step(2)
      stepsS.push(surface.stableStepS())
    }
  }
  run()
  surface.setRain(0)
  run()
  const result = {
    stepsS,
    depth: surface.snapshot('depth'),
    maxDepth: surface.snapshot('maxDepth'),
    maxSpeed: surface.snapshot('maxSpeed'),
    infiltrated: surface.snapshot('infiltrated'),
    volumes: surface.volumes(),
  }
  surface.dispose()
  return result
}

describe('kernels', () => {
  test('the fast kernel agrees with the reference: depths to 0.1 mm, speeds to 5 mm/s, volumes to 1e-5', () => {
    const slow = storm(reference)
    const fast = storm(simd())
    const largest = (a: Float32Array, b: Float32Array) =>
      a.reduce((most, value, k) => (Number.isNaN(value) ? most : Math.max(most, Math.abs(value - b[k]))), 0)
    expect(largest(slow.depth, fast.depth)).toBeLessThan(1e-4)
    expect(largest(slow.maxDepth, fast.maxDepth)).toBeLessThan(1e-4)
    expect(largest(slow.infiltrated, fast.infiltrated)).toBeLessThan(1e-5)
    for (const [k, stepS] of slow.stepsS.entries())
      expect(Math.abs(fast.stepsS[k] / stepS - 1)).toBeLessThan(1e-2)
    expect(largest(slow.maxSpeed, fast.maxSpeed)).toBeLessThan(5e-3)
    for (const key of Object.keys(slow.volumes) as (keyof typeof slow.volumes)[])
      expect(Math.abs(fast.volumes[key] - slow.volumes[key])).toBeLessThanOrEqual(1e-5 * slow.volumes.rainM3)
  })

  test('the answer is the same to the bit for any number of threads', () => {
    const one = storm(simd())
    for (const count of [1, 2, 3]) expect(storm(threaded(count))).toEqual(one)
  })
})
