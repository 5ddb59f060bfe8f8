import { GRAVITY } from '../gravity'
import { EdgeFlux, FirstHeader, Wall } from './records'

/** As in src/surface/full/water.ts. */
export const DRY: f32 = 1e-6

/**
 * Constants, four times each, at a fixed place below the header: a loop loads them into locals once, where V8 makes a
 * constant anew from three instructions each time.
 */
const CONSTANTS: usize = 512
export const HALF: usize = CONSTANTS
export const QUARTER: usize = CONSTANTS + 16
export const ONE: usize = CONSTANTS + 32
export const C0: usize = CONSTANTS + 48
export const G1: usize = CONSTANTS + 64
export const G_HALF: usize = CONSTANTS + 80
export const G4: usize = CONSTANTS + 96
export const LEAST: usize = CONSTANTS + 112
export const MAGNITUDE: usize = CONSTANTS + 128
export const SEED: usize = CONSTANTS + 144
export const THIRD: usize = CONSTANTS + 160
export const C1: usize = CONSTANTS + 176
export const C2: usize = CONSTANTS + 192
export const C3: usize = CONSTANTS + 208
export const WETTER: usize = CONSTANTS + 224
export const NEAR: usize = CONSTANTS + 240
export const FAST: usize = CONSTANTS + 256
export const STEEPNESS: usize = CONSTANTS + 272

/** Every thread writes the same. */
function placeConstants(): void {
  const g: f32 = <f32>GRAVITY
  v128.store(HALF, f32x4.splat(0.5))
  v128.store(QUARTER, f32x4.splat(0.25))
  v128.store(ONE, f32x4.splat(1))
  v128.store(G1, f32x4.splat(g))
  v128.store(G_HALF, f32x4.splat(0.5 * g))
  v128.store(G4, f32x4.splat(4 * g))
  v128.store(LEAST, f32x4.splat(1e-30))
  v128.store(MAGNITUDE, i32x4.splat(0x7fffffff))
  v128.store(SEED, i32x4.splat(0x54a21d2a))
  v128.store(THIRD, i32x4.splat(21846))
  v128.store(C0, f32x4.splat(12.898692))
  v128.store(C1, f32x4.splat(-27.057418))
  v128.store(C2, f32x4.splat(20.752439))
  v128.store(C3, f32x4.splat(-5.5938244))
  v128.store(WETTER, f32x4.splat(DRY))
  // Less than 1 by more than comparisons err.
  v128.store(NEAR, f32x4.splat(0.999999))
  // Water beyond this Froude number, squared and times g, may be no faster than its fall explains.
  v128.store(FAST, f32x4.splat(100 * g))
  // Slides beyond a tenth of the depth count whole.
  v128.store(STEEPNESS, f32x4.splat(10))
}

/** Rows that a sweep looks at on either side of a block. */
export const REACH: i32 = 3

export let header: FirstHeader = changetype<FirstHeader>(0)
export let stride: i32 = 0
export let rows: i32 = 0
export let BED: usize = 0
export let DEPTH: usize = 0
export let RAIN: usize = 0
export let INTERCEPTION: usize = 0
export let INFILTRATED: usize = 0
export let KIND: usize = 0
export let STEP_X: usize = 0
export let STEP_Y: usize = 0
export let FRICTION: usize = 0
export let KH: usize = 0
export let CAPSH: usize = 0
export let SOILMD: usize = 0
export let MOMENTUM_X: usize = 0
export let MOMENTUM_Y: usize = 0
export let QX: usize = 0
export let QY: usize = 0
export let MAX_DEPTH: usize = 0
export let MAX_SPEED: usize = 0
export let MAX_DEPTH_SPEED: usize = 0
export let FOUND: usize = 0
let WET_FROM: usize = 0
let WET_TO: usize = 0
let CHANGE_FROM: usize = 0
let CHANGE_TO: usize = 0

// The window of rows that a sweep has open: five of what flow sees, three of fluxes. A row has slack on both sides.
const SLACK: usize = 32
const STATES: i32 = 5
const FLUXES: i32 = 3
/** Bytes of a row of f32, and of f64. */
let row32: usize = 0
let row64: usize = 0
let stateBytes: usize = 0
let fluxBytes: usize = 0
let statesAt: usize = 0
let fluxesAt: usize = 0

export function bind(at: usize): void {
  header = changetype<FirstHeader>(at)
  stride = header.stride
  rows = header.rows
  BED = header.bed
  DEPTH = header.depth
  RAIN = header.rain
  INTERCEPTION = header.interception
  INFILTRATED = header.infiltrated
  KIND = header.kind
  STEP_X = header.stepX
  STEP_Y = header.stepY
  FRICTION = header.friction
  KH = header.kh
  CAPSH = header.capsh
  SOILMD = header.soilmd
  MOMENTUM_X = header.momentumX
  MOMENTUM_Y = header.momentumY
  QX = header.qx
  QY = header.qy
  MAX_DEPTH = header.maxDepth
  MAX_SPEED = header.maxSpeed
  MAX_DEPTH_SPEED = header.maxDepthSpeed
  FOUND = header.found
  WET_FROM = header.wetFrom
  WET_TO = header.wetTo
  CHANGE_FROM = header.changeFrom
  CHANGE_TO = header.changeTo
  row32 = ((<usize>stride) << 2) + 2 * SLACK
  row64 = ((<usize>stride) << 3) + 2 * SLACK
  stateBytes = 4 * row32 + row64
  fluxBytes = 8 * row32
  placeConstants()
}

/** Takes the window of a block. */
export function openWindow(block: i32): void {
  statesAt = header.window + <usize>block * (<usize>STATES * stateBytes + <usize>FLUXES * fluxBytes)
  fluxesAt = statesAt + <usize>STATES * stateBytes
}

// What flow sees of a row: addresses of its first column. Rows are -3 to rows + 2.

// @inline
function stateOf(row: i32): usize {
  return statesAt + <usize>((row + STATES) % STATES) * stateBytes + SLACK
}

// @inline
export function seenOf(row: i32): usize {
  return stateOf(row)
}

// @inline
export function speedXOf(row: i32): usize {
  return stateOf(row) + row32
}

// @inline
export function speedYOf(row: i32): usize {
  return stateOf(row) + 2 * row32
}

/** The deepest water of each cell and of those beside it. */
// @inline
export function aroundOf(row: i32): usize {
  return stateOf(row) + 3 * row32
}

/** Levels, f64. */
// @inline
export function levelOf(row: i32): usize {
  return stateOf(row) + 4 * row32
}

/** Shows no water in a row beyond the grid. */
export function clearState(row: i32): void {
  memory.fill(stateOf(row) - SLACK, 0, stateBytes)
}

// Through the eastern faces of a row (X) and its southern ones (Y).

// @inline
export function fluxOf(row: i32): usize {
  return fluxesAt + <usize>((row + FLUXES) % FLUXES) * fluxBytes + SLACK
}

// @inline
export function massX(flux: usize): usize {
  return flux
}

// @inline
export function beforeX(flux: usize): usize {
  return flux + row32
}

// @inline
export function behindX(flux: usize): usize {
  return flux + 2 * row32
}

// @inline
export function alongX(flux: usize): usize {
  return flux + 3 * row32
}

// @inline
export function massY(flux: usize): usize {
  return flux + 4 * row32
}

// @inline
export function beforeY(flux: usize): usize {
  return flux + 5 * row32
}

// @inline
export function behindY(flux: usize): usize {
  return flux + 6 * row32
}

// @inline
export function alongY(flux: usize): usize {
  return flux + 7 * row32
}

// Places of a row in arrays of all cells.

// @inline
export function place32(row: i32): usize {
  return (<usize>(row * stride)) << 2
}

// @inline
export function place64(row: i32): usize {
  return (<usize>(row * stride)) << 3
}

// Old water of the rows beside a block, which others change meanwhile: depth, then momentum of both axes.

// @inline
function seamBytes(): usize {
  return (<usize>stride) << 4
}

/** Where the old water of the row `k` beside a block stands, which begins with the row `from` and ends before `to`. */
// @inline
export function seamOf(block: i32, k: i32, from: i32, to: i32): usize {
  const place = k < from ? k - (from - REACH) : REACH + (k - to)
  return header.seams + <usize>(2 * REACH * block + place) * seamBytes()
}

/** Keeps the old water of rows beside a block. */
export function keepSeams(block: i32, from: i32, to: i32): void {
  for (let k = from - REACH; k < to + REACH; k++) {
    if (k === from) k = to
    if (k < 0 || k >= rows) continue
    const at = seamOf(block, k, from, to)
    const half = (<usize>stride) << 2
    memory.copy(at, DEPTH + place64(k), 2 * half)
    memory.copy(at + 2 * half, MOMENTUM_X + place32(k), half)
    memory.copy(at + 3 * half, MOMENTUM_Y + place32(k), half)
  }
}

// First and last cell of a row that may change in a step: those that water can have reached.

// @inline
function i32At(list: usize, row: i32): i32 {
  return load<i32>(list + ((<usize>row) << 2))
}

/** Looks which cells a step may change; during the step rows do not see how the water of others spreads. */
export function look(): void {
  for (let row = 1; row < rows - 1; row++) {
    const beside = min(i32At(WET_FROM, row - 1), i32At(WET_FROM, row + 1))
    const besideTo = max(i32At(WET_TO, row - 1), i32At(WET_TO, row + 1))
    const at = (<usize>row) << 2
    store<i32>(CHANGE_FROM + at, max(min(i32At(WET_FROM, row) - 1, beside), 1))
    store<i32>(CHANGE_TO + at, min(max(i32At(WET_TO, row) + 1, besideTo), stride - 2))
  }
}

/** First column of the quads that changes of rows up to `reach` away concern, as many quads wider; dry rows have none. */
export function firstColumn(row: i32, reach: i32): i32 {
  let from = stride
  for (let k = max(row - reach, 1); k <= min(row + reach, rows - 2); k++) {
    const own = i32At(CHANGE_FROM, k)
    if (own <= i32At(CHANGE_TO, k)) from = min(from, own)
  }
  return from === stride ? stride : max((from & ~3) - 4 * reach, 0)
}

/** The first column of the last such quad. */
export function lastColumn(row: i32, reach: i32): i32 {
  let to = -1
  for (let k = max(row - reach, 1); k <= min(row + reach, rows - 2); k++) {
    const own = i32At(CHANGE_TO, k)
    if (own >= i32At(CHANGE_FROM, k)) to = max(to, own)
  }
  return to < 0 ? -1 : min((to & ~3) + 4 * reach, stride - 4)
}

/** A row has had water from one column to another. */
// @inline
export function wetted(row: i32, from: i32, to: i32): void {
  const at = (<usize>row) << 2
  store<i32>(WET_FROM + at, min(load<i32>(WET_FROM + at), from))
  store<i32>(WET_TO + at, max(load<i32>(WET_TO + at), to))
}

// Walls and edges by the row that has their face.

// @inline
export function firstWall(row: i32): i32 {
  return i32At(header.wallRows, row)
}

// @inline
export function wallAt(k: i32): Wall {
  return changetype<Wall>(header.walls + <usize>k * offsetof<Wall>())
}

// @inline
export function firstEdge(row: i32): i32 {
  return i32At(header.edgeRows, row)
}

// @inline
export function edgeAt(k: i32): EdgeFlux {
  return changetype<EdgeFlux>(header.edges + <usize>k * offsetof<EdgeFlux>())
}
