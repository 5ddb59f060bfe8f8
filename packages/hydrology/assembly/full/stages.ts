// Stages of a step over blocks of rows: the same whoever does a block, and in whichever order.
import { facesOfRows, slopesOfRows, speedsOfRows } from './faces'
import { rows } from './memory'
import {
  advanceRows,
  averageRows,
  finishRows,
  keepRows,
  limitRows,
  limitSeams,
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
const ADVANCE: i32 = 9

/** The first row of block `k` of `blocks`; rows are 1 to rows - 2. */
// @inline
export function rowOf(k: i32, blocks: i32): i32 {
  return 1 + (k * (rows - 2)) / blocks
}

export function doBlock(stage: i32, k: i32, blocks: i32): void {
  const from = rowOf(k, blocks)
  const to = rowOf(k + 1, blocks)
  if (stage === FACES) facesOfRows(from, to)
  else if (stage === ADVANCE) advanceRows(from, to, k)
  else if (stage === KEEP) keepRows(from, to)
  else if (stage === SPEEDS) speedsOfRows(from, to)
  else if (stage === SLOPES) slopesOfRows(from, to)
  else if (stage === LIMIT) limitRows(from, to)
  else if (stage === UPDATE) updateRows(from, to)
  else if (stage === AVERAGE) averageRows(from, to)
  else if (stage === WAVES) wavesOfRows(from, to, k)
  else if (stage === FINISH) finishRows(from, to, k)
}

/** What one thread does before a stage. */
export function before(stage: i32, blocks: i32): void {
  if (stage !== ADVANCE) return
  for (let k = 0; k < blocks; k++) limitSeams(rowOf(k, blocks), rowOf(k + 1, blocks))
}
