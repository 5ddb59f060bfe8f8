import type { DeviceSet } from '../devices/device-set.ts'
import type { SewerPlan } from '../network/plan.ts'
import type { Reaches } from '../network/reaches.ts'
import type { SewerState } from '../step/kernel.ts'
import type { Refinement } from '../step/refine.ts'
import type { SewerTotals } from '../types.ts'
import type { SewerViews } from './views.ts'

export interface LedgerInput {
  plan: SewerPlan
  state: SewerState
  views: SewerViews
  /** Volume that enters each node in a step, m3, in the file's order. */
  lateral: Float64Array
  devices: DeviceSet
  reaches: Reaches
  refinement: Refinement
  /** See `NewtonInput`. */
  overflows: boolean
}

/** Moves volumes by the flows of each step: what leaves one node enters the other, whatever the heads' tolerance. */
export interface Ledger {
  totals: SewerTotals
  /** Flow that arrived at each node in the last step, m3/s, by position. */
  arriving: Float64Array
  /** Takes the solution of a step of `dt` as the new state; `lostM3` left through the conduits' beds. */
  accept(dt: number, lostM3: number): void
}

export function createLedger(input: LedgerInput): Ledger {
  const { plan, state, views, lateral, devices, reaches, refinement, overflows } = input
  const { unknowns, nodeOf, conduits } = plan
  const { head, trial, rate, volume, wanted, floodLevel, floodArea } = state
  const { flow, area, nextArea, lastStepS, conduitFlow, meanFlow, leaving, endDepth } = state
  const { floodVolumes, outfallVolumes, lateralVolumes, passed } = views
  const { from, to, link, direction, barrels, count } = conduits
  const { inside, conduitInside } = refinement
  const nodes = nodeOf.length
  const arriving = new Float64Array(nodes)
  const net = new Float64Array(nodes)
  const totals: SewerTotals = { initial: 0, stored: 0, inflow: 0, outfall: 0, flooded: 0, loss: 0, error: 0 }

  function move(a: number, b: number, index: number, sign: number, q: number, dt: number) {
    net[a] -= q * dt
    net[b] += q * dt
    passed[index] += sign * q * dt
    if (q > 0) arriving[b] += q
    else arriving[a] -= q
  }

  /** What a conduit of a refined part carried; of its nodes only outfalls have yet to get it. */
  function moveRefined(c: number) {
    const moved = refinement.carried[c]
    passed[link[c]] += direction[c] * moved
    net[from[c]] -= moved
    net[to[c]] += moved
  }

  return {
    totals,
    arriving,
    accept(dt, lostM3) {
      net.fill(0)
      arriving.fill(0)
      leaving.fill(0)
      for (let c = 0; c < count; c++) {
        if (conduitInside[c] === 1) {
          moveRefined(c)
          continue
        }
        const q = conduitFlow[c]
        flow[c] = q
        area[c] = nextArea[c]
        lastStepS[c] = dt
        move(from[c], to[c], link[c], direction[c], barrels[c] * meanFlow[c], dt)
        if (q > 0) leaving[from[c]] += barrels[c] * q
        else leaving[to[c]] -= barrels[c] * q
      }
      for (let k = 0; k < devices.count; k++)
        move(devices.from[k], devices.to[k], devices.link[k], 1, devices.flow[k], dt)
      for (let k = 0; k < unknowns; k++) {
        const n = nodeOf[k]
        if (inside[k] === 1) {
          floodVolumes[n] += refinement.flooded[k]
          totals.flooded += refinement.flooded[k]
          continue
        }
        const over = trial[k] - floodLevel[k]
        const flooded = over > 0 ? floodArea[k] * over : 0
        volume[k] = wanted[k] + net[k] - flooded
        floodVolumes[n] += flooded
        totals.flooded += flooded
        arriving[k] += lateral[n] / dt
        rate[k] = (trial[k] - head[k]) / dt
        head[k] = overflows && over > 0 ? floodLevel[k] : trial[k]
      }
      if (reaches.count > 0) reaches.update(head, endDepth, volume)
      for (let k = unknowns; k < nodes; k++) {
        const n = nodeOf[k]
        const out = net[k] + lateral[n]
        outfallVolumes[n] += out
        totals.outfall += out
      }
      for (let n = 0; n < nodes; n++) {
        totals.inflow += lateral[n]
        lateralVolumes[n] += lateral[n]
      }
      totals.loss += lostM3
    },
  }
}
