// A part of a step, row by row, for one thread (surface.ts) or several (surface-threads.ts).
import { balanceRow } from './balance'
import { drainRow } from './drains'
import { fluxRow } from './flux'
import { SPREAD_SHARE } from './levels'
import {
  ACTIVE,
  INTERCEPTING,
  RAINING,
  ROW_MAX,
  ROW_SPEED,
  ROW_SPREAD,
  rows,
  SAMPLE,
  word,
  words,
} from './memory'
import { sampleRow } from './speeds'

export function finishRow(row: i32, flags: i32): void {
  balanceRow(row, (flags & RAINING) != 0, (flags & INTERCEPTING) != 0)
  if (flags & SAMPLE) sampleRow(row)
}

/**
 * A part of a step of the rows `from` to `to` in one sweep, each row while it is in the cache: its fluxes, their limits, and
 * the balance of the row above, whose four fluxes are then final. Balances start at `balanceFrom`. The first row's drains
 * have taken: its fluxes, and those of the row above, need to know.
 */
export function sweep(from: i32, to: i32, limitFrom: i32, balanceFrom: i32, flags: i32): void {
  const sample = (flags & SAMPLE) != 0
  for (let row = from; row < to; row++) {
    if (row + 1 < to) drainRow(row + 1)
    fluxRow(row, sample, row < limitFrom)
    if (row > balanceFrom) finishRow(row - 1, flags)
  }
}

export function finishRows(from: i32, to: i32, flags: i32): void {
  for (let row = from; row < to; row++) finishRow(row, flags)
}

/** Quads with water in a row: what the row costs. */
export function activeQuads(row: i32): i32 {
  let count: i32 = 0
  for (let w = 0; w < words; w++) count += <i32>popcnt(word(ACTIVE, row, w))
  return count
}

export function largestOf(perRow: usize): f32 {
  let most: f32 = 0
  for (let row = 1; row < rows - 1; row++) most = max<f32>(most, load<f32>(perRow + ((<usize>row) << 2)))
  return most
}

export function largestDepth(): f32 {
  return largestOf(ROW_MAX)
}

/** Of faces, before they were limited to what cells hold, and cells, after; 0 where none wants halves of `watch`. */
export function largestSpeed(): f32 {
  return max<f32>(largestOf(ROW_SPEED), <f32>SPREAD_SHARE * largestOf(ROW_SPREAD))
}
