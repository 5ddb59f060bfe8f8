import type { StateVisitor } from '../state/state.ts'
import type { Block } from './kernel-records.ts'
import { ARRAY_BYTES, BLOCK_STATES, MASKS } from './kernel-records.ts'
import type { Layout } from './layout.ts'
import { recordField, type SurfaceMemory } from './memory.ts'

/** Fields of the records of quads. */
const QUAD_FIELDS = ['shallow', 'qx', 'qy'] as const
const ROW_FIGURES = ['rowMax', 'rowSpeed', 'rowSpread'] as const

/** The state of the kernel's memory: blocks as `BLOCK_STATES` says, whatever the number of threads. */
export function visitMemory(
  state: StateVisitor,
  layout: Layout,
  memory: SurfaceMemory,
  buffer: ArrayBufferLike,
): void {
  const { size, rows } = layout
  const { at, words } = memory
  const block = (name: Block, values: Float64Array | Float32Array | Uint32Array) => {
    if (BLOCK_STATES[name] === 'kept') state.array(name, values)
    else if (BLOCK_STATES[name] === 'scratch') state.scratch(values)
  }
  state.field('depth', recordField(layout, memory, buffer, 'depth'), size)
  for (const name of QUAD_FIELDS) state.field(name, recordField(layout, memory, buffer, name), size)
  for (const name of Object.keys(ARRAY_BYTES) as (keyof typeof ARRAY_BYTES)[])
    block(
      name,
      ARRAY_BYTES[name] === 8
        ? new Float64Array(buffer, at[name], size)
        : new Float32Array(buffer, at[name], size),
    )
  for (const name of MASKS) block(name, new Uint32Array(buffer, at[name], rows * words * 2))
  for (const name of ROW_FIGURES) block(name, new Float32Array(buffer, at[name], rows))
}
