import type { SewerNetwork, SewerPump } from '@radx/contracts'
import type { SewerPlan } from '../network/plan.ts'
import { type DeviceLaw, deviceLaw, tableInterval, tableLookup } from './devices.ts'

/** Step of head with which a law's slope is taken, m. */
const PROBE_M = 1e-4
/** A pump's flow fades over the last of its well, m. */
const FADE_M = 0.02

/**
 * Links that are no pipes: within a step each has a flow, and its slopes, at the heads that the iteration stands at.
 */
export interface DeviceSet {
  count: number
  link: Int32Array
  from: Int32Array
  to: Int32Array
  flow: Float64Array
  /** dQ/dH of the two ends, m2/s: >= 0 and <= 0. */
  fromSlope: Float64Array
  toSlope: Float64Array
  /** Opening or speed, 0 to 1 (pumps may run faster), by link. */
  setting: Float64Array
  target: Float64Array
  /** Flows that stand for the whole step (pumps by steps, dummies), given what each node has to give, m3/s. */
  prepare(dt: number, heads: Float64Array, available: Float64Array, arriving: Float64Array): void
  /**
   * Holds all flows for a step at what the laws give at its start, within what the nodes have: laws that jump
   * (a gate's crown, drowning) can keep Newton from settling. `thaw` ends it.
   */
  freeze(dt: number, heads: Float64Array, canLeave: Uint8Array, available: Float64Array): void
  thaw(): void
  /** Laws of the heads at the iteration's heads. */
  evaluate(heads: Float64Array, canLeave: Uint8Array): void
  /** Moves settings towards their targets; `back` undoes that, for a step that is tried again. */
  move(dt: number): void
  back(): void
}

export function createDevices(network: SewerNetwork, plan: SewerPlan, outfallGate: Uint8Array): DeviceSet {
  const { devices, positionOf, unknowns, invert, fullDepth } = plan
  const count = devices.length
  const link = Int32Array.from(devices)
  const from = Int32Array.from(devices, (i) => positionOf[network.links[i].from])
  const to = Int32Array.from(devices, (i) => positionOf[network.links[i].to])
  const flow = new Float64Array(count)
  const fromSlope = new Float64Array(count)
  const toSlope = new Float64Array(count)
  const setting = new Float64Array(network.links.length).fill(1)
  const laws: (DeviceLaw | null)[] = devices.map((i, k) => {
    const item = network.links[i]
    if (item.kind === 'pump') return pumpLaw(item, invert[from[k]])
    if (!('offsetM' in item)) return null
    // A crest below the lower node's bottom is raised to it, as EPA SWMM does.
    const crest = Math.max(invert[from[k]] + Math.max(0, item.offsetM), invert[to[k]])
    return deviceLaw(item, plan.sections[i], crest)
  })
  for (const i of devices) {
    const item = network.links[i]
    if (item.kind === 'pump') setting[i] = item.initiallyOn ? 1 : 0
  }
  const target = setting.slice()
  const before = setting.slice()
  const gated = devices.map((i) => {
    const item = network.links[i]
    return 'flapGate' in item && item.flapGate
  })

  let frozen = false
  function constantFlow(k: number, heads: Float64Array, arriving: Float64Array): number {
    const item = network.links[link[k]]
    const node = from[k]
    if (setting[link[k]] === 0) return 0
    if (item.kind !== 'pump' || item.type === 0 || !item.curve) return Math.max(0, arriving[node])
    const depth = Math.max(0, heads[node] - invert[node])
    let x = depth
    if (item.type === 1) {
      const top = item.curve.x[item.curve.x.length - 1]
      const well = network.nodes[plan.nodeOf[node]]
      x = well.kind === 'storage' ? storedBelow(plan, node, depth) : (top * depth) / fullDepth[node]
    }
    return Math.max(0, tableInterval(item.curve, x)) * setting[link[k]]
  }

  return {
    count,
    link,
    from,
    to,
    flow,
    fromSlope,
    toSlope,
    setting,
    target,
    prepare(dt, heads, available, arriving) {
      for (let k = 0; k < count; k++) {
        const item = network.links[link[k]]
        const depth = heads[from[k]] - invert[from[k]]
        if (item.kind === 'pump') {
          const on = setting[link[k]] > 0
          if (on && item.stopDepthM > 0 && depth < item.stopDepthM) setting[link[k]] = target[link[k]] = 0
          else if (!on && item.startDepthM > 0 && depth > item.startDepthM)
            setting[link[k]] = target[link[k]] = 1
        }
        if (laws[k]) continue
        fromSlope[k] = 0
        toSlope[k] = 0
        const most = from[k] < unknowns ? Math.max(0, available[from[k]] / dt) : Infinity
        flow[k] = Math.min(constantFlow(k, heads, arriving), most)
      }
    },
    freeze(dt, heads, canLeave, available) {
      this.evaluate(heads, canLeave)
      fromSlope.fill(0)
      toSlope.fill(0)
      for (let k = 0; k < count; k++) {
        const giver = flow[k] > 0 ? from[k] : to[k]
        const most = giver < unknowns ? Math.max(0, available[giver] / dt) : Infinity
        flow[k] = Math.sign(flow[k]) * Math.min(Math.abs(flow[k]), most)
      }
      frozen = true
    },
    thaw() {
      frozen = false
    },
    evaluate(heads, canLeave) {
      if (frozen) return
      for (let k = 0; k < count; k++) {
        const law = laws[k]
        if (!law) continue
        const a = from[k]
        const b = to[k]
        const s = setting[link[k]]
        const h1 = heads[a]
        const h2 = heads[b]
        let q = s > 0 ? law(h1, h2, s) : 0
        const shut =
          (q > 0 && (canLeave[a] === 0 || (a >= unknowns && outfallGate[a - unknowns] === 1))) ||
          (q < 0 && (gated[k] || canLeave[b] === 0 || (b >= unknowns && outfallGate[b - unknowns] === 1)))
        if (shut) q = 0
        flow[k] = q
        if (shut || s === 0) {
          fromSlope[k] = 0
          toSlope[k] = 0
        } else {
          fromSlope[k] = Math.max(0, (law(h1 + PROBE_M, h2, s) - q) / PROBE_M)
          toSlope[k] = Math.min(0, (law(h1, h2 + PROBE_M, s) - q) / PROBE_M)
        }
      }
    },
    move(dt) {
      before.set(setting)
      for (let k = 0; k < count; k++) {
        const i = link[k]
        const item = network.links[i]
        const gap = target[i] - setting[i]
        if (gap === 0) continue
        const reach = item.kind === 'orifice' ? dt / item.openCloseS : Infinity
        setting[i] = Math.abs(gap) <= reach + 0.001 ? target[i] : setting[i] + Math.sign(gap) * reach
      }
    },
    back() {
      setting.set(before)
    },
  }
}

/** Volume of a storage node's own shape below a depth, by the node's table, m3. */
function storedBelow(plan: SewerPlan, position: number, depth: number): number {
  const { rows, first, intervals, perMetre } = plan.volumes
  const at = Math.min(depth * perMetre[position], intervals[position])
  const i = Math.min(Math.floor(at), intervals[position] - 1)
  const row = first[position] + i * 4
  return rows[row] + (at - i) * (rows[row + 4] - rows[row])
}

const fade = (depthM: number) => Math.min(1, depthM / FADE_M)

/** Pumps whose flow follows the heads smoothly: by head gain (3, 5) and by depth (4). */
function pumpLaw(pump: SewerPump, invertM: number): DeviceLaw | null {
  const { curve, type } = pump
  if (!curve) return null
  if (type === 4)
    return (from, _, setting) => {
      const depth = from - invertM
      return depth <= 0 ? 0 : fade(depth) * setting * Math.max(0, tableLookup(curve, depth))
    }
  if (type === 3 || type === 5)
    return (from, to, setting) => {
      const depth = from - invertM
      if (depth <= 0 || setting <= 0) return 0
      // Affinity laws: the head scales with the square of the speed, the flow with the speed.
      const speed = type === 5 ? setting : 1
      const gain = Math.max(0, to - from) / (speed * speed)
      return fade(depth) * setting * Math.max(0, tableLookup(curve, gain))
    }
  return null
}
