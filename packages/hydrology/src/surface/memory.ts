import type { Layout } from './layout.ts'

/** Slots of the header, 8 bytes each; mirrored by assembly/core.ts. */
export const HEADER = {
  stride: 0,
  rows: 1,
  words: 2,
  dt: 3,
  dx: 4,
  dry: 5,
  froude: 6,
  flags: 7,
  edgeCount: 8,
  pointers: 9,
} as const

/** Bytes an element of each array, in the order of the header's pointers. */
const ARRAYS = [
  ['depth', 8],
  ['rain', 8],
  ['interception', 8],
  ['infiltrated', 8],
  ['shallow', 4],
  ['qx', 4],
  ['qy', 4],
  ['stepX', 4],
  ['stepY', 4],
  ['frictionX', 4],
  ['frictionY', 4],
  ['live', 4],
  ['kh', 4],
  ['capsh', 4],
  ['soilmd', 4],
  ['maxDepth', 4],
  ['maxSpeed', 4],
  ['maxDepthSpeed', 4],
  ['speedX', 4],
  ['speedY', 4],
  ['normalX', 4],
  ['normalY', 4],
] as const

type ArrayName = (typeof ARRAYS)[number][0]
export const HEADER_AT = 1024
const MAX_THREADS = 64
const EDGE_BYTES = 16

export interface SurfaceMemory {
  bytes: number
  /** Address of each array, in the order of the header's pointers. */
  pointers: number[]
  at: Record<ArrayName | 'active' | 'soaking' | 'edges' | 'edgeRows' | 'rowMax' | 'control', number>
  words: number
}

/** Lays the kernel's arrays out in linear memory. Every array starts on 64 bytes. */
export function planMemory(layout: Layout): SurfaceMemory {
  const words = Math.ceil(layout.stride / 4 / 64)
  const maskBytes = (layout.rows + 1) * words * 8
  const blocks: Array<[string, number]> = [
    ...ARRAYS.map(([name, size]): [string, number] => [name, layout.size * size]),
    ['active', maskBytes],
    ['soaking', maskBytes],
    ['faceX', maskBytes],
    ['faceY', maskBytes],
    ['edges', layout.edges.length * EDGE_BYTES],
    ['edgeRows', (layout.rows + 2) * 4],
    ['rowMax', layout.rows * 4],
    ['rowSpeed', layout.rows * 4],
    ['control', 64 + (MAX_THREADS + 1) * 4],
  ]
  let next = HEADER_AT + 1024
  const at: Record<string, number> = {}
  const pointers: number[] = []
  for (const [name, bytes] of blocks) {
    at[name] = next
    pointers.push(next)
    // Slack after every array: quads are read one cell beyond their end.
    next = Math.ceil((next + bytes + 16) / 64) * 64
  }
  return { bytes: next, pointers, at: at as SurfaceMemory['at'], words }
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
  header[HEADER.edgeCount] = layout.edges.length
  header.set(memory.pointers, HEADER.pointers)

  const f32 = (name: ArrayName) => new Float32Array(buffer, memory.at[name], layout.size)
  for (const name of [
    'stepX',
    'stepY',
    'frictionX',
    'frictionY',
    'normalX',
    'normalY',
    'live',
    'kh',
    'capsh',
    'soilmd',
  ] as const)
    f32(name).set(layout[name])
  new Float64Array(buffer, memory.at.interception, layout.size).set(layout.interception)
  fillEdges(layout, memory, buffer)
}

function fillEdges(layout: Layout, memory: SurfaceMemory, buffer: ArrayBufferLike): void {
  const view = new DataView(buffer, memory.at.edges, layout.edges.length * EDGE_BYTES)
  const starts = new Int32Array(buffer, memory.at.edgeRows, layout.rows + 2)
  let row = 0
  layout.edges.forEach((edge, k) => {
    const own = Math.floor(edge.face / layout.stride)
    while (row <= own) starts[row++] = k
    view.setUint32(k * EDGE_BYTES, edge.cell, true)
    view.setUint32(k * EDGE_BYTES + 4, (edge.face | (edge.vertical ? 0x80000000 : 0)) >>> 0, true)
    view.setFloat32(k * EDGE_BYTES + 8, edge.factor, true)
    view.setFloat32(k * EDGE_BYTES + 12, edge.sign, true)
  })
  while (row < starts.length) starts[row++] = layout.edges.length
}
