import { linkKernel, writeField, writeRecord } from '../../records.ts'
import { ALIGNMENT, type KernelRoom, type Room, roomIn } from '../network/room.ts'
import { placeSections, sectionBytes } from '../network/section-memory.ts'
import { HAZEN_POWER } from '../sections/friction.ts'
import { POWER_BYTES, powerTable } from '../sections/power.ts'
import { widthAbove } from '../sections/section-table.ts'
import type { Observer, SewerObservers } from '../types.ts'
import { arrayBytes, type ExplicitInput } from './arrays.ts'
import { explicitFacts, optionsOf } from './facts.ts'
import { observedBytes } from './observed.ts'
import { EXPLICIT_RECORDS, FIGURES, NODE_FIGURES, OPTIONS, SHARED_ARRAYS, TRAITS } from './records.ts'
import { maxTrialsOf, type Scheme, type SchemeParts, toleranceOf } from './scheme.ts'
import { courantOf } from './step-length.ts'
import { TANK_ROW, tankBytes } from './tanks.ts'

const ROOM_AT = 1024
const PAGE = 65536

interface Exports extends Scheme {
  bindExplicit(header: number): void
  bindPeaks(at: number): void
  bindStatistics(at: number): void
  observePeaks(dt: number, timeS: number): void
  observeStatistics(dt: number, timeS: number): void
}

/** The compiled loops of the explicit scheme (assembly/explicit), before they know the arrays. */
export interface ExplicitLoops {
  /** Where the arrays must lie. */
  room: Room
  scheme(input: ExplicitInput, parts: SchemeParts): Scheme
  /** @param timeS where the step that is shown ended */
  observers(timeS: () => number): SewerObservers
}

type Places = ReturnType<typeof linkKernel<typeof EXPLICIT_RECORDS>>['places']

/** The kernel's memory while it is laid out. */
interface Layout {
  room: KernelRoom
  view: DataView
  places: Places
}

/** @throws HydrologyError `sewer.stale` when the kernel is not of these sources */
export function linkExplicit(
  { network, plan, sections }: Omit<ExplicitInput, 'arrays'>,
  wasm: BufferSource,
): ExplicitLoops {
  const memory = new WebAssembly.Memory({ initial: 1 })
  let parts: SchemeParts | undefined
  const { tables } = plan.conduits
  const { slotArea, forceMain, inletFlow } = sections
  const env = {
    ...{ memory, slotArea, forceMain, inletFlow },
    devices: (dt: number, trial: number) => parts?.devices.trial(dt, trial),
    tankArea: (p: number, depthM: number) => parts?.nodes.shapes[p].area(depthM),
    tankVolume: (p: number, depthM: number) => parts?.nodes.shapes[p].volume(depthM),
    slotWidth: (c: number, depthM: number) => widthAbove(tables[c], depthM),
    exponential: Math.exp,
  }
  const kernel = linkKernel(wasm, env, EXPLICIT_RECORDS, 'sewer.stale')
  const exports = kernel.exports as unknown as Exports
  const { places } = kernel
  const sizes = [network.nodes.length, network.links.length] as const
  const bytes =
    ROOM_AT +
    8 * ALIGNMENT +
    POWER_BYTES +
    places.ExplicitHeader.bytes +
    sections.tables.length * sectionBytes(places) +
    plan.conduits.count * places.ExplicitConduit.bytes +
    network.nodes.length * places.ExplicitNode.bytes +
    arrayBytes(...sizes) +
    tankBytes(network) +
    observedBytes(...sizes)
  memory.grow(Math.ceil(bytes / PAGE))
  const layout = { room: roomIn(memory.buffer, ROOM_AT), view: new DataView(memory.buffer), places }
  return {
    room: layout.room,
    scheme(input, given) {
      parts = given
      exports.bindExplicit(layOutHeader(layout, input, given))
      const { enter, advance, stableStep, forget, publish } = exports
      return { enter, advance, stableStep, forget, publish }
    },
    observers: (timeS) => ({
      peaks: once(layout, 'PeakArrays', exports.bindPeaks, (dt) => exports.observePeaks(dt, timeS())),
      statistics: once(layout, 'StatisticArrays', exports.bindStatistics, (dt) =>
        exports.observeStatistics(dt, timeS()),
      ),
    }),
  }
}

/** An observer for the first who asks: the kernel has one set of arrays of each. */
function once<N extends string>(
  { room, view, places }: Layout,
  record: 'PeakArrays' | 'StatisticArrays',
  bind: (at: number) => void,
  observe: (dtS: number) => void,
): () => Observer<N> | null {
  let taken = false
  return () => {
    if (taken) return null
    taken = true
    return {
      room,
      bind(arrays) {
        const place = places[record]
        const at = room.take(place.bytes)
        const names = Object.keys(place.at) as N[]
        const addresses = names.map((name) => [name, arrays[name].byteOffset])
        writeRecord(view, at, EXPLICIT_RECORDS[record], place, Object.fromEntries(addresses))
        bind(at)
        return observe
      },
    }
  }
}

/** @returns the header's address */
function layOutHeader(layout: Layout, input: ExplicitInput, parts: SchemeParts): number {
  const { room, view, places } = layout
  const { network, plan, arrays } = input
  const options = optionsOf(input)
  const hazen = powerTable(HAZEN_POWER)
  const at = room.take(places.ExplicitHeader.bytes)
  writeRecord(view, at, EXPLICIT_RECORDS.ExplicitHeader, places.ExplicitHeader, {
    unknowns: plan.unknowns,
    nodeCount: network.nodes.length,
    conduitCount: plan.conduits.count,
    linkCount: network.links.length,
    deviceCount: plan.devices.length,
    maxTrials: maxTrialsOf(input),
    ...Object.fromEntries(OPTIONS.map((name) => [name, options[name] ? 1 : 0])),
    seeping: plan.conduits.seepage.some((speed) => speed > 0) ? 1 : 0,
    toleranceM: toleranceOf(input),
    leastSurface: network.options.minSurfaceAreaM2,
    longestStepS: network.options.routingStepS,
    courant: courantOf(network.options),
    hazenPower: HAZEN_POWER,
    hazenScales: placed(room, hazen.scales),
    hazenMiddles: placed(room, hazen.middles),
    nodes: layOutNodes(layout, parts),
    conduits: layOutConduits(layout, input),
    ...Object.fromEntries(SHARED_ARRAYS.map((name) => [name, arrays[name].byteOffset])),
  })
  return at
}

/** @returns the address of the first node */
function layOutNodes({ room, view, places }: Layout, { nodes }: SchemeParts): number {
  const place = places.ExplicitNode
  const at = room.take(place.bytes * nodes.tank.length)
  const write = (name: keyof typeof EXPLICIT_RECORDS.ExplicitNode, values: ArrayLike<number>) =>
    writeField(view, at, EXPLICIT_RECORDS.ExplicitNode, place, name, values)
  for (const name of ['tank', 'terminal', ...NODE_FIGURES] as const) write(name, nodes[name])
  const { shapes } = nodes
  for (const name of ['a0', 'a1', 'a2'] as const)
    write(
      name,
      shapes.map((shape) => shape[name]),
    )
  write(
    'shape',
    shapes.map(({ kind }) => kind),
  )
  write(
    'rowCount',
    shapes.map(({ rows }) => rows.length / TANK_ROW),
  )
  write(
    'rows',
    shapes.map(({ rows }) => (rows.length > 0 ? placed(room, rows) : 0)),
  )
  return at
}

/** Puts numbers into the kernel's memory. @returns their address */
function placed(room: Room, values: Float64Array): number {
  const array = room.f64(values.length)
  array.set(values)
  return array.byteOffset
}

/** @returns the address of the first conduit */
function layOutConduits(layout: Layout, input: ExplicitInput): number {
  const { room, view, places } = layout
  const { from, to, count } = input.plan.conduits
  const facts = explicitFacts(input)
  const tables = placeSections(input.sections, room, view, places)
  const place = places.ExplicitConduit
  const at = room.take(place.bytes * count)
  const write = (name: keyof typeof EXPLICIT_RECORDS.ExplicitConduit, values: ArrayLike<number>) =>
    writeField(view, at, EXPLICIT_RECORDS.ExplicitConduit, place, name, values)
  write('from', from)
  write('to', to)
  write(
    'table',
    Array.from(input.sections.tableOf, (table) => tables[table]),
  )
  for (const name of [...TRAITS, ...FIGURES]) write(name, facts[name])
  return at
}
