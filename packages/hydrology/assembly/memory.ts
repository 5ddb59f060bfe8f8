// Local inertial shallow water on four cells at a time; the formulas are those of src/surface/reference.ts.
// Depth is f64 with an f32 copy (0 where a cell is not live); fluxes, friction and bed steps are f32.
// What a quad of four cells needs lies in one record, so that a lone wet quad costs few cache lines; only what is
// used while it rains or a speed is sampled lies in arrays of its own.
// Each row has bitmasks, a bit a quad: ACT some cell deeper than the dry depth, SOAK some cell with water over soil,
// FLOW some eastern or southern face that carries water, so that dry and still quads cost nothing; SOIL some cell of
// soil, ALIVE all cells live and LEAVING some face or cell that the kinematic limit counts for less (PACEX and
// PACEY, squared, and PACE).

// A record (src/surface/memory.ts), bytes.
export const RECORD: usize = 256
export const RECORD_SHIFT: usize = 8
export const HF: usize = 0
export const QX: usize = 16
export const QY: usize = 32
export const MAXH: usize = 48
export const STEPX: usize = 64
export const STEPY: usize = 80
export const FRICX: usize = 96
export const FRICY: usize = 112
export const DEPTH: usize = 128
export const INFIL: usize = 160
export const KH: usize = 192
export const CAPSH: usize = 208
export const SOILMD: usize = 224
export const LIVE: usize = 240

// Slots of the header, in units of 8 bytes; the host fills them (src/surface/memory.ts).
export const H_STRIDE: usize = 0
export const H_ROWS: usize = 1
export const H_WORDS: usize = 2
export const H_DT: usize = 3
export const H_DX: usize = 4
export const H_DRY: usize = 5
export const H_FROUDE: usize = 6
export const H_FLAGS: usize = 7
export const H_POINTERS: usize = 8

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
export let ACT: usize = 0
export let SOAK: usize = 0
export let FLOW: usize = 0
export let SOIL: usize = 0
export let ALIVE: usize = 0
export let LEAVING: usize = 0
export let EDGES: usize = 0
export let EDGE_ROWS: usize = 0
export let ROW_MAX: usize = 0
export let ROW_SPEED: usize = 0
export let ROW_SPREAD: usize = 0
export let CONTROL: usize = 0

// Set at the start of every step from the header.
export let dt: f64 = 0
export let share64: f64 = 0
export let share: f32 = 0
export let dry: f32 = 0
export let vDry: v128 = f32x4.splat(0)
export let vGravity: v128 = f32x4.splat(0)
export let vDt: v128 = f32x4.splat(0)
export let vDt4: v128 = f32x4.splat(0)
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
  header = at
  quads = <i32>load<f64>(slot(H_STRIDE)) >> 2
  rows = <i32>load<f64>(slot(H_ROWS))
  words = <i32>load<f64>(slot(H_WORDS))
  down = <usize>quads << RECORD_SHIFT
  RECORDS = pointer(0)
  RAIN = pointer(1)
  KEPT = pointer(2)
  MAXV = pointer(3)
  MAXHV = pointer(4)
  SPEEDX = pointer(5)
  SPEEDY = pointer(6)
  NORMX = pointer(7)
  NORMY = pointer(8)
  PACEX = pointer(9)
  PACEY = pointer(10)
  PACE = pointer(11)
  ACT = pointer(12)
  SOAK = pointer(13)
  FLOW = pointer(14)
  SOIL = pointer(15)
  ALIVE = pointer(16)
  LEAVING = pointer(17)
  EDGES = pointer(18)
  EDGE_ROWS = pointer(19)
  ROW_MAX = pointer(20)
  ROW_SPEED = pointer(21)
  ROW_SPREAD = pointer(22)
  CONTROL = pointer(23)
}

export function begin(): void {
  dt = load<f64>(slot(H_DT))
  const dx = load<f64>(slot(H_DX))
  share64 = dt / dx
  share = <f32>share64
  dry = <f32>load<f64>(slot(H_DRY))
  vDry = f32x4.splat(dry)
  vGravity = f32x4.splat(<f32>(9.81 * share64))
  vDt = f32x4.splat(<f32>dt)
  froude = <f32>(load<f64>(slot(H_FROUDE)) * sqrt<f64>(9.81))
  vDt4 = f32x4.splat(<f32>(4 * dt))
  vFroude2 = f32x4.splat(froude * froude)
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

/** Quads with some face that carries water. */
// @ts-ignore: decorator
@inline export function touchedQuads(row: i32, w: i32): u64 {
  const flow = word(FLOW, row, w)
  const before = w > 0 ? word(FLOW, row, w - 1) >> 63 : 0
  return (flow | (flow << 1) | before | word(FLOW, row - 1, w)) & existing(w)
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
