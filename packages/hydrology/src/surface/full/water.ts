import type { Layout } from '../layout.ts'
import type { EdgeState } from './edges.ts'

/**
 * Marks a wall whose next face lies a cell further in or out, as where an oblique wall runs over square cells. Water that
 * flows along it does not meet its faces, so that they push back as water at rest does: the mirrored state would hold it up.
 */
export const STAIR = 4

/** Under this depth water has no speed, m; it still counts, and spreads. */
export const DRY_M = 1e-6

/** Of the length of a cell: ground that a grid cannot tell from level holds a film so thin. */
const FILM_SHARE = 1e-5

/** Water that is no deeper, nor that beside it, rests, m: most of a town for hours after its storm. */
export const filmOf = ({ grid, options }: Layout): number =>
  Math.min(FILM_SHARE * grid.cellSizeM, options.dryDepthM)

/** Whether the water of a padded cell moves. */
export function isAwake(layout: Layout, seen: Float64Array, i: number): boolean {
  const { stride } = layout
  const deepest = Math.max(seen[i], seen[i - 1], seen[i + 1], seen[i - stride] ?? 0, seen[i + stride] ?? 0)
  return deepest > filmOf(layout)
}

/** A face of the model's edge with what is known there; `side`: 0 east, 1 west, 2 south, 3 north of its cell. */
export interface KernelEdge extends EdgeState {
  index: number
  side: 0 | 1 | 2 | 3
  /** Bed at the face, m; the kernel says it when edges are placed. */
  bedM: number
  /** What has come in so far, m of the cell; negative where more has left. */
  inM: number
}
