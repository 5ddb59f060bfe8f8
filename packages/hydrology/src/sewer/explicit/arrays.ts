import type { SewerNetwork } from '@radx/contracts'
import type { ConduitSections } from '../network/conduit-sections.ts'
import type { SewerPlan } from '../network/plan.ts'
import { ALIGNMENT, type Room } from '../network/room.ts'
import {
  CONDUIT_ARRAYS,
  DEVICE_ARRAYS,
  LINK_ARRAYS,
  NODE_ARRAYS,
  POSITION_ARRAYS,
  SHARED_ARRAYS,
} from './records.ts'

/** State of the explicit scheme; nodes by position of the plan, conduits by its order, devices by theirs. SI; flows of conduits a barrel. */
export interface ExplicitArrays {
  // Nodes.
  head: Float64Array
  depth: Float64Array
  oldDepth: Float64Array
  /** Surface that water stands with in the trial, and that of the last trial before the node was surcharged, m2. */
  surface: Float64Array
  openSurface: Float64Array
  /** What links bring and take in the trial, m3/s; what they brought net at the end of the last step. */
  inflow: Float64Array
  outflow: Float64Array
  oldNet: Float64Array
  /** What the file's inflows bring at the step's start, m3/s, counted in `inflow` and `outflow`; what comes besides, spread over the step. */
  sampled: Float64Array
  /** Flow from outside in the step besides, m3/s; sum of the links' dQ/dH, m2/s. */
  lateral: Float64Array
  slopes: Float64Array
  /** What leaves at the rim, m3/s; how far the depth moved in the step, m. */
  overflow: Float64Array
  rise: Float64Array
  settled: Uint8Array
  /** 1 for nodes that the trial takes in: from the third on those that moved in the one before, and their neighbours. */
  active: Uint8Array
  /** Water of the node's own shape and ponded, m3, now and at the step's start. */
  own: Float64Array
  oldOwn: Float64Array
  /** Water of each node and its share of the conduits, carried from the flows, m3. */
  carried: Float64Array
  /** Each one's node of the file. */
  nodeOf: Int32Array
  // Conduits.
  flow: Float64Array
  oldFlow: Float64Array
  /** Middle area, now and at the step's start, m2; mean of the ends' areas, m2; middle depth, m. */
  area: Float64Array
  oldArea: Float64Array
  endArea: Float64Array
  middle: Float64Array
  /** Froude number squared, as v^2 width over g area, m3/s2. */
  square: Float64Array
  wave: Float64Array
  /** dQ/dH of all barrels, m2/s; surface brought to the two ends by all, m2. */
  slope: Float64Array
  fromSurface: Float64Array
  toSurface: Float64Array
  /** Seepage of all barrels, m3/s, now and at the step's start. */
  loss: Float64Array
  oldLoss: Float64Array
  open: Uint8Array
  /** Each one's link of the file; -1 where it is solved against the link's direction, else 1; full area, m2. */
  linkOf: Int32Array
  direction: Float64Array
  fullAreas: Float64Array
  // Devices: their flows, links of the file and the positions of their nodes.
  deviceFlow: Float64Array
  oldDeviceFlow: Float64Array
  deviceLink: Int32Array
  deviceFrom: Int32Array
  deviceTo: Int32Array
  // Outfalls (`Outfalls`): rules by which their depths are found, and stages at the step's end, m.
  outfallKind: Int32Array
  outfallConduit: Int32Array
  outfallOffset: Float64Array
  stages: Float64Array
  // By node of the file: its inflows at the starts of this step and of the one before, m3/s, and what enters in the step, m3.
  rates: Float64Array
  oldRates: Float64Array
  entering: Float64Array
  // What the sewer shows (`Sewer`), by node and link of the file.
  heads: Float64Array
  depths: Float64Array
  volumes: Float64Array
  floodVolumes: Float64Array
  outfallVolumes: Float64Array
  lateralVolumes: Float64Array
  flows: Float64Array
  linkDepths: Float64Array
  velocities: Float64Array
  /** What entered, was flooded, left through outfalls, was lost and came back through outfalls since the start, m3. */
  sums: Float64Array
}

/** Bytes that the arrays take at most. */
export const arrayBytes = (nodes: number, links: number): number =>
  SHARED_ARRAYS.length * (8 * Math.max(nodes, links) + ALIGNMENT)

export function explicitArrays(room: Room, network: SewerNetwork, plan: SewerPlan): ExplicitArrays {
  const nodes = network.nodes.length
  const { count, link, direction, tables } = plan.conduits
  const devices = plan.devices.length
  const { links } = network
  const i32 = (values: ArrayLike<number>) => {
    const array = room.i32(values.length)
    array.set(values)
    return array
  }
  const arrays = {
    ...numbers(room, POSITION_ARRAYS, nodes),
    ...numbers(room, CONDUIT_ARRAYS, count),
    ...numbers(room, NODE_ARRAYS, nodes),
    ...numbers(room, LINK_ARRAYS, links.length),
    ...numbers(room, DEVICE_ARRAYS, devices),
    settled: room.u8(nodes),
    active: room.u8(nodes).fill(1),
    open: room.u8(count).fill(1),
    nodeOf: i32(plan.nodeOf),
    linkOf: i32(link),
    deviceLink: i32(plan.devices),
    deviceFrom: i32(plan.devices.map((i) => plan.positionOf[links[i].from])),
    deviceTo: i32(plan.devices.map((i) => plan.positionOf[links[i].to])),
    ...outfallArrays(room, plan.nodeOf.length - plan.unknowns),
    sums: room.f64(5),
  }
  arrays.direction.set(direction)
  arrays.fullAreas.set(tables.map(({ fullAreaM2 }) => fullAreaM2))
  return arrays
}

const outfallArrays = (room: Room, count: number) => ({
  outfallKind: room.i32(count),
  outfallConduit: room.i32(count),
  outfallOffset: room.f64(count),
  stages: room.f64(count),
})

function numbers<N extends string>(room: Room, names: readonly N[], count: number): Record<N, Float64Array> {
  return Object.fromEntries(names.map((name) => [name, room.f64(count)])) as Record<N, Float64Array>
}

/** What a part of the explicit scheme is made with. */
export interface ExplicitInput {
  network: SewerNetwork
  plan: SewerPlan
  sections: ConduitSections
  arrays: ExplicitArrays
}
