// Rain on planes against the kinematic wave (Henderson and Wooding 1964), and terrain for still water and symmetry.
import type { Surface } from '../surface/surface.ts'
import { createSurface } from '../surface/surface.ts'
import type { KernelChoice, SurfaceGrid } from '../surface/types.ts'

/** Rising limb, plateau and recession of the unit discharge (m2/s) at the foot of a plane under constant rain. */
export function kinematicPlane(p: {
  lengthM: number
  slope: number
  manning: number
  rateMS: number
  rainS: number
}) {
  const alpha = Math.sqrt(p.slope) / p.manning
  const m = 5 / 3
  const full = p.rateMS * p.lengthM
  const concentrationS = (p.lengthM / (alpha * p.rateMS ** (m - 1))) ** (1 / m)
  if (p.rainS < concentrationS) throw new Error('the rain must last until the plateau')
  return (t: number): number => {
    if (t <= concentrationS) return alpha * (p.rateMS * t) ** m
    if (t <= p.rainS) return full
    // L = q / i + alpha m h^(m-1) (t - rainS), q = alpha h^m: solved for q by bisection.
    let low = 0
    let high = full
    for (let k = 0; k < 60; k++) {
      const q = (low + high) / 2
      const h = (q / alpha) ** (1 / m)
      const length = q / p.rateMS + alpha * m * h ** (m - 1) * (t - p.rainS)
      if (length > p.lengthM) high = q
      else low = q
    }
    return (low + high) / 2
  }
}

export interface HydrographError {
  /** Largest difference over the exact peak. */
  largest: number
  /** Mean absolute difference over the exact peak. */
  mean: number
  peakRatio: number
}

function compare(pairs: Array<[ours: number, exact: number]>): HydrographError {
  const peak = Math.max(...pairs.map(([, exact]) => exact))
  const errors = pairs.map(([ours, exact]) => Math.abs(ours - exact) / peak)
  return {
    largest: Math.max(...errors),
    mean: errors.reduce((sum, error) => sum + error, 0) / errors.length,
    peakRatio: Math.max(...pairs.map(([ours]) => ours)) / peak,
  }
}

/** Runs to `endS` and looks on every minute. */
function runWithRain(
  surface: Surface,
  rateMS: number,
  rainS: number,
  endS: number,
  look: (t: number) => void,
): void {
  surface.setRain(rateMS)
  for (let t = 0; t < endS; t += 60) {
    if (t >= rainS) surface.setRain(0)
    for (let s = 0; s < 60 - 1e-9; ) {
      const dt = Math.min(surface.stableStepS(), 60 - s)
      surface.step(dt)
      s += dt
    }
    look(t + 60)
  }
}

/** Tilted plane of 200 m at 2 %, n 0.03, 50 mm/h for 40 min, down to the east. */
export function tiltedPlane(choice: KernelChoice, cellSizeM: number): HydrographError {
  const ncols = Math.round(200 / cellSizeM)
  const elevationM = Float64Array.from({ length: ncols }, (_, col) => 0.02 * cellSizeM * (ncols - col))
  const params = { manning: new Float64Array(ncols).fill(0.03), edges: 'open' as const }
  const surface = createSurface({ nrows: 1, ncols, cellSizeM, elevationM }, params, choice)
  const rateMS = 50 / 3.6e6
  const rainS = 2400
  const exact = kinematicPlane({ lengthM: 200, slope: 0.02, manning: 0.03, rateMS, rainS })
  const pairs: Array<[number, number]> = []
  runWithRain(surface, rateMS, rainS, 4800, (t) =>
    pairs.push([surface.unitDischarge(ncols - 1).east, exact(t)]),
  )
  surface.dispose()
  return compare(pairs)
}

/** Ground of a slope whose cells lie up to `rough` of the step to the next one too high or too low; falls to the east. */
export interface RoughSlope {
  slope: number
  manning: number
  /** Less than 0.5, so that there are no hollows. */
  rough: number
  seed: number
}

/** A slope of 300 m under steady rain of 50 mm/h on cells of 10 m: its film is thinner than the step between two cells. */
export function roughSlope(choice: KernelChoice, { slope, manning, rough, seed }: RoughSlope) {
  const ncols = 30
  const cellSizeM = 10
  const rateMS = 50 / 3.6e6
  const random = mulberry(seed)
  const elevationM = Float64Array.from(
    { length: ncols },
    (_, col) => slope * cellSizeM * (ncols - col + rough * (2 * random() - 1)),
  )
  const params = { manning: new Float64Array(ncols).fill(manning), edges: 'open' as const }
  const surface = createSurface({ nrows: 1, ncols, cellSizeM, elevationM }, params, choice)
  runWithRain(surface, rateMS, Number.POSITIVE_INFINITY, 4 * 3600, () => {})
  const depthsM = Array.from(elevationM, (_, cell) => surface.depthM(cell))
  surface.dispose()
  // What falls above passes each cell at the depth that Manning's law asks for on its own way down.
  const normalM = depthsM.slice(0, -1).map((_, cell) => {
    const down = (elevationM[cell] - elevationM[cell + 1]) / cellSizeM
    return ((rateMS * cellSizeM * (cell + 1) * manning) / Math.sqrt(down)) ** 0.6
  })
  return { depthsM, normalM }
}

function mulberry(seed: number): () => number {
  let a = seed
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Rain on a plane of 300 x 300 m that falls to the east and south: speed in its middle, over Manning's, and direction. */
export function slantedPlane(choice: KernelChoice, east: number, south: number, manning: number) {
  const side = 30
  const cellSizeM = 10
  const elevationM = Float64Array.from(
    { length: side * side },
    (_, cell) => -cellSizeM * (east * (cell % side) + south * Math.floor(cell / side)),
  )
  const grid = { nrows: side, ncols: side, cellSizeM, elevationM }
  const params = { manning: new Float64Array(side * side).fill(manning), edges: 'open' as const }
  const surface = createSurface(grid, params, choice)
  runWithRain(surface, 60 / 3.6e6, Number.POSITIVE_INFINITY, 5400, () => {})
  const middle = 15 * side + 15
  const { eastMS, northMS } = surface.velocity(middle)
  const normalMS = (surface.depthM(middle) ** (2 / 3) * Math.sqrt(Math.hypot(east, south))) / manning
  surface.dispose()
  return {
    speedRatio: Math.hypot(eastMS, northMS) / normalMS,
    offCourse: Math.abs(Math.atan2(-northMS, eastMS) - Math.atan2(south, east)),
  }
}

const V = {
  hillM: 800,
  channelM: 20,
  lengthM: 1000,
  hillSlope: 0.05,
  channelSlope: 0.02,
  hillN: 0.015,
  channelN: 0.15,
}

/**
 * Outflow (m3/s) of a channel fed by two kinematic hillsides and its own rain. `kinematic` has bed slope balance
 * friction, as the published solution has; `diffusive` adds the pressure of the water's own slope, which the
 * simulated equations have too. 500 pieces: upwind depths, or central ones, which the pressure keeps stable.
 */
function channelOutflow(
  rateMS: number,
  rainS: number,
  wave: 'kinematic' | 'diffusive',
): (t: number) => number {
  const hill = kinematicPlane({ lengthM: V.hillM, slope: V.hillSlope, manning: V.hillN, rateMS, rainS })
  const pieces = wave === 'kinematic' ? 1000 : 500
  const dx = V.lengthM / pieces
  const depth = new Float64Array(pieces)
  const alpha = Math.sqrt(V.channelSlope) / V.channelN
  const dt = wave === 'kinematic' ? 0.4 : 0.25
  const last = pieces - 1
  const through = (k: number) => {
    if (wave === 'kinematic' || k === last) return alpha * depth[k] ** (5 / 3)
    const slope = Math.max(0, V.channelSlope - (depth[k + 1] - depth[k]) / dx)
    return (Math.sqrt(slope) / V.channelN) * ((depth[k] + depth[k + 1]) / 2) ** (5 / 3)
  }
  let now = 0
  return (t) => {
    for (; now < t - 1e-9; now += dt) {
      const gain = (2 * hill(now + dt / 2)) / V.channelM + (now < rainS ? rateMS : 0)
      let upstream = 0
      for (let k = 0; k < pieces; k++) {
        const q = through(k)
        depth[k] += dt * ((upstream - q) / dx + gain)
        upstream = q
      }
    }
    return through(last) * V.channelM
  }
}

export interface ValleyErrors {
  /** Against the kinematic wave, and against the same channel with the pressure that the kinematic wave leaves out. */
  kinematic: HydrographError
  diffusive: HydrographError
}

/**
 * Tilted V-catchment (Overton and Brakensiek 1970): 10.8 mm/h for 90 min on two hillsides and a channel to the
 * south. `half` leaves the eastern half out, by symmetry: a wall runs down the middle of the channel, which then
 * needs two cells.
 */
export function tiltedValley(
  choice: KernelChoice,
  cellSizeM: number,
  { half = false, endS = 9000 } = {},
): ValleyErrors {
  const hill = V.hillM / cellSizeM
  const channel = V.channelM / cellSizeM / (half ? 2 : 1)
  const ncols = hill + channel + (half ? 0 : hill)
  const nrows = V.lengthM / cellSizeM
  const elevationM = new Float64Array(nrows * ncols)
  const manning = new Float64Array(nrows * ncols)
  for (let row = 0; row < nrows; row++) {
    for (let col = 0; col < ncols; col++) {
      const away = Math.max(hill - col, col - hill - channel + 1, 0)
      const cell = row * ncols + col
      const bed = V.channelSlope * cellSizeM * (nrows - row)
      elevationM[cell] = away > 0 ? 22 + V.hillSlope * cellSizeM * away : bed
      manning[cell] = away > 0 ? V.hillN : V.channelN
    }
  }
  const surface = createSurface({ nrows, ncols, cellSizeM, elevationM }, { manning, edges: 'open' }, choice)
  const rateMS = 10.8 / 3.6e6
  const rainS = 5400
  const kinematic = channelOutflow(rateMS, rainS, 'kinematic')
  const diffusive = channelOutflow(rateMS, rainS, 'diffusive')
  const found: Array<[ours: number, kinematic: number, diffusive: number]> = []
  runWithRain(surface, rateMS, rainS, endS, (t) => {
    let out = 0
    for (let col = hill; col < hill + channel; col++)
      out += surface.unitDischarge((nrows - 1) * ncols + col).south * cellSizeM
    if (half) out *= 2
    found.push([out, kinematic(t), diffusive(t)])
  })
  surface.dispose()
  return {
    kinematic: compare(found.map(([ours, exact]) => [ours, exact])),
    diffusive: compare(found.map(([ours, , exact]) => [ours, exact])),
  }
}

/** Rough ground between -2 and 2 m, without symmetry. */
export function roughGround(nrows: number, ncols: number, cellSizeM = 10): SurfaceGrid {
  const elevationM = Float64Array.from({ length: nrows * ncols }, (_, cell) => {
    const row = Math.floor(cell / ncols)
    const col = cell % ncols
    return Math.sin(row * 0.7 + 0.3) + Math.cos(col * 0.9 + row * 0.21) + 0.3 * Math.sin(cell * 12.9898)
  })
  return { nrows, ncols, cellSizeM, elevationM }
}

/** Largest speed (m/s) that still water over rough ground with islands has after `endS`. */
export function stillWater(choice: KernelChoice, endS: number): number {
  const grid = roughGround(40, 50)
  const cells = grid.elevationM.length
  const surface = createSurface(
    grid,
    { manning: new Float64Array(cells).fill(0.03), edges: 'closed' },
    choice,
  )
  for (let cell = 0; cell < cells; cell++) surface.setDepth(cell, Math.max(0, 1 - grid.elevationM[cell]))
  for (let t = 0; t < endS; ) {
    const dt = surface.stableStepS()
    surface.step(dt)
    t += dt
  }
  const speed = Math.max(...surface.snapshot('maxSpeed'))
  surface.dispose()
  return speed
}
