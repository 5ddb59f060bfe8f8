import { GRAVITY } from '@radx/contracts/constants'
import type { DrainState, PlacedDrain } from '../drains.ts'
import { drainFlow, FILM_M } from '../drains.ts'
import type { Layout } from '../layout.ts'
import type { Kernel, ThreadSpawner } from '../types.ts'
import type { FullLimits } from './engine.ts'
import { createFirstOrder } from './first.ts'
import type { FlowFields } from './flow.ts'
import { createStagedFlow } from './staged.ts'
import { DRY_M, STAIR } from './water.ts'

/** Share of the limit dx / (|u| + |v| + 2 c) that a step takes; half of it where states are reconstructed. */
const CFL = { 1: 0.9, 2: 0.45 } as const

export interface FullChoice {
  order: 1 | 2
  /** Bytes of `full.wasm`, or of `full-threads.wasm` with threads; without them the reference computes the same, slower. */
  wasm?: BufferSource
  threads?: ThreadSpawner
}

/**
 * Full shallow water: finite volumes that keep still water still and depths positive over any bed (hydrostatic
 * reconstruction of Chen and Noelle 2017, which also lets thin films run down steps), HLLC at the faces, friction implicit in
 * each stage. Of order 2 slopes of level, depth and speed within cells (MUSCL) and two stages in time (Heun).
 *
 * Rain, interception and infiltration follow the flow of a step, drains come before it.
 *
 * @throws HydrologyError `surface.stale`, `surface.memory`
 */
export function createFullKernel(layout: Layout, { order, wasm, threads }: FullChoice): Kernel {
  const { live } = layout
  const dx = layout.grid.cellSizeM
  const walls = wallsOf(layout)
  const flow =
    wasm && order === 1
      ? createFirstOrder(layout, wasm, walls, threads)
      : createStagedFlow(layout, order, walls, wasm, threads)
  const { fields } = flow
  const { depth, momentumX, momentumY } = fields
  // What crosses a crest is looked at in every step.
  for (const { index, other } of layout.crests) {
    flow.wetted(index)
    flow.wetted(other)
  }
  let drains: readonly PlacedDrain[] = []
  let drainState: DrainState = { headsM: new Float64Array(0), takenM: new Float64Array(0) }
  let limits: FullLimits = { fastest: 0, fastestCell: -1, deepest: 0 }

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

  /** A cell that has changed from outside may ask for a shorter step. */
  function measure(i: number): void {
    const h = depth[i]
    if (h > fields.maxDepth[i]) fields.maxDepth[i] = h
    const moving = h > DRY_M ? (Math.abs(momentumX[i]) + Math.abs(momentumY[i])) / h : 0
    const wave = 2 * Math.sqrt(GRAVITY * h) + moving
    if (wave > limits.fastest) limits = { ...limits, fastest: wave, fastestCell: i }
    flow.wetted(i)
  }

  const speedOf = (momentum: FlowFields['momentumX'], i: number) =>
    live[i] && depth[i] > DRY_M ? momentum[i] / depth[i] : 0
  const field = <N extends keyof FlowFields>(name: N) => ({ values: fields[name], quad: 4 })
  return {
    fields: {
      depth: field('depth'),
      rain: field('rain'),
      interception: field('interception'),
      infiltrated: field('infiltrated'),
      qx: field('qx'),
      qy: field('qy'),
      maxDepth: field('maxDepth'),
      maxSpeed: field('maxSpeed'),
      maxDepthSpeed: field('maxDepthSpeed'),
    },
    step(dt, { raining }, meanwhile, beforePart) {
      beforePart?.(0)
      takeDrains(dt)
      limits = flow.step(dt, raining, meanwhile)
    },
    placeDrains(placed, outlets) {
      drains = placed
      drainState = { headsM: new Float64Array(outlets), takenM: new Float64Array(placed.length) }
      return drainState
    },
    placeEdges(placed) {
      for (const edge of placed) edge.bedM = layout.bed[edge.index]
      flow.placeEdges(placed)
      // Water may come in there.
      for (const { index } of placed) flow.wetted(index)
    },
    rainChanged() {},
    largestDepth: () => limits.deepest,
    largestSpeed: () => 0,
    stableStepS: () => ({ seconds: (CFL[order] * dx) / limits.fastest, index: limits.fastestCell }),
    velocity: (i) => ({ eastMS: speedOf(momentumX, i), southMS: speedOf(momentumY, i) }),
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
    visit(state) {
      limits = {
        fastest: state.number('fastest', limits.fastest),
        fastestCell: state.number('fastestCell', limits.fastestCell),
        deepest: state.number('deepest', limits.deepest),
      }
      state.part('flow', (own) => flow.visit(own))
    },
    dispose: () => flow.dispose(),
  }
}

/** Faces of live cells behind which the model ends, and raised ones from both sides: pairs of padded cell and side, with `STAIR` where the wall goes on in steps. */
function wallsOf({ liveCells, bed, stride, crests }: Layout): Int32Array {
  const walls: number[] = []
  const ends = (i: number) => Number.isNaN(bed[i])
  for (const i of liveCells)
    for (const [side, out] of [1, -1, stride, -stride].entries()) {
      if (!ends(i + out)) continue
      const along = side < 2 ? stride : 1
      const isStair = [along, -along].some((t) => (ends(i + t) ? !ends(i + t - out) : !ends(i + t + out)))
      walls.push(i, isStair ? side | STAIR : side)
    }
  // What crosses a crest is put in its place.
  for (const { index, other, vertical } of crests)
    walls.push(index, vertical ? 2 : 0, other, vertical ? 3 : 1)
  return Int32Array.from(walls)
}
