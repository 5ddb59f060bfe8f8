// A step of the first order in one sweep over a block of rows, each of them read once and written once: what flow sees, fluxes,
// their limits and what they make of a row follow each other by a row each, in a window that stays in the cache. Faces at the
// seam of two blocks are computed by both, from what its rows held before the step: the same bits.
import { facesOf, lookAround, see } from './faces'
import { header, keepSeams, openWindow, REACH, rows } from './memory'
import { begin, end, finishRow, flowRow, limitRow } from './update'

/** The first row of block `k`; rows are 1 to rows - 2. */
// @inline
function rowOf(k: i32): i32 {
  return 1 + (k * (rows - 2)) / header.blocks
}

export function keepSeamsOf(block: i32): void {
  keepSeams(block, rowOf(block), rowOf(block + 1))
}

export function sweepBlock(block: i32): void {
  const from = rowOf(block)
  const to = rowOf(block + 1)
  openWindow(block)
  begin()
  for (let k = from - REACH; k < to + REACH; k++) {
    see(k, block, from, to)
    // The first row that has one on both sides.
    if (k - 1 < from - 2) continue
    lookAround(k - 1)
    // Above the frame of the grid there is nothing.
    if (k - 2 >= max(from - 2, 0)) facesOf(k - 2)
    if (k - 2 >= from - 1) limitRow(k - 2)
    if (k - 3 < from) continue
    flowRow(k - 3)
    finishRow(k - 3)
  }
  end(block)
}
