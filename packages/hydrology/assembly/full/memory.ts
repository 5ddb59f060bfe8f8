import { FullHeader } from './records'

/** As in src/surface/full/water.ts. */
export const DRY: f64 = 1e-6

export let header: FullHeader = changetype<FullHeader>(0)
export let stride: i32 = 0
export let rows: i32 = 0
/** From a value to that of the cell below, bytes. */
export let down: usize = 0
export let BED: usize = 0
export let LIVE: usize = 0
export let FRICTION: usize = 0
export let KH: usize = 0
export let CAPSH: usize = 0
export let SOILMD: usize = 0
export let RAIN: usize = 0
export let INTERCEPTION: usize = 0
export let INFILTRATED: usize = 0
export let DEPTH: usize = 0
export let MOMENTUM_X: usize = 0
export let MOMENTUM_Y: usize = 0
export let SEEN: usize = 0
export let SPEED_X: usize = 0
export let SPEED_Y: usize = 0
export let MASS_X: usize = 0
export let BEFORE_X: usize = 0
export let BEHIND_X: usize = 0
export let ALONG_X: usize = 0
export let MASS_Y: usize = 0
export let BEFORE_Y: usize = 0
export let BEHIND_Y: usize = 0
export let ALONG_Y: usize = 0
export let QX: usize = 0
export let QY: usize = 0
export let MAX_DEPTH: usize = 0
export let MAX_SPEED: usize = 0
export let MAX_DEPTH_SPEED: usize = 0
export let LEVEL_SLOPE_X: usize = 0
export let DEPTH_SLOPE_X: usize = 0
export let ACROSS_SLOPE_X: usize = 0
export let ALONG_SLOPE_X: usize = 0
export let LEVEL_SLOPE_Y: usize = 0
export let DEPTH_SLOPE_Y: usize = 0
export let ACROSS_SLOPE_Y: usize = 0
export let ALONG_SLOPE_Y: usize = 0
export let KEPT_DEPTH: usize = 0
export let KEPT_X: usize = 0
export let KEPT_Y: usize = 0
export let WET_FROM: usize = 0
export let WET_TO: usize = 0
export let CHANGE_FROM: usize = 0
export let CHANGE_TO: usize = 0
export let FOUND: usize = 0
export let WALLS: usize = 0

/** Reads sizes and addresses. */
export function bind(at: usize): void {
  header = changetype<FullHeader>(at)
  stride = header.stride
  rows = header.rows
  down = (<usize>stride) << 3
  BED = header.bed
  LIVE = header.live
  FRICTION = header.friction
  KH = header.kh
  CAPSH = header.capsh
  SOILMD = header.soilmd
  RAIN = header.rain
  INTERCEPTION = header.interception
  INFILTRATED = header.infiltrated
  DEPTH = header.depth
  MOMENTUM_X = header.momentumX
  MOMENTUM_Y = header.momentumY
  SEEN = header.seen
  SPEED_X = header.speedX
  SPEED_Y = header.speedY
  MASS_X = header.massX
  BEFORE_X = header.beforeX
  BEHIND_X = header.behindX
  ALONG_X = header.alongX
  MASS_Y = header.massY
  BEFORE_Y = header.beforeY
  BEHIND_Y = header.behindY
  ALONG_Y = header.alongY
  QX = header.qx
  QY = header.qy
  MAX_DEPTH = header.maxDepth
  MAX_SPEED = header.maxSpeed
  MAX_DEPTH_SPEED = header.maxDepthSpeed
  LEVEL_SLOPE_X = header.levelSlopeX
  DEPTH_SLOPE_X = header.depthSlopeX
  ACROSS_SLOPE_X = header.acrossSlopeX
  ALONG_SLOPE_X = header.alongSlopeX
  LEVEL_SLOPE_Y = header.levelSlopeY
  DEPTH_SLOPE_Y = header.depthSlopeY
  ACROSS_SLOPE_Y = header.acrossSlopeY
  ALONG_SLOPE_Y = header.alongSlopeY
  KEPT_DEPTH = header.keptDepth
  KEPT_X = header.keptX
  KEPT_Y = header.keptY
  WET_FROM = header.wetFrom
  WET_TO = header.wetTo
  CHANGE_FROM = header.changeFrom
  CHANGE_TO = header.changeTo
  FOUND = header.found
  WALLS = header.walls
}

/** The deepest water of a cell and of those beside it. */
// @inline
export function deepestAround(at: usize): v128 {
  const row = v128.pmax<f64>(
    v128.load(SEEN + at),
    v128.pmax<f64>(v128.load(SEEN + at - 8), v128.load(SEEN + at + 8)),
  )
  return v128.pmax<f64>(row, v128.pmax<f64>(v128.load(SEEN + at - down), v128.load(SEEN + at + down)))
}

// First and last cell of a row that may change in a step: those that any water can have reached, a cell a stage.

// @inline
function wetFrom(row: i32): i32 {
  return load<i32>(WET_FROM + ((<usize>row) << 2))
}

// @inline
function wetTo(row: i32): i32 {
  return load<i32>(WET_TO + ((<usize>row) << 2))
}

function firstChange(row: i32): i32 {
  const beside = min(wetFrom(row - 1), wetFrom(row + 1))
  const further = min(wetFrom(max(row - 2, 0)), wetFrom(min(row + 2, rows - 1)))
  return max(min(min(wetFrom(row) - 2, beside - 1), further), 1)
}

function lastChange(row: i32): i32 {
  const beside = max(wetTo(row - 1), wetTo(row + 1))
  const further = max(wetTo(max(row - 2, 0)), wetTo(min(row + 2, rows - 1)))
  return min(max(max(wetTo(row) + 2, beside + 1), further), stride - 2)
}

/** Looks which cells a step may change; during the step rows do not see how the water of others spreads. */
export function look(): void {
  for (let row = 1; row < rows - 1; row++) {
    store<i32>(CHANGE_FROM + ((<usize>row) << 2), firstChange(row))
    store<i32>(CHANGE_TO + ((<usize>row) << 2), lastChange(row))
  }
}

/** Rows are 1 to rows - 2. */
// @inline
export function changesFrom(row: i32): i32 {
  return load<i32>(CHANGE_FROM + ((<usize>row) << 2))
}

// @inline
export function changesTo(row: i32): i32 {
  return load<i32>(CHANGE_TO + ((<usize>row) << 2))
}

// @inline
export function placeOf(row: i32, col: i32): usize {
  return (<usize>(row * stride + col)) << 3
}
