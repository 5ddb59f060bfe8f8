// Stages of a step over blocks of rows: the same whoever does a block, and in whichever order.

import { bind as bindFirst, look as lookFirst } from '../first/memory'
import { FirstHeader } from '../first/records'
import { keepSeamsOf, sweepBlock } from '../first/sweep'
import { gather as gatherFirst } from '../first/update'
import { facesOfRows, slopesOfRows, speedsOfRows } from './faces'
import { bind as bindFull, look as lookFull, rows } from './memory'
import {
  averageRows,
  finishRows,
  gather as gatherFull,
  keepRows,
  limitRows,
  updateRows,
  wavesOfRows,
} from './update'

// As `STAGE` in src/surface/full/wasm.ts.
const KEEP: i32 = 0
const SPEEDS: i32 = 1
const SLOPES: i32 = 2
const FACES: i32 = 3
const LIMIT: i32 = 4
const UPDATE: i32 = 5
const AVERAGE: i32 = 6
const WAVES: i32 = 7
const FINISH: i32 = 8
// Of the first order, in f32.
const SEAMS: i32 = 10
const SWEEP: i32 = 11

let isFirst = false
export let blocks: i32 = 1
/** Where threads agree. */
export let control: usize = 0

/** Takes the kernel's header, of either order. */
export function bindHeader(at: usize): void {
  const header = changetype<FirstHeader>(at)
  isFirst = header.order === 1
  blocks = header.blocks
  control = header.control
  if (isFirst) bindFirst(at)
  else bindFull(at)
}

/** Looks which cells the step may change. */
export function look(): void {
  if (isFirst) lookFirst()
  else lookFull()
}

/** Puts together what blocks found. */
export function gather(): void {
  if (isFirst) gatherFirst()
  else gatherFull()
}

/** The first row of block `k` of `blocks`; rows are 1 to rows - 2. */
// @inline
export function rowOf(k: i32, blocks: i32): i32 {
  return 1 + (k * (rows - 2)) / blocks
}

export function doBlock(stage: i32, k: i32, blocks: i32): void {
  if (stage === SWEEP) {
    sweepBlock(k)
    return
  }
  if (stage === SEAMS) {
    keepSeamsOf(k)
    return
  }
  const from = rowOf(k, blocks)
  const to = rowOf(k + 1, blocks)
  if (stage === FACES) facesOfRows(from, to)
  else if (stage === KEEP) keepRows(from, to)
  else if (stage === SPEEDS) speedsOfRows(from, to)
  else if (stage === SLOPES) slopesOfRows(from, to)
  else if (stage === LIMIT) limitRows(from, to)
  else if (stage === UPDATE) updateRows(from, to)
  else if (stage === AVERAGE) averageRows(from, to)
  else if (stage === WAVES) wavesOfRows(from, to, k)
  else if (stage === FINISH) finishRows(from, to, k)
}
