// Local inertial shallow water on four cells at a time; the formulas are those of src/surface/reference.ts.
// Depth is f64 with an f32 copy (0 where a cell is not live); fluxes, friction and bed steps are f32.
// What a quad of four cells needs in every part of a step lies in two records, one that changes and one that does not, so
// that a lone wet quad costs few cache lines; soil has records of its own, all else lies in arrays.
// Each row has bitmasks, a bit a quad: ACT some cell deeper than the dry depth, SOAK some cell with water over soil,
// FLOW some eastern or southern face that carries water, so that dry and still quads cost nothing; SOIL some cell of
// soil, ALIVE all cells live, RAINED some cell on which rain falls and LEAVING some face or cell that the kinematic
// limit counts for less (PACEX and PACEY, squared, and PACE); the others are those of levels.ts.

import { LEVEL_BYTES, beginPart } from './levels'
import { placeConstants } from './vectors'

// A record of what changes in every part of a step (src/surface/memory.ts), bytes.
export const RECORD: usize = 80
export const HF: usize = 0
export const QX: usize = 16
export const QY: usize = 32
export const DEPTH: usize = 48

// A record of what stays: a cache line that is never written back.
export const FIXED_RECORD: usize = 64
export const STEPX: usize = 0
export const STEPY: usize = 16
export const FRICX: usize = 32
export const FRICY: usize = 48

// A record of soil. Suction is the head of the wetting front times the deficit, m.
export const SOIL_RECORD: usize = 48
export const KH: usize = 0
export const SUCTION: usize = 16
export const SOILMD: usize = 32

// A drain, and what only those need whose outlet's head is above the crest.
export const DRAIN: usize = 24
export const INLET: usize = 24

// Slots of the header, in units of 8 bytes; the host fills them (src/surface/memory.ts).
export const H_STRIDE: usize = 0
export const H_ROWS: usize = 1
export const H_WORDS: usize = 2
export const H_DT: usize = 3
export const H_DX: usize = 4
export const H_DRY: usize = 5
export const H_FROUDE: usize = 6
export const H_FLAGS: usize = 7
export const H_CFL: usize = 8
export const H_HALVINGS: usize = 9
export const H_PART: usize = 10
export const H_WATCH: usize = 11
export const H_POINTERS: usize = 12

/** Raised when what stands in memory means something else at the same place; as in src/surface/memory.ts. */
const VERSION: i32 = 1
const POINTERS: usize = 43

export const RAINING: i32 = 1
export const INTERCEPTING: i32 = 2
export const SAMPLE: i32 = 4

export let header: usize = 0
/** Quads in a row. */
export let quads: i32 = 0
export let rows: i32 = 0
export let words: i32 = 0
/** From a record to the one below. */
export let down: usize = 0

export let RECORDS: usize = 0
export let RAIN: usize = 0
export let KEPT: usize = 0
export let MAXV: usize = 0
export let MAXHV: usize = 0
export let SPEEDX: usize = 0
export let SPEEDY: usize = 0
export let NORMX: usize = 0
export let NORMY: usize = 0
export let PACEX: usize = 0
export let PACEY: usize = 0
export let PACE: usize = 0
export let LIVE: usize = 0
export let SOILS: usize = 0
export let FIXED: usize = 0
export let MAXH: usize = 0
export let INFIL: usize = 0
export let ACT: usize = 0
export let SOAK: usize = 0
export let FLOW: usize = 0
export let SOIL: usize = 0
export let ALIVE: usize = 0
export let LEAVING: usize = 0
export let WANT1: usize = 0
export let WANT2: usize = 0
export let FACES1: usize = 0
export let FACES2: usize = 0
export let CELLS1: usize = 0
export let CELLS2: usize = 0
export let RAINED: usize = 0
export let EDGES: usize = 0
export let EDGE_ROWS: usize = 0
export let ROW_MAX: usize = 0
export let ROW_SPEED: usize = 0
export let ROW_SPREAD: usize = 0
export let LEVELS: usize = 0
export let DRAINS: usize = 0
export let INLETS: usize = 0
/** The first drain of each row. */
export let DRAIN_ROWS: usize = 0
/** Heads at outlets, m, and what each drain took, m of its cell. */
export let HEADS: usize = 0
export let TAKEN: usize = 0
export let CONTROL: usize = 0
/** Depths of the flow through the faces of a word of quads, f32x4 east and south each; of this thread alone. */
export let FLOW_DEPTHS: usize = 0
const FLOW_DEPTHS_BYTES: usize = 2048

// Set at the start of every part of a step from the header.
/** Length of the step, s; its parts are shorter. */
export let dt: f64 = 0
export let dx: f64 = 0
export let dry: f32 = 0
export let vDry: v128 = f32x4.splat(0)
export let vFroude2: v128 = f32x4.splat(0)
export let froude: f32 = 0

// @ts-ignore: decorator
@inline export function slot(k: usize): usize {
  return header + (k << 3)
}

// @ts-ignore: decorator
@inline export function pointer(k: usize): usize {
  return <usize>load<f64>(slot(H_POINTERS + k))
}

/** Reads sizes and addresses; every thread does this once. */
export function bind(at: usize): void {
  placeConstants()
  header = at
  quads = <i32>load<f64>(slot(H_STRIDE)) >> 2
  rows = <i32>load<f64>(slot(H_ROWS))
  words = <i32>load<f64>(slot(H_WORDS))
  down = <usize>quads * RECORD
  RECORDS = pointer(0)
  FIXED = pointer(1)
  SOILS = pointer(2)
  RAIN = pointer(3)
  KEPT = pointer(4)
  INFIL = pointer(5)
  MAXH = pointer(6)
  MAXV = pointer(7)
  MAXHV = pointer(8)
  SPEEDX = pointer(9)
  SPEEDY = pointer(10)
  NORMX = pointer(11)
  NORMY = pointer(12)
  PACEX = pointer(13)
  PACEY = pointer(14)
  PACE = pointer(15)
  LIVE = pointer(16)
  ACT = pointer(17)
  SOAK = pointer(18)
  FLOW = pointer(19)
  SOIL = pointer(20)
  ALIVE = pointer(21)
  LEAVING = pointer(22)
  WANT1 = pointer(23)
  WANT2 = pointer(24)
  FACES1 = pointer(25)
  FACES2 = pointer(26)
  CELLS1 = pointer(27)
  CELLS2 = pointer(28)
  RAINED = pointer(29)
  EDGES = pointer(30)
  EDGE_ROWS = pointer(31)
  ROW_MAX = pointer(32)
  ROW_SPEED = pointer(33)
  ROW_SPREAD = pointer(34)
  LEVELS = pointer(35)
  DRAINS = pointer(36)
  INLETS = pointer(37)
  DRAIN_ROWS = pointer(38)
  HEADS = pointer(39)
  TAKEN = pointer(40)
  CONTROL = pointer(41)
  FLOW_DEPTHS = pointer(42)
}

/** Takes the room of one of several threads, counted from 0. */
export function bindThread(thread: i32): void {
  FLOW_DEPTHS += <usize>thread * FLOW_DEPTHS_BYTES
}

export function begin(): void {
  dt = load<f64>(slot(H_DT))
  dx = load<f64>(slot(H_DX))
  dry = <f32>load<f64>(slot(H_DRY))
  vDry = f32x4.splat(dry)
  froude = <f32>(load<f64>(slot(H_FROUDE)) * sqrt<f64>(9.81))
  vFroude2 = f32x4.splat(froude * froude)
  beginPart()
}

// @ts-ignore: decorator
@inline export function word(masks: usize, row: i32, w: i32): u64 {
  return load<u64>(masks + ((<usize>(row * words + w)) << 3))
}

// @ts-ignore: decorator
@inline export function setWord(masks: usize, row: i32, w: i32, bits: u64): void {
  store<u64>(masks + ((<usize>(row * words + w)) << 3), bits)
}

/** Quads of a mask word that exist; shifting a mask must not reach into the next row. */
// @ts-ignore: decorator
@inline export function existing(w: i32): u64 {
  const count = quads - (w << 6)
  return count >= 64 ? ~(<u64>0) : (<u64>1 << count) - 1
}

// @ts-ignore: decorator
@inline export function recordOf(quad: usize): usize {
  return RECORDS + quad * RECORD
}

/** Quads with some face that carries water. */
// @ts-ignore: decorator
@inline export function touchedQuads(row: i32, w: i32): u64 {
  const flow = word(FLOW, row, w)
  const before = w > 0 ? word(FLOW, row, w - 1) >> 63 : 0
  return (flow | (flow << 1) | before | word(FLOW, row - 1, w)) & existing(w)
}

/** Number of all places above: the host refuses a kernel whose number is not that of src/surface/memory.ts. */
export function layout(): i32 {
  let n = VERSION
  n = n * 31 + <i32>H_STRIDE
  n = n * 31 + <i32>H_ROWS
  n = n * 31 + <i32>H_WORDS
  n = n * 31 + <i32>H_DT
  n = n * 31 + <i32>H_DX
  n = n * 31 + <i32>H_DRY
  n = n * 31 + <i32>H_FROUDE
  n = n * 31 + <i32>H_FLAGS
  n = n * 31 + <i32>H_CFL
  n = n * 31 + <i32>H_HALVINGS
  n = n * 31 + <i32>H_PART
  n = n * 31 + <i32>H_WATCH
  n = n * 31 + <i32>H_POINTERS
  n = n * 31 + <i32>POINTERS
  n = n * 31 + <i32>RECORD
  n = n * 31 + <i32>HF
  n = n * 31 + <i32>QX
  n = n * 31 + <i32>QY
  n = n * 31 + <i32>DEPTH
  n = n * 31 + <i32>FIXED_RECORD
  n = n * 31 + <i32>STEPX
  n = n * 31 + <i32>STEPY
  n = n * 31 + <i32>FRICX
  n = n * 31 + <i32>FRICY
  n = n * 31 + <i32>SOIL_RECORD
  n = n * 31 + <i32>KH
  n = n * 31 + <i32>SUCTION
  n = n * 31 + <i32>SOILMD
  n = n * 31 + <i32>LEVEL_BYTES
  n = n * 31 + <i32>DRAIN
  n = n * 31 + <i32>INLET
  return n * 31 + <i32>FLOW_DEPTHS_BYTES
}

export function flags(): i32 {
  return <i32>load<f64>(slot(H_FLAGS))
}

export function control(): usize {
  return CONTROL
}

/** All rows that take part: the grid and its ghost rows. */
export function firstRow(): i32 {
  return 1
}

export function endRow(): i32 {
  return rows - 1
}
