import { heap } from '../../sewer/network/room.ts'
import { type GroundArrays, type GroundLoops, groundArrays } from './arrays.ts'
import { referenceLoops } from './reference.ts'
import { compiledLoops } from './wasm.ts'

/** Arrays of so many subcatchments and the loops over them, compiled where the kernel is given. */
export function createGround(
  count: number,
  wasm: BufferSource | undefined,
): { arrays: GroundArrays; loops: GroundLoops } {
  if (wasm) return compiledLoops(count, wasm)
  const arrays = groundArrays(heap, count)
  return { arrays, loops: referenceLoops(arrays) }
}
