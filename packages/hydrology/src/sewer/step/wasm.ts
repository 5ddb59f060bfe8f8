import { TABLE_INTERVALS, TABLE_STRIDE } from '../sections/section-table.ts'
import { createBalances } from './balances.ts'
import { createState, emptyPart, type KernelInput, type Room, type SewerKernel } from './kernel.ts'

/** The layout of assembly/sewer/memory.ts, bytes. */
const CONDUIT_BYTES = 208
const TABLE_HEAD_BYTES = 32
const NODE_BYTES = 32
const ROW_BYTES = 16
/** 28 arrays of 8 bytes a reach, and some to spare. */
const REACH_BYTES = 40 * 8
const HEADER_AT = 1024
const HEADER_WORDS = 32
const PAGE = 65536

const FLAG = {
  closed: 1,
  lossy: 2,
  atOutfall: 4,
  forceMain: 8,
  flapAlong: 16,
  flapAgainst: 32,
  limited: 64,
  culvert: 128,
}
const OPTION = { slot: 1, dampNone: 2, dampFull: 4, capBySlope: 8, capByFroude: 16, implicit: 32 }

interface Exports {
  bind(header: number): void
  bindReaches(header: number): void
  addReaches(heads: number): void
  prepare(dt: number, heads: number, conduits: number, count: number): void
  stored(heads: number, wanted: number, nodes: number, count: number): void
  flows(dt: number, heads: number, conduits: number, count: number): void
  openBalances(nodes: number, count: number, toleranceM: number, hopelessM: number): number
  move(heads: number, nodes: number, count: number): void
}

/** The compiled inner loops (assembly/sewer). All heads given to them must be arrays of their state. */
export function createWasmKernel(input: KernelInput, wasm: BufferSource): SewerKernel {
  const { plan, sections } = input
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytesOf(input) / PAGE) })
  const room = createRoom(memory.buffer)
  const { unknowns, elimination } = plan
  const state = createState(plan, room, {
    diagonal: room.f64(unknowns),
    vector: room.f64(unknowns),
    upper: room.f64(elimination.pairs),
    lower: room.f64(elimination.pairs),
  })
  const copy = (values: Int32Array) => {
    const there = room.i32(values.length)
    there.set(values)
    return there
  }
  const header = [
    optionFlags(input),
    8 * unknowns,
    ...[
      layOutConduits(input, room),
      layOutNodes(input, room),
      state.flow,
      state.area,
      state.lastStepS,
      state.nextArea,
      state.depth,
      state.endDepth,
      state.conduitFlow,
      state.meanFlow,
      state.open,
      state.canLeave,
      state.outfallGate,
      state.floodLevel,
      state.floodArea,
      state.vector,
      state.diagonal,
      state.upper,
      state.lower,
      room.f64(unknowns),
      copy(elimination.start),
      copy(elimination.partner),
      copy(elimination.updateStart),
      copy(elimination.update),
    ].map(({ byteOffset }) => byteOffset),
  ]
  new Int32Array(memory.buffer, HEADER_AT, HEADER_WORDS).set(header)
  const { slotArea, forceMain, inletFlow, inletSlope } = sections
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(wasm), {
    env: { memory, slotArea, forceMain, inletFlow, inletSlope },
  })
  const { bind, bindReaches, addReaches, prepare, stored, flows, openBalances, move } =
    exports as unknown as Exports
  bind(HEADER_AT)
  const reference = createBalances(plan, state)
  return {
    state,
    room,
    compileReaches(count, arrays) {
      const words = room.i32(1 + arrays.length)
      words.set([count, ...arrays.map(({ byteOffset }) => byteOffset)])
      bindReaches(words.byteOffset)
      return (heads) => addReaches(heads.byteOffset)
    },
    part: () => emptyPart(room, plan),
    prepare: (dt, heads, { conduits, conduitCount }) =>
      prepare(dt, heads.byteOffset, conduits.byteOffset, conduitCount),
    stored(heads, wanted, part, outer) {
      // Nested Newton is rare.
      if (outer) reference.stored(heads, wanted, part, outer)
      else stored(heads.byteOffset, wanted.byteOffset, part.nodes.byteOffset, part.nodeCount)
    },
    flows: (dt, heads, { conduits, conduitCount }) =>
      flows(dt, heads.byteOffset, conduits.byteOffset, conduitCount),
    openBalances: ({ nodes, nodeCount }, toleranceM, hopelessM) =>
      openBalances(nodes.byteOffset, nodeCount, toleranceM, hopelessM),
    move: (heads, { nodes, nodeCount }) => move(heads.byteOffset, nodes.byteOffset, nodeCount),
  }
}

/** Room enough for all that is laid out, each array beginning on a cache line. */
function bytesOf({ plan, sections }: KernelInput): number {
  const { conduits, nodeOf, volumes, elimination, reaches } = plan
  const arrays = 160 * 64
  const tables =
    sections.tables.length * (TABLE_HEAD_BYTES + (TABLE_INTERVALS + 2) * (TABLE_STRIDE + 1) * 8 + 64)
  const matrix = elimination.pairs * 32 + elimination.update.length * 4
  return (
    HEADER_AT +
    HEADER_WORDS * 4 +
    arrays +
    tables +
    matrix +
    reaches.length * REACH_BYTES +
    sections.tables.length * (TABLE_INTERVALS + 1) * 8 +
    conduits.count * (CONDUIT_BYTES + 18 * 8) +
    nodeOf.length * (NODE_BYTES + 27 * 8) +
    (volumes.rows.length / 4) * ROW_BYTES
  )
}

function createRoom(buffer: ArrayBuffer): Room {
  let next = HEADER_AT + HEADER_WORDS * 4
  const take = (bytes: number) => {
    const at = Math.ceil(next / 64) * 64
    next = at + bytes
    return at
  }
  return {
    f64: (count) => new Float64Array(buffer, take(8 * count), count),
    i32: (count) => new Int32Array(buffer, take(4 * count), count),
    u8: (count) => new Uint8Array(buffer, take(count), count),
  }
}

function optionFlags({ options, implicit }: KernelInput): number {
  const { surchargeMethod, inertialDamping, normalFlowLimited } = options
  let flags = implicit ? OPTION.implicit : 0
  if (surchargeMethod === 'SLOT') flags |= OPTION.slot
  if (inertialDamping === 'NONE') flags |= OPTION.dampNone
  if (inertialDamping === 'FULL') flags |= OPTION.dampFull
  if (normalFlowLimited === 'SLOPE' || normalFlowLimited === 'BOTH') flags |= OPTION.capBySlope
  if (normalFlowLimited === 'FROUDE' || normalFlowLimited === 'BOTH') flags |= OPTION.capByFroude
  return flags
}

function layOutConduits(input: KernelInput, room: Room): Float64Array {
  const { plan, sections } = input
  const { conduits, conduitPair, invert, unknowns } = plan
  const { from, to } = conduits
  const tables = layOutTables(input, room)
  const records = room.f64((conduits.count * CONDUIT_BYTES) / 8)
  const words = new Int32Array(records.buffer, records.byteOffset, records.length * 2)
  for (let c = 0; c < conduits.count; c++) {
    const at = (c * CONDUIT_BYTES) / 8
    let flags = 0
    if (sections.closed[c] === 1) flags |= FLAG.closed
    if (conduits.lossIn[c] + conduits.lossOut[c] + conduits.lossMean[c] > 0) flags |= FLAG.lossy
    if (from[c] >= unknowns || to[c] >= unknowns) flags |= FLAG.atOutfall
    if (conduits.forceMain[c] > 0) flags |= FLAG.forceMain
    if (conduits.flapGate[c] === 1) flags |= conduits.direction[c] > 0 ? FLAG.flapAlong : FLAG.flapAgainst
    if (conduits.maxFlow[c] > 0) flags |= FLAG.limited
    if (conduits.inlets[c] !== null) flags |= FLAG.culvert
    words.set([8 * from[c], 8 * to[c], conduitPair[c] < 0 ? -1 : 8 * conduitPair[c], flags], 2 * at)
    records[at + 2] = conduits.barrels[c]
    records.set(
      [
        conduits.fromInvert[c],
        conduits.toInvert[c],
        sections.fullDepth[c],
        sections.perMetre[c],
        conduits.fromInvert[c] - invert[from[c]],
        conduits.toInvert[c] - invert[to[c]],
        conduits.friction[c],
        1 / conduits.length[c],
        conduits.beta[c],
        conduits.length[c],
        conduits.maxFlow[c],
        conduits.lossIn[c],
        conduits.lossOut[c],
        conduits.lossMean[c],
      ],
      at + 9,
    )
    words[2 * (at + 23)] = tables[sections.tableOf[c]]
  }
  return records
}

/** @returns the address of each table */
function layOutTables({ sections }: KernelInput, room: Room): number[] {
  return sections.tables.map((table) => {
    const { rows, critical } = table
    const values = room.f64(TABLE_HEAD_BYTES / 8 + rows.length + TABLE_STRIDE + critical.length)
    values[0] = table.stepM
    values[1] = table.fullDepthM
    new Int32Array(values.buffer, values.byteOffset + 16, 2).set([table.maxFactorRow, table.criticalLast])
    values.set(rows, TABLE_HEAD_BYTES / 8)
    // The last row twice.
    values.set(rows.subarray(-TABLE_STRIDE), TABLE_HEAD_BYTES / 8 + rows.length)
    values.set(critical, TABLE_HEAD_BYTES / 8 + rows.length + TABLE_STRIDE)
    return values.byteOffset
  })
}

function layOutNodes({ plan }: KernelInput, room: Room): Float64Array {
  const { invert, unknowns, volumes } = plan
  const rows = room.f64(volumes.rows.length / 2)
  for (let i = 0; i < volumes.rows.length / 4; i++) {
    rows[2 * i] = volumes.rows[4 * i]
    rows[2 * i + 1] = volumes.rows[4 * i + 1]
  }
  const records = room.f64((invert.length * NODE_BYTES) / 8)
  const words = new Int32Array(records.buffer, records.byteOffset, records.length * 2)
  for (let k = 0; k < invert.length; k++) {
    const at = (k * NODE_BYTES) / 8
    records[at] = invert[k]
    if (k >= unknowns) continue
    records[at + 1] = volumes.perMetre[k]
    records[at + 2] = 1 / volumes.perMetre[k]
    words[2 * at + 6] = rows.byteOffset + (volumes.first[k] / 4) * ROW_BYTES
    words[2 * at + 7] = volumes.intervals[k]
  }
  return records
}
