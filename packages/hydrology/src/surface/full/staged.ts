import { GRAVITY } from '@radx/contracts/constants'
import type { Crest, Layout } from '../layout.ts'
import type { ThreadSpawner } from '../types.ts'
import { crossCrest, emptyCrossing } from './crest-flux.ts'
import { edgeFlux } from './edges.ts'
import type { FullEngine } from './engine.ts'
import type { FullField } from './fields.ts'
import { FULL_FIELDS, FULL_STATES, SECOND_ORDER_FIELDS } from './fields.ts'
import type { Flow } from './flow.ts'
import { faceOf } from './flow.ts'
import { createReferenceEngine } from './reference.ts'
import { createWasmEngine } from './wasm.ts'
import type { KernelEdge } from './water.ts'

/**
 * A step stage by stage, in f64: the second order, and the reference of both.
 *
 * @param walls pairs of padded cell and side
 */
export function createStagedFlow(
  layout: Layout,
  order: 1 | 2,
  walls: Int32Array,
  wasm?: BufferSource,
  threads?: ThreadSpawner,
): Flow {
  const dx = layout.grid.cellSizeM
  const engine = createEngine(layout, order, walls, wasm, threads)
  const { fields } = engine
  const { depth } = fields
  const waterCells = openWater(layout)
  let edges: KernelEdge[] = []

  function fluxes(): void {
    engine.slopes()
    if (order === 2) levelAtCrests(layout, fields)
    if (order === 2) for (const edge of edges) slopeAtEdge(edge, fields, layout)
    engine.fluxes()
    for (const crest of layout.crests) passStaged(crest, fields)
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

  return {
    fields,
    placeEdges(placed) {
      edges = placed
      for (const edge of edges) edge.bedM = bedAt(edge, layout, order)
    },
    step(dt, raining) {
      engine.begin(raining)
      if (order === 2) flowInTwoStages(dt)
      else {
        fluxes()
        engine.limit(dt)
        engine.update(dt, 1, true)
        count(dt, 1)
      }
      return engine.finish(dt, raining)
    },
    wetted: (index) => engine.wetted(index),
    visit(state) {
      for (const name of Object.keys(FULL_STATES) as FullField[]) {
        if (FULL_STATES[name] === 'kept') state.array(name, fields[name])
        else if (FULL_STATES[name] === 'scratch') state.scratch(fields[name])
      }
      engine.visit(state)
    },
    dispose: () => engine.dispose(),
  }
}

function createEngine(
  layout: Layout,
  order: 1 | 2,
  walls: Int32Array,
  wasm?: BufferSource,
  threads?: ThreadSpawner,
): FullEngine {
  const fill = (fields: Record<FullField, Float64Array>) => {
    fields.bed.set(layout.bed.map((z) => (Number.isNaN(z) ? 0 : z)))
    fields.live.set(layout.live)
    fields.friction.set(layout.manning.map((n) => GRAVITY * n * n))
    fields.kh.set(layout.kh)
    fields.capsh.set(layout.capsh)
    fields.soilmd.set(layout.soilmd)
    fields.interception.set(layout.interception)
  }
  if (wasm) return createWasmEngine(layout, wasm, walls, fill, threads)
  const fields = Object.fromEntries(
    [...FULL_FIELDS, ...SECOND_ORDER_FIELDS].map((name) => [name, new Float64Array(layout.size)]),
  ) as Record<FullField, Float64Array>
  fill(fields)
  return createReferenceEngine(layout, fields, walls, order)
}

/** Cells of open water, which take what enters. */
function openWater({ bed, live, size }: Layout): Int32Array {
  const cells: number[] = []
  for (let i = 0; i < size; i++) if (!Number.isNaN(bed[i]) && !live[i]) cells.push(i)
  return Int32Array.from(cells)
}

const flux = { mass: 0, across: 0, along: 0 }
const crossing = emptyCrossing()

/** Across a raised face nothing goes on in a straight line: cells beside it are level across it. */
function levelAtCrests({ crests }: Layout, fields: Record<FullField, Float64Array>): void {
  for (const { index, other, vertical } of crests)
    for (const name of vertical ? SLOPES_Y : SLOPES_X) fields[name][index] = fields[name][other] = 0
}

const SLOPES_X = ['levelSlopeX', 'depthSlopeX', 'acrossSlopeX', 'alongSlopeX'] as const
const SLOPES_Y = ['levelSlopeY', 'depthSlopeY', 'acrossSlopeY', 'alongSlopeY'] as const

function passStaged(crest: Crest, fields: Record<FullField, Float64Array>): void {
  const { index, other, vertical } = crest
  const { seen, bed, speedX, speedY } = fields
  const [across, along] = vertical ? [speedY, speedX] : [speedX, speedY]
  crossCrest(
    crest.crestM,
    { bedM: bed[index], h: seen[index], u: across[index], v: along[index] },
    { bedM: bed[other], h: seen[other], u: across[other], v: along[other] },
    crossing,
  )
  fields[vertical ? 'massY' : 'massX'][index] = crossing.mass
  fields[vertical ? 'alongY' : 'alongX'][index] = crossing.along
  fields[vertical ? 'beforeY' : 'beforeX'][index] = crossing.before
  fields[vertical ? 'behindY' : 'behindX'][index] = crossing.behind
}

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
