import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inletLaw } from '../../coupling/exchange.ts'
import { channel } from '../../testing/full-cases.ts'
import { fullScheme, fullThreaded } from '../../testing/kernels.ts'
import { obliqueChannel } from '../../testing/oblique-channel.ts'
import { roughSlope, slantedPlane } from '../../testing/plane-cases.ts'
import { swashes } from '../../testing/swashes-cases.ts'
import { smallTown } from '../../testing/town.ts'
import { createSurface } from '../surface.ts'
import type { KernelChoice, SurfaceGrid } from '../types.ts'

const ORDERS = [1, 2] as const
const full = fullScheme
const frictionless = ({ elevationM }: SurfaceGrid) => ({
  manning: new Float64Array(elevationM.length),
  edges: 'closed' as const,
})

/** A bed, water on it and speeds that have nothing to do with each other. */
const pools = fc.integer({ min: 1, max: 6 }).chain((nrows) =>
  fc.integer({ min: 2, max: 7 }).chain((ncols) => {
    const cells = nrows * ncols
    const list = (low: number, high: number) =>
      fc.array(fc.double({ min: low, max: high, noNaN: true }), { minLength: cells, maxLength: cells })
    const depth = fc.oneof(
      fc.constant(0),
      fc.double({ min: 0, max: 1e-5, noNaN: true }),
      fc.double({ min: 0, max: 4, noNaN: true }),
    )
    return fc.record({
      nrows: fc.constant(nrows),
      ncols: fc.constant(ncols),
      bed: list(-3, 3),
      depth: fc.array(depth, { minLength: cells, maxLength: cells }),
      u: list(-5, 5),
      v: list(-5, 5),
      n: fc.constantFrom(0, 0.03),
    })
  }),
)

describe.each(ORDERS)('full shallow water of order %i', (order) => {
  test('still water over any bed stays still to 1e-12, islands and pools included', () => {
    fc.assert(
      fc.property(pools, fc.double({ min: -3, max: 4, noNaN: true }), ({ nrows, ncols, bed }, level) => {
        const grid = { nrows, ncols, cellSizeM: 2, elevationM: Float64Array.from(bed) }
        const surface = createSurface(grid, frictionless(grid), full(order))
        const depths = bed.map((z) => Math.max(0, level - z))
        surface.setInitial(depths)
        for (let k = 0; k < 20; k++) surface.step(Math.min(1, surface.stableStepS()))
        for (let cell = 0; cell < bed.length; cell++) {
          expect(Math.abs(surface.depthM(cell) - depths[cell])).toBeLessThan(1e-12)
          const { east, south } = surface.unitDischarge(cell)
          expect(Math.abs(east) + Math.abs(south)).toBeLessThan(1e-12)
        }
      }),
      { numRuns: 150 },
    )
  })

  test('pools on rough ground that are stirred a little come to rest, and do not begin to swing of themselves', () => {
    // Found where pools of first order rose by decimetres out of a stir of 1e-6 m within five minutes.
    const [nrows, ncols, level] = [40, 50, 0.7]
    let seed = 12_345
    const next = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return seed / 2 ** 31
    }
    const elevationM = Float64Array.from({ length: nrows * ncols }, () => 4 * next() - 2)
    const grid = { nrows, ncols, cellSizeM: 1, elevationM }
    const surface = createSurface(grid, frictionless(grid), full(order))
    const depths = elevationM.map((z) => Math.max(0, level - z))
    surface.setInitial(depths.map((h) => (h > 0 ? h + 1e-6 * next() : 0)))
    for (let timeS = 0; timeS < 240; ) {
      const stepS = surface.stableStepS()
      surface.step(stepS)
      timeS += stepS
    }
    let off = 0
    for (let cell = 0; cell < depths.length; cell++)
      off = Math.max(off, Math.abs(surface.depthM(cell) - depths[cell]))
    expect(off).toBeLessThan(3e-6)
  })

  test.each([
    [45, 1.1],
    [30, 1.35],
  ])('an oblique channel between walls runs nearly at its normal depth: %i degrees', (degrees, most) => {
    const { depthM, normalM } = obliqueChannel(degrees, full(order))
    expect(depthM / normalM).toBeGreaterThan(0.97)
    expect(depthM / normalM).toBeLessThan(most)
  })

  test('depth is never negative nor lost, whatever the bed, the water and its speed', () => {
    fc.assert(
      fc.property(pools, ({ nrows, ncols, bed, depth, u, v, n }) => {
        const grid = { nrows, ncols, cellSizeM: 1, elevationM: Float64Array.from(bed) }
        const params = { manning: new Float64Array(bed.length).fill(n), edges: 'closed' as const }
        const surface = createSurface(grid, params, full(order))
        surface.setInitial(depth, u, v)
        for (let k = 0; k < 12; k++) surface.step(Math.min(1, surface.stableStepS()))
        const { initialM3, surfaceM3 } = surface.volumes()
        expect(Math.abs(surfaceM3 - initialM3)).toBeLessThanOrEqual(1e-12 * (1 + initialM3))
        for (let cell = 0; cell < bed.length; cell++) {
          expect(surface.depthM(cell)).toBeGreaterThanOrEqual(0)
          expect(surface.velocity(cell).eastMS).not.toBeNaN()
        }
      }),
      { numRuns: 300 },
    )
  })

  test.each([
    ['stoker', 0.7],
    ['ritter', 0.6],
  ] as const)('a dam break converges to its exact solution: %s', (name, least) => {
    const [coarse, fine] = [100, 400].map((cells) => channel.damBreak(name, cells, full(order)))
    expect(Math.log2(coarse / fine) / 2).toBeGreaterThan(least)
    // L1 over 10 m of water 5 mm deep.
    expect(fine).toBeLessThan(order === 1 ? 2.5e-4 : 6e-5)
  })

  test('steady flow over a bump converges at the order of the scheme, and passes the same discharge everywhere', () => {
    const [coarse, fine] = [40, 80].map((cells) => channel.bump(cells, full(order)))
    expect(Math.log2(coarse.error / fine.error)).toBeGreaterThan(order === 1 ? 0.9 : 1.7)
    expect(fine.discharge).toBeLessThan(order === 1 ? 1e-6 : 1e-4)
  })

  test.each([
    ['subcritical', 1],
    ['supercritical', 0.7],
  ] as const)(
    'a manufactured channel with friction converges at the order of the scheme: %s',
    (name, first) => {
      const [coarse, fine] = [50, 100].map((cells) => channel.manufactured(name, cells, full(order)))
      expect(Math.log2(coarse / fine)).toBeGreaterThan(order === 1 ? first : 1.7)
      expect(fine).toBeLessThan(order === 1 ? 0.07 : 2e-4)
    },
  )

  test('flow that turns faster than its waves, a shock and swinging water come closer on finer grids', () => {
    const rate = (cells: number, error: (cells: number) => number) =>
      Math.log2(error(cells) / error(2 * cells))
    const turns = rate(50, (n) => swashes.manufactured('slow to fast', n, full(order)))
    expect(turns).toBeGreaterThan(order === 1 ? 0.9 : 1.7)
    expect(rate(50, (n) => swashes.manufactured('fast to slow (shock)', n, full(order)))).toBeGreaterThan(0.7)
    expect(rate(25, (n) => swashes.thacker('plane', n, full(order)).error)).toBeGreaterThan(0.7)
    expect(Math.abs(swashes.thacker('round', 25, full(order)).balance)).toBeLessThan(1e-12)
  })

  test('uniform flow down a rough slope keeps its normal depth, faster than its waves too', () => {
    for (const slope of [0.001, 0.05]) {
      const ncols = 40
      const q = 0.5
      const n = 0.02
      const normal = ((q * n) / Math.sqrt(slope)) ** 0.6
      const elevationM = Float64Array.from({ length: ncols }, (_, k) => -slope * 5 * k)
      const grid = { nrows: 1, ncols, cellSizeM: 5, elevationM }
      const surface = createSurface(
        grid,
        { manning: new Float64Array(ncols).fill(n), edges: 'closed' },
        full(order),
      )
      surface.setInitial(new Float64Array(ncols).fill(normal), new Float64Array(ncols).fill(q / normal))
      surface.setBoundaries([
        {
          name: 'in',
          kind: 'discharge',
          series: { timesS: [0], values: [q * 5] },
          faces: [{ cell: 0, side: 1 }],
          cells: [],
        },
        { name: 'out', kind: 'normal', slope, faces: [{ cell: ncols - 1, side: 0 }], cells: [] },
      ])
      for (let t = 0; t < 600; ) {
        const dt = surface.stableStepS()
        surface.step(dt)
        t += dt
      }
      for (let cell = 10; cell < 30; cell++)
        // A bed of steps, of which one is 1.6 depths high.
        expect(Math.abs(surface.depthM(cell) / normal - 1)).toBeLessThan(0.01)
      const { boundaryInM3, surfaceM3, initialM3 } = surface.volumes()
      expect(Math.abs(initialM3 + boundaryInM3 - surfaceM3)).toBeLessThan(1e-9)
    }
  })

  test('rain runs down rough slopes at its normal depth, though it is thinner than the steps of the ground', () => {
    const slopes = fc.record({
      slope: fc.double({ min: 0.003, max: 0.2, noNaN: true }),
      manning: fc.double({ min: 0.02, max: 0.3, noNaN: true }),
      rough: fc.double({ min: 0, max: 0.3, noNaN: true }),
      seed: fc.integer({ min: 1, max: 1e6 }),
    })
    fc.assert(
      fc.property(slopes, (ground) => {
        const { depthsM, normalM } = roughSlope(full(order), ground)
        const sum = (values: number[]) => values.reduce((a, b) => a + b, 0)
        const stored = sum(depthsM.slice(0, normalM.length)) / sum(normalM)
        expect(Math.abs(stored - 1)).toBeLessThan(order === 1 ? 0.04 : 0.2)
      }),
      { numRuns: order === 1 ? 40 : 15 },
    )
  })

  test.each([
    [0.02, 0.01, 0.1],
    [0.03, 0.03, 0.05],
    [0.1, -0.05, 0.2],
  ])('rain on a plane runs straight down, at the speed of its slope: %d east, %d south', (east, south, n) => {
    const { speedRatio, offCourse } = slantedPlane(full(order), east, south, n)
    expect(Math.abs(speedRatio - 1)).toBeLessThan(0.02)
    expect(offCourse).toBeLessThan(0.01)
  })

  /** A flood of a small town with rain, soil, pond, gullies and open edges, step by step. */
  function flooded(choice: KernelChoice, given?: number[]) {
    const { grid, params } = smallTown(40, 50)
    const surface = createSurface(grid, params, choice)
    surface.setInitial(grid.elevationM.map((_, cell) => (cell % 50 > 20 && cell % 50 < 30 ? 1.5 : 0)))
    const cell = 20 * 50 + 25
    const drain = { cell, outlet: 0, crestM: grid.elevationM[cell], ...inletLaw(0.5, 0.5) }
    const drained = surface.setDrains([drain], 1)
    drained.headsM[0] = -1e3
    surface.setRain(150 / 3.6e6)
    const steps: number[] = []
    for (let k = 0; k < 120; k++) {
      if (k === 60) surface.setRain(0)
      if (k === 30) surface.addVolume(cell + 5, -20)
      steps.push(surface.stableStepS())
      surface.step(given?.[k] ?? steps[k])
    }
    const names = ['depth', 'maxDepth', 'maxSpeed', 'infiltrated'] as const
    const found = {
      steps,
      volumes: surface.volumes(),
      taken: drained.totalM3,
      discharge: surface.unitDischarge(cell),
      fields: names.map((name) => surface.snapshot(name)),
    }
    surface.dispose()
    return found
  }

  test('the compiled engine gives the same bits on any number of threads, with rain, soil, pond, gullies and open edges', () => {
    const fast = flooded(fullScheme(order))
    for (const count of [1, 2, 3]) expect(flooded(fullThreaded(order, count))).toEqual(fast)
    expect(fast.taken).toBeGreaterThan(1)
    const { rainM3, initialM3, surfaceM3, interceptedM3, infiltratedM3, waterM3, edgeOutM3, addedM3 } =
      fast.volumes
    const error =
      rainM3 + initialM3 + addedM3 - surfaceM3 - interceptedM3 - infiltratedM3 - waterM3 - edgeOutM3
    expect(Math.abs(error) / (rainM3 + initialM3)).toBeLessThan(1e-12)
    expect(edgeOutM3).toBeGreaterThan(0)
    expect(waterM3).toBeGreaterThan(0)
  })

  test(`the compiled engine agrees with the reference: ${order === 2 ? 'the same bits' : 'depths to 0.05 mm, speeds to 2 mm/s'}`, () => {
    const slow = flooded(fullScheme(order, 'reference'))
    const fast = flooded(fullScheme(order), slow.steps)
    if (order === 2) {
      expect(fast).toEqual(slow)
      return
    }
    const bounds = [5e-5, 5e-5, 2e-3, 1e-6]
    for (const [k, values] of fast.fields.entries())
      for (const [cell, value] of values.entries())
        if (!Number.isNaN(value)) expect(Math.abs(value - slow.fields[k][cell])).toBeLessThan(bounds[k])
    for (const [k, step] of slow.steps.entries())
      expect(Math.abs(fast.steps[k] / step - 1)).toBeLessThan(1e-3)
    for (const key of Object.keys(slow.volumes) as (keyof typeof slow.volumes)[])
      expect(Math.abs(fast.volumes[key] - slow.volumes[key])).toBeLessThan(1e-5 * slow.volumes.initialM3)
    expect(Math.abs(fast.taken / slow.taken - 1)).toBeLessThan(1e-4)
  })

  test('water that comes in on dry ground is all there, and spreads as in the reference', () => {
    const side = 24
    const elevationM = Float64Array.from({ length: side * side }, (_, k) => 0.2 * Math.sin(k * 1.7))
    const grid = { nrows: side, ncols: side, cellSizeM: 1, elevationM }
    const run = (kernel: 'reference' | 'simd') => {
      const surface = createSurface(grid, frictionless(grid), fullScheme(order, kernel))
      const series = { timesS: [0, 7, 20], values: [0, 3, 0] }
      const cells = [side * 11 + 12]
      surface.setBoundaries([{ name: 'spring', kind: 'discharge', series, faces: [], cells }])
      for (let t = 0; t < 20; ) {
        const dt = Math.min(0.7, surface.stableStepS(), 20 - t)
        surface.step(dt)
        t += dt
      }
      return { volumes: surface.volumes(), depths: surface.snapshot('depth') }
    }
    const fast = run('simd')
    const slow = run('reference')
    if (order === 2) expect(fast).toEqual(slow)
    for (const [cell, depth] of fast.depths.entries())
      expect(Math.abs(depth - slow.depths[cell])).toBeLessThan(1e-3)
    expect(fast.volumes.boundaryInM3).toBeCloseTo(30, 9)
    expect(fast.volumes.surfaceM3).toBeCloseTo(30, 9)
  })

  test('turned and mirrored ground gives turned and mirrored water', () => {
    const side = 7
    const bed = Float64Array.from({ length: side * side }, (_, k) => Math.sin(k * 1.7))
    const depth = Float64Array.from(bed, (z, k) => Math.max(0, 0.8 + 0.3 * Math.cos(k) - z))
    const turn = (values: Float64Array) =>
      values.map((_, k) => values[(k % side) * side + (side - 1 - Math.floor(k / side))])
    const run = (elevationM: Float64Array, depths: Float64Array) => {
      const grid = { nrows: side, ncols: side, cellSizeM: 1, elevationM }
      const surface = createSurface(grid, frictionless(grid), full(order))
      surface.setInitial(depths)
      for (let k = 0; k < 20; k++) surface.step(0.02)
      return Float64Array.from(bed, (_, cell) => surface.depthM(cell))
    }
    const one = turn(run(bed, depth))
    const other = run(turn(bed), turn(depth))
    for (let cell = 0; cell < one.length; cell++)
      expect(Math.abs(one[cell] - other[cell])).toBeLessThan(order === 1 ? 1e-8 : 1e-12)
  })
})

test.each(['reference', 'simd'] as const)('rain on open water counts wherever it lies (%s)', (kernel) => {
  const grid = { nrows: 3, ncols: 9, cellSizeM: 10, elevationM: new Float64Array(27) }
  const permanentWater = Uint8Array.from({ length: 27 }, (_, cell) => (cell < 9 || cell % 9 > 3 ? 1 : 0))
  const surface = createSurface(grid, { ...frictionless(grid), permanentWater }, fullScheme(1, kernel))
  surface.setRain(1e-5)
  for (let k = 0; k < 10; k++) surface.step(1)
  const { rainM3, surfaceM3, waterM3 } = surface.volumes()
  expect(rainM3).toBeCloseTo(27 * 100 * 1e-4, 12)
  expect(surfaceM3 + waterM3).toBeCloseTo(rainM3, 12)
})

test('a cell that asks for too short a step is named', () => {
  const grid = { nrows: 2, ncols: 3, cellSizeM: 1, elevationM: new Float64Array(6) }
  const surface = createSurface(grid, frictionless(grid), full(1))
  const speeds = new Float64Array(6)
  speeds[4] = 1e5
  surface.setInitial(new Float64Array(6).fill(1), speeds)
  expect(() => surface.stableStepS()).toThrow(
    expect.objectContaining({
      code: 'surface.step',
      message: expect.stringContaining('ligne 2 de la grille, colonne 2'),
    }),
  )
})
