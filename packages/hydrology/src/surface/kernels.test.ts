import { describe, expect, test } from 'vitest'
import { inletLaw } from '../coupling/exchange.ts'
import { even, flat } from '../testing/flat.ts'
import { bothKernels, reference, simd, threaded } from '../testing/kernels.ts'
import { smallTown } from '../testing/town.ts'
import type { Surface } from './surface.ts'
import { createSurface } from './surface.ts'
import type { KernelChoice } from './types.ts'

/** Equal steps, shorter than any part need be. */
const SHORT = () => 2

/** Gullies on every seventh cell, and two more on every fifth of those; each with an outlet of its own. */
function drainTown(surface: Surface) {
  const cells = Array.from(surface.grid.elevationM.keys()).filter(
    (cell) => cell % 7 === 0 && surface.grid.elevationM[cell] > 0,
  )
  const drains = [...cells, ...[0, 1].flatMap(() => cells.filter((_, k) => k % 5 === 0))].map(
    (cell, outlet) => {
      return { cell, outlet, crestM: surface.grid.elevationM[cell], ...inletLaw(0.5, 0.4 + (outlet % 3) / 5) }
    },
  )
  const drained = surface.setDrains(drains, drains.length)
  // Far below the crest, a little above it, and above all water.
  for (const { outlet, crestM } of drains) drained.headsM[outlet] = crestM + [-2, -2, 0.004, 9][outlet % 4]
  return drained
}

/** A cloudburst of 10 min over the town, then 10 min of flow; `stepS` may ask the surface for a step. */
function storm(choice: KernelChoice, stepS: (surface: Surface) => number, drains = true, nrows?: number) {
  const { grid, params } = smallTown(nrows)
  const surface = createSurface(grid, params, choice)
  const drained = drains ? drainTown(surface) : undefined
  const taken: number[] = []
  const stepsS: number[] = []
  let partedSteps = 0
  const run = (endS: number) => {
    for (let t = 0; t < endS - 1e-9; ) {
      const dt = Math.min(stepS(surface), endS - t)
      if (dt > surface.waveStepS() * 1.01) partedSteps++
      surface.step(dt)
      taken.push(dt)
      stepsS.push(surface.stableStepS())
      t += dt
    }
  }
  surface.setRain(150 / 3.6e6)
  run(600)
  surface.setRain(0)
  run(600)
  const result = {
    taken,
    partedSteps,
    stepsS,
    depth: surface.snapshot('depth'),
    maxDepth: surface.snapshot('maxDepth'),
    maxSpeed: surface.snapshot('maxSpeed'),
    infiltrated: surface.snapshot('infiltrated'),
    volumes: surface.volumes(),
    drained: drained?.volumesM3 ?? new Float64Array(0),
  }
  surface.dispose()
  return result
}

const longest = (surface: Surface) => surface.stableStepS()

describe('kernels', () => {
  test.each([
    ['equal steps', SHORT, 0, false, 1],
    ['steps in parts', longest, 40, false, 1],
    ['equal steps, with gullies', SHORT, 0, true, 1],
    // For a while a quad takes parts of another length in one than in the other: depths and volumes to 10 times as
    // much.
    ['steps in parts, with gullies', longest, 40, true, 10],
  ])(
    'the fast kernel agrees with the reference: depths to 0.1 mm, speeds to 5 mm/s, volumes to 1e-5, what a gully took to 1 % (%s)',
    (_, stepS, parted, drains, times) => {
      const slow = storm(reference, stepS, drains)
      const steps = slow.taken.values()
      const fast = storm(simd(), () => steps.next().value!, drains)
      expect(slow.partedSteps).toBeGreaterThanOrEqual(parted)
      const largest = (a: Float32Array, b: Float32Array) =>
        a.reduce((most, value, k) => (Number.isNaN(value) ? most : Math.max(most, Math.abs(value - b[k]))), 0)
      expect(largest(slow.depth, fast.depth)).toBeLessThan(times * 1e-4)
      expect(largest(slow.maxDepth, fast.maxDepth)).toBeLessThan(times * 1e-4)
      expect(largest(slow.infiltrated, fast.infiltrated)).toBeLessThan(1e-5)
      for (const [k, stepS] of slow.stepsS.entries())
        expect(Math.abs(fast.stepsS[k] / stepS - 1)).toBeLessThan(1e-2)
      expect(largest(slow.maxSpeed, fast.maxSpeed)).toBeLessThan(5e-3)
      for (const key of Object.keys(slow.volumes) as (keyof typeof slow.volumes)[])
        expect(Math.abs(fast.volumes[key] - slow.volumes[key])).toBeLessThanOrEqual(
          times * 1e-5 * slow.volumes.rainM3,
        )
      const much = Array.from(slow.drained.keys()).filter((k) => slow.drained[k] > 0.1)
      expect(much.length).toBeGreaterThan(drains ? 100 : -1)
      for (const k of much) expect(Math.abs(fast.drained[k] / slow.drained[k] - 1)).toBeLessThan(0.01)
    },
  )

  test.each([
    ['equal steps', SHORT],
    ['steps in parts', longest],
  ])('the answer is the same to the bit for any number of threads (%s)', (_, stepS) => {
    const one = storm(simd(), stepS)
    for (const count of [1, 2, 3]) expect(storm(threaded(count), stepS)).toEqual(one)
  })

  test('so it is where there are fewer rows than threads would have work for', () => {
    for (const nrows of [4, 7, 11, 19, 34]) {
      const one = storm(simd(), longest, true, nrows)
      for (const count of [2, 5]) expect(storm(threaded(count), longest, true, nrows)).toEqual(one)
    }
  })

  test.each(bothKernels())('rain falls where it falls now, also after it has moved (%s)', (_, choice) => {
    // Each cell within its walls.
    const elevationM = Float64Array.from({ length: 80 }, (_, col) => (col % 2 ? Number.NaN : 0))
    const grid = { ...flat(1, 80), elevationM }
    const surface = createSurface(grid, even(grid), choice)
    const west = elevationM.map((_, col) => (col < 40 ? 0.001 : 0))
    const east = elevationM.map((_, col) => (col < 40 ? 0 : 0.002))
    surface.setRain(west)
    surface.step(1)
    expect([0, 38, 40, 78].map((cell) => surface.depthM(cell))).toEqual([0.001, 0.001, 0, 0])
    surface.setRain(east)
    surface.step(1)
    expect([0, 38, 40, 78].map((cell) => surface.depthM(cell))).toEqual([0.001, 0.001, 0.002, 0.002])
  })
})
