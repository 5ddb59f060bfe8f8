import { linkKernel, writeField, writeRecord } from '../../records.ts'
import type { StateVisitor } from '../../state/state.ts'
import { REACH_ENDS, REACH_FIGURES, REACH_STATE, type ReachArrays } from '../network/reach-arrays.ts'
import { ALIGNMENT, roomIn } from '../network/room.ts'
import { placeSections, sectionBytes } from '../network/section-memory.ts'
import { TABLE_INTERVALS } from '../sections/section-table.ts'
import { createBalances } from './balances.ts'
import { conduitFacts, schemeOptions } from './conduit-facts.ts'
import { createState, emptyPart, type KernelInput, type SewerKernel, type SewerState } from './kernel.ts'
import {
  CONDUIT_FIGURES,
  CONDUIT_TRAITS,
  ELIMINATION_ARRAYS,
  OPTIONS,
  SEWER_RECORDS,
  STATE_ARRAYS,
  STEP_ARRAYS,
} from './records.ts'
import { addressesOf, type Layout, type SewerPlaces } from './wasm-layout.ts'
import { compileSteps, type StepExports } from './wasm-steps.ts'

const ROOM_AT = 1024
const PAGE = 65536

interface Exports extends StepExports {
  bind(header: number): void
  bindReaches(header: number): void
  startReaches(heads: number, volume: number): void
  updateReaches(heads: number, volume: number): void
  addReaches(heads: number): void
  prepare(dt: number, heads: number, conduits: number, count: number): void
  stored(heads: number, wanted: number, nodes: number, count: number): void
  flows(dt: number, heads: number, conduits: number, count: number): void
  openBalances(nodes: number, count: number, toleranceM: number, hopelessM: number): number
  move(heads: number, nodes: number, count: number): void
}

/**
 * The compiled inner loops (assembly/sewer). All heads given to them must be arrays of their state.
 *
 * @throws HydrologyError `sewer.stale` when the kernel is not of these sources
 */
export function createWasmKernel(input: KernelInput, wasm: BufferSource): SewerKernel {
  const { plan, sections } = input
  const { slotArea, forceMain, inletFlow, inletSlope } = sections
  const memory = new WebAssembly.Memory({ initial: 1 })
  const env = { memory, slotArea, forceMain, inletFlow, inletSlope }
  const kernel = linkKernel(wasm, env, SEWER_RECORDS, 'sewer.stale')
  const exports = kernel.exports as unknown as Exports
  memory.grow(Math.ceil(bytesOf(input, kernel.places) / PAGE))
  const layout = createLayout(input, memory.buffer, kernel.places)
  const { room } = layout
  const state = layOutState(layout)
  exports.bind(layOutHeader(layout, state))
  const reference = createBalances(plan, state)
  return {
    state,
    room,
    compileReaches(arrays) {
      const { header, first } = layOutReaches(layout, arrays)
      exports.bindReaches(header)
      return {
        start: (heads, volume) => exports.startReaches(heads.byteOffset, volume.byteOffset),
        update: (heads, _, volume) => exports.updateReaches(heads.byteOffset, volume.byteOffset),
        add: (heads) => exports.addReaches(heads.byteOffset),
        visit: (state) => visitReaches(state, layout, first, arrays.from.length),
      }
    },
    compileSteps: (input) => compileSteps(layout, state, input, exports),
    part: () => emptyPart(room, plan),
    prepare: (dt, heads, { conduits, conduitCount }) =>
      exports.prepare(dt, heads.byteOffset, conduits.byteOffset, conduitCount),
    stored(heads, wanted, part, outer) {
      // Nested Newton is rare.
      if (outer) reference.stored(heads, wanted, part, outer)
      else exports.stored(heads.byteOffset, wanted.byteOffset, part.nodes.byteOffset, part.nodeCount)
    },
    flows: (dt, heads, { conduits, conduitCount }) =>
      exports.flows(dt, heads.byteOffset, conduits.byteOffset, conduitCount),
    openBalances: ({ nodes, nodeCount }, toleranceM, hopelessM) =>
      exports.openBalances(nodes.byteOffset, nodeCount, toleranceM, hopelessM),
    move: (heads, { nodes, nodeCount }) => exports.move(heads.byteOffset, nodes.byteOffset, nodeCount),
  }
}

/** Room enough for all that is laid out; what is never written costs none. */
function bytesOf({ plan, sections }: KernelInput, places: SewerPlaces): number {
  const { conduits, nodeOf, volumes, elimination, reaches } = plan
  const arrays = STATE_ARRAYS.length + ELIMINATION_ARRAYS.length + STEP_ARRAYS.length
  const table = sectionBytes(places)
  return (
    ROOM_AT +
    // State and parts, those of the refinement too, are about as many arrays again.
    (4 * arrays + Object.keys(SEWER_RECORDS).length) * ALIGNMENT +
    places.SewerHeader.bytes +
    places.ReachHeader.bytes +
    places.StepHeader.bytes +
    sections.tables.length * table +
    elimination.pairs * 32 +
    elimination.update.length * 4 +
    reaches.length * places.Reach.bytes +
    // Areas of the reaches' sections and sums of the slot.
    (sections.tables.length + 1) * ((TABLE_INTERVALS + 1) * 8 + ALIGNMENT) +
    conduits.count * (places.Conduit.bytes + 22 * 8) +
    // Links that are no conduits have a room of their own in one array.
    plan.sections.length * 8 +
    nodeOf.length * (places.Node.bytes + 39 * 8) +
    (volumes.rows.length / 4) * places.VolumeRow.bytes
  )
}

function createLayout(input: KernelInput, buffer: ArrayBuffer, places: SewerPlaces): Layout {
  const room = roomIn(buffer, ROOM_AT)
  return {
    input,
    places,
    view: new DataView(buffer),
    room,
    records: (name, count) => room.take(places[name].bytes * count),
  }
}

function layOutState({ input: { plan }, room }: Layout): SewerState {
  const { unknowns, elimination } = plan
  return createState(plan, room, {
    diagonal: room.f64(unknowns),
    vector: room.f64(unknowns),
    upper: room.f64(elimination.pairs),
    lower: room.f64(elimination.pairs),
  })
}

/** @returns the header's address */
function layOutHeader(layout: Layout, state: SewerState): number {
  const { input, room, view, places, records } = layout
  const { unknowns, elimination } = input.plan
  const options = schemeOptions(input)
  const copies = Object.fromEntries(
    ELIMINATION_ARRAYS.map((name) => {
      const copy = room.i32(elimination[name].length)
      copy.set(elimination[name])
      return [name, copy]
    }),
  ) as Record<(typeof ELIMINATION_ARRAYS)[number], Int32Array>
  const at = records('SewerHeader', 1)
  writeRecord(view, at, SEWER_RECORDS.SewerHeader, places.SewerHeader, {
    unknowns,
    ...Object.fromEntries(OPTIONS.map((name) => [name, options[name] ? 1 : 0])),
    theta: options.theta,
    thetaFull: options.thetaFull,
    conduits: layOutConduits(layout),
    nodes: layOutNodes(layout),
    inverses: room.f64(unknowns).byteOffset,
    ...addressesOf(STATE_ARRAYS, state),
    ...addressesOf(ELIMINATION_ARRAYS, copies),
  })
  return at
}

/** @returns addresses of the header and of the first reach */
function layOutReaches({ room, view, places, records }: Layout, arrays: ReachArrays) {
  const copy = (values: Float64Array) => {
    const there = room.f64(values.length)
    there.set(values)
    return there.byteOffset
  }
  const count = arrays.from.length
  const areas = copy(arrays.areas)
  const first = records('Reach', count)
  const write = (field: keyof typeof SEWER_RECORDS.Reach, values: ArrayLike<number>) =>
    writeField(view, first, SEWER_RECORDS.Reach, places.Reach, field, values)
  for (const name of [...REACH_ENDS, ...REACH_FIGURES]) write(name, arrays[name])
  write(
    'areas',
    arrays.firstArea.map((index) => areas + 8 * index),
  )
  const at = records('ReachHeader', 1)
  writeRecord(view, at, SEWER_RECORDS.ReachHeader, places.ReachHeader, {
    ...{ count, reaches: first },
    slotSums: copy(arrays.slotSums),
  })
  return { header: at, first }
}

/** The reaches' state, which stands in their records; under the names that the arrays have it by. */
function visitReaches(state: StateVisitor, { view, places }: Layout, first: number, count: number): void {
  const { bytes, at } = places.Reach
  const records = Array.from({ length: count }, (_, i) => first + i * bytes)
  for (const name of REACH_STATE)
    state.column(
      name,
      records,
      (record) => view.getFloat64(record + at[name], true),
      (record, value) => view.setFloat64(record + at[name], value, true),
    )
}

/** @returns the address of the first conduit */
function layOutConduits(layout: Layout): number {
  const { input, view, places, records } = layout
  const { plan, sections } = input
  const { from, to, count } = plan.conduits
  const facts = conduitFacts(input)
  const tables = placeSections(sections, layout.room, view, places)
  const at = records('Conduit', count)
  const write = (field: keyof typeof SEWER_RECORDS.Conduit, values: ArrayLike<number>) =>
    writeField(view, at, SEWER_RECORDS.Conduit, places.Conduit, field, values)
  write('from', from)
  write('to', to)
  write('pair', plan.conduitPair)
  write(
    'table',
    Array.from(sections.tableOf, (table) => tables[table]),
  )
  for (const name of [...CONDUIT_TRAITS, ...CONDUIT_FIGURES]) write(name, facts[name])
  return at
}

/** @returns the address of the first node */
function layOutNodes({ input: { plan }, view, places, records }: Layout): number {
  const { invert, volumes } = plan
  const { perMetre, intervals, first } = volumes
  const rowCount = volumes.rows.length / 4
  const rows = records('VolumeRow', rowCount)
  for (const [column, field] of (['volume', 'surface'] as const).entries()) {
    const values = Array.from({ length: rowCount }, (_, i) => volumes.rows[4 * i + column])
    writeField(view, rows, SEWER_RECORDS.VolumeRow, places.VolumeRow, field, values)
  }
  const at = records('Node', invert.length)
  const write = (field: keyof typeof SEWER_RECORDS.Node, values: ArrayLike<number>) =>
    writeField(view, at, SEWER_RECORDS.Node, places.Node, field, values)
  write('invert', invert)
  write('perMetre', perMetre)
  write(
    'metres',
    perMetre.map((rowsPerMetre) => 1 / rowsPerMetre),
  )
  write(
    'rows',
    Array.from(first, (value) => rows + (value / 4) * places.VolumeRow.bytes),
  )
  write('intervals', intervals)
  return at
}
