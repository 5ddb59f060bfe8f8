import { GRAVITY } from '@radx/contracts/constants'
// Exact solutions along one axis (SWASHES: Delestre et al. 2013), run by the tests and by docs/validation.md alike.
import { createSurface } from '../surface/surface.ts'
import type { KernelChoice, SurfaceGrid } from '../surface/types.ts'

const frictionless = ({ elevationM }: SurfaceGrid) => ({
  manning: new Float64Array(elevationM.length),
  edges: 'closed' as const,
})

const LENGTH_M = 10
const LEFT_M = 0.005
const END_S = 6

/** Depth of the middle state of a dam break onto water (Stoker 1957). */
function middleDepth(right: number): number {
  const cl = Math.sqrt(GRAVITY * LEFT_M)
  const lack = (h: number) =>
    2 * (cl - Math.sqrt(GRAVITY * h)) - (h - right) * Math.sqrt((GRAVITY * (h + right)) / (2 * h * right))
  let low = right
  let high = LEFT_M
  for (let k = 0; k < 100; k++) {
    const h = (low + high) / 2
    if (lack(h) > 0) low = h
    else high = h
  }
  return (low + high) / 2
}

/** Depth at `x` from the dam after `t`. Ritter 1892 for `right` 0. */
function damBreakDepth(x: number, t: number, right: number): number {
  const cl = Math.sqrt(GRAVITY * LEFT_M)
  const fan = (2 * cl - x / t) ** 2 / (9 * GRAVITY)
  if (x <= -cl * t) return LEFT_M
  if (right === 0) return x < 2 * cl * t ? fan : 0
  const h = middleDepth(right)
  const u = 2 * (cl - Math.sqrt(GRAVITY * h))
  if (x <= (u - Math.sqrt(GRAVITY * h)) * t) return fan
  return x < ((h * u) / (h - right)) * t ? h : right
}

/** @returns L1 error of the depth, m2 */
function damBreak(name: 'stoker' | 'ritter', ncols: number, choice: KernelChoice): number {
  const right = name === 'stoker' ? 0.001 : 0
  const cellSizeM = LENGTH_M / ncols
  const grid = { nrows: 1, ncols, cellSizeM, elevationM: new Float64Array(ncols) }
  const surface = createSurface(grid, frictionless(grid), choice)
  const x = (cell: number) => (cell + 0.5) * cellSizeM - LENGTH_M / 2
  surface.setInitial(Float64Array.from({ length: ncols }, (_, cell) => (x(cell) < 0 ? LEFT_M : right)))
  for (let t = 0; t < END_S - 1e-9; ) {
    const dt = Math.min(surface.stableStepS(), END_S - t)
    surface.step(dt)
    t += dt
  }
  let error = 0
  for (let cell = 0; cell < ncols; cell++)
    error += Math.abs(surface.depthM(cell) - damBreakDepth(x(cell), END_S, right)) * cellSizeM
  surface.dispose()
  return error
}

/** Subcritical flow of 4.42 m2/s over a bump of 0.2 m in a channel of 25 m, 2 m deep at its end. */
function bump(ncols: number, choice: KernelChoice): { error: number; discharge: number } {
  const q = 4.42
  const cellSizeM = 25 / ncols
  const bed = Float64Array.from({ length: ncols }, (_, k) =>
    Math.max(0, 0.2 - 0.05 * ((k + 0.5) * cellSizeM - 10) ** 2),
  )
  const surface = createSurface(
    { nrows: 1, ncols, cellSizeM, elevationM: bed },
    { manning: new Float64Array(ncols), edges: 'closed' },
    choice,
  )
  const constant = (value: number) => ({ timesS: [0], values: [value] })
  surface.setInitial(bed.map((z) => 2 - z))
  surface.setBoundaries([
    {
      name: 'in',
      kind: 'discharge',
      series: constant(q * cellSizeM),
      faces: [{ cell: 0, side: 1 }],
      cells: [],
    },
    { name: 'out', kind: 'level', series: constant(2), faces: [{ cell: ncols - 1, side: 0 }], cells: [] },
  ])
  for (let t = 0; t < 300; ) {
    const dt = surface.stableStepS()
    surface.step(dt)
    t += dt
  }
  const head = 2 + q ** 2 / (2 * GRAVITY * 4)
  let error = 0
  let discharge = 0
  for (let cell = 0; cell < ncols; cell++) {
    // Bernoulli: the subcritical root, by Newton from above.
    let h = head - bed[cell]
    for (let k = 0; k < 50; k++)
      h -= (h + q ** 2 / (2 * GRAVITY * h * h) + bed[cell] - head) / (1 - q ** 2 / (GRAVITY * h ** 3))
    error += Math.abs(surface.depthM(cell) - h) * cellSizeM
    if (cell < ncols - 1) discharge = Math.max(discharge, Math.abs(surface.unitDischarge(cell).east - q))
  }
  surface.dispose()
  return { error, discharge }
}

/** Manufactured channels of 1 km (MacDonald et al. 1997; SWASHES 3.2.1): discharge, n, depth at `x`. */
const CHANNELS = {
  subcritical: {
    q: 2,
    n: 0.033,
    depth: (x: number) => (4 / GRAVITY) ** (1 / 3) * (1 + 0.5 * Math.exp(-16 * (x / 1000 - 0.5) ** 2)),
  },
  supercritical: {
    q: 2.5,
    n: 0.04,
    depth: (x: number) => (4 / GRAVITY) ** (1 / 3) * (1 - 0.2 * Math.exp(-36 * (x / 1000 - 0.5) ** 2)),
  },
}

/** Bed at places 0 to 1000 m, 25 mm apart, by Simpson's rule from the end upwards: the one over which that depth is steady. */
function manufacturedBed({ q, n, depth }: (typeof CHANNELS)['subcritical']): Float64Array {
  const count = 40_000
  const slope = (x: number) => {
    const h = depth(x)
    const dh = (depth(x + 1e-3) - depth(x - 1e-3)) / 2e-3
    return (q ** 2 / (GRAVITY * h ** 3) - 1) * dh - (n * q) ** 2 / h ** (10 / 3)
  }
  const bed = new Float64Array(count + 1)
  const step = 1000 / count
  for (let k = count - 1; k >= 0; k--) {
    const x = k * step
    bed[k] = bed[k + 1] - (step * (slope(x) + 4 * slope(x + step / 2) + slope(x + step))) / 6
  }
  return bed
}

/** @returns mean error of the depth, m */
function manufactured(name: keyof typeof CHANNELS, ncols: number, choice: KernelChoice): number {
  const { q, n, depth } = CHANNELS[name]
  const bed = manufacturedBed(CHANNELS[name])
  const bedAt = (x: number) => bed[Math.round(x * 40)]
  const cellSizeM = 1000 / ncols
  const x = Array.from({ length: ncols }, (_, k) => (k + 0.5) * cellSizeM)
  const surface = createSurface(
    { nrows: 1, ncols, cellSizeM, elevationM: Float64Array.from(x, bedAt) },
    { manning: new Float64Array(ncols).fill(n), edges: 'closed' },
    choice,
  )
  const constant = (value: number) => ({ timesS: [0], values: [value] })
  const start = [{ cell: 0, side: 1 as const }]
  const end = [{ cell: ncols - 1, side: 0 as const }]
  const level = (at: number) => constant(bedAt(at) + depth(at))
  surface.setInitial(x.map(depth))
  surface.setBoundaries([
    { name: 'in', kind: 'discharge', series: constant(q * cellSizeM), faces: start, cells: [] },
    name === 'supercritical'
      ? { name: 'level', kind: 'level', series: level(0), faces: start, cells: [] }
      : { name: 'level', kind: 'level', series: level(1000), faces: end, cells: [] },
    ...(name === 'supercritical' ? [{ name: 'out', kind: 'critical' as const, faces: end, cells: [] }] : []),
  ])
  for (let t = 0; t < 3000; ) {
    const dt = surface.stableStepS()
    surface.step(dt)
    t += dt
  }
  const error = x.reduce((sum, at, k) => sum + Math.abs(surface.depthM(k) - depth(at)), 0) / ncols
  surface.dispose()
  return error
}

export const channel = { damBreak, bump, manufactured }
