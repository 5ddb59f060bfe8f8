import { greenAmptStep } from '../../soil/green-ampt.ts'
import type { DrainState, PlacedDrain } from '../drains.ts'
import { drainFlow, FILM_M } from '../drains.ts'
import type { Layout } from '../layout.ts'
import type { Kernel } from '../types.ts'
import { GRAVITY } from '../types.ts'
import { edgeFlux } from './edges.ts'
import { Fluxes, joinsOf } from './fluxes.ts'
import type { KernelEdge } from './water.ts'
import { createWater, DRY_M } from './water.ts'

/** Share of the limit dx / (|u| + |v| + 2 c) that a step takes; half of it where states are reconstructed. */
const CFL = { 1: 0.9, 2: 0.45 } as const

/** Water beyond this Froude number, squared, may be no faster than its fall explains. */
const FALLING_FROUDE2 = 100

/**
 * Full shallow water in f64: finite volumes that keep still water still and depths positive over any bed (hydrostatic
 * reconstruction of Chen and Noelle 2017, which also lets thin films run down steps), HLLC at the faces, friction implicit in
 * each stage. Of order 2 slopes of level, depth and speed within cells (MUSCL) and two stages in time (Heun).
 *
 * Rain, interception and infiltration follow the flow of a step, drains come before it.
 */
export function createFullKernel(layout: Layout, order: 1 | 2): Kernel {
  const { size, live, liveCells, stride, options, bed, manning } = layout
  const dx = layout.grid.cellSizeM
  const water = createWater(layout)
  const { depth, momentumX, momentumY, speedX, speedY } = water
  const fluxes = new Fluxes(layout, water, joinsOf(layout), order)
  const zero = () => new Float64Array(size)
  const [qx, qy, rain, infiltrated, maxDepth, maxSpeed, maxDepthSpeed] = Array.from({ length: 7 }, zero)
  const interception = layout.interception.slice()
  const friction = manning.map((n) => GRAVITY * n * n)
  const before = order === 2 ? { h: zero(), x: zero(), y: zero() } : null
  let edges: KernelEdge[] = []
  let drains: readonly PlacedDrain[] = []
  let drainState: DrainState = { headsM: new Float64Array(0), takenM: new Float64Array(0) }
  let fastest = 0
  let fastestCell = -1
  let deepest = 0

  /** One explicit step of the flow with friction at its end; `weight` is its share of what counts as passed. */
  function stage(dt: number, weight: number): void {
    fluxes.compute()
    const share = dt / dx
    for (const edge of edges) passEdge(edge)
    fluxes.limit(share, edges)
    const { dH, dX, dY } = fluxes
    for (const edge of edges) edge.inM -= edge.outflow * share * weight
    for (const i of fluxes.waterCells) depth[i] += dH[i] * share * weight
    for (let k = 0; k < liveCells.length; k++) {
      const i = liveCells[k]
      const moved = dH[i]
      const h0 = depth[i]
      if (h0 === 0 && moved === 0) continue
      const h = Math.max(0, h0 + moved * share)
      depth[i] = h
      if (h <= DRY_M) {
        momentumX[i] = momentumY[i] = 0
        continue
      }
      let x = momentumX[i] + dX[i] * share
      let y = momentumY[i] + dY[i] * share
      if (friction[i] > 0) {
        // Backward Euler for q' = q - B |q'| q', B = g n^2 dt / h^(7/3).
        const b = (friction[i] * dt) / (h * h * Math.cbrt(h))
        const slow = 2 / (1 + Math.sqrt(1 + 4 * b * Math.sqrt(x * x + y * y)))
        x *= slow
        y *= slow
      }
      const most = x * x + y * y > FALLING_FROUDE2 * GRAVITY * h * h * h ? reachable(i) * h : 0
      const over = most > 0 ? most / Math.sqrt(x * x + y * y) : 1
      momentumX[i] = over < 1 ? x * over : x
      momentumY[i] = over < 1 ? y * over : y
    }
    if (weight === 1) {
      qx.set(fluxes.qx)
      qy.set(fluxes.qy)
    } else
      for (let i = 0; i < size; i++) {
        qx[i] += weight * fluxes.qx[i]
        qy[i] += weight * fluxes.qy[i]
      }
  }

  /**
   * The most that water can have as speed: what it and its neighbours had, the fall to its bed, and their waves. What
   * all but leaves its cell keeps the push of the water that was there.
   */
  function reachable(i: number): number {
    let most = 0
    for (const j of [i, i - 1, i + 1, i - stride, i + stride]) {
      const h = fluxes.seen[j]
      if (h === 0) continue
      const fall = Math.max(0, bed[j] + h - bed[i])
      const energy = speedX[j] * speedX[j] + speedY[j] * speedY[j] + 2 * GRAVITY * fall
      most = Math.max(most, Math.sqrt(energy) + 2 * Math.sqrt(GRAVITY * h))
    }
    return most
  }

  function fastestWave(): number {
    let most = 0
    for (let k = 0; k < liveCells.length; k++) {
      const i = liveCells[k]
      if (depth[i] === 0) continue
      const wave = Math.abs(speedX[i]) + Math.abs(speedY[i]) + 2 * Math.sqrt(GRAVITY * depth[i])
      if (wave > most) most = wave
    }
    return most
  }

  /** Counts what has passed edges and into open water once more. */
  function passAgain(dt: number, weight: number): void {
    const share = (dt / dx) * weight
    for (const edge of edges) edge.inM -= edge.outflow * share
    for (const i of fluxes.waterCells) depth[i] += fluxes.dH[i] * share
    for (let i = 0; i < size; i++) {
      qx[i] += weight * fluxes.qx[i]
      qy[i] += weight * fluxes.qy[i]
    }
  }

  const flux = { mass: 0, across: 0, along: 0 }

  /** What passes the edge of the model beside a cell. Sides: 0 east, 1 west, 2 south, 3 north. */
  function passEdge(edge: KernelEdge): void {
    const { index: i, side } = edge
    const h = depth[i]
    const outward = side % 2 === 0 ? 1 : -1
    const vertical = side > 1
    const u = outward * (vertical ? speedY[i] : speedX[i])
    edgeFlux(edge, h, u, vertical ? speedX[i] : speedY[i], flux)
    edge.outflow = flux.mass
    const { dH, dX, dY } = fluxes
    dH[i] -= flux.mass
    const across = vertical ? dY : dX
    const along = vertical ? dX : dY
    across[i] -= outward * flux.across
    along[i] -= flux.along
    if (flux.mass > 0) fluxes.out[i] += flux.mass
    const face = side === 0 || side === 2 ? i : side === 1 ? i - 1 : i - stride
    if (vertical) fluxes.qy[face] = outward * flux.mass
    else fluxes.qx[face] = outward * flux.mass
  }

  function flow(dt: number): void {
    speeds()
    if (!before) {
      stage(dt, 1)
      return
    }
    qx.fill(0)
    qy.fill(0)
    before.h.set(depth)
    before.x.set(momentumX)
    before.y.set(momentumY)
    stage(dt, 0.5)
    speeds()
    // Water that has begun to fall in this step is too fast for a second stage of its length: the first stands.
    if (fastestWave() * dt > dx) {
      passAgain(dt, 0.5)
      return
    }
    stage(dt, 0.5)
    for (let k = 0; k < liveCells.length; k++) {
      const i = liveCells[k]
      depth[i] = 0.5 * (before.h[i] + depth[i])
      momentumX[i] = 0.5 * (before.x[i] + momentumX[i])
      momentumY[i] = 0.5 * (before.y[i] + momentumY[i])
    }
  }

  function speeds(): void {
    for (let k = 0; k < liveCells.length; k++) {
      const i = liveCells[k]
      const h = depth[i]
      const wet = h > DRY_M
      speedX[i] = wet ? momentumX[i] / h : 0
      speedY[i] = wet ? momentumY[i] / h : 0
    }
  }

  /** Sets the depth of a cell that loses water otherwise than by flow: its speed stays. */
  function lower(i: number, h: number): void {
    const left = depth[i] > 0 ? h / depth[i] : 0
    depth[i] = h
    momentumX[i] *= left
    momentumY[i] *= left
  }

  function takeDrains(dt: number): void {
    const { headsM, takenM } = drainState
    const standing = drains.map(({ index }) => depth[index])
    for (const [k, drain] of drains.entries()) {
      takenM[k] = 0
      if (standing[k] < FILM_M) continue
      const held = depth[drain.index]
      const wanted = drainFlow(drain, standing[k], headsM[drain.outlet]) * dt
      const after = Math.max(0, held - wanted / dx ** 2)
      lower(drain.index, after)
      takenM[k] = held - after
    }
  }

  /** Rain, interception, infiltration, and what is largest. */
  function finish(dt: number, raining: boolean): void {
    fastest = 0
    deepest = 0
    fastestCell = -1
    if (raining) for (const i of fluxes.waterCells) depth[i] += rain[i] * dt
    for (let k = 0; k < liveCells.length; k++) {
      const i = liveCells[k]
      if (raining) {
        const fallen = rain[i] * dt
        const kept = Math.min(fallen, interception[i])
        interception[i] -= kept
        depth[i] += fallen - kept
      }
      if (depth[i] === 0) continue
      if (layout.kh[i] > 0) {
        const head = (layout.capsh[i] + depth[i]) * layout.soilmd[i]
        const taken = Math.min(depth[i], greenAmptStep(infiltrated[i], layout.kh[i], head, dt))
        infiltrated[i] += taken
        lower(i, depth[i] - taken)
      }
      measure(i)
    }
  }

  function measure(i: number): void {
    const h = depth[i]
    if (h > maxDepth[i]) maxDepth[i] = h
    if (h > deepest) deepest = h
    let wave = 2 * Math.sqrt(GRAVITY * h)
    if (h > DRY_M) {
      const u = Math.abs(momentumX[i]) / h
      const v = Math.abs(momentumY[i]) / h
      wave += u + v
      const speed = Math.sqrt(u * u + v * v)
      // A film shows no speed that anyone could meet.
      if (h > options.dryDepthM) {
        if (speed > maxSpeed[i]) maxSpeed[i] = speed
        if (speed * h > maxDepthSpeed[i]) maxDepthSpeed[i] = speed * h
      }
    }
    if (wave > fastest) {
      fastest = wave
      fastestCell = i
    }
  }

  const field = (values: Float64Array) => ({ values, quad: 4 })
  return {
    fields: {
      depth: field(depth),
      rain: field(rain),
      interception: field(interception),
      infiltrated: field(infiltrated),
      qx: field(qx),
      qy: field(qy),
      maxDepth: field(maxDepth),
      maxSpeed: field(maxSpeed),
      maxDepthSpeed: field(maxDepthSpeed),
    },
    step(dt, { raining }, _, beforePart) {
      beforePart?.(0)
      takeDrains(dt)
      flow(dt)
      finish(dt, raining)
    },
    placeDrains(placed, outlets) {
      drains = placed
      drainState = { headsM: new Float64Array(outlets), takenM: new Float64Array(placed.length) }
      return drainState
    },
    placeEdges(placed) {
      edges = placed
      fluxes.setEdges(placed)
    },
    rainChanged() {},
    largestDepth: () => deepest,
    largestSpeed: () => 0,
    stableStepS: () => ({ seconds: (CFL[order] * dx) / fastest, index: fastestCell }),
    velocity: (i) => {
      const h = depth[i]
      return live[i] && h > DRY_M
        ? { eastMS: momentumX[i] / h, southMS: momentumY[i] / h }
        : { eastMS: 0, southMS: 0 }
    },
    setVelocity(i, eastMS, southMS) {
      if (!live[i]) return
      momentumX[i] = depth[i] * eastMS
      momentumY[i] = depth[i] * southMS
      measure(i)
    },
    touch(i, beforeM) {
      if (!live[i]) return
      if (beforeM !== undefined && depth[i] < beforeM) {
        momentumX[i] *= depth[i] / beforeM
        momentumY[i] *= depth[i] / beforeM
      }
      measure(i)
    },
    dispose() {},
  }
}
