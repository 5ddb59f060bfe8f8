// Openings through which cells give water to the sewer in each part of a step, before its fluxes; the law is that of
// src/surface/drains.ts, in the order of its operations.
import { ACT, CELLS1, CELLS2, DEPTH, DRAIN, DRAINS, DRAIN_ROWS, HEADS, H_HALVINGS, HF, INLET, INLETS, QX, QY, RECORD, TAKEN, down, dry, dt, dx, quads, recordOf, setWord, slot, vDry, word } from './memory'
import { dueLevel, levelOf, part } from './levels'
import { some } from './vectors'

// A drain.
const CELL: usize = 0
const OUTLET: usize = 4
const CREST: usize = 8
const WEIR: usize = 16

// Its inlet.
const SUBMERGED: usize = 0
const ORIFICE: usize = 8
const FULL: usize = 16

/** As in src/surface/drains.ts. */
const FILM: f64 = 1e-5

/** What the drains of a row take. Those of one cell see the same depth. */
export function drainRow(row: i32): void {
  let k = load<i32>(DRAIN_ROWS + (<usize>row << 2))
  const end = load<i32>(DRAIN_ROWS + (<usize>row << 2), 4)
  if (k === end) return
  const halvings = <i32>load<f64>(slot(H_HALVINGS))
  const lasts = dt / <f64>(1 << halvings)
  const area = dx * dx
  let last: i32 = -1
  let standing: f64 = 0
  for (; k < end; k++) {
    const drain = DRAINS + <usize>k * DRAIN
    const cell = load<i32>(drain, CELL)
    const at = recordOf(<usize>(cell >> 2)) + (<usize>(cell & 3) << 3)
    const before = load<f64>(at, DEPTH)
    if (cell !== last) standing = before
    last = cell
    let taken: f64 = 0
    if (standing >= FILM) {
      const rate = flow(k, drain, standing)
      const stays = part === 0 ? 0 : owed(row, cell, halvings)
      const after = max<f64>(min<f64>(before, stays), before - (rate * lasts) / area)
      if (after !== before) {
        taken = before - after
        store<f64>(at, after, DEPTH)
        lower(row, cell, <f32>after)
      }
    }
    store<f64>(TAKEN + (<usize>k << 3), taken)
  }
}

/** Flow through a drain, m3/s. */
// @ts-ignore: decorator
@inline function flow(k: i32, drain: usize, depth: f64): f64 {
  const crest = load<f64>(drain, CREST)
  const head = load<f64>(HEADS + (<usize>load<i32>(drain, OUTLET) << 3))
  return head <= crest ? load<f64>(drain, WEIR) * depth * sqrt<f64>(depth) : surcharged(k, crest, depth, head)
}

function surcharged(k: i32, crest: f64, depth: f64, head: f64): f64 {
  const drop = crest + depth - head
  if (drop <= 0) return 0
  const inlet = INLETS + <usize>k * INLET
  const speed = sqrt<f64>(2 * 9.81 * drop)
  return depth < load<f64>(inlet, FULL) ? load<f64>(inlet, SUBMERGED) * depth * speed : load<f64>(inlet, ORIFICE) * speed
}

/** What the discharges that hold longer than a cell's part will still take from it, m. */
function owed(row: i32, cell: i32, halvings: i32): f64 {
  const quad = (cell >> 2) - row * quads
  const bit = <u64>quad & 63
  const w = quad >> 6
  const level = <i32>((word(CELLS1, row, w) >> bit) & 1) + <i32>((word(CELLS2, row, w) >> bit) & 1)
  if (level === 0) return 0
  const at = recordOf(<usize>(cell >> 2)) + (<usize>(cell & 3) << 2)
  const own = levelOf(row, quad)
  const beside = (cell & 3) === 0 ? at - RECORD + 12 : at - 4
  const west = (cell & 3) === 0 ? levelOf(row, quad - 1) : own
  const out =
    (max<f64>(load<f32>(at, QX), 0) + max<f64>(load<f32>(at, QY), 0)) * stillHeld(own, level, halvings) +
    max<f64>(-load<f32>(beside, QX), 0) * stillHeld(west, level, halvings) +
    max<f64>(-load<f32>(at - down, QY), 0) * stillHeld(levelOf(row - 1, quad), level, halvings)
  // The limiter leaves a millionth.
  return (out / dx) * (1 + 1e-6)
}

/** Time for which a face will still keep an older discharge than its cell's part, s. */
function stillHeld(face: i32, cell: i32, halvings: i32): f64 {
  if (face >= cell || face >= dueLevel) return 0
  const parts = 1 << (halvings - face)
  return (dt / <f64>(1 << halvings)) * <f64>(parts - (part & (parts - 1)))
}

/** The copy of a depth that has become less. The row's largest may stay: it costs little time and no accuracy. */
// @ts-ignore: decorator
@inline function lower(row: i32, cell: i32, depth: f32): void {
  store<f32>(recordOf(<usize>(cell >> 2)) + (<usize>(cell & 3) << 2), depth, HF)
  if (depth <= dry) dryOut(row, cell >> 2)
}

/** A quad without any cell deeper than the dry depth is not active. */
function dryOut(row: i32, quad: i32): void {
  const k = quad - row * quads
  const bit = <u64>1 << (<u64>k & 63)
  const active = word(ACT, row, k >> 6)
  if ((active & bit) === 0) return
  if (!some(v128.gt<f32>(v128.load(recordOf(<usize>quad), HF), vDry))) setWord(ACT, row, k >> 6, active & ~bit)
}
