import type { SewerLink, SewerNetwork, SewerPump } from '@radx/contracts'
import type { Stateful, StateVisitor } from '../../state/state.ts'
import type { SewerPlan } from '../network/plan.ts'
import { type DeviceLaw, deviceLaw, tableInterval, tableLookup } from './devices.ts'

/** Step of head with which a law's slope is taken, m. */
const PROBE_M = 1e-4
/** A pump's flow fades over the last of its well, m. */
const FADE_M = 0.02

/**
 * Links that are no pipes: within a step each has a flow, and its slopes, at the heads that the iteration stands at.
 */
export interface DeviceSet extends Stateful {
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
  return new Devices(network, plan, outfallGate)
}

class Devices implements DeviceSet {
  readonly count: number
  readonly link: Int32Array
  readonly from: Int32Array
  readonly to: Int32Array
  readonly flow: Float64Array
  readonly fromSlope: Float64Array
  readonly toSlope: Float64Array
  readonly setting: Float64Array
  readonly target: Float64Array
  private readonly network: SewerNetwork
  private readonly plan: SewerPlan
  private readonly outfallGate: Uint8Array
  /** Laws of the heads; null where the flow stands for the step. */
  private readonly laws: (DeviceLaw | null)[]
  private readonly gated: boolean[]
  /** Settings before they were moved. */
  private readonly before: Float64Array
  private frozen = false

  constructor(network: SewerNetwork, plan: SewerPlan, outfallGate: Uint8Array) {
    const { devices, positionOf } = plan
    const { links } = network
    this.network = network
    this.plan = plan
    this.outfallGate = outfallGate
    this.count = devices.length
    this.link = Int32Array.from(devices)
    this.from = Int32Array.from(devices, (i) => positionOf[links[i].from])
    this.to = Int32Array.from(devices, (i) => positionOf[links[i].to])
    this.flow = new Float64Array(this.count)
    this.fromSlope = new Float64Array(this.count)
    this.toSlope = new Float64Array(this.count)
    this.setting = Float64Array.from(links, (item) => (item.kind !== 'pump' || item.initiallyOn ? 1 : 0))
    this.target = this.setting.slice()
    this.before = this.setting.slice()
    this.laws = devices.map((i, k) => lawOf(links[i], plan, i, this.from[k], this.to[k]))
    this.gated = devices.map((i) => {
      const item = links[i]
      return 'flapGate' in item && item.flapGate
    })
  }

  prepare(dt: number, heads: Float64Array, available: Float64Array, arriving: Float64Array): void {
    const { from, flow, fromSlope, toSlope } = this
    const { unknowns } = this.plan
    for (let k = 0; k < this.count; k++) {
      this.switchPump(k, heads)
      if (this.laws[k]) continue
      fromSlope[k] = 0
      toSlope[k] = 0
      const most = from[k] < unknowns ? Math.max(0, available[from[k]] / dt) : Infinity
      flow[k] = Math.min(this.constantFlow(k, heads, arriving), most)
    }
  }

  freeze(dt: number, heads: Float64Array, canLeave: Uint8Array, available: Float64Array): void {
    const { from, to, flow } = this
    const { unknowns } = this.plan
    this.evaluate(heads, canLeave)
    this.fromSlope.fill(0)
    this.toSlope.fill(0)
    for (let k = 0; k < this.count; k++) {
      const giver = flow[k] > 0 ? from[k] : to[k]
      const most = giver < unknowns ? Math.max(0, available[giver] / dt) : Infinity
      flow[k] = Math.sign(flow[k]) * Math.min(Math.abs(flow[k]), most)
    }
    this.frozen = true
  }

  thaw(): void {
    this.frozen = false
  }

  evaluate(heads: Float64Array, canLeave: Uint8Array): void {
    if (this.frozen) return
    const { from, to, flow, fromSlope, toSlope } = this
    for (let k = 0; k < this.count; k++) {
      const law = this.laws[k]
      if (!law) continue
      const s = this.setting[this.link[k]]
      const h1 = heads[from[k]]
      const h2 = heads[to[k]]
      const q = s > 0 ? law(h1, h2, s) : 0
      const shut =
        (q > 0 && this.isShut(from[k], canLeave)) ||
        (q < 0 && (this.gated[k] || this.isShut(to[k], canLeave)))
      flow[k] = shut ? 0 : q
      if (shut || s === 0) {
        fromSlope[k] = 0
        toSlope[k] = 0
      } else {
        fromSlope[k] = Math.max(0, (law(h1 + PROBE_M, h2, s) - q) / PROBE_M)
        toSlope[k] = Math.min(0, (law(h1, h2 + PROBE_M, s) - q) / PROBE_M)
      }
    }
  }

  move(dt: number): void {
    const { setting, target } = this
    this.before.set(setting)
    for (let k = 0; k < this.count; k++) {
      const i = this.link[k]
      const item = this.network.links[i]
      const gap = target[i] - setting[i]
      if (gap === 0) continue
      const reach = item.kind === 'orifice' ? dt / item.openCloseS : Infinity
      setting[i] = Math.abs(gap) <= reach + 0.001 ? target[i] : setting[i] + Math.sign(gap) * reach
    }
  }

  back(): void {
    this.setting.set(this.before)
  }

  visit(state: StateVisitor): void {
    for (const name of ['flow', 'fromSlope', 'toSlope', 'setting', 'target'] as const)
      state.array(name, this[name])
    state.scratch(this.before)
  }

  /** Whether a node lets nothing out: a dry one, or an outfall with a gate. */
  private isShut(position: number, canLeave: Uint8Array): boolean {
    const { unknowns } = this.plan
    if (canLeave[position] === 0) return true
    return position >= unknowns && this.outfallGate[position - unknowns] === 1
  }

  /** Starts and stops a pump by the depth of its well. */
  private switchPump(k: number, heads: Float64Array): void {
    const { setting, target } = this
    const i = this.link[k]
    const item = this.network.links[i]
    if (item.kind !== 'pump') return
    const depth = heads[this.from[k]] - this.plan.invert[this.from[k]]
    const on = setting[i] > 0
    if (on && item.stopDepthM > 0 && depth < item.stopDepthM) setting[i] = target[i] = 0
    else if (!on && item.startDepthM > 0 && depth > item.startDepthM) setting[i] = target[i] = 1
  }

  private constantFlow(k: number, heads: Float64Array, arriving: Float64Array): number {
    const { network, plan } = this
    const item = network.links[this.link[k]]
    const setting = this.setting[this.link[k]]
    const node = this.from[k]
    if (setting === 0) return 0
    if (item.kind !== 'pump' || item.type === 0 || !item.curve) return Math.max(0, arriving[node])
    const depth = Math.max(0, heads[node] - plan.invert[node])
    let x = depth
    if (item.type === 1) {
      const top = item.curve.x[item.curve.x.length - 1]
      const well = network.nodes[plan.nodeOf[node]]
      x = well.kind === 'storage' ? storedBelow(plan, node, depth) : (top * depth) / plan.fullDepth[node]
    }
    return Math.max(0, tableInterval(item.curve, x)) * setting
  }
}

function lawOf(
  item: SewerLink,
  { invert, sections }: SewerPlan,
  link: number,
  from: number,
  to: number,
): DeviceLaw | null {
  if (item.kind === 'pump') return pumpLaw(item, invert[from])
  if (!('offsetM' in item)) return null
  // A crest below the lower node's bottom is raised to it, as EPA SWMM does.
  const crest = Math.max(invert[from] + Math.max(0, item.offsetM), invert[to])
  return deviceLaw(item, sections[link], crest)
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
