// What fluxes, friction, rain and soil make of cells; the formulas, in their order, are those of
// src/surface/full/reference.ts.
import { GRAVITY } from '../gravity'
import {
  ALONG_X,
  ALONG_Y,
  BED,
  BEFORE_X,
  BEFORE_Y,
  BEHIND_X,
  BEHIND_Y,
  CAPSH,
  changesFrom,
  changesTo,
  DEPTH,
  DEPTH_SLOPE_X,
  DEPTH_SLOPE_Y,
  DRY,
  down,
  FRICTION,
  header,
  INFILTRATED,
  INTERCEPTION,
  KEPT_DEPTH,
  KEPT_X,
  KEPT_Y,
  KH,
  LEVEL_SLOPE_X,
  LEVEL_SLOPE_Y,
  LIVE,
  MASS_X,
  MASS_Y,
  MAX_DEPTH,
  MAX_DEPTH_SPEED,
  MAX_SPEED,
  MOMENTUM_X,
  MOMENTUM_Y,
  placeOf,
  QX,
  QY,
  RAIN,
  rows,
  SEEN,
  SOILMD,
  SPEED_X,
  SPEED_Y,
  stride,
  WET_FROM,
  WET_TO,
} from './memory'

const FALLING_FROUDE2: f64 = 100

/** Takes back what would leave a cell beyond what it holds; `share` is dt / dx. */
export function limit(share: f64): void {
  for (let row = 1; row < rows - 1; row++) {
    const end = placeOf(row, changesTo(row))
    for (let at = placeOf(row, changesFrom(row)); at <= end; at += 8) {
      const h = load<f64>(SEEN + at)
      if (h === 0) continue
      const east = load<f64>(MASS_X + at)
      const west = load<f64>(MASS_X + at - 8)
      const south = load<f64>(MASS_Y + at)
      const north = load<f64>(MASS_Y + at - down)
      const out = max<f64>(east, 0) + max<f64>(-west, 0) + (max<f64>(south, 0) + max<f64>(-north, 0))
      if (out * share <= h) continue
      const kept = h / (out * share)
      if (east > 0) store<f64>(MASS_X + at, east * kept)
      if (west < 0) store<f64>(MASS_X + at - 8, west * kept)
      if (south > 0) store<f64>(MASS_Y + at, south * kept)
      if (north < 0) store<f64>(MASS_Y + at - down, north * kept)
    }
  }
}

/** The most that the water of a cell can have as speed: see src/surface/full/reference.ts. */
function reachable(at: usize): f64 {
  let most = reachedFrom(at, at, 0)
  most = reachedFrom(at, at - 8, most)
  most = reachedFrom(at, at + 8, most)
  most = reachedFrom(at, at - down, most)
  return reachedFrom(at, at + down, most)
}

function reachedFrom(at: usize, other: usize, most: f64): f64 {
  const h = load<f64>(SEEN + other)
  if (h === 0) return most
  const fall = max<f64>(0, load<f64>(BED + other) + h - load<f64>(BED + at))
  const u = load<f64>(SPEED_X + other)
  const v = load<f64>(SPEED_Y + other)
  const energy = u * u + v * v + 2 * GRAVITY * fall
  return max<f64>(most, sqrt<f64>(energy) + 2 * sqrt<f64>(GRAVITY * h))
}

/** A stage of `dt`; `weight` is its share of the mean through faces. */
export function update(dt: f64, weight: f64, first: bool): void {
  const second = header.order === 2
  const share = dt / header.dx
  for (let row = 1; row < rows - 1; row++) {
    const end = placeOf(row, changesTo(row))
    for (let at = placeOf(row, changesFrom(row)); at <= end; at += 8) {
      const east = load<f64>(MASS_X + at)
      const south = load<f64>(MASS_Y + at)
      store<f64>(QX + at, first ? weight * east : load<f64>(QX + at) + weight * east)
      store<f64>(QY + at, first ? weight * south : load<f64>(QY + at) + weight * south)
      if (load<f64>(LIVE + at) !== 0) updateCell(at, east, south, dt, share, second)
    }
  }
}

// @inline
function updateCell(at: usize, east: f64, south: f64, dt: f64, share: f64, second: bool): void {
  const seen = load<f64>(SEEN + at)
  const moved = load<f64>(MASS_X + at - 8) - east + (load<f64>(MASS_Y + at - down) - south)
  if (seen === 0 && moved === 0) return
  const h = max<f64>(0, seen + moved * share)
  store<f64>(DEPTH + at, h)
  if (h <= DRY) {
    store<f64>(MOMENTUM_X + at, 0)
    store<f64>(MOMENTUM_Y + at, 0)
    return
  }
  let dX =
    load<f64>(BEHIND_X + at - 8) -
    load<f64>(BEFORE_X + at) +
    (load<f64>(ALONG_Y + at - down) - load<f64>(ALONG_Y + at))
  let dY =
    load<f64>(BEHIND_Y + at - down) -
    load<f64>(BEFORE_Y + at) +
    (load<f64>(ALONG_X + at - 8) - load<f64>(ALONG_X + at))
  if (second) {
    dX -= GRAVITY * seen * (load<f64>(LEVEL_SLOPE_X + at) - load<f64>(DEPTH_SLOPE_X + at))
    dY -= GRAVITY * seen * (load<f64>(LEVEL_SLOPE_Y + at) - load<f64>(DEPTH_SLOPE_Y + at))
  }
  let x = load<f64>(MOMENTUM_X + at) + dX * share
  let y = load<f64>(MOMENTUM_Y + at) + dY * share
  const friction = load<f64>(FRICTION + at)
  if (friction > 0) {
    const b = (friction * dt) / (h * h * Math.cbrt(h))
    const slow = 2 / (1 + sqrt<f64>(1 + 4 * b * sqrt<f64>(x * x + y * y)))
    x *= slow
    y *= slow
  }
  const square = x * x + y * y
  if (square > FALLING_FROUDE2 * GRAVITY * h * h * h) {
    const over = (reachable(at) * h) / sqrt<f64>(square)
    if (over < 1) {
      x *= over
      y *= over
    }
  }
  store<f64>(MOMENTUM_X + at, x)
  store<f64>(MOMENTUM_Y + at, y)
}

/** Keeps the state before a step of two stages. */
export function keep(): void {
  for (let row = 1; row < rows - 1; row++) {
    const from = changesFrom(row)
    const to = changesTo(row)
    if (from > to) continue
    const at = placeOf(row, from)
    const bytes = (<usize>(to - from + 1)) << 3
    memory.copy(KEPT_DEPTH + at, DEPTH + at, bytes)
    memory.copy(KEPT_X + at, MOMENTUM_X + at, bytes)
    memory.copy(KEPT_Y + at, MOMENTUM_Y + at, bytes)
  }
}

/** The mean of the state kept and that after two stages. */
export function average(): void {
  for (let row = 1; row < rows - 1; row++) {
    const end = placeOf(row, changesTo(row))
    for (let at = placeOf(row, changesFrom(row)); at <= end; at += 8) {
      if (load<f64>(LIVE + at) === 0) continue
      store<f64>(DEPTH + at, 0.5 * (load<f64>(KEPT_DEPTH + at) + load<f64>(DEPTH + at)))
      store<f64>(MOMENTUM_X + at, 0.5 * (load<f64>(KEPT_X + at) + load<f64>(MOMENTUM_X + at)))
      store<f64>(MOMENTUM_Y + at, 0.5 * (load<f64>(KEPT_Y + at) + load<f64>(MOMENTUM_Y + at)))
    }
  }
}

/** The fastest wave now, m/s. */
export function fastestWave(): f64 {
  let most: f64 = 0
  for (let row = 1; row < rows - 1; row++) {
    const end = placeOf(row, changesTo(row))
    for (let at = placeOf(row, changesFrom(row)); at <= end; at += 8) {
      const h = load<f64>(DEPTH + at)
      if (h === 0 || load<f64>(LIVE + at) === 0) continue
      most = max<f64>(most, waveOf(at, h))
    }
  }
  return most
}

// @inline
function waveOf(at: usize, h: f64): f64 {
  const wave = 2 * sqrt<f64>(GRAVITY * h)
  if (h <= DRY) return wave
  return wave + (abs<f64>(load<f64>(MOMENTUM_X + at)) + abs<f64>(load<f64>(MOMENTUM_Y + at))) / h
}

/** Rain, interception, infiltration and what is largest, after the flow of a step. */
export function finish(dt: f64, raining: bool): void {
  let fastest: f64 = 0
  let deepest: f64 = 0
  let fastestCell: i32 = -1
  for (let row = 1; row < rows - 1; row++) {
    const from = changesFrom(row)
    const to = changesTo(row)
    let wetFrom = stride
    let wetTo = -1
    for (let col = from; col <= to; col++) {
      const at = placeOf(row, col)
      if (load<f64>(LIVE + at) === 0) {
        if (raining) store<f64>(DEPTH + at, load<f64>(DEPTH + at) + load<f64>(RAIN + at) * dt)
        continue
      }
      let h = load<f64>(DEPTH + at)
      if (raining) {
        const fallen = load<f64>(RAIN + at) * dt
        const kept = min<f64>(fallen, load<f64>(INTERCEPTION + at))
        store<f64>(INTERCEPTION + at, load<f64>(INTERCEPTION + at) - kept)
        h += fallen - kept
      }
      if (h === 0) continue
      if (load<f64>(KH + at) > 0) h = infiltrate(at, h, dt)
      store<f64>(DEPTH + at, h)
      if (wetTo < 0) wetFrom = col
      wetTo = col
      if (h > load<f64>(MAX_DEPTH + at)) store<f64>(MAX_DEPTH + at, h)
      deepest = max<f64>(deepest, h)
      const wave = waveOf(at, h)
      if (wave > fastest) {
        fastest = wave
        fastestCell = row * stride + col
      }
      if (h > header.dryDepth) noteSpeed(at, h)
    }
    if (wetTo < 0) continue
    const low = WET_FROM + ((<usize>row) << 2)
    const high = WET_TO + ((<usize>row) << 2)
    store<i32>(low, min(load<i32>(low), wetFrom))
    store<i32>(high, max(load<i32>(high), wetTo))
  }
  header.fastest = fastest
  header.fastestCell = fastestCell
  header.deepest = deepest
}

// @inline
function noteSpeed(at: usize, h: f64): void {
  const x = load<f64>(MOMENTUM_X + at)
  const y = load<f64>(MOMENTUM_Y + at)
  const speed = sqrt<f64>(x * x + y * y) / h
  if (speed > load<f64>(MAX_SPEED + at)) store<f64>(MAX_SPEED + at, speed)
  if (speed * h > load<f64>(MAX_DEPTH_SPEED + at)) store<f64>(MAX_DEPTH_SPEED + at, speed * h)
}

/** Green-Ampt as in src/soil/green-ampt.ts; what infiltrates takes its momentum along. @returns the depth left, m */
// @inline
function infiltrate(at: usize, h: f64, dt: f64): f64 {
  const F = load<f64>(INFILTRATED + at)
  const kdt = load<f64>(KH + at) * dt
  const head = (load<f64>(CAPSH + at) + h) * load<f64>(SOILMD + at)
  const numerator = 4 * kdt * (F + head)
  if (numerator <= 0) return h
  const b = 2 * F - kdt
  const taken = min<f64>(h, numerator / (b + sqrt<f64>(b * b + 2 * numerator)))
  store<f64>(INFILTRATED + at, F + taken)
  const left = h - taken
  const share = left / h
  store<f64>(MOMENTUM_X + at, load<f64>(MOMENTUM_X + at) * share)
  store<f64>(MOMENTUM_Y + at, load<f64>(MOMENTUM_Y + at) * share)
  return left
}
