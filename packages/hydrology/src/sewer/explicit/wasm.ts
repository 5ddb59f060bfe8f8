import { linkKernel, writeField, writeRecord } from '../../records.ts'
import { ALIGNMENT, type KernelRoom, type Room, roomIn } from '../network/room.ts'
import { placeSections, sectionBytes } from '../network/section-memory.ts'
import { slotWidth } from '../sections/section-table.ts'
import type { ExplicitInput } from './arrays.ts'
import { explicitFacts, optionsOf } from './facts.ts'
import { EXPLICIT_RECORDS, FIGURES, NODE_FIGURES, OPTIONS, SHARED_ARRAYS, TRAITS } from './records.ts'
import { maxTrialsOf, type Scheme, type SchemeParts, toleranceOf } from './scheme.ts'
import { courantOf } from './step-length.ts'

const ROOM_AT = 1024
const PAGE = 65536

interface Exports {
  bindExplicit(header: number): void
  step(dt: number): number
  stableStep(): number
}

/** The compiled loops of the explicit scheme (assembly/explicit), before they know the arrays. */
export interface ExplicitLoops {
  /** Where the arrays must lie. */
  room: Room
  scheme(input: ExplicitInput, parts: SchemeParts): Scheme
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
    outfalls: () => parts?.setOutfalls(),
    tankArea: (p: number, depthM: number) => parts?.nodes.areaAt(p, depthM),
    tankVolume: (p: number, depthM: number) => parts?.nodes.ownAt(p, depthM),
    slotWidth: (c: number, depthM: number) => slotWidth(tables[c], depthM / sections.fullDepth[c]),
    exponential: Math.exp,
  }
  const kernel = linkKernel(wasm, env, EXPLICIT_RECORDS, 'sewer.stale')
  const exports = kernel.exports as unknown as Exports
  const { places } = kernel
  const bytes =
    ROOM_AT +
    (SHARED_ARRAYS.length + 10) * ALIGNMENT +
    places.ExplicitHeader.bytes +
    sections.tables.length * sectionBytes(places) +
    plan.conduits.count * (places.ExplicitConduit.bytes + SHARED_ARRAYS.length * 8) +
    network.nodes.length * (places.ExplicitNode.bytes + SHARED_ARRAYS.length * 8) +
    plan.devices.length * 16
  memory.grow(Math.ceil(bytes / PAGE))
  const layout = { room: roomIn(memory.buffer, ROOM_AT), view: new DataView(memory.buffer), places }
  return {
    room: layout.room,
    scheme(input, given) {
      parts = given
      exports.bindExplicit(layOutHeader(layout, input, given))
      return { step: exports.step, stableStep: exports.stableStep }
    },
  }
}

/** @returns the header's address */
function layOutHeader(layout: Layout, input: ExplicitInput, parts: SchemeParts): number {
  const { room, view, places } = layout
  const { network, plan, arrays } = input
  const options = optionsOf(input)
  const at = room.take(places.ExplicitHeader.bytes)
  writeRecord(view, at, EXPLICIT_RECORDS.ExplicitHeader, places.ExplicitHeader, {
    unknowns: plan.unknowns,
    nodeCount: network.nodes.length,
    conduitCount: plan.conduits.count,
    maxTrials: maxTrialsOf(input),
    ...Object.fromEntries(OPTIONS.map((name) => [name, options[name] ? 1 : 0])),
    devices: plan.devices.length > 0 ? 1 : 0,
    toleranceM: toleranceOf(input),
    leastSurface: network.options.minSurfaceAreaM2,
    longestStepS: network.options.routingStepS,
    courant: courantOf(network.options),
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
  for (const name of ['tank', 'terminal', ...NODE_FIGURES] as const)
    writeField(view, at, EXPLICIT_RECORDS.ExplicitNode, place, name, nodes[name])
  return at
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
