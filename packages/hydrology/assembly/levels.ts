// Local steps: quads of level k take 2^k parts of a step. A level belongs to a quad's eastern and southern faces: their
// discharge holds for their part of the step. Cells go with the shortest-lived of their faces, so that both sides of a
// face see the same discharge for the same time, and no water is made or lost.
//
// WANT_HALVES and WANT_QUARTERS mark quads whose waves need halves or quarters of a step of length `watch`, as seen since the last
// step began; FACE_HALVES and FACE_QUARTERS are the levels taken (bits of level 2 stand in both), CELL_HALVES and CELL_QUARTERS those of cells.
import { GRAVITY } from './gravity'
import {
  begin,
  CELL_HALVES,
  CELL_QUARTERS,
  dt,
  dx,
  existing,
  FACE_HALVES,
  FACE_QUARTERS,
  header,
  LEVELS,
  quads,
  rows,
  setWord,
  WANT_HALVES,
  WANT_QUARTERS,
  word,
  words,
} from './memory'
import { Level } from './records'

/** A film moves too little water to count where flow spreads, m; as in src/surface/types.ts. */
export const SPREAD_FROM: f32 = 0.01
/** As in src/surface/types.ts. */
export const SPREAD_SHARE: f64 = 0.9

export const LEVEL: usize = offsetof<Level>()
export const GRAVITY_OF: usize = offsetof<Level>('gravity')
export const STEP4_OF: usize = offsetof<Level>('step4')
export const SHARE_OF: usize = offsetof<Level>('share')
export const LASTS_OF: usize = offsetof<Level>('lasts')
export const LASTS32_OF: usize = offsetof<Level>('lasts32')

/** Whether levels differ in this step. */
export let leveled: bool = false
/** The part of the step, counted in the shortest ones. */
export let part: i32 = 0
/** Faces of this level and above are computed anew in this part. */
export let dueLevel: i32 = 0
/** Time for which faces of each level will still keep their discharge, over dx, s/m. */
export let held0: f32 = 0
export let held1: f32 = 0
export let held2: f32 = 0
/** Squared speed, depth, and outflow over depth above which a quad wants halves; four, four and two times for quarters. */
export let squareLine: f32 = 0
export let deepLine: f32 = 0
export let spreadLine: f32 = 0
/** Outflow over depth above which a quad must be looked at more closely. */
export let crowdLine: f32 = 0

export function beginPart(): void {
  const halvings = header.halvings
  const watch = header.watch
  leveled = halvings > 0
  part = header.part
  dueLevel = part === 0 ? 0 : halvings - ctz(part)
  held0 = held(0, halvings)
  held1 = held(1, halvings)
  held2 = held(2, halvings)
  const speed = dx / ((5.0 / 3.0) * watch)
  squareLine = <f32>(speed * speed)
  spreadLine = <f32>(speed / SPREAD_SHARE)
  crowdLine = min<f32>(spreadLine, <f32>((0.999999 * dx) / dt))
  const wave = (header.cfl * dx) / watch
  deepLine = <f32>((wave * wave) / GRAVITY)
}

function held(level: i32, halvings: i32): f32 {
  if (level > halvings) return 0
  const parts = 1 << (halvings - level)
  return <f32>((dt / <f64>(1 << halvings) / dx) * <f64>(parts - (part & (parts - 1))))
}

// @inline
export function heldOf(level: i32): f32 {
  return level === 0 ? held0 : level === 1 ? held1 : held2
}

// @inline
export function levelOf(row: i32, quad: i32): i32 {
  if (!leveled) return 0
  const bit = <u64>quad & 63
  return (
    <i32>((word(FACE_HALVES, row, quad >> 6) >> bit) & 1) +
    <i32>((word(FACE_QUARTERS, row, quad >> 6) >> bit) & 1)
  )
}

/** Quads of a row whose faces are computed anew in this part. */
// @inline
export function dueFaces(row: i32, w: i32): u64 {
  return dueLevel === 0 ? ~(<u64>0) : word(dueLevel === 1 ? FACE_HALVES : FACE_QUARTERS, row, w)
}

/** Quads of a row whose depths move on in this part. */
// @inline
export function dueCells(row: i32, w: i32): u64 {
  return dueLevel === 0 ? ~(<u64>0) : word(dueLevel === 1 ? CELL_HALVES : CELL_QUARTERS, row, w)
}

export function want(row: i32, w: i32, halves: u64, quarters: u64): void {
  if (halves) setWord(WANT_HALVES, row, w, word(WANT_HALVES, row, w) | halves)
  if (quarters) setWord(WANT_QUARTERS, row, w, word(WANT_QUARTERS, row, w) | quarters)
}

/** Quads beside those marked, and these themselves. */
function around(masks: usize, row: i32, w: i32): u64 {
  const own = word(masks, row, w)
  const before = w > 0 ? word(masks, row, w - 1) >> 63 : 0
  const after = w + 1 < words ? word(masks, row, w + 1) << 63 : 0
  return (
    (own | (own << 1) | before | (own >> 1) | after | word(masks, row - 1, w) | word(masks, row + 1, w)) &
    existing(w)
  )
}

/** Quads whose cells touch a face of a marked quad. */
function behind(masks: usize, row: i32, w: i32): u64 {
  const own = word(masks, row, w)
  const before = w > 0 ? word(masks, row, w - 1) >> 63 : 0
  return (own | (own << 1) | before | word(masks, row - 1, w)) & existing(w)
}

/** Takes levels for the step that begins, before any of its parts. */
export function prepare(): void {
  begin()
  const halvings = header.halvings
  for (let level = 0; level <= halvings; level++) {
    const at = changetype<Level>(LEVELS + <usize>level * LEVEL)
    const tau = dt / <f64>(1 << level)
    at.gravity = f32x4.splat(<f32>((GRAVITY * tau) / dx))
    at.step4 = f32x4.splat(<f32>(4 * tau))
    at.share = f64x2.splat(tau / dx)
    at.lasts = f64x2.splat(tau)
    at.lasts32 = f32x4.splat(<f32>tau)
  }
  if (halvings === 0) return
  for (let row = 1; row < rows - 1; row++) {
    for (let w = 0; w < words; w++) {
      setWord(FACE_QUARTERS, row, w, halvings > 1 ? around(WANT_QUARTERS, row, w) : 0)
    }
  }
  // The fastest water may pass several quads in a step: those behind the nearest take halves.
  for (let row = 1; row < rows - 1; row++) {
    for (let w = 0; w < words; w++)
      setWord(FACE_HALVES, row, w, around(WANT_HALVES, row, w) | around(FACE_QUARTERS, row, w))
  }
  for (let row = 1; row < rows - 1; row++) {
    for (let w = 0; w < words; w++) {
      setWord(CELL_HALVES, row, w, behind(FACE_HALVES, row, w))
      setWord(CELL_QUARTERS, row, w, halvings > 1 ? behind(FACE_QUARTERS, row, w) : 0)
    }
  }
}
