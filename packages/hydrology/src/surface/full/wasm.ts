import { HydrologyError } from '../../errors.ts'
import { linkKernel, writeRecord } from '../../records.ts'
import type { Layout } from '../layout.ts'
import { HEADER_AT } from '../memory.ts'
import type { ThreadSpawner } from '../types.ts'
import type { FullEngine } from './engine.ts'
import type { FullField } from './fields.ts'
import { FULL_FIELDS, FULL_RECORDS, SECOND_ORDER_FIELDS } from './fields.ts'
import { filmOf } from './water.ts'

const PAGE = 65536
const FIELDS_AT = 2048
const MOST_BYTES = 65536 * PAGE
const MOST_BLOCKS = 64
/** Rows of a block: limits of its outer ones are one thread's. */
const LEAST_ROWS = 4
const FOUND_BYTES = 24
const CONTROL_BYTES = 64

/** As in assembly/full/stages.ts. */
const STAGE = {
  keep: 0,
  speeds: 1,
  slopes: 2,
  faces: 3,
  limit: 4,
  update: 5,
  average: 6,
  waves: 7,
  finish: 8,
} as const

interface Exports {
  bind(header: number, threads: number): void
  /** Looks which cells the step may change. */
  look(): void
  run(stage: number): void
  walls(): void
  /** Puts together what blocks found. */
  gather(): void
  /** With threads. */
  stop?(): void
}

const ROW_LISTS = ['wetFrom', 'wetTo', 'changeFrom', 'changeTo'] as const
const LISTS = [...ROW_LISTS, 'found', 'control', 'walls'] as const

/** The compiled engine of the second order; `fill` puts what stays into its fields. */
export function createWasmEngine(
  layout: Layout,
  wasm: BufferSource,
  walls: Int32Array,
  fill: (fields: Record<FullField, Float64Array>) => void,
  threads?: ThreadSpawner,
): FullEngine {
  const { size, stride, rows } = layout
  const memory = threads
    ? new WebAssembly.Memory({ initial: 1, maximum: PAGE, shared: true })
    : new WebAssembly.Memory({ initial: 1 })
  const kernel = linkKernel(wasm, { memory }, FULL_RECORDS, 'surface.stale')
  const blocks = threads ? Math.max(1, Math.min(MOST_BLOCKS, Math.floor((rows - 2) / LEAST_ROWS))) : 1
  const names: FullField[] = [...FULL_FIELDS, ...SECOND_ORDER_FIELDS]
  const at = {} as Record<FullField | (typeof LISTS)[number], number>
  let next = FIELDS_AT
  const take = (bytes: number) => {
    const place = next
    // Slack: two values are read at a time.
    next = Math.ceil((next + bytes + 16) / 64) * 64
    return place
  }
  for (const name of names) at[name] = take(8 * size)
  for (const name of ROW_LISTS) at[name] = take(4 * rows)
  at.found = take(FOUND_BYTES * blocks)
  at.control = take(CONTROL_BYTES)
  at.walls = take(4 * walls.length)
  if (next > MOST_BYTES)
    throw new HydrologyError(
      'surface.memory',
      `La grille demande ${Math.ceil(next / 2 ** 30)} Gio pour les équations complètes, au plus 4. Prendre --order 1, l’inertie locale ou une maille plus grande.`,
    )
  memory.grow(Math.ceil(next / PAGE) - 1)
  const { buffer } = memory
  const view = new DataView(buffer)
  const place = kernel.places.FullHeader
  writeRecord(view, HEADER_AT, FULL_RECORDS.FullHeader, place, {
    stride,
    rows,
    order: 2,
    blocks,
    wallCount: walls.length / 2,
    dx: layout.grid.cellSizeM,
    dryDepth: layout.options.dryDepthM,
    film: filmOf(layout),
    ...at,
  })
  const fields = Object.fromEntries(
    names.map((name) => [name, new Float64Array(buffer, at[name], size)]),
  ) as Record<FullField, Float64Array>
  fill(fields)
  new Int32Array(buffer, at.walls, walls.length).set(
    walls.map((value, k) => (k % 2 === 0 ? 8 * value : value)),
  )
  const wetFrom = new Int32Array(buffer, at.wetFrom, rows).fill(stride)
  const wetTo = new Int32Array(buffer, at.wetTo, rows).fill(-1)
  const exports = kernel.exports as unknown as Exports
  /** Rain may fall on every row. */
  let rained = false
  function wetted(index: number): void {
    const row = Math.floor(index / stride)
    const col = index - row * stride
    if (col < wetFrom[row]) wetFrom[row] = col
    if (col > wetTo[row]) wetTo[row] = col
  }
  function rainOnAll(): void {
    if (!rained) for (let i = 0; i < size; i++) if (!Number.isNaN(layout.bed[i])) wetted(i)
    rained = true
  }
  const limits = () => ({
    fastest: view.getFloat64(HEADER_AT + place.at.fastest, true),
    fastestCell: view.getInt32(HEADER_AT + place.at.fastestCell, true),
    deepest: view.getFloat64(HEADER_AT + place.at.deepest, true),
  })
  const tell = (values: Partial<Record<keyof typeof FULL_RECORDS.FullHeader, number>>) =>
    writeRecord(view, HEADER_AT, FULL_RECORDS.FullHeader, place, values)
  exports.bind(HEADER_AT, threads?.count ?? 1)
  const workers = Array.from({ length: (threads?.count ?? 1) - 1 }, () =>
    threads!.spawn({ module: kernel.module, memory, threads: threads!.count }),
  )
  const run = (stage: keyof typeof STAGE, values = {}) => {
    tell(values)
    exports.run(STAGE[stage])
  }
  const found = () => {
    exports.gather()
    return limits()
  }
  return {
    fields,
    begin(raining) {
      if (raining) rainOnAll()
      exports.look()
    },
    slopes() {
      run('speeds')
      run('slopes')
    },
    fluxes() {
      run('faces')
      exports.walls()
    },
    limit: (dt) => run('limit', { dt }),
    update: (dt, weight, first) => run('update', { dt, weight, first: first ? 1 : 0 }),
    keep: () => run('keep'),
    average: () => run('average'),
    fastestWave() {
      run('waves')
      return found().fastest
    },
    finish(dt, raining) {
      run('finish', { dt, raining: raining ? 1 : 0 })
      return found()
    },
    visit(state) {
      state.array('wetFrom', wetFrom)
      state.array('wetTo', wetTo)
      rained = state.flag('rained', rained)
    },
    wetted,
    dispose() {
      exports.stop?.()
      for (const worker of workers) worker.stop()
    },
  }
}
