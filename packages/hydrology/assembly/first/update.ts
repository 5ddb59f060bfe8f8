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
  CAPSH,
  DEPTH,
  DRY,
  FOUND,
  FRICTION,
  firstColumn,
  fluxOf,
  header,
  INFILTRATED,
  INTERCEPTION,
  KH,
  KIND,
  lastColumn,
  MAX_DEPTH,
  MAX_DEPTH_SPEED,
  MAX_SPEED,
  MOMENTUM_X,
  MOMENTUM_Y,
  massX,
  massY,
  place32,
  place64,
  QX,
  QY,
  RAIN,
  SOILMD,
  seenOf,
  speedXOf,
  speedYOf,
  stride,
  wetted,
} from './memory'

const G: f32 = <f32>GRAVITY
const FALLING_FROUDE2: f32 = 100
/** A cell gives all but what sums of f32 may err by. */
const HELD: f32 = 0.999999
/** Less than 1 by more than comparisons err. */
const NEARLY: f32 = 0.999999

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

// @inline
function corrected(h: v128, y: v128): v128 {
  const r = v128.sub<f32>(splat(1), v128.mul<f32>(h, v128.mul<f32>(y, v128.mul<f32>(y, y))))
  let s = v128.add<f32>(splat(<f32>(2.0 / 9.0)), v128.mul<f32>(r, splat(<f32>(14.0 / 81.0))))
  s = v128.add<f32>(splat(<f32>(1.0 / 3.0)), v128.mul<f32>(r, s))
  return v128.add<f32>(y, v128.mul<f32>(y, v128.mul<f32>(r, s)))
}

/** h^(-1/3): its exponent divided by -3, corrected twice; see src/surface/full/cube-root.ts. */
// @inline
function inverseCubeRoot(h: v128): v128 {
  const third = i32x4.dot_i16x8_s(v128.shr<u32>(h, 16), i32x4.splat(21846))
  return corrected(h, corrected(h, v128.sub<i32>(i32x4.splat(0x54a21d2a), third)))
}

/** |u| + |v| + 2 c. */
// @inline
function waveOf(h: v128, x: v128, y: v128): v128 {
  const wave = v128.mul<f32>(splat(2), v128.sqrt<f32>(v128.mul<f32>(splat(G), h)))
  const moving = v128.div<f32>(v128.add<f32>(v128.abs<f32>(x), v128.abs<f32>(y)), h)
  return v128.add<f32>(wave, v128.and(moving, v128.gt<f32>(h, splat(DRY))))
}

/** Whether a wave may be faster than `f`, without its root and quotient: true at least where it is. */
// @inline
function exceeds(h: v128, x: v128, y: v128, f: v128): v128 {
  const lack = v128.sub<f32>(
    v128.mul<f32>(v128.mul<f32>(f, h), splat(NEARLY)),
    v128.add<f32>(v128.abs<f32>(x), v128.abs<f32>(y)),
  )
  const wave2 = v128.mul<f32>(v128.mul<f32>(splat(4 * G), v128.mul<f32>(h, h)), h)
  return v128.or(v128.lt<f32>(lack, splat(0)), v128.gt<f32>(wave2, v128.mul<f32>(lack, lack)))
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

export function advanceRow(k: i32): void {
  if (header.raining) advance(k, true)
  else advance(k, false)
}

// @inline
function advance(k: i32, raining: bool): void {
  const first = firstColumn(k, 0)
  const last = lastColumn(k, 0)
  if (first > last) return
  const zero = splat(0)
  const dt = header.dt
  const share2 = f64x2.splat(dt / header.dx)
  const shares = splat(<f32>(dt / header.dx))
  const film = splat(header.film)
  const dryDepth = splat(header.dryDepth)
  const flux = fluxOf(k)
  const north = fluxOf(k - 1)
  const around = aroundOf(k)
  const MX = massX(flux)
  const MY = massY(flux)
  const NY = massY(north)
  const row32 = place32(k)
  const row64 = place64(k)
  let mostWave = fastest
  let waveCell = fastestCell
  let deep = deepest
  let wetFrom = stride
  let wetTo = -1
  for (let column = first; column <= last; column += 4) {
    const at = (<usize>column) << 2
    const own = row32 + at
    const own2 = row64 + (at << 1)
    const kind = v128.load(KIND + own)
    const live = v128.shr<i32>(kind, 31)
    const east = v128.load(MX + at)
    const south = v128.load(MY + at)
    const west = v128.load(MX + at - 4)
    const above = v128.load(NY + at)
    v128.store(QX + own, east)
    v128.store(QY + own, south)
    let low = v128.load(DEPTH + own2)
    let high = v128.load(DEPTH + own2, 16)
    const moves = v128.any_true(v128.or(v128.or(east, south), v128.or(west, above)))
    if (moves) {
      // Open water takes what comes; what lies outside is the host's.
      const takes = v128.ne<i32>(kind, zero)
      const gainLow = v128.add<f64>(
        v128.sub<f64>(widen(MX + at - 4), widen(MX + at)),
        v128.sub<f64>(widen(NY + at), widen(MY + at)),
      )
      const gainHigh = v128.add<f64>(
        v128.sub<f64>(widen(MX + at + 4), widen(MX + at + 8)),
        v128.sub<f64>(widen(NY + at + 8), widen(MY + at + 8)),
      )
      const takesLow = v128.shuffle<i32>(takes, takes, 0, 0, 1, 1)
      const takesHigh = v128.shuffle<i32>(takes, takes, 2, 2, 3, 3)
      low = v128.add<f64>(low, v128.and(v128.mul<f64>(gainLow, share2), takesLow))
      high = v128.add<f64>(high, v128.and(v128.mul<f64>(gainHigh, share2), takesHigh))
    }
    let h = v128.and(narrow(low, high), live)
    let x = v128.load(MOMENTUM_X + own)
    let y = v128.load(MOMENTUM_Y + own)
    const wet = v128.and(
      v128.gt<f32>(h, splat(DRY)),
      v128.and(v128.gt<f32>(v128.load(around + at), film), live),
    )
    const flows = v128.any_true(wet)
    if (flows) {
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
      const root = inverseCubeRoot(h)
      const root2 = v128.mul<f32>(root, root)
      const root7 = v128.mul<f32>(v128.mul<f32>(v128.mul<f32>(root2, root2), root2), root)
      const b = v128.mul<f32>(v128.mul<f32>(v128.load(FRICTION + own), splat(<f32>dt)), root7)
      const q = v128.sqrt<f32>(v128.add<f32>(v128.mul<f32>(x, x), v128.mul<f32>(y, y)))
      const slower = v128.sqrt<f32>(v128.add<f32>(splat(1), v128.mul<f32>(v128.mul<f32>(splat(4), b), q)))
      const slow = v128.div<f32>(splat(2), v128.add<f32>(splat(1), slower))
      x = v128.and(v128.mul<f32>(x, slow), wet)
      y = v128.and(v128.mul<f32>(y, slow), wet)
      const square = v128.add<f32>(v128.mul<f32>(x, x), v128.mul<f32>(y, y))
      const wave2 = v128.mul<f32>(v128.mul<f32>(splat(FALLING_FROUDE2 * G), v128.mul<f32>(h, h)), h)
      v128.store(MOMENTUM_X + own, x)
      v128.store(MOMENTUM_Y + own, y)
      let falling = v128.bitmask<i32>(v128.and(v128.gt<f32>(square, wave2), wet))
      if (falling) {
        while (falling) {
          holdBack(k, column + ctz(falling), low, high, ctz(falling))
          falling &= falling - 1
        }
        x = v128.load(MOMENTUM_X + own)
        y = v128.load(MOMENTUM_Y + own)
      }
    } else if (v128.any_true(v128.or(x, y))) {
      x = zero
      y = zero
      v128.store(MOMENTUM_X + own, zero)
      v128.store(MOMENTUM_Y + own, zero)
    }
    let changed = moves
    if (raining) {
      low = rainOn(own2, low, dt)
      high = rainOn(own2 + 16, high, dt)
      h = v128.and(narrow(low, high), live)
      changed = true
    }
    if (!v128.any_true(h)) {
      if (changed) {
        v128.store(DEPTH + own2, low)
        v128.store(DEPTH + own2, high, 16)
      }
      continue
    }
    const soaks = v128.and(v128.gt<f32>(v128.load(KH + own), zero), v128.gt<f32>(h, zero))
    if (v128.any_true(soaks)) {
      infiltrate(own, own2, h, low, high, <f32>dt, soaks)
      low = v128.load(DEPTH + own2)
      high = v128.load(DEPTH + own2, 16)
      h = v128.and(narrow(low, high), live)
      x = v128.load(MOMENTUM_X + own)
      y = v128.load(MOMENTUM_Y + own)
    } else if (changed) {
      v128.store(DEPTH + own2, low)
      v128.store(DEPTH + own2, high, 16)
    }
    const lanes = v128.bitmask<i32>(v128.gt<f32>(h, zero))
    if (!lanes) continue
    if (wetTo < 0) wetFrom = column + ctz(lanes)
    wetTo = column + 31 - clz(lanes)
    const known = v128.load(MAX_DEPTH + own)
    if (some(v128.gt<f32>(h, known))) v128.store(MAX_DEPTH + own, v128.pmax<f32>(known, h))
    deep = v128.pmax<f32>(deep, h)
    const waves = v128.gt<f32>(h, film)
    if (!v128.any_true(waves)) continue
    if (v128.any_true(v128.and(exceeds(h, x, y, mostWave), waves))) {
      const wave = waveOf(h, x, y)
      const faster = v128.and(v128.gt<f32>(wave, mostWave), waves)
      const place = v128.add<i32>(i32x4.splat(k * stride + column), i32x4(0, 1, 2, 3))
      mostWave = v128.bitselect(wave, mostWave, faster)
      waveCell = v128.bitselect(place, waveCell, faster)
    }
    const shows = v128.gt<f32>(h, dryDepth)
    if (v128.any_true(shows)) noteSpeed(own, h, x, y, shows)
  }
  if (wetTo >= 0) wetted(k, wetFrom, wetTo)
  fastest = mostWave
  fastestCell = waveCell
  deepest = deep
}

/** Water that is all but gone is no faster than its fall explains. */
function holdBack(k: i32, column: i32, low: v128, high: v128, lane: i32): void {
  const at = place32(k) + ((<usize>column) << 2)
  const x = load<f32>(MOMENTUM_X + at)
  const y = load<f32>(MOMENTUM_Y + at)
  const pair = lane < 2 ? low : high
  const h = <f32>(lane & 1 ? f64x2.extract_lane(pair, 1) : f64x2.extract_lane(pair, 0))
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
function noteSpeed(at: usize, h: v128, x: v128, y: v128, shows: v128): void {
  const square = v128.add<f32>(v128.mul<f32>(x, x), v128.mul<f32>(y, y))
  const knownSpeed = v128.load(MAX_SPEED + at)
  const knownProduct = v128.load(MAX_DEPTH_SPEED + at)
  // Roots and quotients only where they may change anything.
  const least = v128.mul<f32>(v128.pmin<f32>(v128.mul<f32>(knownSpeed, h), knownProduct), splat(NEARLY))
  if (!v128.any_true(v128.and(v128.gt<f32>(square, v128.mul<f32>(least, least)), shows))) return
  const product = v128.sqrt<f32>(square)
  const speed = v128.div<f32>(product, h)
  v128.store(MAX_SPEED + at, v128.pmax<f32>(knownSpeed, v128.and(speed, shows)))
  v128.store(MAX_DEPTH_SPEED + at, v128.pmax<f32>(knownProduct, v128.and(product, shows)))
}

/** Green-Ampt as in src/soil/green-ampt.ts; what infiltrates takes its momentum along. Writes depths and momenta. */
// @inline
function infiltrate(own: usize, own2: usize, h: v128, low: v128, high: v128, dt: f32, soaks: v128): void {
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
  const share = v128.bitselect(v128.div<f32>(narrow(leftLow, leftHigh), h), splat(1), takes)
  v128.store(MOMENTUM_X + own, v128.mul<f32>(v128.load(MOMENTUM_X + own), share))
  v128.store(MOMENTUM_Y + own, v128.mul<f32>(v128.load(MOMENTUM_Y + own), share))
}
