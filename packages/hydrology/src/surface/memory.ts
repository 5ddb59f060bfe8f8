import { HydrologyError } from '../errors.ts'
import type { DrainState, PlacedDrain } from './drains.ts'
import type { Layout } from './layout.ts'
import type { Field } from './types.ts'
import { MOST_HALVINGS } from './types.ts'

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
  cfl: 8,
  halvings: 9,
  part: 10,
  watch: 11,
  pointers: 12,
} as const

/**
 * Records of what a quad of four cells needs, so that a lone wet quad costs few cache lines: of what changes in every
 * part of a step, of what stays, and of soil. Bytes, and where the four values of a field stand; mirrored by
 * assembly/memory.ts. f32 but for the depth.
 */
const RECORDS = {
  records: { bytes: 80, fields: { shallow: 0, qx: 16, qy: 32, depth: 48 } },
  fixed: { bytes: 64, fields: { stepX: 0, stepY: 16, frictionX: 32, frictionY: 48 } },
  soils: { bytes: 48, fields: { kh: 0, suction: 16, soilmd: 32 } },
} as const
const RECORD_NAMES = ['records', 'fixed', 'soils'] as const
type F32Name = 'shallow' | 'qx' | 'qy' | keyof typeof RECORDS.fixed.fields | keyof typeof RECORDS.soils.fields

/** Fields with an array of their own: bytes an element. In the order of the header's pointers, after the records. */
const ARRAYS = [
  ['rain', 8],
  ['interception', 8],
  ['infiltrated', 8],
  ['maxDepth', 4],
  ['maxSpeed', 4],
  ['maxDepthSpeed', 4],
  ['speedX', 4],
  ['speedY', 4],
  ['normalX', 4],
  ['normalY', 4],
  ['paceX', 4],
  ['paceY', 4],
  ['pace', 4],
  ['live', 4],
] as const

const MASKS = [
  'active',
  'soaking',
  'flowing',
  'soil',
  'alive',
  'leaving',
  'wantHalves',
  'wantQuarters',
  'faceHalves',
  'faceQuarters',
  'cellHalves',
  'cellQuarters',
  'rained',
] as const

type ArrayName = (typeof ARRAYS)[number][0]
type MaskName = (typeof MASKS)[number]
type DrainName = 'drains' | 'inlets' | 'drainRows' | 'heads' | 'taken'
type Block = keyof typeof RECORDS | ArrayName | MaskName | DrainName | 'edges' | 'edgeRows' | 'rowMax'
export const HEADER_AT = 1024
const MAX_THREADS = 64
const EDGE_BYTES = 16
const LEVEL_BYTES = 80
/** Of a drain what every part of a step needs: cell and outlet i32, crest and factor of the free weir f64. */
const DRAIN_BYTES = 24
/** What only those need whose outlet's head is above the crest: two factors and a depth f64. */
const INLET_BYTES = 24
/** Of each thread: what it notes of the 64 quads of a word between two looks at them. */
const FLOW_DEPTHS_BYTES = 2048

export interface SurfaceMemory {
  bytes: number
  /** Address of each block, in the order of the header's pointers. */
  pointers: number[]
  at: Record<Block, number>
  words: number
}

/** Raised when what stands in memory means something else at the same place; as in assembly/memory.ts. */
const VERSION = 1

/** Number of all places that the kernel and this side must agree on; as `layout` in assembly/memory.ts. */
export function layoutNumber(memory: SurfaceMemory): number {
  const places = [
    ...Object.values(HEADER),
    memory.pointers.length,
    ...RECORD_NAMES.flatMap((name) => [RECORDS[name].bytes, ...Object.values(RECORDS[name].fields)]),
    LEVEL_BYTES,
    DRAIN_BYTES,
    INLET_BYTES,
    FLOW_DEPTHS_BYTES,
  ]
  return places.reduce((number, place) => (Math.imul(number, 31) + place) | 0, VERSION)
}

/**
 * Room for drains and outlets, which come after the memory; what is never written costs none. A sewer may have more
 * nodes than the surface has cells.
 */
function drainRoom({ liveCells }: Layout): number {
  return liveCells.length + 65_536
}

/** Lays the kernel's blocks out in linear memory. Every block starts on 64 bytes. */
export function planMemory(layout: Layout): SurfaceMemory {
  const words = Math.ceil(layout.stride / 4 / 64)
  const maskBytes = (layout.rows + 1) * words * 8
  const room = drainRoom(layout)
  const blocks: Array<[string, number]> = [
    ...RECORD_NAMES.map((name): [string, number] => [name, (layout.size / 4) * RECORDS[name].bytes]),
    ...ARRAYS.map(([name, size]): [string, number] => [name, layout.size * size]),
    ...MASKS.map((name): [string, number] => [name, maskBytes]),
    ['edges', layout.edges.length * EDGE_BYTES],
    ['edgeRows', (layout.rows + 2) * 4],
    ['rowMax', layout.rows * 4],
    ['rowSpeed', layout.rows * 4],
    ['rowSpread', layout.rows * 4],
    ['levels', (MOST_HALVINGS + 1) * LEVEL_BYTES],
    ['drains', room * DRAIN_BYTES],
    ['inlets', room * INLET_BYTES],
    ['drainRows', (layout.rows + 1) * 4],
    ['heads', room * 8],
    ['taken', room * 8],
    ['control', 64 + 2 * (MAX_THREADS + 1) * 4],
    ['flowDepths', MAX_THREADS * FLOW_DEPTHS_BYTES],
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
  name: 'depth',
): Field<Float64Array>
export function recordField(
  layout: Layout,
  memory: SurfaceMemory,
  buffer: ArrayBufferLike,
  name: F32Name,
): Field<Float32Array>
export function recordField(
  layout: Layout,
  memory: SurfaceMemory,
  buffer: ArrayBufferLike,
  name: 'depth' | F32Name,
): Field {
  const block = RECORD_NAMES.find((block) => name in RECORDS[block].fields)!
  const { bytes, fields } = RECORDS[block]
  const at = memory.at[block] + (fields as Record<string, number>)[name]
  const size = name === 'depth' ? 8 : 4
  const quad = bytes / size
  const length = (layout.size / 4 - 1) * quad + 4
  return {
    values: size === 8 ? new Float64Array(buffer, at, length) : new Float32Array(buffer, at, length),
    quad,
  }
}

/** Writes header and constant arrays. */
export function fillMemory(layout: Layout, memory: SurfaceMemory, buffer: ArrayBufferLike): void {
  const header = new Float64Array(buffer, HEADER_AT, HEADER.pointers + memory.pointers.length)
  header[HEADER.stride] = layout.stride
  header[HEADER.rows] = layout.rows
  header[HEADER.words] = memory.words
  header[HEADER.dx] = layout.grid.cellSizeM
  header[HEADER.dry] = layout.options.dryDepthM
  header[HEADER.cfl] = layout.options.cfl
  header[HEADER.froude] = Math.min(layout.options.froudeLimit, 1e15)
  header.set(memory.pointers, HEADER.pointers)

  // Head of the wetting front times the moisture deficit: the kernel needs no more of the two.
  const suction = layout.capsh.map((head, i) => head * layout.soilmd[i])
  const sources = { ...layout, suction }
  for (const name of ['stepX', 'stepY', 'frictionX', 'frictionY', 'kh', 'suction', 'soilmd'] as const) {
    const { values, quad } = recordField(layout, memory, buffer, name)
    const source = sources[name]
    for (let i = 0; i < layout.size; i++) values[(i >> 2) * quad + (i & 3)] = source[i]
  }
  new Float32Array(buffer, memory.at.normalX, layout.size).set(layout.normalX)
  new Float32Array(buffer, memory.at.normalY, layout.size).set(layout.normalY)
  // The kernel compares squares of speeds.
  new Float32Array(buffer, memory.at.paceX, layout.size).set(layout.paceX.map((pace) => pace * pace))
  new Float32Array(buffer, memory.at.paceY, layout.size).set(layout.paceY.map((pace) => pace * pace))
  new Float32Array(buffer, memory.at.pace, layout.size).set(layout.pace)
  new Float32Array(buffer, memory.at.live, layout.size).set(layout.live)
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
    memory.at.records + (i >> 2) * RECORDS.records.bytes + RECORDS.records.fields[field] + (i & 3) * 4
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

/**
 * Writes drains, in the order of their cells.
 *
 * @throws HydrologyError `surface.drains` when there are more than the memory has room for
 */
export function placeDrains(
  layout: Layout,
  { at }: SurfaceMemory,
  buffer: ArrayBufferLike,
  drains: readonly PlacedDrain[],
  outlets: number,
): DrainState {
  const room = drainRoom(layout)
  if (drains.length > room || outlets > room)
    throw new HydrologyError(
      'surface.drains',
      `${Math.max(drains.length, outlets)} avaloirs ou regards pour ${layout.liveCells.length} mailles : le calcul en admet ${room}. Réunir les avaloirs d’une même maille dans gullies.csv.`,
    )
  const view = new DataView(buffer, at.drains, drains.length * DRAIN_BYTES)
  const inlets = new Float64Array(buffer, at.inlets, (drains.length * INLET_BYTES) / 8)
  const starts = new Int32Array(buffer, at.drainRows, layout.rows + 1).fill(0)
  for (const [k, { index, outlet, crestM, freeWeir, submergedWeir, orifice, fullM }] of drains.entries()) {
    view.setInt32(k * DRAIN_BYTES, index, true)
    view.setInt32(k * DRAIN_BYTES + 4, outlet, true)
    view.setFloat64(k * DRAIN_BYTES + 8, crestM, true)
    view.setFloat64(k * DRAIN_BYTES + 16, freeWeir, true)
    inlets.set([submergedWeir, orifice, fullM], (k * INLET_BYTES) / 8)
    starts[Math.floor(index / layout.stride) + 1]++
  }
  for (let row = 0; row < layout.rows; row++) starts[row + 1] += starts[row]
  return {
    headsM: new Float64Array(buffer, at.heads, outlets),
    takenM: new Float64Array(buffer, at.taken, drains.length),
  }
}
