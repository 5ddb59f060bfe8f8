import { HydrologyError } from '../errors.ts'
import type { Places } from '../records.ts'
import { writeRecord } from '../records.ts'
import type { DrainState, PlacedDrain } from './drains.ts'
import type { Block, MaskName } from './kernel-records.ts'
import { ARRAY_BYTES, MASKS, QUAD_BLOCKS, SURFACE_RECORDS } from './kernel-records.ts'
import type { Layout } from './layout.ts'
import type { Field } from './types.ts'
import { MOST_HALVINGS } from './types.ts'

type RecordName = (typeof QUAD_BLOCKS)[keyof typeof QUAD_BLOCKS]
type QuadField = { [R in RecordName]: keyof (typeof SURFACE_RECORDS)[R] }[RecordName]
type F32Name = Exclude<QuadField, 'depth' | 'depthOfLast'>

export const HEADER_AT = 1024
const MAX_THREADS = 64
/** Quads of a word, of which a thread notes the depths of flows. */
const WORD_QUADS = 64

export type SurfacePlaces = Places<typeof SURFACE_RECORDS>

export interface SurfaceMemory {
  bytes: number
  /** Address of each block. */
  at: Record<Block, number>
  /** 64-bit words of a mask in a row. */
  words: number
  places: SurfacePlaces
}

/**
 * Room for drains and outlets, which come after the memory; what is never written costs none. A sewer may have more
 * nodes than the surface has cells.
 */
function drainRoom({ liveCells }: Layout): number {
  return liveCells.length + 65_536
}

/** Lays the kernel's blocks out in linear memory. Every block starts on 64 bytes. */
export function planMemory(layout: Layout, places: SurfacePlaces): SurfaceMemory {
  const words = Math.ceil(layout.stride / 4 / 64)
  const maskBytes = (layout.rows + 1) * words * 8
  const room = drainRoom(layout)
  const entries = Object.entries as <K extends string, V>(of: Readonly<Record<K, V>>) => [K, V][]
  const blocks: [Block, number][] = [
    ...entries(QUAD_BLOCKS).map(([name, record]): [Block, number] => [
      name,
      (layout.size / 4) * places[record].bytes,
    ]),
    ...entries(ARRAY_BYTES).map(([name, bytes]): [Block, number] => [name, layout.size * bytes]),
    ...MASKS.map((name): [Block, number] => [name, maskBytes]),
    ['edges', layout.edges.length * places.Edge.bytes],
    ['edgeRows', (layout.rows + 2) * 4],
    ['rowMax', layout.rows * 4],
    ['rowSpeed', layout.rows * 4],
    ['rowSpread', layout.rows * 4],
    ['levels', (MOST_HALVINGS + 1) * places.Level.bytes],
    ['drains', room * places.Drain.bytes],
    ['inlets', room * places.Inlet.bytes],
    ['drainRows', (layout.rows + 1) * 4],
    ['heads', room * 8],
    ['taken', room * 8],
    ['control', 64 + 2 * (MAX_THREADS + 1) * 4],
    ['flowDepths', MAX_THREADS * WORD_QUADS * places.FlowDepths.bytes],
  ]
  let next = HEADER_AT + 1024
  const at = {} as Record<Block, number>
  for (const [name, bytes] of blocks) {
    at[name] = next
    // Slack after every block: quads are read one cell beyond their end.
    next = Math.ceil((next + bytes + 16) / 64) * 64
  }
  return { bytes: next, at, words, places }
}

function blockOf(field: QuadField): keyof typeof QUAD_BLOCKS {
  const blocks = Object.keys(QUAD_BLOCKS) as (keyof typeof QUAD_BLOCKS)[]
  return blocks.find((block) => field in SURFACE_RECORDS[QUAD_BLOCKS[block]])!
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
  const block = blockOf(name)
  const { bytes, at: fields } = memory.places[QUAD_BLOCKS[block]]
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
  const { grid, options, stride, rows } = layout
  writeRecord(new DataView(buffer), HEADER_AT, SURFACE_RECORDS.Header, memory.places.Header, {
    stride,
    rows,
    words: memory.words,
    dx: grid.cellSizeM,
    dry: options.dryDepthM,
    cfl: options.cfl,
    froude: Math.min(options.froudeLimit, 1e15),
    ...memory.at,
  })

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

function fillEdges(layout: Layout, { at, places }: SurfaceMemory, buffer: ArrayBufferLike): void {
  const view = new DataView(buffer)
  const starts = new Int32Array(buffer, at.edgeRows, layout.rows + 2)
  const address = (i: number, field: 'shallow' | 'qx' | 'qy') =>
    at.quads + (i >> 2) * places.Quad.bytes + places.Quad.at[field] + (i & 3) * 4
  let row = 0
  layout.edges.forEach(({ face, cell, vertical, factor, sign }, k) => {
    const own = Math.floor(face / layout.stride)
    while (row <= own) starts[row++] = k
    writeRecord(view, at.edges + k * places.Edge.bytes, SURFACE_RECORDS.Edge, places.Edge, {
      depth: address(cell, 'shallow'),
      face: address(face, vertical ? 'qy' : 'qx'),
      factor,
      sign,
    })
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
  { at, places }: SurfaceMemory,
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
  const view = new DataView(buffer)
  const starts = new Int32Array(buffer, at.drainRows, layout.rows + 1).fill(0)
  for (const [k, drain] of drains.entries()) {
    const { index, outlet, crestM, freeWeir, submergedWeir, orifice, fullM } = drain
    writeRecord(view, at.drains + k * places.Drain.bytes, SURFACE_RECORDS.Drain, places.Drain, {
      cell: index,
      outlet,
      crest: crestM,
      freeWeir,
    })
    writeRecord(view, at.inlets + k * places.Inlet.bytes, SURFACE_RECORDS.Inlet, places.Inlet, {
      submergedWeir,
      orifice,
      full: fullM,
    })
    starts[Math.floor(index / layout.stride) + 1]++
  }
  for (let row = 0; row < layout.rows; row++) starts[row + 1] += starts[row]
  return {
    headsM: new Float64Array(buffer, at.heads, outlets),
    takenM: new Float64Array(buffer, at.taken, drains.length),
  }
}
