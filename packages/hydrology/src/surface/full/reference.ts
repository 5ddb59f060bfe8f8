import { GRAVITY } from '@radx/contracts/constants'
import { greenAmptStep } from '../../soil/green-ampt.ts'
import type { Layout } from '../layout.ts'
import { inverseCubeRoot } from './cube-root.ts'
import { push } from './edges.ts'
import type { FullEngine, FullLimits } from './engine.ts'
import type { FullField } from './fields.ts'
import { createFaces } from './reference-faces.ts'
import { DRY_M, filmOf, isAwake, STAIR } from './water.ts'

/** Water beyond this Froude number, squared, may be no faster than its fall explains. */
const FALLING_FROUDE2 = 100

/** The truth for tests, in plain f64; assembly/full/ has the same formulas in the same order. */
export function createReferenceEngine(
  layout: Layout,
  fields: Record<FullField, Float64Array>,
  walls: Int32Array,
  order: 1 | 2,
): FullEngine {
  const { live, liveCells, stride, size } = layout
  const dx = layout.grid.cellSizeM
  const f = fields
  const { depth, momentumX, momentumY, seen, speedX, speedY, bed } = f
  const { massX, massY, beforeX, beforeY, behindX, behindY, alongX, alongY } = f
  const film = filmOf(layout)
  const faces = createFaces(layout, fields, order)

  function wallPushes(): void {
    for (let k = 0; k < walls.length; k += 2) {
      const i = walls[k]
      const h = seen[i]
      const side = walls[k + 1] & 3
      const speed = walls[k + 1] & STAIR ? 0 : side < 2 ? speedX[i] : speedY[i]
      const outward = side % 2 === 0 ? speed : -speed
      const face = side === 1 ? i - 1 : side === 3 ? i - stride : i
      const mass = side < 2 ? massX : massY
      const along = side < 2 ? alongX : alongY
      const pushes = side === 0 ? beforeX : side === 1 ? behindX : side === 2 ? beforeY : behindY
      mass[face] = 0
      along[face] = 0
      pushes[face] = push(h, outward)
    }
  }

  /**
   * The most that water can have as speed: what it and its neighbours had, the fall to its bed, and their waves. What all but
   * leaves its cell keeps the push of the water that was there.
   */
  function reachable(i: number): number {
    let most = 0
    for (const j of [i, i - 1, i + 1, i - stride, i + stride]) {
      const h = seen[j]
      if (h === 0) continue
      const fall = Math.max(0, bed[j] + h - bed[i])
      const energy = speedX[j] * speedX[j] + speedY[j] * speedY[j] + 2 * GRAVITY * fall
      most = Math.max(most, Math.sqrt(energy) + 2 * Math.sqrt(GRAVITY * h))
    }
    return most
  }

  function updateCell(i: number, dt: number, share: number): void {
    const north = i - stride
    const moved = massX[i - 1] - massX[i] + (massY[north] - massY[i])
    if (seen[i] === 0 && moved === 0) return
    const h = Math.max(0, seen[i] + moved * share)
    depth[i] = h
    if (h <= DRY_M || !isAwake(layout, seen, i)) {
      momentumX[i] = momentumY[i] = 0
      return
    }
    let dX = behindX[i - 1] - beforeX[i] + (alongY[north] - alongY[i])
    let dY = behindY[north] - beforeY[i] + (alongX[i - 1] - alongX[i])
    if (order === 2) {
      dX -= GRAVITY * seen[i] * (f.levelSlopeX[i] - f.depthSlopeX[i])
      dY -= GRAVITY * seen[i] * (f.levelSlopeY[i] - f.depthSlopeY[i])
    }
    let x = momentumX[i] + dX * share
    let y = momentumY[i] + dY * share
    // Backward Euler for q' = q - B |q'| q', B = g n^2 dt / h^(7/3).
    const root = inverseCubeRoot(h)
    const root2 = root * root
    const b = f.friction[i] * dt * (root2 * root2 * root2 * root)
    const slow = 2 / (1 + Math.sqrt(1 + 4 * b * Math.sqrt(x * x + y * y)))
    x *= slow
    y *= slow
    const square = x * x + y * y
    if (square > FALLING_FROUDE2 * GRAVITY * h * h * h) {
      const over = (reachable(i) * h) / Math.sqrt(square)
      if (over < 1) {
        x *= over
        y *= over
      }
    }
    momentumX[i] = x
    momentumY[i] = y
  }

  function waveOf(i: number, h: number): number {
    const wave = 2 * Math.sqrt(GRAVITY * h)
    return h <= DRY_M ? wave : wave + (Math.abs(momentumX[i]) + Math.abs(momentumY[i])) / h
  }

  /** What infiltrates takes its momentum along. */
  function infiltrate(i: number, dt: number): void {
    const h = depth[i]
    const head = (f.capsh[i] + h) * f.soilmd[i]
    const taken = Math.min(h, greenAmptStep(f.infiltrated[i], f.kh[i], head, dt))
    f.infiltrated[i] += taken
    depth[i] = h - taken
    const share = depth[i] / h
    momentumX[i] *= share
    momentumY[i] *= share
  }

  function noteLargest(i: number, h: number): void {
    if (h > f.maxDepth[i]) f.maxDepth[i] = h
    // A film shows no speed that anyone could meet.
    if (h <= layout.options.dryDepthM) return
    const speed = Math.sqrt(momentumX[i] * momentumX[i] + momentumY[i] * momentumY[i]) / h
    if (speed > f.maxSpeed[i]) f.maxSpeed[i] = speed
    if (speed * h > f.maxDepthSpeed[i]) f.maxDepthSpeed[i] = speed * h
  }

  return {
    fields,
    begin() {},
    slopes() {
      for (const i of liveCells) {
        const h = depth[i]
        seen[i] = h
        const thin = 1 / h
        speedX[i] = h > DRY_M ? momentumX[i] * thin : 0
        speedY[i] = h > DRY_M ? momentumY[i] * thin : 0
      }
      faces.slopes()
    },
    fluxes() {
      faces.fluxes()
      wallPushes()
    },
    limit(dt) {
      const share = dt / dx
      for (const i of liveCells) {
        const h = seen[i]
        if (h === 0) continue
        const east = massX[i]
        const west = massX[i - 1]
        const south = massY[i]
        const north = massY[i - stride]
        const out = Math.max(east, 0) + Math.max(-west, 0) + (Math.max(south, 0) + Math.max(-north, 0))
        if (out * share <= h) continue
        const kept = h / (out * share)
        if (east > 0) massX[i] = east * kept
        if (west < 0) massX[i - 1] = west * kept
        if (south > 0) massY[i] = south * kept
        if (north < 0) massY[i - stride] = north * kept
      }
    },
    update(dt, weight, first) {
      for (let i = 0; i < size; i++) {
        f.qx[i] = first ? weight * massX[i] : f.qx[i] + weight * massX[i]
        f.qy[i] = first ? weight * massY[i] : f.qy[i] + weight * massY[i]
      }
      for (const i of liveCells) updateCell(i, dt, dt / dx)
    },
    keep() {
      f.keptDepth.set(depth)
      f.keptX.set(momentumX)
      f.keptY.set(momentumY)
    },
    average() {
      for (const i of liveCells) {
        depth[i] = 0.5 * (f.keptDepth[i] + depth[i])
        momentumX[i] = 0.5 * (f.keptX[i] + momentumX[i])
        momentumY[i] = 0.5 * (f.keptY[i] + momentumY[i])
      }
    },
    fastestWave() {
      let most = 0
      for (const i of liveCells) if (depth[i] > film) most = Math.max(most, waveOf(i, depth[i]))
      return most
    },
    finish(dt, raining) {
      const limits: FullLimits = { fastest: 0, fastestCell: -1, deepest: 0 }
      for (let i = stride; raining && i < size - stride; i++) if (!live[i]) depth[i] += f.rain[i] * dt
      for (const i of liveCells) {
        if (raining) {
          const fallen = f.rain[i] * dt
          const kept = Math.min(fallen, f.interception[i])
          f.interception[i] -= kept
          depth[i] += fallen - kept
        }
        if (depth[i] === 0) continue
        if (f.kh[i] > 0) infiltrate(i, dt)
        const h = depth[i]
        limits.deepest = Math.max(limits.deepest, h)
        const wave = h > film ? waveOf(i, h) : 0
        if (wave > limits.fastest) {
          limits.fastest = wave
          limits.fastestCell = i
        }
        noteLargest(i, h)
      }
      return limits
    },
    wetted() {},
    dispose() {},
    visit() {},
  }
}
