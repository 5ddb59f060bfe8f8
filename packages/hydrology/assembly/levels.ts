// Local steps: quads of level k take 2^k parts of a step. A level belongs to a quad's eastern and southern faces: their
// discharge holds for their part of the step. Cells go with the shortest-lived of their faces, so that both sides of a
// face see the same discharge for the same time, and no water is made or lost.
//
// WANT1 and WANT2 mark quads whose waves need halves or quarters of a step of length `watch`, as seen since the last
// step began; FACES1 and FACES2 are the levels taken (bits of level 2 stand in both), CELLS1 and CELLS2 those of cells.
import { CELLS1, CELLS2, FACES1, FACES2, H_CFL, H_HALVINGS, H_PART, H_WATCH, LEVELS, WANT1, WANT2, begin, dt, dx, existing, quads, rows, setWord, slot, word, words } from './memory'

/** A film moves too little water to count where flow spreads, m; as in src/surface/types.ts. */
export const SPREAD_FROM: f32 = 0.01
/** As in src/surface/types.ts. */
export const SPREAD_SHARE: f64 = 0.9

// In LEVELS, of each level's length dt: four times g dt / dx and 4 dt as f32, twice dt / dx and dt as f64, four times
// dt as f32.
export const LEVEL_BYTES: usize = 80
export const GRAVITY_OF: usize = 0
export const STEP4_OF: usize = 16
export const SHARE_OF: usize = 32
export const LASTS_OF: usize = 48
export const LASTS32_OF: usize = 64

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
  const halvings = <i32>load<f64>(slot(H_HALVINGS))
  const watch = load<f64>(slot(H_WATCH))
  leveled = halvings > 0
  part = <i32>load<f64>(slot(H_PART))
  dueLevel = part === 0 ? 0 : halvings - ctz(part)
  held0 = held(0, halvings)
  held1 = held(1, halvings)
  held2 = held(2, halvings)
  const speed = dx / ((5.0 / 3.0) * watch)
  squareLine = <f32>(speed * speed)
  spreadLine = <f32>(speed / SPREAD_SHARE)
  crowdLine = min<f32>(spreadLine, <f32>((0.999999 * dx) / dt))
  const wave = (load<f64>(slot(H_CFL)) * dx) / watch
  deepLine = <f32>((wave * wave) / 9.81)
}

function held(level: i32, halvings: i32): f32 {
  if (level > halvings) return 0
  const parts = 1 << (halvings - level)
  return <f32>((dt / <f64>(1 << halvings) / dx) * <f64>(parts - (part & (parts - 1))))
}

// @ts-ignore: decorator
@inline export function heldOf(level: i32): f32 {
  return level === 0 ? held0 : level === 1 ? held1 : held2
}

// @ts-ignore: decorator
@inline export function levelOf(row: i32, quad: i32): i32 {
  if (!leveled) return 0
  const bit = <u64>quad & 63
  return <i32>((word(FACES1, row, quad >> 6) >> bit) & 1) + <i32>((word(FACES2, row, quad >> 6) >> bit) & 1)
}

/** Quads of a row whose faces are computed anew in this part. */
// @ts-ignore: decorator
@inline export function dueFaces(row: i32, w: i32): u64 {
  return dueLevel === 0 ? ~(<u64>0) : word(dueLevel === 1 ? FACES1 : FACES2, row, w)
}

/** Quads of a row whose depths move on in this part. */
// @ts-ignore: decorator
@inline export function dueCells(row: i32, w: i32): u64 {
  return dueLevel === 0 ? ~(<u64>0) : word(dueLevel === 1 ? CELLS1 : CELLS2, row, w)
}

export function want(row: i32, w: i32, halves: u64, quarters: u64): void {
  if (halves) setWord(WANT1, row, w, word(WANT1, row, w) | halves)
  if (quarters) setWord(WANT2, row, w, word(WANT2, row, w) | quarters)
}

/** Quads beside those marked, and these themselves. */
function around(masks: usize, row: i32, w: i32): u64 {
  const own = word(masks, row, w)
  const before = w > 0 ? word(masks, row, w - 1) >> 63 : 0
  const after = w + 1 < words ? word(masks, row, w + 1) << 63 : 0
  return (own | (own << 1) | before | (own >> 1) | after | word(masks, row - 1, w) | word(masks, row + 1, w)) & existing(w)
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
  const halvings = <i32>load<f64>(slot(H_HALVINGS))
  for (let level = 0; level <= halvings; level++) {
    const at = LEVELS + <usize>level * LEVEL_BYTES
    const tau = dt / <f64>(1 << level)
    v128.store(at, f32x4.splat(<f32>((9.81 * tau) / dx)), GRAVITY_OF)
    v128.store(at, f32x4.splat(<f32>(4 * tau)), STEP4_OF)
    v128.store(at, f64x2.splat(tau / dx), SHARE_OF)
    v128.store(at, f64x2.splat(tau), LASTS_OF)
    v128.store(at, f32x4.splat(<f32>tau), LASTS32_OF)
  }
  if (halvings === 0) return
  for (let row = 1; row < rows - 1; row++) {
    for (let w = 0; w < words; w++) {
      setWord(FACES2, row, w, halvings > 1 ? around(WANT2, row, w) : 0)
    }
  }
  // The fastest water may pass several quads in a step: those behind the nearest take halves.
  for (let row = 1; row < rows - 1; row++) {
    for (let w = 0; w < words; w++) setWord(FACES1, row, w, around(WANT1, row, w) | around(FACES2, row, w))
  }
  for (let row = 1; row < rows - 1; row++) {
    for (let w = 0; w < words; w++) {
      setWord(CELLS1, row, w, behind(FACES1, row, w))
      setWord(CELLS2, row, w, halvings > 1 ? behind(FACES2, row, w) : 0)
    }
  }
}
