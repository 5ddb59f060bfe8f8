import type { Layout } from './layout.ts'
import type { Field } from './types.ts'

/** Slots of the header, 8 bytes each; mirrored by assembly/memory.ts. */
export const HEADER = {
  stride: 0,
  rows: 1,
  words: 2,
  dt: 3,
  dx: 4,
  dry: 5,
  froude: 6,
  flags: 7,
  pointers: 8,
} as const

/** A record holds what a quad of four cells needs, so that a lone wet quad costs few cache lines. Bytes. */
const RECORD_BYTES = 256
/** Where the four values of a field stand in the record; mirrored by assembly/memory.ts. f64 where said, else f32. */
export const IN_RECORD = {
  shallow: 0,
  qx: 16,
  qy: 32,
  maxDepth: 48,
  stepX: 64,
  stepY: 80,
  frictionX: 96,
  frictionY: 112,
  /** f64 */
  depth: 128,
  /** f64 */
  infiltrated: 160,
  kh: 192,
  capsh: 208,
  soilmd: 224,
  live: 240,
} as const

/** Fields with an array of their own: bytes an element. In the order of the header's pointers, after the records. */
const ARRAYS = [
  ['rain', 8],
  ['interception', 8],
  ['maxSpeed', 4],
  ['maxDepthSpeed', 4],
  ['speedX', 4],
  ['speedY', 4],
  ['normalX', 4],
  ['normalY', 4],
  ['paceX', 4],
  ['paceY', 4],
  ['pace', 4],
] as const

const MASKS = ['active', 'soaking', 'flowing', 'soil', 'alive', 'leaving'] as const

type ArrayName = (typeof ARRAYS)[number][0]
type MaskName = (typeof MASKS)[number]
type Block = 'records' | ArrayName | MaskName | 'edges' | 'edgeRows' | 'rowMax'
export const HEADER_AT = 1024
const MAX_THREADS = 64
const EDGE_BYTES = 16

export interface SurfaceMemory {
  bytes: number
  /** Address of each block, in the order of the header's pointers. */
  pointers: number[]
  at: Record<Block, number>
  words: number
}

/** Lays the kernel's blocks out in linear memory. Every block starts on 64 bytes. */
export function planMemory(layout: Layout): SurfaceMemory {
  const words = Math.ceil(layout.stride / 4 / 64)
  const maskBytes = (layout.rows + 1) * words * 8
  const blocks: Array<[string, number]> = [
    ['records', (layout.size / 4) * RECORD_BYTES],
    ...ARRAYS.map(([name, size]): [string, number] => [name, layout.size * size]),
    ...MASKS.map((name): [string, number] => [name, maskBytes]),
    ['edges', layout.edges.length * EDGE_BYTES],
    ['edgeRows', (layout.rows + 2) * 4],
    ['rowMax', layout.rows * 4],
    ['rowSpeed', layout.rows * 4],
    ['rowSpread', layout.rows * 4],
    ['control', 64 + (MAX_THREADS + 1) * 4],
  ]
  let next = HEADER_AT + 1024
  const at: Record<string, number> = {}
  const pointers: number[] = []
  for (const [name, bytes] of blocks) {
    at[name] = next
    pointers.push(next)
    // Slack after every block: quads are read one cell beyond their end.
    next = Math.ceil((next + bytes + 16) / 64) * 64
  }
  return { bytes: next, pointers, at: at as SurfaceMemory['at'], words }
}

/** A field of the records: the padded cell i is at `(i >> 2) * quad + (i & 3)`. */
export function recordField(
  layout: Layout,
  memory: SurfaceMemory,
  buffer: ArrayBufferLike,
  name: 'depth' | 'infiltrated',
): Field<Float64Array>
export function recordField(
  layout: Layout,
  memory: SurfaceMemory,
  buffer: ArrayBufferLike,
  name: Exclude<keyof typeof IN_RECORD, 'depth' | 'infiltrated'>,
): Field<Float32Array>
export function recordField(
  layout: Layout,
  memory: SurfaceMemory,
  buffer: ArrayBufferLike,
  name: keyof typeof IN_RECORD,
): Field {
  const wide = name === 'depth' || name === 'infiltrated'
  const size = wide ? 8 : 4
  const quad = RECORD_BYTES / size
  const at = memory.at.records + IN_RECORD[name]
  const length = (layout.size / 4 - 1) * quad + 4
  return { values: wide ? new Float64Array(buffer, at, length) : new Float32Array(buffer, at, length), quad }
}

/** Writes header and constant arrays. */
export function fillMemory(layout: Layout, memory: SurfaceMemory, buffer: ArrayBufferLike): void {
  const header = new Float64Array(buffer, HEADER_AT, HEADER.pointers + memory.pointers.length)
  header[HEADER.stride] = layout.stride
  header[HEADER.rows] = layout.rows
  header[HEADER.words] = memory.words
  header[HEADER.dx] = layout.grid.cellSizeM
  header[HEADER.dry] = layout.options.dryDepthM
  header[HEADER.froude] = Math.min(layout.options.froudeLimit, 1e15)
  header.set(memory.pointers, HEADER.pointers)

  for (const name of ['stepX', 'stepY', 'frictionX', 'frictionY', 'live', 'kh', 'capsh', 'soilmd'] as const) {
    const { values, quad } = recordField(layout, memory, buffer, name)
    const source = layout[name]
    for (let i = 0; i < layout.size; i++) values[(i >> 2) * quad + (i & 3)] = source[i]
  }
  new Float32Array(buffer, memory.at.normalX, layout.size).set(layout.normalX)
  new Float32Array(buffer, memory.at.normalY, layout.size).set(layout.normalY)
  // The kernel compares squares of speeds.
  new Float32Array(buffer, memory.at.paceX, layout.size).set(layout.paceX.map((pace) => pace * pace))
  new Float32Array(buffer, memory.at.paceY, layout.size).set(layout.paceY.map((pace) => pace * pace))
  new Float32Array(buffer, memory.at.pace, layout.size).set(layout.pace)
  new Float64Array(buffer, memory.at.interception, layout.size).set(layout.interception)
  fillMasks(layout, memory, buffer)
  fillEdges(layout, memory, buffer)
}

/** Where a mask of 32-bit words, `words` 64-bit ones a row, has the quad of a padded cell. */
export function maskBit({ stride }: { stride: number }, words: number, i: number) {
  const row = Math.floor(i / stride)
  const quad = (i - row * stride) >> 2
  return { row, word: row * words * 2 + (quad >> 5), bit: 1 << (quad & 31) }
}

/** Quads with soil, those without any cell that is not live, and those with a face or cell whose pace is not 1. */
function fillMasks(
  { size, stride, kh, live, pace, paceX, paceY }: Layout,
  memory: SurfaceMemory,
  buffer: ArrayBufferLike,
): void {
  const words = (name: MaskName) =>
    new Uint32Array(buffer, memory.at[name], (size / stride) * memory.words * 2)
  const soil = words('soil')
  const alive = words('alive')
  const leaving = words('leaving')
  for (let i = 0; i < size; i += 4) {
    const { word, bit } = maskBit({ stride }, memory.words, i)
    if (kh[i] > 0 || kh[i + 1] > 0 || kh[i + 2] > 0 || kh[i + 3] > 0) soil[word] |= bit
    if (live[i] && live[i + 1] && live[i + 2] && live[i + 3]) alive[word] |= bit
    for (let k = i; k < i + 4; k++) if (pace[k] < 1 || paceX[k] < 1 || paceY[k] < 1) leaving[word] |= bit
  }
}

function fillEdges(layout: Layout, memory: SurfaceMemory, buffer: ArrayBufferLike): void {
  const view = new DataView(buffer, memory.at.edges, layout.edges.length * EDGE_BYTES)
  const starts = new Int32Array(buffer, memory.at.edgeRows, layout.rows + 2)
  const address = (i: number, field: 'shallow' | 'qx' | 'qy') =>
    memory.at.records + (i >> 2) * RECORD_BYTES + IN_RECORD[field] + (i & 3) * 4
  let row = 0
  layout.edges.forEach((edge, k) => {
    const own = Math.floor(edge.face / layout.stride)
    while (row <= own) starts[row++] = k
    view.setUint32(k * EDGE_BYTES, address(edge.cell, 'shallow'), true)
    view.setUint32(k * EDGE_BYTES + 4, address(edge.face, edge.vertical ? 'qy' : 'qx'), true)
    view.setFloat32(k * EDGE_BYTES + 8, edge.factor, true)
    view.setFloat32(k * EDGE_BYTES + 12, edge.sign, true)
  })
  while (row < starts.length) starts[row++] = layout.edges.length
}
