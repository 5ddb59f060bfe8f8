// What fluxes, friction, rain and soil make of the cells of a row; the formulas are those of src/surface/full/reference.ts.
import { GRAVITY } from '../gravity'
import { narrow, some, upper, widen } from '../vectors'
import { splat } from './faces'
import {
  alongX,
  alongY,
  aroundOf,
  BED,
  beforeX,
  beforeY,
  behindX,
  behindY,
  C0,
  C1,
  C2,
  C3,
  CAPSH,
  DEPTH,
  DRY,
  FAST,
  FOUND,
  FRICTION,
  firstColumn,
  fluxOf,
  G4,
  header,
  INFILTRATED,
  INTERCEPTION,
  KH,
  KIND,
  lastColumn,
  MAGNITUDE,
  MAX_DEPTH,
  MAX_DEPTH_SPEED,
  MAX_SPEED,
  MOMENTUM_X,
  MOMENTUM_Y,
  massX,
  massY,
  NEAR,
  ONE,
  place32,
  place64,
  QX,
  QY,
  RAIN,
  SEED,
  SOILMD,
  seenOf,
  speedXOf,
  speedYOf,
  stride,
  THIRD,
  WETTER,
  wetted,
} from './memory'

const G: f32 = <f32>GRAVITY
/** A cell gives all but what sums of f32 may err by. */
const HELD: f32 = 0.999999

/** Takes back what would leave a cell of a row beyond what it holds; its faces and those of the row above are known. */
export function limitRow(k: i32): void {
  const zero = splat(0)
  const share = <f32>(header.dt / header.dx)
  const shares = splat(share)
  const held = splat(HELD)
  const flux = fluxOf(k)
  const MX = massX(flux)
  const MY = massY(flux)
  const NY = massY(fluxOf(k - 1))
  const seen = seenOf(k)
  const last = lastColumn(k, 1)
  for (let column = firstColumn(k, 1); column <= last; column += 4) {
    const at = (<usize>column) << 2
    const h = v128.load(seen + at)
    const east = v128.load(MX + at)
    const west = v128.load(MX + at - 4)
    const south = v128.load(MY + at)
    const north = v128.load(NY + at)
    const outX = v128.sub<f32>(v128.pmax<f32>(east, zero), v128.pmin<f32>(west, zero))
    const outY = v128.sub<f32>(v128.pmax<f32>(south, zero), v128.pmin<f32>(north, zero))
    const out = v128.mul<f32>(v128.add<f32>(outX, outY), shares)
    const over = v128.and(v128.gt<f32>(out, v128.mul<f32>(h, held)), v128.gt<f32>(h, zero))
    // What leaves a cell leaves no other: neighbours' limits do not change it.
    let lanes = v128.bitmask<i32>(over)
    while (lanes) {
      limitCell(at + ((<usize>ctz(lanes)) << 2), seen, MX, MY, NY, share)
      lanes &= lanes - 1
    }
  }
}

function limitCell(at: usize, seen: usize, MX: usize, MY: usize, NY: usize, share: f32): void {
  const east = load<f32>(MX + at)
  const west = load<f32>(MX + at - 4)
  const south = load<f32>(MY + at)
  const north = load<f32>(NY + at)
  const out = max<f32>(east, 0) + max<f32>(-west, 0) + (max<f32>(south, 0) + max<f32>(-north, 0))
  const kept = (load<f32>(seen + at) * HELD) / (out * share)
  if (east > 0) store<f32>(MX + at, east * kept)
  if (west < 0) store<f32>(MX + at - 4, west * kept)
  if (south > 0) store<f32>(MY + at, south * kept)
  if (north < 0) store<f32>(NY + at, north * kept)
}

/** The most that the water of a cell can have as speed: see src/surface/full/reference.ts. */
function reachable(k: i32, column: i32): f32 {
  let most = reachedFrom(k, column, k, column, 0)
  most = reachedFrom(k, column, k, column - 1, most)
  most = reachedFrom(k, column, k, column + 1, most)
  most = reachedFrom(k, column, k - 1, column, most)
  return reachedFrom(k, column, k + 1, column, most)
}

function reachedFrom(k: i32, column: i32, row: i32, other: i32, most: f32): f32 {
  const at = (<usize>other) << 2
  const h = load<f32>(seenOf(row) + at)
  if (h === 0) return most
  const own = load<f64>(BED + place64(k) + ((<usize>column) << 3))
  const fall = max<f32>(0, <f32>(load<f64>(BED + place64(row) + ((<usize>other) << 3)) + <f64>h - own))
  const u = load<f32>(speedXOf(row) + at)
  const v = load<f32>(speedYOf(row) + at)
  return max<f32>(most, sqrt<f32>(u * u + v * v + 2 * G * fall) + 2 * sqrt<f32>(G * h))
}

/**
 * `factor` h^(-7/3) within 1.2e-4, as in ../vectors.ts: y^7 (h y^3)^(-7/3) with the seed y, whose exponent is that of h divided
 * by -3.
 */
// @inline
function inverseSevenThirds(
  h: v128,
  factor: v128,
  seed: v128,
  third: v128,
  c0: v128,
  c1: v128,
  c2: v128,
  c3: v128,
): v128 {
  const y = v128.sub<i32>(seed, i32x4.dot_i16x8_s(v128.shr<u32>(h, 16), third))
  const y2 = v128.mul<f32>(y, y)
  const t = v128.mul<f32>(v128.mul<f32>(h, y), y2)
  const low = v128.add<f32>(c0, v128.mul<f32>(t, c1))
  const high = v128.add<f32>(c2, v128.mul<f32>(t, c3))
  const s = v128.add<f32>(low, v128.mul<f32>(v128.mul<f32>(t, t), high))
  const y7 = v128.mul<f32>(v128.mul<f32>(y2, y2), v128.mul<f32>(y2, y))
  return v128.mul<f32>(v128.mul<f32>(factor, y7), s)
}

/** |u| + |v| + 2 c. */
// @inline
function waveOf(h: v128, x: v128, y: v128): v128 {
  const wave = v128.mul<f32>(splat(2), v128.sqrt<f32>(v128.mul<f32>(splat(G), h)))
  const moving = v128.div<f32>(v128.add<f32>(v128.abs<f32>(x), v128.abs<f32>(y)), h)
  return v128.add<f32>(wave, v128.and(moving, v128.gt<f32>(h, splat(DRY))))
}

// The largest of a block so far: by lanes, of the first cell where several are equal.
let fastest: v128 = f32x4.splat(0)
let fastestCell: v128 = i32x4.splat(-1)
let deepest: v128 = f32x4.splat(0)

/** Bytes of what a block found, and of its parts. */
const FOUND_BYTES: i32 = 12
const FOUND_CELL: usize = 4
const FOUND_DEEPEST: usize = 8

export function begin(): void {
  fastest = splat(0)
  deepest = splat(0)
  fastestCell = i32x4.splat(-1)
}

/** Leaves what a block found. */
export function end(block: i32): void {
  const at = FOUND + <usize>(block * FOUND_BYTES)
  v128.store(FOUND_LANES(block), fastest)
  v128.store(FOUND_LANES(block) + 16, fastestCell)
  v128.store(FOUND_LANES(block) + 32, deepest)
  let most: f32 = 0
  let cell: i32 = -1
  let deep: f32 = 0
  for (let lane: usize = 0; lane < 16; lane += 4) {
    const wave = load<f32>(FOUND_LANES(block) + lane)
    const place = load<i32>(FOUND_LANES(block) + 16 + lane)
    deep = max<f32>(deep, load<f32>(FOUND_LANES(block) + 32 + lane))
    if (wave < most || wave === 0 || (wave === most && place > cell)) continue
    most = wave
    cell = place
  }
  store<f32>(at, most)
  store<i32>(at, cell, FOUND_CELL)
  store<f32>(at, deep, FOUND_DEEPEST)
}

/** Where a block puts its lanes down, behind what all blocks found. */
// @inline
function FOUND_LANES(block: i32): usize {
  return FOUND + <usize>(header.blocks * 16 + block * 48)
}

/** What all blocks found; the first cell of those that are equally fast. */
export function gather(): void {
  let most: f32 = 0
  let cell: i32 = -1
  let deep: f32 = 0
  for (let k = 0; k < header.blocks; k++) {
    const at = FOUND + <usize>(k * FOUND_BYTES)
    if (load<f32>(at) > most) {
      most = load<f32>(at)
      cell = load<i32>(at, FOUND_CELL)
    }
    deep = max<f32>(deep, load<f32>(at, FOUND_DEEPEST))
  }
  header.fastest = most
  header.fastestCell = cell
  header.deepest = deep
}

/**
 * What fluxes and friction make of a row. What comes after is a loop of its own (`finishRow`): a quad waits for one formula
 * after the other, and the processor works on several of them at once only where few others stand between.
 */
export function flowRow(k: i32): void {
  const last = lastColumn(k, 0)
  const zero = splat(0)
  const share2 = f64x2.splat(header.dt / header.dx)
  const shares = splat(<f32>(header.dt / header.dx))
  const time = splat(<f32>(4 * header.dt))
  const film = splat(header.film)
  const dry = v128.load(WETTER)
  const one = v128.load(ONE)
  const seed = v128.load(SEED)
  const third = v128.load(THIRD)
  const c0 = v128.load(C0)
  const c1 = v128.load(C1)
  const c2 = v128.load(C2)
  const c3 = v128.load(C3)
  const fast = v128.load(FAST)
  const flux = fluxOf(k)
  const north = fluxOf(k - 1)
  const around = aroundOf(k)
  const MX = massX(flux)
  const MY = massY(flux)
  const NY = massY(north)
  const row32 = place32(k)
  const row64 = place64(k)
  for (let column = firstColumn(k, 0); column <= last; column += 4) {
    const at = (<usize>column) << 2
    const own = row32 + at
    const own2 = row64 + (at << 1)
    const kind = v128.load(KIND + own)
    const live = v128.shr<i32>(kind, 31)
    const east = v128.load(MX + at)
    const south = v128.load(MY + at)
    v128.store(QX + own, east)
    v128.store(QY + own, south)
    let low = v128.load(DEPTH + own2)
    let high = v128.load(DEPTH + own2, 16)
    const through = v128.or(v128.or(east, south), v128.or(v128.load(MX + at - 4), v128.load(NY + at)))
    if (v128.any_true(through)) {
      let gainLow = v128.add<f64>(
        v128.sub<f64>(widen(MX + at - 4), widen(MX + at)),
        v128.sub<f64>(widen(NY + at), widen(MY + at)),
      )
      let gainHigh = v128.add<f64>(
        v128.sub<f64>(widen(MX + at + 4), widen(MX + at + 8)),
        v128.sub<f64>(widen(NY + at + 8), widen(MY + at + 8)),
      )
      // Open water takes what comes; what lies outside is the host's.
      if (!v128.all_true<i32>(kind)) {
        const takes = v128.ne<i32>(kind, zero)
        gainLow = v128.and(gainLow, v128.shuffle<i32>(takes, takes, 0, 0, 1, 1))
        gainHigh = v128.and(gainHigh, v128.shuffle<i32>(takes, takes, 2, 2, 3, 3))
      }
      low = v128.add<f64>(low, v128.mul<f64>(gainLow, share2))
      high = v128.add<f64>(high, v128.mul<f64>(gainHigh, share2))
      v128.store(DEPTH + own2, low)
      v128.store(DEPTH + own2, high, 16)
    }
    const h = narrow(low, high)
    const wet = v128.and(v128.gt<f32>(h, dry), v128.and(v128.gt<f32>(v128.load(around + at), film), live))
    let x = v128.load(MOMENTUM_X + own)
    let y = v128.load(MOMENTUM_Y + own)
    if (!v128.any_true(wet)) {
      if (!v128.any_true(v128.or(x, y))) continue
      v128.store(MOMENTUM_X + own, zero)
      v128.store(MOMENTUM_Y + own, zero)
      continue
    }
    const dX = v128.add<f32>(
      v128.sub<f32>(v128.load(behindX(flux) + at - 4), v128.load(beforeX(flux) + at)),
      v128.sub<f32>(v128.load(alongY(north) + at), v128.load(alongY(flux) + at)),
    )
    const dY = v128.add<f32>(
      v128.sub<f32>(v128.load(behindY(north) + at), v128.load(beforeY(flux) + at)),
      v128.sub<f32>(v128.load(alongX(flux) + at - 4), v128.load(alongX(flux) + at)),
    )
    x = v128.add<f32>(x, v128.mul<f32>(dX, shares))
    y = v128.add<f32>(y, v128.mul<f32>(dY, shares))
    // Backward Euler for q' = q - B |q'| q', B = g n^2 dt / h^(7/3).
    const b4 = inverseSevenThirds(
      h,
      v128.mul<f32>(v128.load(FRICTION + own), time),
      seed,
      third,
      c0,
      c1,
      c2,
      c3,
    )
    const q = v128.sqrt<f32>(v128.add<f32>(v128.mul<f32>(x, x), v128.mul<f32>(y, y)))
    const slower = v128.sqrt<f32>(v128.add<f32>(one, v128.mul<f32>(b4, q)))
    const slow = v128.div<f32>(v128.add<f32>(one, one), v128.add<f32>(one, slower))
    x = v128.and(v128.mul<f32>(x, slow), wet)
    y = v128.and(v128.mul<f32>(y, slow), wet)
    v128.store(MOMENTUM_X + own, x)
    v128.store(MOMENTUM_Y + own, y)
    const square = v128.add<f32>(v128.mul<f32>(x, x), v128.mul<f32>(y, y))
    const wave2 = v128.mul<f32>(v128.mul<f32>(fast, v128.mul<f32>(h, h)), h)
    let falling = v128.bitmask<i32>(v128.and(v128.gt<f32>(square, wave2), wet))
    while (falling) {
      holdBack(k, column + ctz(falling))
      falling &= falling - 1
    }
  }
}

/** Rain, interception, infiltration and what is largest of a row, after the flow of a step. */
export function finishRow(k: i32): void {
  if (header.raining) finish(k, true)
  else finish(k, false)
}

// @inline
function finish(k: i32, raining: bool): void {
  const last = lastColumn(k, 0)
  const zero = splat(0)
  const dt = header.dt
  const film = splat(header.film)
  const dryDepth = splat(header.dryDepth)
  const near = v128.load(NEAR)
  const g4 = v128.load(G4)
  const magnitude = v128.load(MAGNITUDE)
  const row32 = place32(k)
  const row64 = place64(k)
  let mostWave = fastest
  let waveCell = fastestCell
  let deep = deepest
  let wetFrom = stride
  let wetTo = -1
  for (let column = firstColumn(k, 0); column <= last; column += 4) {
    const own = row32 + ((<usize>column) << 2)
    const own2 = row64 + ((<usize>column) << 3)
    const live = v128.shr<i32>(v128.load(KIND + own), 31)
    let low = v128.load(DEPTH + own2)
    let high = v128.load(DEPTH + own2, 16)
    if (raining) {
      low = rainOn(own2, low, dt)
      high = rainOn(own2 + 16, high, dt)
      v128.store(DEPTH + own2, low)
      v128.store(DEPTH + own2, high, 16)
    }
    let h = v128.and(narrow(low, high), live)
    const soaks = v128.and(v128.gt<f32>(v128.load(KH + own), zero), v128.gt<f32>(h, zero))
    if (v128.any_true(soaks)) h = infiltrate(own, own2, h, low, high, <f32>dt, soaks)
    const lanes = v128.bitmask<i32>(v128.gt<f32>(h, zero))
    if (!lanes) continue
    if (wetTo < 0) wetFrom = column + ctz(lanes)
    wetTo = column + 31 - clz(lanes)
    const known = v128.load(MAX_DEPTH + own)
    if (some(v128.gt<f32>(h, known))) v128.store(MAX_DEPTH + own, v128.pmax<f32>(known, h))
    deep = v128.pmax<f32>(deep, h)
    const waves = v128.gt<f32>(h, film)
    if (!v128.any_true(waves)) continue
    const x = v128.load(MOMENTUM_X + own)
    const y = v128.load(MOMENTUM_Y + own)
    // Whether a wave may be faster than the fastest so far, without its root and quotient: true at least where it is.
    const moving = v128.add<f32>(v128.and(x, magnitude), v128.and(y, magnitude))
    const lack = v128.sub<f32>(v128.mul<f32>(v128.mul<f32>(mostWave, h), near), moving)
    const cubed = v128.mul<f32>(v128.mul<f32>(g4, v128.mul<f32>(h, h)), h)
    const exceeds = v128.or(v128.lt<f32>(lack, zero), v128.gt<f32>(cubed, v128.mul<f32>(lack, lack)))
    if (v128.any_true(v128.and(exceeds, waves))) {
      const wave = waveOf(h, x, y)
      const faster = v128.and(v128.gt<f32>(wave, mostWave), waves)
      const place = v128.add<i32>(i32x4.splat(k * stride + column), i32x4(0, 1, 2, 3))
      mostWave = v128.bitselect(wave, mostWave, faster)
      waveCell = v128.bitselect(place, waveCell, faster)
    }
    const shows = v128.gt<f32>(h, dryDepth)
    if (v128.any_true(shows)) noteSpeed(own, h, x, y, shows, near)
  }
  if (wetTo >= 0) wetted(k, wetFrom, wetTo)
  fastest = mostWave
  fastestCell = waveCell
  deepest = deep
}

/** Water that is all but gone is no faster than its fall explains. */
function holdBack(k: i32, column: i32): void {
  const at = place32(k) + ((<usize>column) << 2)
  const x = load<f32>(MOMENTUM_X + at)
  const y = load<f32>(MOMENTUM_Y + at)
  const h = <f32>load<f64>(DEPTH + place64(k) + ((<usize>column) << 3))
  const over = (reachable(k, column) * h) / sqrt<f32>(x * x + y * y)
  if (over >= 1) return
  store<f32>(MOMENTUM_X + at, x * over)
  store<f32>(MOMENTUM_Y + at, y * over)
}

/** What falls on two cells, less what leaves and hollows keep. @returns the depth */
// @inline
function rainOn(at: usize, h: v128, dt: f64): v128 {
  const fallen = v128.mul<f64>(v128.load(RAIN + at), f64x2.splat(dt))
  const free = v128.load(INTERCEPTION + at)
  const kept = v128.pmin<f64>(fallen, free)
  v128.store(INTERCEPTION + at, v128.sub<f64>(free, kept))
  return v128.add<f64>(h, v128.sub<f64>(fallen, kept))
}

// @inline
function noteSpeed(at: usize, h: v128, x: v128, y: v128, shows: v128, near: v128): void {
  const square = v128.add<f32>(v128.mul<f32>(x, x), v128.mul<f32>(y, y))
  const knownSpeed = v128.load(MAX_SPEED + at)
  const knownProduct = v128.load(MAX_DEPTH_SPEED + at)
  // Roots and quotients only where they may change anything.
  const least = v128.mul<f32>(v128.pmin<f32>(v128.mul<f32>(knownSpeed, h), knownProduct), near)
  if (!v128.any_true(v128.and(v128.gt<f32>(square, v128.mul<f32>(least, least)), shows))) return
  const product = v128.sqrt<f32>(square)
  const speed = v128.div<f32>(product, h)
  v128.store(MAX_SPEED + at, v128.pmax<f32>(knownSpeed, v128.and(speed, shows)))
  v128.store(MAX_DEPTH_SPEED + at, v128.pmax<f32>(knownProduct, v128.and(product, shows)))
}

/** Green-Ampt as in src/soil/green-ampt.ts; what infiltrates takes its momentum along. Writes depths and momenta. @returns depths, m */
// @inline
function infiltrate(own: usize, own2: usize, h: v128, low: v128, high: v128, dt: f32, soaks: v128): v128 {
  const infiltratedLow = v128.load(INFILTRATED + own2)
  const infiltratedHigh = v128.load(INFILTRATED + own2, 16)
  const F = narrow(infiltratedLow, infiltratedHigh)
  const kdt = v128.mul<f32>(v128.load(KH + own), splat(dt))
  const head = v128.mul<f32>(v128.add<f32>(v128.load(CAPSH + own), h), v128.load(SOILMD + own))
  const numerator = v128.mul<f32>(v128.mul<f32>(splat(4), kdt), v128.add<f32>(F, head))
  const takes = v128.and(v128.gt<f32>(numerator, splat(0)), soaks)
  const b = v128.sub<f32>(v128.add<f32>(F, F), kdt)
  const square = v128.add<f32>(v128.mul<f32>(b, b), v128.add<f32>(numerator, numerator))
  const wanted = v128.and(v128.div<f32>(numerator, v128.add<f32>(b, v128.sqrt<f32>(square))), takes)
  const takenLow = v128.pmin<f64>(f64x2.promote_low_f32x4(wanted), low)
  const takenHigh = v128.pmin<f64>(f64x2.promote_low_f32x4(upper(wanted)), high)
  v128.store(INFILTRATED + own2, v128.add<f64>(infiltratedLow, takenLow))
  v128.store(INFILTRATED + own2, v128.add<f64>(infiltratedHigh, takenHigh), 16)
  const leftLow = v128.sub<f64>(low, takenLow)
  const leftHigh = v128.sub<f64>(high, takenHigh)
  v128.store(DEPTH + own2, leftLow)
  v128.store(DEPTH + own2, leftHigh, 16)
  const left = narrow(leftLow, leftHigh)
  const share = v128.bitselect(v128.div<f32>(left, h), splat(1), takes)
  v128.store(MOMENTUM_X + own, v128.mul<f32>(v128.load(MOMENTUM_X + own), share))
  v128.store(MOMENTUM_Y + own, v128.mul<f32>(v128.load(MOMENTUM_Y + own), share))
  return v128.bitselect(left, h, takes)
}
