import { GRAVITY } from '@radx/contracts/constants'
import type { SewerPlan } from '../network/plan.ts'
import type { Sewer } from '../types.ts'
import { TINY_M } from './free-ends.ts'
import type { SewerState } from './kernel.ts'

/** What a node gives out is reckoned with a head over its level of at least this, m. */
const LEAST_OVER_M = 0.01
const LEAST_OVER_ROOT = Math.sqrt((2 * GRAVITY) / LEAST_OVER_M)
/** A node that would lose this share of its water at the rate of the last step counts as one that is emptied. */
const EMPTIED = 0.5
const ORIFICE_COEFFICIENT = 0.6
/** Area over which a node's rim lets go what it cannot hold, m2: the head stays at the rim within a hair. */
export const FLOOD_AREA_M2 = 1e4
/** A node shallower than DRY_M that rises above HEAP_M within a step is heaped up. */
const DRY_M = 0.02
const HEAP_M = 0.1

/** How nodes enter a step: what they hold and get, and how they give water out above their rims. */
export interface Entry {
  /** Sets what a step of `dt`, a share of the one that `lateral` belongs to, begins with at a node. */
  enter(k: number, dt: number, share: number): void
  /**
   * A dry node lets nothing out in the step that wets it: a long step would heap its inflow up in the shaft.
   */
  floodsDry(k: number): boolean
  /** Whether any node does. */
  floodsDryNode(): boolean
}

/** Where nodes give water out, in the file's order; `rim` is Infinity where water ponds, m. */
export interface Rims extends Pick<Sewer, 'surfaceLevels' | 'openingAreas'> {
  rim: Float64Array
}

/** @param lateral volume that enters each node in the step, m3, in the file's order */
export function createEntry(
  { unknowns, nodeOf, invert }: SewerPlan,
  { head, trial, volume, leaving, canLeave, floodLevel, floodArea, wanted }: SewerState,
  { rim, surfaceLevels, openingAreas }: Rims,
  lateral: Float64Array,
  coupled: boolean,
): Entry {
  const floodsDry = (k: number) => head[k] - invert[k] < DRY_M && trial[k] - head[k] > HEAP_M
  return {
    enter(k, dt, share) {
      canLeave[k] = 0
      if (head[k] - invert[k] > TINY_M && volume[k] > 0)
        canLeave[k] = dt * leaving[k] > EMPTIED * volume[k] ? 2 : 1
      const n = nodeOf[k]
      const level = coupled ? Math.max(rim[n], surfaceLevels[n]) : rim[n]
      floodLevel[k] = level
      const opening = coupled ? openingAreas[n] : Infinity
      // Q = C A sqrt(2 g h), with the root at the old head: linear and rising in the new one.
      if (level === Infinity) floodArea[k] = 0
      else if (opening === Infinity) floodArea[k] = FLOOD_AREA_M2
      else {
        const over = head[k] - level
        const root = over > LEAST_OVER_M ? Math.sqrt((2 * GRAVITY) / over) : LEAST_OVER_ROOT
        floodArea[k] = dt * ORIFICE_COEFFICIENT * opening * root
      }
      wanted[k] = volume[k] + share * lateral[n]
    },
    floodsDry,
    floodsDryNode() {
      for (let k = 0; k < unknowns; k++) if (floodsDry(k)) return true
      return false
    },
  }
}
