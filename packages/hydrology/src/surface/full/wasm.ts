import { HydrologyError } from '../../errors.ts'
import { linkKernel, writeRecord } from '../../records.ts'
import type { Layout } from '../layout.ts'
import type { FullEngine } from './engine.ts'
import type { FullField } from './fields.ts'
import { FULL_FIELDS, FULL_RECORDS, SECOND_ORDER_FIELDS } from './fields.ts'

const PAGE = 65536
const HEADER_AT = 1024
const FIELDS_AT = 2048
const MOST_BYTES = 65536 * PAGE

interface Exports {
  bind(header: number): void
  slopes(): void
  fluxes(): void
  limit(share: number): void
  update(dt: number, weight: number, first: number): void
  keep(): void
  average(): void
  fastestWave(): number
  finish(dt: number, raining: number): void
  advance(dt: number, raining: number): void
}

/** The compiled engine; `fill` puts what stays into its fields. */
export function createWasmEngine(
  layout: Layout,
  wasm: BufferSource,
  walls: Int32Array,
  order: 1 | 2,
  fill: (fields: Record<FullField, Float64Array>) => void,
): FullEngine {
  const { size, stride, rows } = layout
  const memory = new WebAssembly.Memory({ initial: 1 })
  const kernel = linkKernel(wasm, { memory }, FULL_RECORDS, 'surface.stale')
  const names: FullField[] = order === 2 ? [...FULL_FIELDS, ...SECOND_ORDER_FIELDS] : [...FULL_FIELDS]
  const at = {} as Record<FullField | 'wetFrom' | 'wetTo' | 'walls', number>
  let next = FIELDS_AT
  const take = (bytes: number) => {
    const place = next
    // Slack: two values are read at a time.
    next = Math.ceil((next + bytes + 16) / 64) * 64
    return place
  }
  for (const name of names) at[name] = take(8 * size)
  for (const name of SECOND_ORDER_FIELDS) at[name] ??= 0
  at.wetFrom = take(4 * rows)
  at.wetTo = take(4 * rows)
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
    order,
    wallCount: walls.length / 2,
    dx: layout.grid.cellSizeM,
    dryDepth: layout.options.dryDepthM,
    ...at,
  })
  const fields = Object.fromEntries(
    [...FULL_FIELDS, ...SECOND_ORDER_FIELDS].map((name) => [
      name,
      new Float64Array(buffer, at[name], at[name] > 0 ? size : 0),
    ]),
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
  exports.bind(HEADER_AT)
  return {
    fields,
    slopes: exports.slopes,
    fluxes: exports.fluxes,
    limit: exports.limit,
    update: (dt, weight, first) => exports.update(dt, weight, first ? 1 : 0),
    keep: exports.keep,
    average: exports.average,
    fastestWave: exports.fastestWave,
    finish(dt, raining) {
      if (raining) rainOnAll()
      exports.finish(dt, raining ? 1 : 0)
      return limits()
    },
    advance(dt, raining) {
      if (raining) rainOnAll()
      exports.advance(dt, raining ? 1 : 0)
      return limits()
    },
    visit(state) {
      state.array('wetFrom', wetFrom)
      state.array('wetTo', wetTo)
      rained = state.flag('rained', rained)
    },
    wetted,
  }
}
