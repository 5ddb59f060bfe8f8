// Full shallow water on several threads of one shared memory: each stage of a step is done in blocks of rows that threads
// take as they come. What a block writes hangs neither on who does it nor on the moment, so that the answer depends on
// neither the number of threads nor their speed.
import { walls } from './full/faces'
import { bindHeader, blocks, control, doBlock, gather, look } from './full/stages'

export { GRAVITY } from './gravity'
export { gather, look, walls }

// Control block, i32 each.
/** Number of the stage. */
const TURN: usize = 0
/** Threads that sleep until the next stage. */
const SLEEPERS: usize = 4
const STOP: usize = 8
/** Blocks that this stage has behind it. */
const DONE: usize = 12
/** The stage's number (23 bits) and the next block (8 bits). */
const TICKET: usize = 16
/** Which stage it is. */
const STAGE: usize = 20

const SPINS: i32 = 20000
/** A thread that waits for another's block looks again after so long, ns. */
const NAP: i64 = 200000

export function bind(at: usize, threads: i32): void {
  bindHeader(at)
}

/** The next block, or -1 when none is left or the stage is over. */
function take(turn: i32, blocks: i32): i32 {
  while (true) {
    const ticket = atomic.load<i32>(control, TICKET)
    const k = ticket & 255
    if (ticket >> 8 !== (turn & 0x7fffff) || k >= blocks) return -1
    if (atomic.cmpxchg<i32>(control, ticket, ticket + 1, TICKET) === ticket) return k
  }
}

function part(turn: i32): void {
  let k = take(turn, blocks)
  while (k >= 0) {
    // Who gets a block knows that the stage is not over.
    doBlock(load<i32>(control, STAGE), k, blocks)
    atomic.add<i32>(control, 1, DONE)
    k = take(turn, blocks)
  }
}

/** Lets the other threads begin a stage; the first one may do something else until it calls `join`. */
export function start(stage: i32): void {
  store<i32>(control, stage, STAGE)
  const turn = load<i32>(control, TURN) + 1
  atomic.store<i32>(control, 0, DONE)
  atomic.store<i32>(control, (turn & 0x7fffff) << 8, TICKET)
  wake(turn)
}

/** Whether all of the stage is done. */
export function finished(): bool {
  return atomic.load<i32>(control, DONE) >= blocks
}

/** Takes part in the stage begun, until it is done. */
export function join(): void {
  part(load<i32>(control, TURN))
  while (true) {
    for (let k = 0; k < SPINS; k++) {
      if (atomic.load<i32>(control, DONE) >= blocks) return
    }
    const done = atomic.load<i32>(control, DONE)
    if (done < blocks) atomic.wait<i32>(control + DONE, done, NAP)
  }
}

export function run(stage: i32): void {
  start(stage)
  join()
}

function wake(turn: i32): void {
  atomic.store<i32>(control, turn, TURN)
  if (atomic.load<i32>(control, SLEEPERS) > 0) atomic.notify(control + TURN, -1)
}

/** The loop of a further thread; it returns after `stop`. */
export function work(seen: i32): void {
  let turn = seen
  while (true) {
    sleepAt(turn)
    turn = atomic.load<i32>(control, TURN)
    if (atomic.load<i32>(control, STOP)) return
    part(turn)
  }
}

/** Until the stage's number is another: spin briefly, since stages are short, then sleep. */
function sleepAt(turn: i32): void {
  for (let k = 0; k < SPINS; k++) {
    if (atomic.load<i32>(control, TURN) !== turn) return
  }
  atomic.add<i32>(control, 1, SLEEPERS)
  while (atomic.load<i32>(control, TURN) === turn) atomic.wait<i32>(control + TURN, turn, -1)
  atomic.sub<i32>(control, 1, SLEEPERS)
}

export function stop(): void {
  atomic.store<i32>(control, 1, STOP)
  wake(load<i32>(control, TURN) + 1)
}
