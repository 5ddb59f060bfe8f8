import { describe, expect, test } from 'vitest'
import { createLayout } from './layout.ts'
import { StepLength } from './step-length.ts'
import { type Kernel, SURFACE_DEFAULTS, type SurfaceOptions } from './types.ts'

const G = 9.81

/** Steps of a surface whose water is this deep and fast. */
function lengths(cellSizeM: number, depth: number, speed: number, options: SurfaceOptions = {}) {
  const grid = { nrows: 1, ncols: 1, cellSizeM, elevationM: Float64Array.of(0) }
  const layout = createLayout(
    grid,
    { manning: Float64Array.of(0.03), edges: 'closed' },
    { ...SURFACE_DEFAULTS, cfl: 0.7, maxStepS: 5, halvings: 2, dryDepthM: 1e-4, ...options },
  )
  const seen = { depth, speed }
  const kernel = { largestDepth: () => seen.depth, largestSpeed: () => seen.speed } as Kernel
  return { steps: new StepLength(layout, kernel), seen }
}

describe('the longest stable part of a step', () => {
  test('is by the waves of deep water, or by the speed of shallow water, where that is shorter', () => {
    expect(lengths(10, 2, 0.1).steps.waveS()).toBeCloseTo((0.7 * 10) / Math.sqrt(G * 2), 9)
    expect(lengths(10, 0.01, 3).steps.waveS()).toBeCloseTo(10 / (5 / 3) / 3, 9)
  })

  test('has no bound while all is dry', () => {
    expect(lengths(10, 1e-4, 3).steps.waveS()).toBe(Infinity)
    expect(lengths(10, 1.1e-4, 0).steps.waveS()).toBeLessThan(Infinity)
  })
})

// Water that is not deep: the kinematic limit of 10 m is 6 s at 1 m/s.
const at = (waveS: number, options?: SurfaceOptions) => lengths(10, 0.01, 6 / waveS, options)

describe('the longest step', () => {
  test.each([
    // Without rain up to 15 s, in four parts at most; a number of parts that is not whole only from 1.5 and 3 on.
    [0.2, 0.8],
    [2, 8],
    [15 / 3.5, 15],
    [15 / 2.9, 2 * (15 / 2.9)],
    [6, 12],
    [10, 15],
    [10.1, 10.1],
    [20, 15],
  ])('without rain, for a stable part of %f s', (waveS, stepS) => {
    expect(at(waveS).steps.stableS()).toBeCloseTo(stepS, 9)
    const after = at(waveS).steps
    after.setRain(1e-4)
    after.setRain(0)
    expect(after.stableS()).toBeCloseTo(stepS, 9)
  })

  test.each([
    // Heavy: 5 s. Light: as long as it brings no more than 0.05 mm in 5 s, twice at most.
    [1e-4, 5],
    [1e-5, 5],
    [8e-6, 6.25],
    [5e-6, 10],
    [2e-6, 10],
  ])('in rain of %f m/s', (rate, stepS) => {
    const { steps } = at(20)
    steps.setRain(rate)
    expect(steps.stableS()).toBeCloseTo(stepS, 9)
    const { steps: parted } = at(2)
    parted.setRain(rate)
    // So many parts of 2 s as fit.
    expect(parted.stableS()).toBeCloseTo({ 5: 4, 6.25: 6.25, 10: 8 }[stepS]!, 9)
  })

  test('in parts is bound by the size of the cell too, and small cells take none', () => {
    // On 5 m cells 7.5 s without rain, where otherwise 15 s are allowed.
    expect(lengths(5, 0.01, 3 / 2).steps.stableS()).toBeCloseTo(7.5, 9)
    expect(lengths(5, 0.01, 3 / 12).steps.stableS()).toBeCloseTo((0.7 * 5) / Math.sqrt(G * 0.01), 9)
    expect(lengths(4, 0.01, 2.4 / 0.5).steps.stableS()).toBeCloseTo(2, 9)
    expect(lengths(3.9, 0.01, 2.34 / 0.5).steps.stableS()).toBeCloseTo(0.5, 9)
  })

  test('has as many parts as the caller allows', () => {
    expect([0, 1, 2].map((halvings) => at(1, { halvings }).steps.stableS())).toEqual([1, 2, 4])
  })
})

describe('a step that begins', () => {
  test('is halved until its parts are stable, twice at most', () => {
    const { steps } = at(2)
    expect([1, 2, 2.000001, 2.1, 4, 4.1, 8, 100].map((dt) => steps.begin(dt).halvings)).toEqual([
      0, 0, 0, 1, 1, 2, 2, 2,
    ])
  })

  test('bounds the next: a quarter more than it could have been, and waves a twentieth longer', () => {
    const { steps, seen } = at(2)
    expect(steps.begin(8).watchS).toBeCloseTo(4 * 2.1, 9)
    expect(steps.stableS()).toBeCloseTo(8, 9)
    seen.speed = 1
    expect(steps.stableS()).toBeCloseTo(8.4, 9)
    expect(steps.begin(8).watchS).toBeCloseTo(1.25 * 8.4, 9)
    seen.speed = 6
    expect(steps.stableS()).toBeCloseTo(4, 9)
  })
})
