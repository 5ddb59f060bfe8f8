import { GRAVITY } from '@radx/contracts/constants'
import type { DrainState, PlacedDrain } from '../drains.ts'
import { drainFlow, FILM_M } from '../drains.ts'
import type { Layout } from '../layout.ts'
import type { Kernel, ThreadSpawner } from '../types.ts'
import { edgeFlux } from './edges.ts'
import type { FullEngine, FullLimits } from './engine.ts'
import type { FullField } from './fields.ts'
import { FULL_FIELDS, FULL_STATES, SECOND_ORDER_FIELDS } from './fields.ts'
import { createReferenceEngine } from './reference.ts'
import { createWasmEngine } from './wasm.ts'
import type { KernelEdge } from './water.ts'
import { DRY_M } from './water.ts'

/** Share of the limit dx / (|u| + |v| + 2 c) that a step takes; half of it where states are reconstructed. */
const CFL = { 1: 0.9, 2: 0.45 } as const

export interface FullChoice {
  order: 1 | 2
  /** Bytes of `full.wasm`, or of `full-threads.wasm` with threads; without them the reference computes the same, slower. */
  wasm?: BufferSource
  threads?: ThreadSpawner
}

/**
 * Full shallow water in f64: finite volumes that keep still water still and depths positive over any bed (hydrostatic
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
  const engine = createEngine(layout, order, wasm, threads)
  const { fields } = engine
  const { depth, momentumX, momentumY } = fields
  const waterCells = openWater(layout)
  let edges: KernelEdge[] = []
  let drains: readonly PlacedDrain[] = []
  let drainState: DrainState = { headsM: new Float64Array(0), takenM: new Float64Array(0) }
  let limits: FullLimits = { fastest: 0, fastestCell: -1, deepest: 0 }

  function fluxes(): void {
    engine.slopes()
    if (order === 2) for (const edge of edges) slopeAtEdge(edge, fields, layout)
    engine.fluxes()
    for (const edge of edges) passEdge(edge, fields, layout, order)
  }

  /** Counts what passes edges and into open water. */
  function count(dt: number, weight: number): void {
    const share = (dt / dx) * weight
    const { massX, massY } = fields
    const { stride } = layout
    for (const edge of edges) {
      const { face, outward, vertical } = faceOf(edge, stride)
      edge.inM -= outward * (vertical ? massY[face] : massX[face]) * share
    }
    for (const i of waterCells) depth[i] += (massX[i - 1] - massX[i] + (massY[i - stride] - massY[i])) * share
  }

  function flow(dt: number, raining: boolean, meanwhile?: () => boolean): FullLimits {
    engine.begin(raining)
    if (order === 2) {
      flowInTwoStages(dt)
      return engine.finish(dt, raining)
    }
    fluxes()
    const found = engine.advance(dt, raining, meanwhile)
    count(dt, 1)
    return found
  }

  function flowInTwoStages(dt: number): void {
    engine.keep()
    fluxes()
    engine.limit(dt)
    count(dt, 0.5)
    engine.update(dt, 0.5, true)
    // Water that has begun to fall in this step is too fast for a second stage of its length: the first stands.
    if (engine.fastestWave() * dt > dx) {
      count(dt, 0.5)
      return
    }
    fluxes()
    engine.limit(dt)
    count(dt, 0.5)
    engine.update(dt, 0.5, false)
    engine.average()
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

  /** A cell that has changed from outside may ask for a shorter step. */
  function measure(i: number): void {
    const h = depth[i]
    if (h > fields.maxDepth[i]) fields.maxDepth[i] = h
    const moving = h > DRY_M ? (Math.abs(momentumX[i]) + Math.abs(momentumY[i])) / h : 0
    const wave = 2 * Math.sqrt(GRAVITY * h) + moving
    if (wave > limits.fastest) limits = { ...limits, fastest: wave, fastestCell: i }
    engine.wetted(i)
  }

  const speedOf = (momentum: Float64Array, i: number) =>
    live[i] && depth[i] > DRY_M ? momentum[i] / depth[i] : 0
  const field = (name: FullField) => ({ values: fields[name], quad: 4 })
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
      limits = flow(dt, raining, meanwhile)
    },
    placeDrains(placed, outlets) {
      drains = placed
      drainState = { headsM: new Float64Array(outlets), takenM: new Float64Array(placed.length) }
      return drainState
    },
    placeEdges(placed) {
      edges = placed
      for (const edge of edges) edge.bedM = bedAt(edge, layout, order)
      // Water may come in there.
      for (const { index } of placed) engine.wetted(index)
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
      for (const name of Object.keys(FULL_STATES) as FullField[]) {
        if (FULL_STATES[name] === 'kept') state.array(name, fields[name])
        else if (FULL_STATES[name] === 'scratch') state.scratch(fields[name])
      }
      limits = {
        fastest: state.number('fastest', limits.fastest),
        fastestCell: state.number('fastestCell', limits.fastestCell),
        deepest: state.number('deepest', limits.deepest),
      }
      state.part('engine', (own) => engine.visit(own))
    },
    dispose: () => engine.dispose(),
  }
}

function createEngine(
  layout: Layout,
  order: 1 | 2,
  wasm?: BufferSource,
  threads?: ThreadSpawner,
): FullEngine {
  const walls = wallsOf(layout)
  const fill = (fields: Record<FullField, Float64Array>) => {
    fields.bed.set(layout.bed.map((z) => (Number.isNaN(z) ? 0 : z)))
    fields.live.set(layout.live)
    fields.friction.set(layout.manning.map((n) => GRAVITY * n * n))
    fields.kh.set(layout.kh)
    fields.capsh.set(layout.capsh)
    fields.soilmd.set(layout.soilmd)
    fields.interception.set(layout.interception)
  }
  if (wasm) return createWasmEngine(layout, wasm, walls, order, fill, threads)
  const fields = Object.fromEntries(
    [...FULL_FIELDS, ...SECOND_ORDER_FIELDS].map((name) => [name, new Float64Array(layout.size)]),
  ) as Record<FullField, Float64Array>
  fill(fields)
  return createReferenceEngine(layout, fields, walls, order)
}

/** Faces of live cells behind which the model ends: pairs of padded cell and side. */
function wallsOf({ liveCells, bed, stride }: Layout): Int32Array {
  const walls: number[] = []
  for (const i of liveCells)
    for (const [side, j] of [i + 1, i - 1, i + stride, i - stride].entries())
      if (Number.isNaN(bed[j])) walls.push(i, side)
  return Int32Array.from(walls)
}

/** Cells of open water, which take what enters. */
function openWater({ bed, live, size }: Layout): Int32Array {
  const cells: number[] = []
  for (let i = 0; i < size; i++) if (!Number.isNaN(bed[i]) && !live[i]) cells.push(i)
  return Int32Array.from(cells)
}

function faceOf({ index, side }: KernelEdge, stride: number) {
  const face = side === 1 ? index - 1 : side === 3 ? index - stride : index
  return { face, outward: side % 2 === 0 ? 1 : -1, vertical: side > 1 }
}

const flux = { mass: 0, across: 0, along: 0 }

/** The cell from which values go on straight to an edge, of the second order; -1 where there is none. */
function withinOf({ index: i, side }: KernelEdge, { live, stride }: Layout, order: 1 | 2): number {
  const within = [i - 1, i + 1, i - stride, i + stride][side]
  return order === 2 && live[within] ? within : -1
}

/** Where depth changes much from cell to cell a straight line says little. */
function isSmooth(seen: Float64Array, i: number, within: number): boolean {
  return within >= 0 && seen[i] > 0 && Math.abs(seen[i] - seen[within]) < 0.5 * seen[i]
}

/** A cell at the edge has neighbours on one side only: its slopes are theirs. */
function slopeAtEdge(edge: KernelEdge, fields: Record<FullField, Float64Array>, layout: Layout): void {
  const { index: i, side } = edge
  const within = withinOf(edge, layout, 2)
  const { seen, bed, speedX, speedY } = fields
  if (!isSmooth(seen, i, within)) return
  const outward = side % 2 === 0 ? 1 : -1
  const vertical = side > 1
  const slope = (values: Float64Array) => outward * (values[i] - values[within])
  const depth = slope(seen)
  const put = (names: readonly [FullField, FullField], value: number) => {
    fields[names[vertical ? 1 : 0]][i] = value
  }
  put(['depthSlopeX', 'depthSlopeY'], depth)
  put(['levelSlopeX', 'levelSlopeY'], slope(bed) + depth)
  put(['acrossSlopeX', 'acrossSlopeY'], slope(vertical ? speedY : speedX))
  put(['alongSlopeX', 'alongSlopeY'], slope(vertical ? speedX : speedY))
}

/** What passes the edge of the model beside a cell. */
function passEdge(
  edge: KernelEdge,
  fields: Record<FullField, Float64Array>,
  layout: Layout,
  order: 1 | 2,
): void {
  const { index: i, side } = edge
  const { face, outward, vertical } = faceOf(edge, layout.stride)
  const { seen, bed } = fields
  const within = withinOf(edge, layout, order)
  const smooth = isSmooth(seen, i, within)
  const beyond = (values: Float64Array) => values[i] + (smooth ? 0.5 * (values[i] - values[within]) : 0)
  const across = beyond(vertical ? fields.speedY : fields.speedX)
  edgeFlux(edge, beyond(seen), outward * across, beyond(vertical ? fields.speedX : fields.speedY), flux)
  const mass = vertical ? fields.massY : fields.massX
  mass[face] = outward * flux.mass
  const along = vertical ? fields.alongY : fields.alongX
  along[face] = outward * flux.along
  const pushes = [fields.beforeX, fields.behindX, fields.beforeY, fields.behindY][side]
  // A smooth cell has the weight of water on its bed in its slopes.
  const rise = smooth ? 0 : edge.bedM - bed[i]
  pushes[face] = flux.across + GRAVITY * seen[i] * rise
}

/** Bed at a face of the edge, m. */
function bedAt(edge: KernelEdge, layout: Layout, order: 1 | 2): number {
  const { bed } = layout
  const own = bed[edge.index]
  const within = withinOf(edge, layout, order)
  return within < 0 ? own : own + 0.5 * (own - bed[within])
}
