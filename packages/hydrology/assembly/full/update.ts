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
  deepestAround,
  down,
  FOUND,
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
  SEEN,
  SOILMD,
  SPEED_X,
  SPEED_Y,
  stride,
  WET_FROM,
  WET_TO,
} from './memory'
import { inverseCubeRoot, isLane, magnitude, splat } from './vectors'

const FALLING_FROUDE2: f64 = 100
/** Less than 1 by more than comparisons err. */
const NEARLY: f64 = 1 - 1e-12

/** Takes back what would leave a cell of these rows beyond what it holds. */
export function limitRows(fromRow: i32, toRow: i32): void {
  const share = header.dt / header.dx
  for (let row = fromRow; row < toRow; row++) limitRow(row, share)
}

function limitRow(row: i32, share: f64): void {
  const zero = splat(0)
  const shares = splat(share)
  const end = placeOf(row, changesTo(row))
  for (let at = placeOf(row, changesFrom(row)); at <= end; at += 16) {
    const h = v128.load(SEEN + at)
    const east = v128.load(MASS_X + at)
    const west = v128.load(MASS_X + at - 8)
    const south = v128.load(MASS_Y + at)
    const north = v128.load(MASS_Y + at - down)
    const alongX = v128.add<f64>(v128.pmax<f64>(east, zero), v128.pmax<f64>(v128.neg<f64>(west), zero))
    const alongY = v128.add<f64>(v128.pmax<f64>(south, zero), v128.pmax<f64>(v128.neg<f64>(north), zero))
    const out = v128.mul<f64>(v128.add<f64>(alongX, alongY), shares)
    const over = v128.and(v128.gt<f64>(out, h), v128.gt<f64>(h, zero))
    // What leaves a cell leaves no other: neighbours' limits do not change it.
    if (isLane(over, 0)) limitCell(at, share)
    if (isLane(over, 1)) limitCell(at + 8, share)
  }
}

function limitCell(at: usize, share: f64): void {
  const east = load<f64>(MASS_X + at)
  const west = load<f64>(MASS_X + at - 8)
  const south = load<f64>(MASS_Y + at)
  const north = load<f64>(MASS_Y + at - down)
  const out = max<f64>(east, 0) + max<f64>(-west, 0) + (max<f64>(south, 0) + max<f64>(-north, 0))
  const kept = load<f64>(SEEN + at) / (out * share)
  if (east > 0) store<f64>(MASS_X + at, east * kept)
  if (west < 0) store<f64>(MASS_X + at - 8, west * kept)
  if (south > 0) store<f64>(MASS_Y + at, south * kept)
  if (north < 0) store<f64>(MASS_Y + at - down, north * kept)
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

/** A stage of these rows. */
export function updateRows(fromRow: i32, toRow: i32): void {
  const dt = header.dt
  const weight = header.weight
  const first = header.first !== 0
  for (let row = fromRow; row < toRow; row++) updateRow(row, dt, weight, first)
}

// @inline
function updateRow(row: i32, dt: f64, weight: f64, first: bool): void {
  const share = dt / header.dx
  const weights = splat(weight)
  const end = placeOf(row, changesTo(row))
  for (let at = placeOf(row, changesFrom(row)); at <= end; at += 16) {
    const east = v128.load(MASS_X + at)
    const south = v128.load(MASS_Y + at)
    let x = v128.mul<f64>(weights, east)
    let y = v128.mul<f64>(weights, south)
    if (!first) {
      x = v128.add<f64>(v128.load(QX + at), x)
      y = v128.add<f64>(v128.load(QY + at), y)
    }
    v128.store(QX + at, x)
    v128.store(QY + at, y)
    updateCells(at, east, south, dt, share)
  }
}

// @inline
function updateCells(at: usize, east: v128, south: v128, dt: f64, share: f64): void {
  const zero = splat(0)
  const shares = splat(share)
  const seen = v128.load(SEEN + at)
  const moved = v128.add<f64>(
    v128.sub<f64>(v128.load(MASS_X + at - 8), east),
    v128.sub<f64>(v128.load(MASS_Y + at - down), south),
  )
  const something = v128.or(v128.ne<f64>(seen, zero), v128.ne<f64>(moved, zero))
  const changes = v128.and(something, v128.ne<f64>(v128.load(LIVE + at), zero))
  if (!v128.any_true(changes)) return
  const h = v128.pmax<f64>(zero, v128.add<f64>(seen, v128.mul<f64>(moved, shares)))
  v128.store(DEPTH + at, v128.bitselect(h, v128.load(DEPTH + at), changes))
  // A film that rests takes what comes, and does not move.
  const awake = v128.gt<f64>(deepestAround(at), splat(header.film))
  if (!v128.any_true(v128.and(awake, changes))) {
    v128.store(MOMENTUM_X + at, v128.andnot(v128.load(MOMENTUM_X + at), changes))
    v128.store(MOMENTUM_Y + at, v128.andnot(v128.load(MOMENTUM_Y + at), changes))
    return
  }
  const wet = v128.and(v128.gt<f64>(h, splat(DRY)), awake)
  let dX = v128.add<f64>(
    v128.sub<f64>(v128.load(BEHIND_X + at - 8), v128.load(BEFORE_X + at)),
    v128.sub<f64>(v128.load(ALONG_Y + at - down), v128.load(ALONG_Y + at)),
  )
  let dY = v128.add<f64>(
    v128.sub<f64>(v128.load(BEHIND_Y + at - down), v128.load(BEFORE_Y + at)),
    v128.sub<f64>(v128.load(ALONG_X + at - 8), v128.load(ALONG_X + at)),
  )
  const weight = v128.mul<f64>(splat(GRAVITY), seen)
  const riseX = v128.sub<f64>(v128.load(LEVEL_SLOPE_X + at), v128.load(DEPTH_SLOPE_X + at))
  const riseY = v128.sub<f64>(v128.load(LEVEL_SLOPE_Y + at), v128.load(DEPTH_SLOPE_Y + at))
  dX = v128.sub<f64>(dX, v128.mul<f64>(weight, riseX))
  dY = v128.sub<f64>(dY, v128.mul<f64>(weight, riseY))
  const oldX = v128.load(MOMENTUM_X + at)
  const oldY = v128.load(MOMENTUM_Y + at)
  let x = v128.add<f64>(oldX, v128.mul<f64>(dX, shares))
  let y = v128.add<f64>(oldY, v128.mul<f64>(dY, shares))
  // Backward Euler for q' = q - B |q'| q', B = g n^2 dt / h^(7/3).
  const root = inverseCubeRoot(h)
  const root2 = v128.mul<f64>(root, root)
  const root7 = v128.mul<f64>(v128.mul<f64>(v128.mul<f64>(root2, root2), root2), root)
  const b = v128.mul<f64>(v128.mul<f64>(v128.load(FRICTION + at), splat(dt)), root7)
  const q = v128.sqrt<f64>(v128.add<f64>(v128.mul<f64>(x, x), v128.mul<f64>(y, y)))
  const slower = v128.sqrt<f64>(v128.add<f64>(splat(1), v128.mul<f64>(v128.mul<f64>(splat(4), b), q)))
  const slow = v128.div<f64>(splat(2), v128.add<f64>(splat(1), slower))
  x = v128.and(v128.mul<f64>(x, slow), wet)
  y = v128.and(v128.mul<f64>(y, slow), wet)
  const square = v128.add<f64>(v128.mul<f64>(x, x), v128.mul<f64>(y, y))
  const wave2 = v128.mul<f64>(v128.mul<f64>(v128.mul<f64>(splat(FALLING_FROUDE2 * GRAVITY), h), h), h)
  const falling = v128.and(v128.and(v128.gt<f64>(square, wave2), wet), changes)
  v128.store(MOMENTUM_X + at, v128.bitselect(x, oldX, changes))
  v128.store(MOMENTUM_Y + at, v128.bitselect(y, oldY, changes))
  if (!v128.any_true(falling)) return
  if (isLane(falling, 0)) holdBack(at)
  if (isLane(falling, 1)) holdBack(at + 8)
}

/** Water that is all but gone is no faster than its fall explains. */
function holdBack(at: usize): void {
  const x = load<f64>(MOMENTUM_X + at)
  const y = load<f64>(MOMENTUM_Y + at)
  const over = (reachable(at) * load<f64>(DEPTH + at)) / sqrt<f64>(x * x + y * y)
  if (over >= 1) return
  store<f64>(MOMENTUM_X + at, x * over)
  store<f64>(MOMENTUM_Y + at, y * over)
}

/** Keeps the state before a step of two stages. */
export function keepRows(fromRow: i32, toRow: i32): void {
  for (let row = fromRow; row < toRow; row++) {
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
export function averageRows(fromRow: i32, toRow: i32): void {
  for (let row = fromRow; row < toRow; row++) {
    const end = placeOf(row, changesTo(row))
    for (let at = placeOf(row, changesFrom(row)); at <= end; at += 8) {
      if (load<f64>(LIVE + at) === 0) continue
      store<f64>(DEPTH + at, 0.5 * (load<f64>(KEPT_DEPTH + at) + load<f64>(DEPTH + at)))
      store<f64>(MOMENTUM_X + at, 0.5 * (load<f64>(KEPT_X + at) + load<f64>(MOMENTUM_X + at)))
      store<f64>(MOMENTUM_Y + at, 0.5 * (load<f64>(KEPT_Y + at) + load<f64>(MOMENTUM_Y + at)))
    }
  }
}

/** The fastest wave of these rows now, m/s. */
export function wavesOfRows(fromRow: i32, toRow: i32, block: i32): void {
  const film = splat(header.film)
  let most = splat(0)
  for (let row = fromRow; row < toRow; row++) {
    const end = placeOf(row, changesTo(row))
    for (let at = placeOf(row, changesFrom(row)); at <= end; at += 16) {
      const h = v128.load(DEPTH + at)
      const counts = v128.and(v128.gt<f64>(h, film), v128.ne<f64>(v128.load(LIVE + at), splat(0)))
      if (!v128.any_true(counts)) continue
      const wave = waveOf(h, v128.load(MOMENTUM_X + at), v128.load(MOMENTUM_Y + at))
      most = v128.pmax<f64>(most, v128.and(wave, counts))
    }
  }
  begin()
  fastestEven = max<f64>(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1))
  end(block)
}

/** |u| + |v| + 2 c. */
// @inline
function waveOf(h: v128, x: v128, y: v128): v128 {
  const wave = v128.mul<f64>(splat(2), v128.sqrt<f64>(v128.mul<f64>(splat(GRAVITY), h)))
  const moving = v128.div<f64>(v128.add<f64>(magnitude(x), magnitude(y)), h)
  return v128.add<f64>(wave, v128.and(moving, v128.gt<f64>(h, splat(DRY))))
}

/** Whether a wave may be faster than `f`, without its root and quotient: true at least where it is. */
// @inline
function exceeds(h: v128, x: v128, y: v128, f: v128): v128 {
  const lack = v128.sub<f64>(
    v128.mul<f64>(v128.mul<f64>(f, h), splat(NEARLY)),
    v128.add<f64>(magnitude(x), magnitude(y)),
  )
  const wave2 = v128.mul<f64>(v128.mul<f64>(v128.mul<f64>(splat(4 * GRAVITY), h), h), h)
  return v128.or(v128.lt<f64>(lack, splat(0)), v128.gt<f64>(wave2, v128.mul<f64>(lack, lack)))
}

/** The largest of a block's rows so far, of even and odd cells of their pairs. */
let fastestEven: f64 = 0
let fastestOdd: f64 = 0
let fastestEvenCell: f64 = -1
let fastestOddCell: f64 = -1
let deepest: f64 = 0

/** Bytes of what a block found, and of its parts. */
const FOUND_BYTES: i32 = 24
const FOUND_CELL: usize = 8
const FOUND_DEEPEST: usize = 16

/** Rain, interception, infiltration and what is largest, after the flow of a step. */
export function finishRows(fromRow: i32, toRow: i32, block: i32): void {
  const dt = header.dt
  const raining = header.raining !== 0
  begin()
  for (let row = fromRow; row < toRow; row++) {
    if (raining) finishRow(row, dt, true)
    else finishRow(row, dt, false)
  }
  end(block)
}

function begin(): void {
  fastestEven = fastestOdd = deepest = 0
  fastestEvenCell = fastestOddCell = -1
}

/** Leaves what a block found. */
function end(block: i32): void {
  const first = fastestEven > fastestOdd || (fastestEven === fastestOdd && fastestEvenCell < fastestOddCell)
  const at = FOUND + <usize>(block * FOUND_BYTES)
  store<f64>(at, first ? fastestEven : fastestOdd)
  store<f64>(at, first ? fastestEvenCell : fastestOddCell, FOUND_CELL)
  store<f64>(at, deepest, FOUND_DEEPEST)
}

/** What all blocks found; the first cell of those that are equally fast. */
export function gather(): void {
  let fastest: f64 = 0
  let cell: f64 = -1
  let deep: f64 = 0
  for (let k = 0; k < header.blocks; k++) {
    const at = FOUND + <usize>(k * FOUND_BYTES)
    if (load<f64>(at) > fastest) {
      fastest = load<f64>(at)
      cell = load<f64>(at, FOUND_CELL)
    }
    deep = max<f64>(deep, load<f64>(at, FOUND_DEEPEST))
  }
  header.fastest = fastest
  header.fastestCell = <i32>cell
  header.deepest = deep
}

// @inline
function finishRow(row: i32, dt: f64, raining: bool): void {
  const zero = splat(0)
  let fastest = f64x2(fastestEven, fastestOdd)
  let deepestHere = splat(0)
  const film = splat(header.film)
  const dryDepth = splat(header.dryDepth)
  // Places are whole numbers that a f64 holds.
  let fastestCell = f64x2(fastestEvenCell, fastestOddCell)
  const from = changesFrom(row)
  const to = changesTo(row)
  let wetFrom = stride
  let wetTo = -1
  for (let col = from; col <= to; col += 2) {
    const at = placeOf(row, col)
    let h = v128.load(DEPTH + at)
    if (raining) h = rainOn(at, h, dt)
    const wet = v128.and(v128.gt<f64>(h, zero), v128.ne<f64>(v128.load(LIVE + at), zero))
    if (!v128.any_true(wet)) continue
    if (wetTo < 0) wetFrom = isLane(wet, 0) ? col : col + 1
    wetTo = isLane(wet, 1) ? col + 1 : col
    const soaks = v128.and(v128.gt<f64>(v128.load(KH + at), zero), wet)
    if (v128.any_true(soaks)) h = infiltrate(at, h, dt, soaks)
    const known = v128.load(MAX_DEPTH + at)
    const deeper = v128.and(v128.gt<f64>(h, known), wet)
    if (v128.any_true(deeper)) v128.store(MAX_DEPTH + at, v128.bitselect(h, known, deeper))
    deepestHere = v128.pmax<f64>(deepestHere, v128.and(h, wet))
    const waves = v128.and(v128.gt<f64>(h, film), wet)
    if (!v128.any_true(waves)) continue
    const x = v128.load(MOMENTUM_X + at)
    const y = v128.load(MOMENTUM_Y + at)
    const mayBeFaster = v128.and(exceeds(h, x, y, fastest), waves)
    if (v128.any_true(mayBeFaster)) {
      const wave = waveOf(h, x, y)
      const faster = v128.and(v128.gt<f64>(wave, fastest), waves)
      const place = <f64>(row * stride + col)
      fastest = v128.bitselect(wave, fastest, faster)
      fastestCell = v128.bitselect(f64x2(place, place + 1), fastestCell, faster)
    }
    const shows = v128.and(v128.gt<f64>(h, dryDepth), wet)
    if (v128.any_true(shows)) noteSpeed(at, h, x, y, shows)
  }
  const low = WET_FROM + ((<usize>row) << 2)
  const high = WET_TO + ((<usize>row) << 2)
  if (wetTo >= 0) {
    store<i32>(low, min(load<i32>(low), wetFrom))
    store<i32>(high, max(load<i32>(high), wetTo))
  }
  fastestEven = f64x2.extract_lane(fastest, 0)
  fastestOdd = f64x2.extract_lane(fastest, 1)
  fastestEvenCell = f64x2.extract_lane(fastestCell, 0)
  fastestOddCell = f64x2.extract_lane(fastestCell, 1)
  deepest = max<f64>(
    deepest,
    max<f64>(f64x2.extract_lane(deepestHere, 0), f64x2.extract_lane(deepestHere, 1)),
  )
}

/** What falls, less what leaves and hollows keep; open water and what lies outside keep nothing. @returns the depth */
// @inline
function rainOn(at: usize, h: v128, dt: f64): v128 {
  const fallen = v128.mul<f64>(v128.load(RAIN + at), splat(dt))
  const free = v128.load(INTERCEPTION + at)
  const kept = v128.pmin<f64>(fallen, free)
  v128.store(INTERCEPTION + at, v128.sub<f64>(free, kept))
  const after = v128.add<f64>(h, v128.sub<f64>(fallen, kept))
  v128.store(DEPTH + at, after)
  return after
}

// @inline
function noteSpeed(at: usize, h: v128, x: v128, y: v128, shows: v128): void {
  const square = v128.add<f64>(v128.mul<f64>(x, x), v128.mul<f64>(y, y))
  const knownSpeed = v128.load(MAX_SPEED + at)
  const knownProduct = v128.load(MAX_DEPTH_SPEED + at)
  // Roots and quotients only where they may change anything.
  const least = v128.mul<f64>(v128.pmin<f64>(v128.mul<f64>(knownSpeed, h), knownProduct), splat(NEARLY))
  if (!v128.any_true(v128.and(v128.gt<f64>(square, v128.mul<f64>(least, least)), shows))) return
  const speed = v128.div<f64>(v128.sqrt<f64>(square), h)
  const product = v128.mul<f64>(speed, h)
  const faster = v128.and(v128.gt<f64>(speed, knownSpeed), shows)
  const more = v128.and(v128.gt<f64>(product, knownProduct), shows)
  if (v128.any_true(faster)) v128.store(MAX_SPEED + at, v128.bitselect(speed, knownSpeed, faster))
  if (v128.any_true(more)) v128.store(MAX_DEPTH_SPEED + at, v128.bitselect(product, knownProduct, more))
}

/** Green-Ampt as in src/soil/green-ampt.ts; what infiltrates takes its momentum along. @returns the depth left, m */
function infiltrate(at: usize, h: v128, dt: f64, soaks: v128): v128 {
  const zero = splat(0)
  const F = v128.load(INFILTRATED + at)
  const kdt = v128.mul<f64>(v128.load(KH + at), splat(dt))
  const head = v128.mul<f64>(v128.add<f64>(v128.load(CAPSH + at), h), v128.load(SOILMD + at))
  const numerator = v128.mul<f64>(v128.mul<f64>(splat(4), kdt), v128.add<f64>(F, head))
  const takes = v128.and(v128.gt<f64>(numerator, zero), soaks)
  const b = v128.sub<f64>(v128.mul<f64>(splat(2), F), kdt)
  const square = v128.add<f64>(v128.mul<f64>(b, b), v128.mul<f64>(splat(2), numerator))
  const wanted = v128.div<f64>(numerator, v128.add<f64>(b, v128.sqrt<f64>(square)))
  const taken = v128.and(v128.pmin<f64>(h, wanted), takes)
  v128.store(INFILTRATED + at, v128.add<f64>(F, taken))
  const left = v128.sub<f64>(h, taken)
  v128.store(DEPTH + at, left)
  const share = v128.bitselect(v128.div<f64>(left, h), splat(1), takes)
  v128.store(MOMENTUM_X + at, v128.mul<f64>(v128.load(MOMENTUM_X + at), share))
  v128.store(MOMENTUM_Y + at, v128.mul<f64>(v128.load(MOMENTUM_Y + at), share))
  return left
}
