// Openings through which cells give water to the sewer in each part of a step, before its fluxes; the law is that of
// src/surface/drains.ts, in the order of its operations.

import { GRAVITY } from './gravity'
import { dueLevel, levelOf, part } from './levels'
import {
  ACTIVE,
  CELL_HALVES,
  CELL_QUARTERS,
  DEPTH,
  DRAIN_ROWS,
  DRAINS,
  down,
  dry,
  dt,
  dx,
  HEADS,
  header,
  INLETS,
  QUAD,
  QX,
  QY,
  quads,
  recordOf,
  SHALLOW,
  setWord,
  TAKEN,
  vDry,
  word,
} from './memory'
import { Drain, Inlet } from './records'
import { some } from './vectors'

/** As in src/surface/drains.ts. */
const FILM: f64 = 1e-5

/** What the drains of a row take. Those of one cell see the same depth. */
export function drainRow(row: i32): void {
  let k = load<i32>(DRAIN_ROWS + ((<usize>row) << 2))
  const end = load<i32>(DRAIN_ROWS + ((<usize>row) << 2), 4)
  if (k === end) return
  const halvings = header.halvings
  const lasts = dt / <f64>(1 << halvings)
  const area = dx * dx
  let last: i32 = -1
  let standing: f64 = 0
  for (; k < end; k++) {
    const drain = changetype<Drain>(DRAINS + <usize>k * offsetof<Drain>())
    const cell = drain.cell
    const at = recordOf(<usize>(cell >> 2)) + ((<usize>(cell & 3)) << 3)
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
    store<f64>(TAKEN + ((<usize>k) << 3), taken)
  }
}

/** Flow through a drain, m3/s. */
// @inline
function flow(k: i32, drain: Drain, depth: f64): f64 {
  const crest = drain.crest
  const head = load<f64>(HEADS + ((<usize>drain.outlet) << 3))
  return head <= crest ? drain.freeWeir * depth * sqrt<f64>(depth) : surcharged(k, crest, depth, head)
}

function surcharged(k: i32, crest: f64, depth: f64, head: f64): f64 {
  const drop = crest + depth - head
  if (drop <= 0) return 0
  const inlet = changetype<Inlet>(INLETS + <usize>k * offsetof<Inlet>())
  const speed = sqrt<f64>(2 * GRAVITY * drop)
  return depth < inlet.full ? inlet.submergedWeir * depth * speed : inlet.orifice * speed
}

/** What the discharges that hold longer than a cell's part will still take from it, m. */
function owed(row: i32, cell: i32, halvings: i32): f64 {
  const quad = (cell >> 2) - row * quads
  const bit = <u64>quad & 63
  const w = quad >> 6
  const level =
    <i32>((word(CELL_HALVES, row, w) >> bit) & 1) + <i32>((word(CELL_QUARTERS, row, w) >> bit) & 1)
  if (level === 0) return 0
  const at = recordOf(<usize>(cell >> 2)) + ((<usize>(cell & 3)) << 2)
  const own = levelOf(row, quad)
  const beside = (cell & 3) === 0 ? at - QUAD + 12 : at - 4
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
// @inline
function lower(row: i32, cell: i32, depth: f32): void {
  store<f32>(recordOf(<usize>(cell >> 2)) + ((<usize>(cell & 3)) << 2), depth, SHALLOW)
  if (depth <= dry) dryOut(row, cell >> 2)
}

/** A quad without any cell deeper than the dry depth is not active. */
function dryOut(row: i32, quad: i32): void {
  const k = quad - row * quads
  const bit = (<u64>1) << (<u64>k & 63)
  const active = word(ACTIVE, row, k >> 6)
  if ((active & bit) === 0) return
  if (!some(v128.gt<f32>(v128.load(recordOf(<usize>quad), SHALLOW), vDry)))
    setWord(ACTIVE, row, k >> 6, active & ~bit)
}
