// The kernel on several threads of one shared memory. Rows are split into blocks that threads take as they come; each
// face and cell is written by the same formulas in the same order whoever has the block, so the answer depends
// neither on the number of threads nor on how fast they are.
import { rainChanged } from './balance'
import { activeQuads, finishRows, largestDepth, largestSpeed, sweep } from './core'
import { drainRow } from './drains'
import { prepare } from './levels'
import { limitRow } from './limit'
import { begin, bind as bindCore, bindThread, control, endRow, firstRow, flags } from './memory'

export { GRAVITY } from './gravity'
export { largestDepth, largestSpeed, prepare, rainChanged }

// Control block, i32 each.
/** Number of the step. */
const STEP: usize = 0
/** Threads that sleep until the next step. */
const SLEEPERS: usize = 4
const STOP: usize = 8
/** Blocks that this step has behind it, with the seams above and below them that were theirs to close. */
const DONE: usize = 12
/** The step's number (15 bits), and the blocks still to be taken, from and to (8 bits each). */
const TICKETS: usize = 16
/** Blocks in which the rows are shared out. */
const BLOCKS: usize = 20
/** Threads that have read sizes and addresses. */
const BOUND: usize = 24
const ROW_OF_BLOCK: usize = 64
/** Of each block: how many of the two at the seam above it are done. */
const SEAMS: usize = 64 + 65 * 4

/** So many blocks a thread, that one which comes late still finds some: in a part fast water lies in few rows. */
const BLOCKS_A_THREAD: i32 = 16
const MOST_BLOCKS: i32 = 64
/** Rows of a block: its two seams take three of them. */
const LEAST_ROWS: i32 = 4
const SPINS: i32 = 20000
/** A thread that waits for another's block looks again after so long, ns. */
const NAP: i64 = 200000

let block: usize = 0
let mostBlocks: i32 = 1

export function bind(header: usize, threads: i32): void {
  bindCore(header)
  block = control()
  bindThread(atomic.add<i32>(block, 1, BOUND))
  mostBlocks = threads === 1 ? 1 : min(MOST_BLOCKS, threads * BLOCKS_A_THREAD)
}

// @inline
function rowOf(k: i32): i32 {
  return load<i32>(block + ((<usize>k) << 2), ROW_OF_BLOCK)
}

/** Shares the rows out by what they cost; `perRow` is the cost of a row without water. */
export function share(perRow: i32): void {
  let total: i64 = 0
  for (let row = firstRow(); row < endRow(); row++) total += activeQuads(row) + perRow
  let sum: i64 = 0
  let k = 1
  let last = firstRow()
  store<i32>(block, last, ROW_OF_BLOCK)
  for (let row = last; row <= endRow() - LEAST_ROWS; row++) {
    if (k < mostBlocks && row >= last + LEAST_ROWS && sum * mostBlocks >= total * k) {
      store<i32>(block + ((<usize>k) << 2), row, ROW_OF_BLOCK)
      last = row
      k++
    }
    sum += activeQuads(row) + perRow
  }
  store<i32>(block + ((<usize>k) << 2), endRow(), ROW_OF_BLOCK)
  store<i32>(block, k, BLOCKS)
}

/**
 * The next block, or -1 when none is left or the step is over. The first thread takes from the end and the others from
 * the beginning, so that rows stay in the same caches. Who gets a block knows that the step is not over, and so that
 * what `begin` has read is this step's.
 */
function take(step: i32, fromEnd: bool): i32 {
  while (true) {
    const tickets = atomic.load<i32>(block, TICKETS)
    const from = (tickets >> 8) & 255
    const to = tickets & 255
    if (tickets >> 16 !== (step & 0x7fff) || from >= to) return -1
    if (atomic.cmpxchg<i32>(block, tickets, fromEnd ? tickets - 1 : tickets + 256, TICKETS) === tickets)
      return fromEnd ? to - 1 : from
  }
}

/** Until `count` blocks are done, or the step is over. */
function waitFor(count: i32, step: i32): void {
  while (true) {
    for (let k = 0; k < SPINS; k++) {
      if (atomic.load<i32>(block, DONE) >= count || atomic.load<i32>(block, STEP) !== step) return
    }
    const done = atomic.load<i32>(block, DONE)
    if (done < count) atomic.wait<i32>(block + DONE, done, NAP)
  }
}

/**
 * The neighbours' fluxes read the first and the last row of a block as they were, and the limits of its first row change
 * fluxes on both its sides: these rows wait until both blocks of a seam are done. Who is the second closes it.
 */
function runBlock(k: i32, blocks: i32, f: i32): void {
  const from = rowOf(k)
  const to = rowOf(k + 1)
  sweep(from, to, from + 1, from + 2, f)
  if (k === 0) {
    limitRow(from)
    finishRows(from, min(from + 2, to), f)
  } else meetAt(k, f)
  if (k < blocks - 1) meetAt(k + 1, f)
  else if (to - 1 >= from + 2) finishRows(to - 1, to, f)
}

/** One of the two blocks at the seam above block `k` is done. */
function meetAt(k: i32, f: i32): void {
  if (atomic.add<i32>(block + ((<usize>k) << 2), 1, SEAMS) === 0) return
  const row = rowOf(k)
  limitRow(row)
  finishRows(row - 1, row + 2, f)
}

function part(step: i32, first: bool): void {
  begin()
  const f = flags()
  const blocks = load<i32>(block, BLOCKS)
  let k = take(step, first)
  while (k >= 0) {
    runBlock(k, blocks, f)
    atomic.add<i32>(block, 1, DONE)
    k = take(step, first)
  }
  waitFor(blocks, step)
}

/**
 * Lets the other threads begin a step; the first one may do something else until it calls `step`. The drains of each
 * block's first row have taken before, since the block above sees that row as well.
 */
export function start(): void {
  begin()
  const blocks = load<i32>(block, BLOCKS)
  for (let k = 0; k < blocks; k++) {
    drainRow(rowOf(k))
    store<i32>(block + ((<usize>k) << 2), 0, SEAMS)
  }
  const step = load<i32>(block, STEP) + 1
  atomic.store<i32>(block, 0, DONE)
  atomic.store<i32>(block, ((step & 0x7fff) << 16) | blocks, TICKETS)
  wake(step)
}

/** Whether the other threads have done all of the step. */
export function finished(): bool {
  return atomic.load<i32>(block, DONE) === load<i32>(block, BLOCKS)
}

/** Takes part in the step begun, until it is done. */
export function step(): void {
  part(load<i32>(block, STEP), true)
}

function wake(step: i32): void {
  atomic.store<i32>(block, step, STEP)
  if (atomic.load<i32>(block, SLEEPERS) > 0) atomic.notify(block + STEP, -1)
}

/** The loop of a further thread; it returns after `stop`. */
export function work(seen: i32): void {
  let step = seen
  while (true) {
    sleepAt(step)
    step = atomic.load<i32>(block, STEP)
    if (atomic.load<i32>(block, STOP)) return
    part(step, false)
  }
}

/** Until the step's number is another: spin briefly, since steps are short, then sleep. */
function sleepAt(step: i32): void {
  for (let k = 0; k < SPINS; k++) {
    if (atomic.load<i32>(block, STEP) !== step) return
  }
  atomic.add<i32>(block, 1, SLEEPERS)
  while (atomic.load<i32>(block, STEP) === step) atomic.wait<i32>(block + STEP, step, -1)
  atomic.sub<i32>(block, 1, SLEEPERS)
}

export function stop(): void {
  atomic.store<i32>(block, 1, STOP)
  wake(load<i32>(block, STEP) + 1)
}
