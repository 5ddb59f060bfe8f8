import { GRAVITY } from '@radx/contracts/constants'
import { HydrologyError } from '../../errors.ts'
import { linkKernel, writeField, writeRecord } from '../../records.ts'
import type { Crest, Layout } from '../layout.ts'
import { HEADER_AT } from '../memory.ts'
import type { ThreadSpawner } from '../types.ts'
import { crossCrest, emptyCrossing } from './crest-flux.ts'
import { edgeFlux } from './edges.ts'
import type { FullLimits } from './engine.ts'
import { FULL_RECORDS } from './fields.ts'
import type { FirstFields } from './first-fields.ts'
import { FIRST_F32, FIRST_F64, FIRST_KEPT } from './first-fields.ts'
import type { Flow } from './flow.ts'
import { faceOf } from './flow.ts'
import type { KernelEdge } from './water.ts'
import { DRY_M, filmOf, STAIR } from './water.ts'

const PAGE = 65536
const FIELDS_AT = 2048
const MOST_BYTES = 65536 * PAGE
const MOST_BLOCKS = 16
/** Rows of a block: each looks at three more on either side. */
const LEAST_ROWS = 32
const CONTROL_BYTES = 64
/** As in assembly/first/memory.ts: rows beside a block, slack of a row, rows of the window and their parts. */
const SEAM_ROWS = 6
const SLACK = 64
const WINDOW = { states: 5, fluxes: 3 }
const FOUND_BYTES = 64

/** As in assembly/full/stages.ts. */
const STAGE = { seams: 10, sweep: 11 } as const

interface Exports {
  bind(header: number, threads: number): void
  look(): void
  run(stage: number): void
  gather(): void
  /** With threads: `run` in two, something else between. */
  start?(stage: number): void
  finished?(): boolean
  join?(): void
  stop?(): void
}

/**
 * The first order, compiled: fluxes and momentum in f32, four cells at a time, over depths and levels of f64. What leaves a
 * cell enters the next one to the bit, so that no water is lost, and still water stays as still as levels of f64 are even.
 *
 * @param walls pairs of padded cell and side
 * @throws HydrologyError `surface.stale`, `surface.memory`
 */
export function createFirstOrder(
  layout: Layout,
  wasm: BufferSource,
  walls: Int32Array,
  threads?: ThreadSpawner,
): Flow {
  const { stride, rows, bed } = layout
  const dx = layout.grid.cellSizeM
  const memory = threads
    ? new WebAssembly.Memory({ initial: 1, maximum: PAGE, shared: true })
    : new WebAssembly.Memory({ initial: 1 })
  const kernel = linkKernel(wasm, { memory }, FULL_RECORDS, 'surface.stale')
  const blocks = threads ? Math.max(1, Math.min(MOST_BLOCKS, Math.floor((rows - 2) / LEAST_ROWS))) : 1
  const { FirstHeader: header, EdgeFlux: edgePlace } = kernel.places
  const plan = planFirst(layout, blocks, walls.length / 2, kernel.places.Wall.bytes, edgePlace.bytes)
  memory.grow(Math.ceil(plan.bytes / PAGE) - 1)
  const { buffer } = memory
  const view = new DataView(buffer)
  const tell = (values: Partial<Record<keyof typeof FULL_RECORDS.FirstHeader, number>>) =>
    writeRecord(view, HEADER_AT, FULL_RECORDS.FirstHeader, header, values)
  tell({
    order: 1,
    blocks,
    stride,
    rows,
    dx,
    dryDepth: layout.options.dryDepthM,
    film: filmOf(layout),
    ...plan.at,
  })
  const fields = fieldsIn(layout, buffer, plan.at)
  const wetFrom = new Int32Array(buffer, plan.at.wetFrom, rows).fill(stride)
  const wetTo = new Int32Array(buffer, plan.at.wetTo, rows).fill(-1)
  const placed = Array.from({ length: walls.length / 2 }, (_, k) => ({
    index: walls[2 * k],
    side: walls[2 * k + 1] & 3,
    stair: walls[2 * k + 1] & STAIR,
  }))
  placeFaces(placed, layout, new Int32Array(buffer, plan.at.wallRows, rows + 1))
  const { Wall } = FULL_RECORDS
  const wallField = (field: 'column' | 'side', values: number[]) =>
    writeField(view, plan.at.walls, Wall, kernel.places.Wall, field, values)
  wallField(
    'column',
    placed.map(({ index }) => index % stride),
  )
  wallField(
    'side',
    placed.map(({ side, stair }) => side | stair),
  )
  const exports = kernel.exports as unknown as Exports
  exports.bind(HEADER_AT, threads?.count ?? 1)
  const workers = Array.from({ length: (threads?.count ?? 1) - 1 }, () =>
    threads!.spawn({ module: kernel.module, memory, threads: threads!.count }),
  )
  let edges: KernelEdge[] = []
  const crestFaces = facesOfCrests(layout)
  /** Edges and both sides of crests, by the row of their face. */
  let passed: (KernelEdge | CrestFace)[] = []
  /** Rain may fall on every row. */
  let rained = false

  function wetted(index: number): void {
    const row = Math.floor(index / stride)
    const col = index - row * stride
    if (col < wetFrom[row]) wetFrom[row] = col
    if (col > wetTo[row]) wetTo[row] = col
  }

  /** What passes edges in this step, by what stands beside them. */
  function passEdges(): void {
    for (const [k, face] of passed.entries())
      writeRecord(
        view,
        plan.at.edges + k * edgePlace.bytes,
        FULL_RECORDS.EdgeFlux,
        edgePlace,
        'crest' in face ? crossingAt(face, fields, layout) : passing(face, fields, layout),
      )
  }

  /** Counts what has passed edges. */
  function count(dt: number): void {
    const share = dt / dx
    for (const edge of edges) {
      const { face, outward, vertical } = faceOf(edge, stride)
      edge.inM -= outward * (vertical ? fields.qy[face] : fields.qx[face]) * share
    }
  }

  return {
    fields,
    placeEdges(given) {
      edges = [...given]
      passed = [...given, ...crestFaces]
      const starts = new Int32Array(buffer, plan.at.edgeRows, rows + 1)
      placeFaces(passed, layout, starts)
      for (const [k, { index, side }] of passed.entries())
        writeRecord(view, plan.at.edges + k * edgePlace.bytes, FULL_RECORDS.EdgeFlux, edgePlace, {
          column: index % stride,
          side,
        })
    },
    step(dt, raining, meanwhile) {
      if (raining && !rained) {
        for (let i = 0; i < layout.size; i++) if (!Number.isNaN(bed[i])) wetted(i)
        rained = true
      }
      exports.look()
      passEdges()
      tell({ dt, raining: raining ? 1 : 0 })
      if (blocks > 1) exports.run(STAGE.seams)
      exports.start?.(STAGE.sweep)
      if (exports.start && meanwhile) while (!exports.finished!() && meanwhile());
      if (exports.join) exports.join()
      else exports.run(STAGE.sweep)
      exports.gather()
      count(dt)
      return limitsIn(view, header.at)
    },
    wetted,
    visit(state) {
      for (const name of FIRST_KEPT) state.array(name, fields[name])
      state.scratch(fields.qx)
      state.scratch(fields.qy)
      state.array('wetFrom', wetFrom)
      state.array('wetTo', wetTo)
      rained = state.flag('rained', rained)
    },
    dispose() {
      exports.stop?.()
      for (const worker of workers) worker.stop()
    },
  }
}

const limitsIn = (view: DataView, at: Record<'fastest' | 'fastestCell' | 'deepest', number>): FullLimits => ({
  fastest: view.getFloat64(HEADER_AT + at.fastest, true),
  fastestCell: view.getInt32(HEADER_AT + at.fastestCell, true),
  deepest: view.getFloat64(HEADER_AT + at.deepest, true),
})

const LISTS = [
  'kind',
  'wetFrom',
  'wetTo',
  'changeFrom',
  'changeTo',
  'found',
  'control',
  'seams',
  'window',
  'wallRows',
  'walls',
  'edgeRows',
  'edges',
] as const

type Places = Record<(typeof FIRST_F64)[number] | (typeof FIRST_F32)[number] | (typeof LISTS)[number], number>

/** Where everything stands. @throws HydrologyError `surface.memory` */
function planFirst(
  { size, stride, rows }: Layout,
  blocks: number,
  walls: number,
  wallBytes: number,
  edgeBytes: number,
): { at: Places; bytes: number } {
  const row32 = 4 * stride + SLACK
  const row64 = 8 * stride + SLACK
  const windowBytes = WINDOW.states * (4 * row32 + row64) + WINDOW.fluxes * 8 * row32
  const bytes: Places = {
    ...bytesOf(FIRST_F64, 8 * size),
    ...bytesOf(FIRST_F32, 4 * size),
    kind: 4 * size,
    wetFrom: 4 * rows,
    wetTo: 4 * rows,
    changeFrom: 4 * rows,
    changeTo: 4 * rows,
    found: FOUND_BYTES * blocks,
    control: CONTROL_BYTES,
    seams: blocks > 1 ? blocks * SEAM_ROWS * 16 * stride : 0,
    window: windowBytes * blocks,
    wallRows: 4 * (rows + 1),
    walls: walls * wallBytes,
    edgeRows: 4 * (rows + 1),
    // An edge has a wall in its place.
    edges: walls * edgeBytes,
  }
  const at = {} as Places
  let next = FIELDS_AT
  for (const name of Object.keys(bytes) as (keyof Places)[]) {
    at[name] = next
    // Slack: what stands beside the last cell is read, too.
    next = Math.ceil((next + bytes[name] + 32) / 64) * 64
  }
  if (next > MOST_BYTES)
    throw new HydrologyError(
      'surface.memory',
      `La grille demande ${Math.ceil(next / 2 ** 30)} Gio pour les équations complètes, au plus 4. Prendre l’inertie locale ou une maille plus grande.`,
    )
  return { at, bytes: next }
}

const bytesOf = <T extends string>(names: readonly T[], bytes: number) =>
  Object.fromEntries(names.map((name) => [name, bytes])) as Record<T, number>

/** Fields in the kernel's memory, with what stays in them. */
function fieldsIn(layout: Layout, buffer: ArrayBufferLike, at: Places): FirstFields {
  const { size, stride, live } = layout
  const fields = {
    ...Object.fromEntries(FIRST_F64.map((name) => [name, new Float64Array(buffer, at[name], size)])),
    ...Object.fromEntries(FIRST_F32.map((name) => [name, new Float32Array(buffer, at[name], size)])),
  } as FirstFields
  const kind = new Int32Array(buffer, at.kind, size)
  const { bed, stepX, stepY } = fields
  for (let i = 0; i < size; i++) {
    const outside = Number.isNaN(layout.bed[i])
    bed[i] = outside ? 0 : layout.bed[i]
    kind[i] = outside ? 0 : live[i] ? -1 : 1
    fields.friction[i] = GRAVITY * layout.manning[i] ** 2
  }
  for (let i = 0; i < size; i++) {
    stepX[i] = i + 1 < size ? bed[i] - bed[i + 1] : 0
    stepY[i] = i + stride < size ? bed[i] - bed[i + stride] : 0
  }
  for (const name of ['kh', 'capsh', 'soilmd', 'interception'] as const) fields[name].set(layout[name])
  return fields
}

/** Sorts faces by the row that has them, and notes in `starts` where each row's begin. */
function placeFaces(faces: { index: number; side: number }[], { stride, rows }: Layout, starts: Int32Array) {
  const rowOf = ({ index, side }: { index: number; side: number }) =>
    Math.floor(index / stride) - (side === 3 ? 1 : 0)
  faces.sort((a, b) => rowOf(a) - rowOf(b))
  let k = 0
  for (let row = 0; row <= rows; row++) {
    while (k < faces.length && rowOf(faces[k]) < row) k++
    starts[row] = k
  }
}

/** A raised face as one of its cells has it. */
interface CrestFace {
  crest: Crest
  index: number
  side: 0 | 1 | 2 | 3
}

const facesOfCrests = ({ crests }: Layout): CrestFace[] =>
  crests.flatMap((crest): CrestFace[] => [
    { crest, index: crest.index, side: crest.vertical ? 2 : 0 },
    { crest, index: crest.other, side: crest.vertical ? 3 : 1 },
  ])

const crossing = emptyCrossing()

/** What crosses a raised face, the same seen from either of its cells; the push less that of the cell's water at rest. */
function crossingAt({ crest, side }: CrestFace, fields: FirstFields, { bed }: Layout) {
  const { vertical, crestM } = crest
  const { depth, momentumX, momentumY } = fields
  const state = (i: number) => {
    const h = depth[i]
    const speed = (momentum: Float32Array) => (h > DRY_M ? momentum[i] / h : 0)
    return {
      bedM: bed[i],
      h,
      u: speed(vertical ? momentumY : momentumX),
      v: speed(vertical ? momentumX : momentumY),
    }
  }
  crossCrest(crestM, state(crest.index), state(crest.other), crossing)
  const behind = side % 2 === 1
  const h = depth[behind ? crest.other : crest.index]
  const push = behind ? crossing.behind : crossing.before
  return { mass: crossing.mass, push: push - 0.5 * GRAVITY * h * h, along: crossing.along }
}

const flux = { mass: 0, across: 0, along: 0 }

/** What passes an edge in the direction of its axis; the push less that of the cell's water at rest. */
function passing(edge: KernelEdge, { depth, momentumX, momentumY }: FirstFields, { stride, live }: Layout) {
  const { index: i } = edge
  const { outward, vertical } = faceOf(edge, stride)
  const h = live[i] ? depth[i] : 0
  const speed = (momentum: Float32Array) => (h > DRY_M ? momentum[i] / h : 0)
  const across = speed(vertical ? momentumY : momentumX)
  edgeFlux(edge, h, outward * across, speed(vertical ? momentumX : momentumY), flux)
  return {
    mass: outward * flux.mass,
    push: flux.across - 0.5 * GRAVITY * h * h,
    along: outward * flux.along,
  }
}
