import type { EdgeState } from './edges.ts'

/** Under this depth water has no speed, m; it still counts, and spreads. */
export const DRY_M = 1e-6

/** A face of the model's edge with what is known there; `side`: 0 east, 1 west, 2 south, 3 north of its cell. */
export interface KernelEdge extends EdgeState {
  index: number
  side: 0 | 1 | 2 | 3
  /** Bed at the face, m; the kernel says it when edges are placed. */
  bedM: number
  /** What has come in so far, m of the cell; negative where more has left. */
  inM: number
}
