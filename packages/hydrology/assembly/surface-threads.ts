// The kernel on several threads of one shared memory. Rows are split; each face and cell is written by the same
// formulas in the same order whoever owns the row, so the answer does not depend on the number of threads.
import {
  activeQuads,
  begin,
  bind as bindCore,
  control,
  endRow,
  finishRows,
  firstRow,
  flags,
  largestDepth,
  largestSpeed,
  limitRow,
  sweep,
} from './core'

export { largestDepth, largestSpeed }

// Control block, i32 each.
const GENERATION: usize = 0
const ARRIVED: usize = 4
const WAITERS: usize = 8
const STOP: usize = 12
const ROW_OF_THREAD: usize = 64

const SPINS: i32 = 20000

let block: usize = 0
let threads: i32 = 1

export function bind(header: usize, count: i32): void {
  bindCore(header)
  block = control()
  threads = count
}

/** All threads meet here: spin briefly, since steps are short, then sleep. */
function barrier(): void {
  const generation = atomic.load<i32>(block, GENERATION)
  if (atomic.add<i32>(block, 1, ARRIVED) == threads - 1) {
    atomic.store<i32>(block, 0, ARRIVED)
    atomic.add<i32>(block, 1, GENERATION)
    if (atomic.load<i32>(block, WAITERS) > 0) atomic.notify(block + GENERATION, -1)
    return
  }
  for (let k = 0; k < SPINS; k++) {
    if (atomic.load<i32>(block, GENERATION) != generation) return
  }
  atomic.add<i32>(block, 1, WAITERS)
  while (atomic.load<i32>(block, GENERATION) == generation) {
    atomic.wait<i32>(block + GENERATION, generation, -1)
  }
  atomic.sub<i32>(block, 1, WAITERS)
}

/** Shares the rows out by what they cost; `perRow` is the cost of a row without water. */
export function share(perRow: i32): void {
  let total: i64 = 0
  for (let row = firstRow(); row < endRow(); row++) total += activeQuads(row) + perRow
  let sum: i64 = 0
  let thread = 1
  store<i32>(block, firstRow(), ROW_OF_THREAD)
  for (let row = firstRow(); row < endRow(); row++) {
    while (thread < threads && sum * threads >= total * thread) {
      store<i32>(block + (<usize>thread << 2), row, ROW_OF_THREAD)
      thread++
    }
    sum += activeQuads(row) + perRow
  }
  for (; thread <= threads; thread++) store<i32>(block + (<usize>thread << 2), endRow(), ROW_OF_THREAD)
}

function part(thread: i32): void {
  begin()
  const f = flags()
  const from = load<i32>(block + (<usize>thread << 2), ROW_OF_THREAD)
  const to = load<i32>(block + (<usize>(thread + 1) << 2), ROW_OF_THREAD)
  // The neighbours' fluxes read the first and the last row as they were, and the limits of the first row change
  // fluxes on both its sides: these rows' balances wait. (`from + 2` may lie beyond `to`: then all of them wait.)
  sweep(from, to, from + 1, from + 2, f)
  barrier()
  if (from < to) limitRow(from)
  barrier()
  finishRows(from, min(from + 2, to), f)
  if (to - 1 >= from + 2) finishRows(to - 1, to, f)
  barrier()
}

export function step(): void {
  barrier()
  part(0)
}

/** The loop of a further thread; it returns after `stop`. */
export function work(thread: i32): void {
  while (true) {
    barrier()
    if (atomic.load<i32>(block, STOP)) return
    part(thread)
  }
}

export function stop(): void {
  atomic.store<i32>(block, 1, STOP)
  barrier()
}
