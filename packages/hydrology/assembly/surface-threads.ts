// The kernel on several threads of one shared memory. Rows are split into blocks that threads take as they come; each
// face and cell is written by the same formulas in the same order whoever has the block, so the answer depends
// neither on the number of threads nor on how fast they are.
import { rainChanged } from './balance'
import { activeQuads, finishRows, largestDepth, largestSpeed, sweep } from './core'
import { drainRow } from './drains'
import { prepare } from './levels'
import { limitRow } from './limit'
import { begin, bind as bindCore, bindThread, control, endRow, firstRow, flags, layout } from './memory'

export { layout, largestDepth, largestSpeed, prepare, rainChanged }

// Control block, i32 each.
/** Number of the step. */
const STEP: usize = 0
/** Threads that sleep until the next step. */
const SLEEPERS: usize = 4
const STOP: usize = 8
/** Blocks that this step has behind it, those of all phases. */
const DONE: usize = 12
/** Threads that have read sizes and addresses. */
const BOUND: usize = 28
/** Of each phase: the step's number (15 bits), and the blocks still to be taken, from and to (8 bits each). */
const TICKETS: usize = 16
const ROW_OF_BLOCK: usize = 64

const PHASES: i32 = 3
/** So many blocks a thread, that one which comes late still finds some. */
const BLOCKS_A_THREAD: i32 = 8
const MOST_BLOCKS: i32 = 64
const SPINS: i32 = 20000
/** A thread that waits for another's block looks again after so long, ns. */
const NAP: i64 = 200000

let block: usize = 0
let blocks: i32 = 1

export function bind(header: usize, threads: i32): void {
  bindCore(header)
  block = control()
  bindThread(atomic.add<i32>(block, 1, BOUND))
  blocks = threads === 1 ? 1 : min(MOST_BLOCKS, threads * BLOCKS_A_THREAD)
}

// @ts-ignore: decorator
@inline function rowOf(k: i32): i32 {
  return load<i32>(block + (<usize>k << 2), ROW_OF_BLOCK)
}

/** Shares the rows out by what they cost; `perRow` is the cost of a row without water. */
export function share(perRow: i32): void {
  let total: i64 = 0
  for (let row = firstRow(); row < endRow(); row++) total += activeQuads(row) + perRow
  let sum: i64 = 0
  let k = 1
  store<i32>(block, firstRow(), ROW_OF_BLOCK)
  for (let row = firstRow(); row < endRow(); row++) {
    while (k < blocks && sum * blocks >= total * k) {
      store<i32>(block + (<usize>k << 2), row, ROW_OF_BLOCK)
      k++
    }
    sum += activeQuads(row) + perRow
  }
  for (; k <= blocks; k++) store<i32>(block + (<usize>k << 2), endRow(), ROW_OF_BLOCK)
}

/**
 * The next block of a phase, or -1 when the phase has none left or the step is over. The first thread takes from the
 * end and the others from the beginning, so that rows stay in the same caches. Who gets a block knows that the step
 * is not over, and so that what `begin` has read is this step's.
 */
function take(phase: i32, step: i32, fromEnd: bool): i32 {
  const at = block + (<usize>phase << 2)
  while (true) {
    const tickets = atomic.load<i32>(at, TICKETS)
    const from = (tickets >> 8) & 255
    const to = tickets & 255
    if (tickets >> 16 !== (step & 0x7fff) || from >= to) return -1
    if (atomic.cmpxchg<i32>(at, tickets, fromEnd ? tickets - 1 : tickets + 256, TICKETS) === tickets)
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

function runPhase(phase: i32, k: i32, f: i32): void {
  const from = rowOf(k)
  const to = rowOf(k + 1)
  // The neighbours' fluxes read the first and the last row as they were, and the limits of the first row change
  // fluxes on both its sides: these rows' balances wait. (`from + 2` may lie beyond `to`: then all of them wait.)
  if (phase === 0) sweep(from, to, from + 1, from + 2, f)
  else if (phase === 1) {
    if (from < to) limitRow(from)
  } else {
    finishRows(from, min(from + 2, to), f)
    if (to - 1 >= from + 2) finishRows(to - 1, to, f)
  }
}

function part(step: i32, first: bool): void {
  begin()
  const f = flags()
  for (let phase = 0; phase < PHASES; phase++) {
    let k = take(phase, step, first)
    while (k >= 0) {
      runPhase(phase, k, f)
      atomic.add<i32>(block, 1, DONE)
      k = take(phase, step, first)
    }
    waitFor((phase + 1) * blocks, step)
  }
}

/**
 * Lets the other threads begin a step; the first one may do something else until it calls `step`. The drains of each
 * block's first row have taken before, since the block above sees that row as well.
 */
export function start(): void {
  begin()
  for (let k = 0; k < blocks; k++) if (rowOf(k) < rowOf(k + 1)) drainRow(rowOf(k))
  const step = load<i32>(block, STEP) + 1
  atomic.store<i32>(block, 0, DONE)
  for (let phase = 0; phase < PHASES; phase++)
    atomic.store<i32>(block + (<usize>phase << 2), ((step & 0x7fff) << 16) | blocks, TICKETS)
  wake(step)
}

/** Whether the other threads have done all of the step. */
export function finished(): bool {
  return atomic.load<i32>(block, DONE) === PHASES * blocks
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
