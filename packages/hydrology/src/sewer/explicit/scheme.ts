import type { ExplicitInput } from './arrays.ts'
import { type ConduitFlows, createConduitFlows } from './conduits.ts'
import { createDeviceFlows, type DeviceFlows } from './devices.ts'
import { DEFAULTS } from './limits.ts'
import { createNodeDepths, type NodeDepths } from './nodes.ts'

export interface Scheme {
  conduits: ConduitFlows
  devices: DeviceFlows
  nodes: NodeDepths
  /** Makes a step by trials, each from the heads of the one before. @returns trials made, negative where the last ones still differ */
  step(dt: number, setOutfalls: () => void): number
}

export function createScheme(input: ExplicitInput): Scheme {
  const { network, plan, arrays } = input
  const { conduits, devices, positionOf } = plan
  const flows = createConduitFlows(input)
  const regulators = createDeviceFlows(input)
  const nodes = createNodeDepths(input)
  const maxTrials = network.options.maxTrials ?? DEFAULTS.maxTrials
  const toleranceM = network.options.headToleranceM ?? DEFAULTS.headToleranceM
  const { inflow, outflow, surface, slopes, settled, bypassed, deviceBypassed } = arrays
  const from = Int32Array.from(devices, (i) => positionOf[network.links[i].from])
  const to = Int32Array.from(devices, (i) => positionOf[network.links[i].to])

  /** What conduits bring to their nodes. */
  const gather = () => {
    const { flow, slope, fromSurface, toSurface, loss } = arrays
    for (let c = 0; c < conduits.count; c++) {
      const a = conduits.from[c]
      const b = conduits.to[c]
      const q = flow[c] * conduits.barrels[c]
      if (q >= 0) {
        outflow[a] += q
        inflow[b] += q
      } else {
        inflow[a] -= q
        outflow[b] -= q
      }
      surface[a] += fromSurface[c]
      surface[b] += toSurface[c]
      slopes[a] += slope[c]
      slopes[b] += slope[c]
      if (loss[c] > 0) lose(a, b, loss[c])
    }
  }

  /** Takes seepage out of the ends that are no outfalls. */
  const lose = (a: number, b: number, loss: number) => {
    const { unknowns } = plan
    const each = a < unknowns && b < unknowns ? loss / 2 : loss
    if (a < unknowns) outflow[a] += each
    if (b < unknowns) outflow[b] += each
  }

  const bypass = () => {
    for (let c = 0; c < conduits.count; c++) bypassed[c] = settled[conduits.from[c]] & settled[conduits.to[c]]
    for (let k = 0; k < devices.length; k++) deviceBypassed[k] = settled[from[k]] & settled[to[k]]
  }

  return {
    conduits: flows,
    devices: regulators,
    nodes,
    step(dt, setOutfalls) {
      settled.fill(0)
      bypassed.fill(0)
      deviceBypassed.fill(0)
      for (let i = 0; i < maxTrials; i++) {
        nodes.begin()
        flows.trial(dt, i === 0)
        gather()
        for (let k = 0; k < devices.length; k++) regulators.trial(k, dt, i === 0)
        setOutfalls()
        const all = nodes.trial(dt, i === 0, toleranceM)
        if (i === 0) continue
        if (all) return i + 1
        bypass()
      }
      return -maxTrials
    },
  }
}
