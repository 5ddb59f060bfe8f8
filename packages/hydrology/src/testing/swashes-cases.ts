// Further exact solutions of SWASHES (Delestre et al. 2013), run by the tests and by docs/validation.md alike; the first ones
// are in full-cases.ts.
import { GRAVITY } from '@radx/contracts/constants'
import { createSurface } from '../surface/surface.ts'
import type { KernelChoice } from '../surface/types.ts'

const constant = (value: number) => ({ timesS: [0], values: [value] })

/** A channel of one row to which flow becomes steady. Places are m from its start. */
interface SteadyChannel {
  lengthM: number
  bed(x: number): number
  n: number
  /** Discharge at the start, m2/s, and rain on the way, m/s. */
  q: number
  rainMS?: number
  /** Depth that is expected, m, and that at the start of the run. */
  depth(x: number): number
  startDepth?(x: number): number
  /** Whether flow enters faster than its waves, and what holds at the end. */
  enters: 'slow' | 'fast'
  leaves: 'level' | 'free'
  endS: number
}

/** @returns mean error of the depth, m */
function steady(channel: SteadyChannel, ncols: number, choice: KernelChoice): number {
  const { lengthM, bed, depth, q, n, rainMS = 0, startDepth = depth } = channel
  const cellSizeM = lengthM / ncols
  const x = Array.from({ length: ncols }, (_, k) => (k + 0.5) * cellSizeM)
  const surface = createSurface(
    { nrows: 1, ncols, cellSizeM, elevationM: Float64Array.from(x, bed) },
    { manning: new Float64Array(ncols).fill(n), edges: 'closed' },
    choice,
  )
  surface.setInitial(x.map(startDepth))
  const start = [{ cell: 0, side: 1 as const }]
  const end = [{ cell: ncols - 1, side: 0 as const }]
  const level = (at: number) => constant(bed(at) + depth(at))
  surface.setBoundaries([
    { name: 'in', kind: 'discharge', series: constant(q * cellSizeM), faces: start, cells: [] },
    ...(channel.enters === 'fast'
      ? [{ name: 'height', kind: 'level' as const, series: level(0), faces: start, cells: [] }]
      : []),
    channel.leaves === 'level'
      ? { name: 'out', kind: 'level', series: level(lengthM), faces: end, cells: [] }
      : { name: 'out', kind: 'critical', faces: end, cells: [] },
  ])
  if (rainMS > 0) surface.setRain(rainMS)
  for (let t = 0; t < channel.endS; ) {
    const dt = surface.stableStepS()
    surface.step(dt)
    t += dt
  }
  const error = x.reduce((sum, at, k) => sum + Math.abs(surface.depthM(k) - depth(at)), 0) / ncols
  surface.dispose()
  return error
}

const bumpBed = (x: number) => Math.max(0, 0.2 - 0.05 * (x - 10) ** 2)
const criticalDepth = (q: number) => ((q * q) / GRAVITY) ** (1 / 3)

/** Depth of a head over the bed, m, slower or faster than its waves (Bernoulli), by bisection. */
function depthOf(head: number, q: number, slow: boolean): number {
  const critical = criticalDepth(q)
  let [low, high] = slow ? [critical, head] : [1e-6, critical]
  for (let k = 0; k < 100; k++) {
    const h = (low + high) / 2
    const more = h + (q * q) / (2 * GRAVITY * h * h) > head
    if (more === slow) high = h
    else low = h
  }
  return (low + high) / 2
}

/** Flow over the bump that turns faster than its waves at its top, and with a given depth at the end slower again in a shock. */
function bump(q: number, endDepthM?: number): SteadyChannel {
  const head = bumpBed(10) + 1.5 * criticalDepth(q)
  const fast = (x: number) => depthOf(head - bumpBed(x), q, x < 10)
  if (endDepthM === undefined)
    return {
      lengthM: 25,
      bed: bumpBed,
      n: 0,
      q,
      depth: fast,
      startDepth: (x) => fast(x),
      enters: 'slow',
      leaves: 'free',
      endS: 300,
    }
  const endHead = endDepthM + (q * q) / (2 * GRAVITY * endDepthM ** 2)
  const behind = (x: number) => depthOf(endHead - bumpBed(x), q, true)
  const force = (h: number) => (q * q) / h + 0.5 * GRAVITY * h * h
  let [low, high] = [10, 12]
  for (let k = 0; k < 60; k++) {
    const x = (low + high) / 2
    if (endHead - bumpBed(x) < 1.5 * criticalDepth(q) || force(fast(x)) > force(behind(x))) low = x
    else high = x
  }
  // Further up the fast side pushes the shock down, further down it is pushed back.
  const shock = (low + high) / 2
  return {
    lengthM: 25,
    bed: bumpBed,
    n: 0,
    q,
    depth: (x) => (x < shock ? fast(x) : behind(x)),
    startDepth: (x) => endDepthM - bumpBed(x),
    enters: 'slow',
    leaves: 'level',
    endS: 400,
  }
}

const CRITICAL_2 = (4 / GRAVITY) ** (1 / 3)

/** Manufactured channels of 1 km (MacDonald et al. 1997; SWASHES 3.2 and 3.3). */
const MANUFACTURED = {
  'slow to fast': {
    q: 2,
    n: 0.0218,
    rainMS: 0,
    depth: (x: number) =>
      CRITICAL_2 *
      (x <= 500 ? 1 - Math.tanh(3 * (x / 1000 - 0.5)) / 3 : 1 - Math.tanh(6 * (x / 1000 - 0.5)) / 6),
    enters: 'slow',
    leaves: 'free',
  },
  'fast to slow (shock)': {
    q: 2,
    n: 0.0218,
    rainMS: 0,
    depth: (x: number) => {
      if (x <= 500) return CRITICAL_2 * (0.9 - Math.exp(-x / 250) / 6)
      const sum = [-0.348427, 0.552264, -0.55558].reduce(
        (total, a, k) => total + a * Math.exp(-20 * (k + 1) * (x / 1000 - 0.5)),
        0,
      )
      return CRITICAL_2 * (1 + sum + 0.8 * Math.exp(x / 1000 - 1))
    },
    enters: 'fast',
    leaves: 'level',
  },
  'slow, rain': {
    q: 1,
    n: 0.033,
    rainMS: 1e-3,
    depth: (x: number) => CRITICAL_2 * (1 + 0.5 * Math.exp(-16 * (x / 1000 - 0.5) ** 2)),
    enters: 'slow',
    leaves: 'level',
  },
  'fast, rain': {
    q: 2.5,
    n: 0.04,
    rainMS: 1e-3,
    depth: (x: number) => CRITICAL_2 * (1 - 0.2 * Math.exp(-36 * (x / 1000 - 0.5) ** 2)),
    enters: 'fast',
    leaves: 'free',
  },
} as const

/** The bed over which a depth is steady, from the end upwards by Simpson's rule, 25 mm apart; a jump of the depth is none of it. */
function manufactured(name: keyof typeof MANUFACTURED): SteadyChannel {
  const given = MANUFACTURED[name]
  const { q: q0, n, depth, rainMS } = given
  const count = 40_000
  const step = 1000 / count
  const slope = (x: number, side: number) => {
    const at = (place: number) => depth(side < 0 ? Math.min(place, 500) : Math.max(place, 500 + 1e-9))
    const h = at(x)
    const q = q0 + rainMS * x
    const near = 1e-3
    const from = side < 0 ? x - near : Math.max(x - near, 500 + 1e-9)
    const to = side < 0 ? Math.min(x + near, 500) : x + near
    const dh = (at(to) - at(from)) / (to - from)
    return (
      (q ** 2 / (GRAVITY * h ** 3) - 1) * dh -
      (2 * q * rainMS) / (GRAVITY * h * h) -
      (n * q) ** 2 / h ** (10 / 3)
    )
  }
  const bed = new Float64Array(count + 1)
  for (let k = count - 1; k >= 0; k--) {
    const x = k * step
    const side = x >= 500 ? 1 : -1
    const sum = slope(x, side) + 4 * slope(x + step / 2, side) + slope(x + step, side)
    bed[k] = bed[k + 1] - (step * sum) / 6
  }
  return { ...given, lengthM: 1000, bed: (x) => bed[Math.round(x * 40)], endS: 4000 }
}

/** Thacker's water in a paraboloid, 4 x 4 m (SWASHES 4.2): round (radial) or with a plane surface that goes round. */
const BASIN = { sideM: 4, depthM: 0.1, radiusM: 1, roundM: 0.8, offM: 0.5 }

function basinDepth(shape: 'round' | 'plane', x: number, y: number, t: number): number {
  const { depthM: h0, radiusM: a, roundM, offM } = BASIN
  const r2 = (x * x + y * y) / a ** 2
  const bed = h0 * r2
  if (shape === 'round') {
    const A = (a ** 2 - roundM ** 2) / (a ** 2 + roundM ** 2)
    const turn = 1 - A * Math.cos((Math.sqrt(8 * GRAVITY * h0) / a) * t)
    const level = h0 * (Math.sqrt(1 - A * A) / turn - 1 - r2 * ((1 - A * A) / turn ** 2 - 1))
    return Math.max(0, level + h0 - bed)
  }
  const angle = (Math.sqrt(2 * GRAVITY * h0) / a) * t
  const level = ((offM * h0) / a ** 2) * (2 * x * Math.cos(angle) + 2 * y * Math.sin(angle) - offM)
  return Math.max(0, level + h0 - bed)
}

/** After one period. @returns mean error of the depth in cells that are or ought to be wet, m, and of the volume, of it */
function thacker(
  shape: 'round' | 'plane',
  side: number,
  choice: KernelChoice,
): { error: number; balance: number } {
  const { sideM, depthM: h0, radiusM: a, offM } = BASIN
  const cellSizeM = sideM / side
  const place = (k: number) => (k + 0.5) * cellSizeM - sideM / 2
  const cells = Array.from({ length: side * side }, (_, cell) => ({
    x: place(cell % side),
    y: -place(Math.floor(cell / side)),
  }))
  const surface = createSurface(
    {
      nrows: side,
      ncols: side,
      cellSizeM,
      elevationM: Float64Array.from(cells, ({ x, y }) => (h0 * (x * x + y * y)) / a ** 2),
    },
    { manning: new Float64Array(side * side), edges: 'closed' },
    choice,
  )
  const depths = cells.map(({ x, y }) => basinDepth(shape, x, y, 0))
  const speed = shape === 'plane' ? (offM * Math.sqrt(2 * GRAVITY * h0)) / a : 0
  surface.setInitial(
    depths,
    depths.map(() => 0),
    depths.map((depth) => (depth > 0 ? speed : 0)),
  )
  const endS = (2 * Math.PI * a) / Math.sqrt((shape === 'plane' ? 2 : 8) * GRAVITY * h0)
  for (let t = 0; t < endS - 1e-9; ) {
    const dt = Math.min(surface.stableStepS(), endS - t)
    surface.step(dt)
    t += dt
  }
  let [sum, count] = [0, 0]
  for (const [cell, { x, y }] of cells.entries()) {
    const expected = basinDepth(shape, x, y, endS)
    const depth = surface.depthM(cell)
    if (expected === 0 && depth < 1e-6) continue
    sum += Math.abs(depth - expected)
    count++
  }
  const { initialM3, surfaceM3 } = surface.volumes()
  surface.dispose()
  return { error: sum / count, balance: (surfaceM3 - initialM3) / initialM3 }
}

export const swashes = {
  /** Mean error of the depth, m. */
  bump: (q: number, endDepthM: number | undefined, ncols: number, choice: KernelChoice) =>
    steady(bump(q, endDepthM), ncols, choice),
  manufactured: (name: keyof typeof MANUFACTURED, ncols: number, choice: KernelChoice) =>
    steady(manufactured(name), ncols, choice),
  manufacturedNames: Object.keys(MANUFACTURED) as Array<keyof typeof MANUFACTURED>,
  thacker,
}
