import type { Layout } from '../layout.ts'
import type { EdgeState } from './edges.ts'

/** Under this depth water has no speed, m; it still counts, and spreads. */
export const DRY_M = 1e-6

/** Fields of padded cells: depth, m, momentum over density, m2/s, and speed, m/s; x to the east, y to the south. */
export interface Water {
  depth: Float64Array
  momentumX: Float64Array
  momentumY: Float64Array
  speedX: Float64Array
  speedY: Float64Array
}

/** A face of the model's edge with what is known there; `side`: 0 east, 1 west, 2 south, 3 north of its cell. */
export interface KernelEdge extends EdgeState {
  index: number
  side: 0 | 1 | 2 | 3
  /** What passes out, m2/s, as last computed. */
  outflow: number
  /** What has come in so far, m of the cell; negative where more has left. */
  inM: number
}

export function createWater({ size }: Layout): Water {
  const zero = () => new Float64Array(size)
  return { depth: zero(), momentumX: zero(), momentumY: zero(), speedX: zero(), speedY: zero() }
}
