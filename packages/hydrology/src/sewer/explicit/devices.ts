import type { SewerNode, SewerPump, SewerTable } from '@radx/contracts'
import { tableInterval, tableLookup } from '../devices/devices.ts'
import type { ExplicitInput } from './arrays.ts'
import { RELAXATION, TURNING_M3S } from './limits.ts'
import { type Passage, type RegulatorLaw, regulatorLaw } from './regulators.ts'

/** Pumps, regulators and dummy conduits in a trial, one after the other: each sees what those before it took. */
export interface DeviceFlows {
  /** Opening or speed by link, now and wanted. */
  setting: Float64Array
  target: Float64Array
  /** Starts and stops pumps by the depth of their wells; rules come after. */
  switchPumps(): void
  /** Moves settings towards their targets. */
  move(dt: number): void
  /**
   * New flows of all in a trial (the step's first is 0), kept in `deviceFlow`, with the slopes and surfaces that they bring to their nodes. From
   * the third trial on those between settled nodes stay what they are, and only nodes that the trial takes in are brought anything.
   */
  trial(dt: number, trial: number): void
}

export function createDeviceFlows(input: ExplicitInput): DeviceFlows {
  const { network, plan, arrays } = input
  const { links, nodes } = network
  const { nodeOf } = plan
  const { head, depth, inflow, outflow, surface, slopes, overflow, active } = arrays
  const { deviceFrom: from, deviceTo: to } = arrays
  const settings = createSettings(input)
  const { setting } = settings
  const passages: Passage[] = plan.devices.map(() => ({ flow: 0, slope: 0, surface: 0, falls: 0 }))
  const laws: (RegulatorLaw | null)[] = plan.devices.map((i) => regulatorLaw(network, plan, i))
  const isTank = Uint8Array.from(nodeOf, (n) => (nodes[n].kind === 'storage' ? 1 : 0))
  const gated = Uint8Array.from(nodeOf, (n) => (isGated(nodes[n]) ? 1 : 0))
  const pumped = pumping(input, passages, isTank)
  const give = (k: number, a: number, b: number, q: number): void => {
    const { slope, surface: area, falls } = passages[k]
    if (active[a] === 1) {
      if (q >= 0) outflow[a] += q
      else inflow[a] -= q
      if (falls !== -1 && isTank[a] === 0) surface[a] += area / 2
      slopes[a] += slope
    }
    if (active[b] === 0) return
    if (q >= 0) inflow[b] += q
    else outflow[b] -= q
    if (falls !== 1 && isTank[b] === 0) surface[b] += area / 2
    const item = links[plan.devices[k]]
    if (item.kind !== 'pump' || item.type !== 4) slopes[b] += slope
  }
  const flowOf = (k: number, dt: number, first: boolean): number => {
    const i = plan.devices[k]
    const item = links[i]
    const a = from[k]
    const b = to[k]
    const s = setting[i]
    const passage = passages[k]
    const last = arrays.deviceFlow[k]
    const law = laws[k]
    let q = 0
    if (s === 0) passage.slope = 0
    else if (item.kind === 'pump') {
      passage.slope = 0
      q = pumped(item, k, a, b, s, dt)
    } else if (law) {
      law(passage, head[a], head[b], depth[a], depth[b], s)
      q = passage.flow
      if ((q > 0 && gated[a] === 1) || (q < 0 && gated[b] === 1)) q = passage.slope = 0
    } else q = inflow[a] + Math.max(0, arrays.lateral[a]) + overflow[a]
    if (first || item.kind === 'pump') return q
    q = (1 - RELAXATION) * last + RELAXATION * q
    return q * last < 0 ? Math.sign(q) * TURNING_M3S : q
  }

  return {
    ...settings,
    trial(dt, trial) {
      for (let k = 0; k < plan.devices.length; k++) {
        if (trial >= 2 && (active[from[k]] | active[to[k]]) === 0) continue
        const settled = trial >= 2 && arrays.settled[from[k]] === 1 && arrays.settled[to[k]] === 1
        if (!settled) arrays.deviceFlow[k] = flowOf(k, dt, trial === 0)
        give(k, from[k], to[k], arrays.deviceFlow[k])
      }
    },
  }
}

/** Openings and speeds, and what moves them. */
function createSettings({ network, plan, arrays }: ExplicitInput): Omit<DeviceFlows, 'trial'> {
  const { links } = network
  const setting = Float64Array.from(links, (item) => (item.kind !== 'pump' || item.initiallyOn ? 1 : 0))
  const target = setting.slice()
  return {
    setting,
    target,
    switchPumps() {
      for (const i of plan.devices) {
        const item = links[i]
        if (item.kind !== 'pump') continue
        const y = arrays.depth[plan.positionOf[item.from]]
        if (item.stopDepthM > 0 && setting[i] > 0 && y < item.stopDepthM) target[i] = 0
        if (item.startDepthM > 0 && setting[i] === 0 && y > item.startDepthM) target[i] = 1
      }
    },
    move(dt) {
      for (const i of plan.devices) {
        const gap = target[i] - setting[i]
        if (gap === 0) continue
        const item = links[i]
        const reach = item.kind === 'orifice' && item.openCloseS > 0 ? dt / item.openCloseS : Infinity
        setting[i] = Math.abs(gap) <= reach + 0.001 ? target[i] : setting[i] + Math.sign(gap) * reach
      }
    },
  }
}

const isGated = (node: SewerNode) => node.kind === 'outfall' && node.flapGate

/**
 * Water that a metre of depth in a junction stands for where a pump goes by the volume of its well (type 1), m3: as in EPA SWMM the
 * junction's whole depth holds the curve's largest volume.
 */
function wellsOf({ network, plan }: ExplicitInput): Float64Array {
  const perMetre = new Float64Array(plan.nodeOf.length)
  for (const i of plan.devices) {
    const item = network.links[i]
    if (item.kind !== 'pump' || item.type !== 1 || !item.curve) continue
    const p = plan.positionOf[item.from]
    if (network.nodes[item.from].kind === 'storage' || !(plan.fullDepth[p] > 0)) continue
    perMetre[p] = Math.max(perMetre[p], item.curve.x[item.curve.x.length - 1] / plan.fullDepth[p])
  }
  return perMetre
}

/** Flow of a pump, within what its well has to give. */
function pumping(input: ExplicitInput, passages: Passage[], isTank: Uint8Array) {
  const { head, depth, inflow, outflow, oldNet, oldDepth, surface, overflow, own, oldOwn } = input.arrays
  const { arrays } = input
  const wells = wellsOf(input)
  return (item: SewerPump, k: number, a: number, b: number, s: number, dt: number): number => {
    const passage = passages[k]
    const held = wells[a] > 0 ? wells[a] * depth[a] : own[a]
    const q = s * pumpFlow(item, passage, s, depth[a], head[b] - head[a], held)
    if (q === 0) return 0
    if (item.type === 0) return inflow[a] + arrays.lateral[a] + overflow[a]
    const arriving = inflow[a] + Math.max(0, arrays.lateral[a])
    if (isTank[a] === 1 || item.type === 1) {
      const before = wells[a] > 0 ? wells[a] * oldDepth[a] : oldOwn[a]
      return Math.max(0, Math.min(q, arriving + before / dt))
    }
    const net = arriving - outflow[a] + Math.min(0, arrays.lateral[a]) - q
    const y = oldDepth[a] + (0.5 * (oldNet[a] + arrays.lateral[a] + net) * dt) / surface[a]
    return y <= 0 ? arriving : q
  }
}

/** Flow of a pump at full speed before what its well holds limits it, m3/s; ideal pumps: 1 where they run. */
function pumpFlow(
  { curve, type }: SewerPump,
  passage: Passage,
  setting: number,
  depthM: number,
  liftM: number,
  heldM3: number,
): number {
  if (type === 0 || !curve) return 1
  if (type === 1) return Math.max(0, tableInterval(curve, heldM3))
  if (type === 2) return Math.max(0, tableInterval(curve, depthM))
  if (type === 4) {
    const probe = 0.001 * 0.3048
    const q = tableLookup(curve, depthM)
    passage.slope = (tableLookup(curve, depthM + probe) - q) / probe
    return Math.max(0, q)
  }
  const speed = type === 5 ? setting : 1
  const lift = Math.max(0, liftM / (speed * speed))
  passage.slope = -slopeOf(curve, lift) / speed
  return Math.max(0, tableLookup(curve, lift))
}

/** Slope of a table at x; 0 beyond its end. */
function slopeOf({ x, y }: SewerTable, at: number): number {
  for (let i = 1; i < x.length; i++)
    if (at <= x[i]) return x[i] > x[i - 1] ? (y[i] - y[i - 1]) / (x[i] - x[i - 1]) : 0
  return 0
}
