import { fieldsOf, linkKernel, writeRecord } from '../../records.ts'
import { ALIGNMENT, roomIn } from '../../sewer/network/room.ts'
import { type GroundArrays, type GroundLoops, groundArrays, OF_GROUND, OF_SUBCATCHMENT } from './arrays.ts'

const ROOM_AT = 1024
const PAGE = 65_536

/** Pairs that the kernel works on at once. */
const CHUNK = 32

/** Where it keeps what it works on: a figure for each ground of a chunk. */
const WORK = [
  'busy',
  'evaporated',
  'infiltrated',
  'supply',
  'net',
  'waiting',
  'waitingS',
  'waitingH',
  'made',
  'receding',
  'recedingX',
  'recedingHalf',
  'recedingS',
  'recedingAlpha',
  'slopes',
] as const

/** What `assembly/runoff.ts` declares, under the same names. */
const RECORDS = {
  RunoffHeader: {
    ...fieldsOf('i32', ['count', 'stride']),
    ...fieldsOf('usize', [...OF_SUBCATCHMENT, ...OF_GROUND]),
    ...fieldsOf('usize', WORK),
    ...fieldsOf('usize', ['pairs']),
  },
} as const

interface Exports {
  bindRunoff(header: number): void
  move(dt: number, from: number, to: number): number
  note(dt: number, endS: number, from: number, to: number): void
}

/**
 * The compiled loops with the arrays in their memory.
 * @throws HydrologyError `runoff.stale` when the kernel is not of these sources
 */
export function compiledLoops(
  count: number,
  wasm: BufferSource,
): { arrays: GroundArrays; loops: GroundLoops } {
  const memory = new WebAssembly.Memory({ initial: 1 })
  const env = { memory, power: (x: number, exponent: number) => x ** exponent }
  const kernel = linkKernel(wasm, env, RECORDS, 'runoff.stale')
  const exports = kernel.exports as unknown as Exports
  const figures = OF_SUBCATCHMENT.length + 3 * OF_GROUND.length
  const work = 8 * 3 * 2 * CHUNK
  const bytes =
    2 * ROOM_AT +
    figures * 8 * (count + 1) +
    WORK.length * work +
    // Pairs.
    4 * (count + 1) +
    (OF_SUBCATCHMENT.length + OF_GROUND.length + WORK.length + 1) * ALIGNMENT
  memory.grow(Math.ceil(bytes / PAGE))
  const room = roomIn(memory.buffer, ROOM_AT)
  const place = kernel.places.RunoffHeader
  const at = room.take(place.bytes)
  const arrays = groundArrays(room, count)
  writeRecord(new DataView(memory.buffer), at, RECORDS.RunoffHeader, place, {
    count,
    stride: arrays.stride,
    pairs: arrays.pairs.byteOffset,
    ...(Object.fromEntries(
      [...OF_SUBCATCHMENT, ...OF_GROUND].map((name) => [name, arrays[name].byteOffset]),
    ) as Record<(typeof OF_SUBCATCHMENT)[number] | (typeof OF_GROUND)[number], number>),
    ...(Object.fromEntries(WORK.map((name) => [name, room.take(work)])) as Record<
      (typeof WORK)[number],
      number
    >),
  })
  exports.bindRunoff(at)
  return { arrays, loops: { move: (dt, from, to) => exports.move(dt, from, to) !== 0, note: exports.note } }
}
