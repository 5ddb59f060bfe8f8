import type { SewerNetwork } from '@radx/contracts'
import type { ConduitSections } from '../network/conduit-sections.ts'
import type { SewerPlan } from '../network/plan.ts'
import type { Room } from '../network/room.ts'

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
  /** Water of the node's own shape and ponded, m3, now and at the step's start. */
  own: Float64Array
  oldOwn: Float64Array
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
  // Devices.
  deviceFlow: Float64Array
  oldDeviceFlow: Float64Array
}

export function explicitArrays(room: Room, nodes: number, conduits: number, devices: number): ExplicitArrays {
  const n = () => room.f64(nodes)
  const c = () => room.f64(conduits)
  return {
    ...{ head: n(), depth: n(), oldDepth: n(), surface: n(), openSurface: n(), inflow: n(), outflow: n() },
    ...{
      oldNet: n(),
      sampled: n(),
      lateral: n(),
      slopes: n(),
      overflow: n(),
      rise: n(),
      own: n(),
      oldOwn: n(),
    },
    settled: room.u8(nodes),
    ...{
      flow: c(),
      oldFlow: c(),
      area: c(),
      oldArea: c(),
      endArea: c(),
      middle: c(),
      square: c(),
      wave: c(),
    },
    ...{ slope: c(), fromSurface: c(), toSurface: c(), loss: c(), oldLoss: c() },
    open: room.u8(conduits).fill(1),
    deviceFlow: room.f64(devices),
    oldDeviceFlow: room.f64(devices),
  }
}

/** What a part of the explicit scheme is made with. */
export interface ExplicitInput {
  network: SewerNetwork
  plan: SewerPlan
  sections: ConduitSections
  arrays: ExplicitArrays
}
