// Local inertial shallow water on four cells at a time; the formulas are those of src/surface/reference.ts.
// Depth is f64 with an f32 copy (0 where a cell is not live); fluxes, friction and bed steps are f32.
// Each row has bitmasks, a bit a quad of four cells: ACT some cell deeper than the dry depth, SOAK some cell with
// water over soil, FX and FY faces that were computed, so that dry quads cost nothing.

// Slots of the header, in units of 8 bytes; the host fills them (src/surface/memory.ts).
const H_STRIDE: usize = 0
const H_ROWS: usize = 1
const H_WORDS: usize = 2
const H_DT: usize = 3
const H_DX: usize = 4
const H_DRY: usize = 5
const H_FROUDE: usize = 6
const H_FLAGS: usize = 7
const H_EDGE_COUNT: usize = 8
const H_POINTERS: usize = 9

const RAINING: i32 = 1
const INTERCEPTING: i32 = 2
export const SAMPLE: i32 = 4

let header: usize = 0
let stride: usize = 0
let rows: i32 = 0
let words: i32 = 0
let edgeCount: i32 = 0

let DEPTH: usize = 0
let RAIN: usize = 0
let KEPT: usize = 0
let INFIL: usize = 0
let HF: usize = 0
let QX: usize = 0
let QY: usize = 0
let STEPX: usize = 0
let STEPY: usize = 0
let FRICX: usize = 0
let FRICY: usize = 0
let LIVE: usize = 0
let KH: usize = 0
let CAPSH: usize = 0
let SOILMD: usize = 0
let MAXH: usize = 0
let MAXV: usize = 0
let MAXHV: usize = 0
let SPEEDX: usize = 0
let SPEEDY: usize = 0
let NORMX: usize = 0
let NORMY: usize = 0
let ACT: usize = 0
let SOAK: usize = 0
let FX: usize = 0
let FY: usize = 0
let EDGES: usize = 0
let EDGE_ROWS: usize = 0
let ROW_MAX: usize = 0
let ROW_SPEED: usize = 0

// Set at the start of every step from the header.
let dt: f64 = 0
let share64: f64 = 0
let share: f32 = 0
let dry: f32 = 0
let vDry: v128 = f32x4.splat(0)
let vGravity: v128 = f32x4.splat(0)
let vDt: v128 = f32x4.splat(0)
let vDt4: v128 = f32x4.splat(0)
let vFroude2: v128 = f32x4.splat(0)
let froude: f32 = 0

// @ts-ignore: decorator
@inline function slot(k: usize): usize {
  return header + (k << 3)
}

// @ts-ignore: decorator
@inline function pointer(k: usize): usize {
  return <usize>load<f64>(slot(H_POINTERS + k))
}

/** Reads sizes and array addresses; every thread does this once. */
export function bind(at: usize): void {
  header = at
  stride = <usize>load<f64>(slot(H_STRIDE))
  rows = <i32>load<f64>(slot(H_ROWS))
  words = <i32>load<f64>(slot(H_WORDS))
  edgeCount = <i32>load<f64>(slot(H_EDGE_COUNT))
  DEPTH = pointer(0)
  RAIN = pointer(1)
  KEPT = pointer(2)
  INFIL = pointer(3)
  HF = pointer(4)
  QX = pointer(5)
  QY = pointer(6)
  STEPX = pointer(7)
  STEPY = pointer(8)
  FRICX = pointer(9)
  FRICY = pointer(10)
  LIVE = pointer(11)
  KH = pointer(12)
  CAPSH = pointer(13)
  SOILMD = pointer(14)
  MAXH = pointer(15)
  MAXV = pointer(16)
  MAXHV = pointer(17)
  SPEEDX = pointer(18)
  SPEEDY = pointer(19)
  NORMX = pointer(20)
  NORMY = pointer(21)
  ACT = pointer(22)
  SOAK = pointer(23)
  FX = pointer(24)
  FY = pointer(25)
  EDGES = pointer(26)
  EDGE_ROWS = pointer(27)
  ROW_MAX = pointer(28)
  ROW_SPEED = pointer(29)
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

/**
 * h^(-1/3), seeded from the bits of h (exponent divided by -3, within 3.5 %) and corrected once with the series of
 * (1 - r)^(-1/3), r = 1 - h y^3, to third order: within 2e-5. Its cube is 1 / h, its seventh power h^(-7/3), so that
 * a face needs one division only.
 */
// @ts-ignore: decorator
@inline function inverseCubeRoot(h: v128): v128 {
  const third = i32x4.splat(0x55555556)
  const low = i64x2.extmul_low_i32x4_u(h, third)
  const high = i64x2.extmul_high_i32x4_u(h, third)
  const bits = v128.shuffle<i32>(low, high, 1, 3, 5, 7)
  const y = v128.sub<i32>(i32x4.splat(0x54a21d2a), bits)
  const r = v128.sub<f32>(f32x4.splat(1), v128.mul<f32>(h, v128.mul<f32>(y, v128.mul<f32>(y, y))))
  let s = v128.add<f32>(f32x4.splat(0.22222222), v128.mul<f32>(r, f32x4.splat(0.17283951)))
  s = v128.add<f32>(f32x4.splat(0.33333333), v128.mul<f32>(r, s))
  return v128.add<f32>(y, v128.mul<f32>(y, v128.mul<f32>(r, s)))
}

// @ts-ignore: decorator
@inline function cube(v: v128): v128 {
  return v128.mul<f32>(v128.mul<f32>(v, v), v)
}

// @ts-ignore: decorator
@inline function largestLane(v: v128): f32 {
  const half = v128.pmax<f32>(v, v128.shuffle<i32>(v, v, 2, 3, 0, 1))
  return f32x4.extract_lane(v128.pmax<f32>(half, v128.shuffle<i32>(half, half, 1, 0, 3, 2)), 0)
}

/**
 * Flux through four faces between the depths at `a` and `b`; the other addresses are those of the faces' own
 * properties. Constants come as arguments, since a loop keeps locals in registers but loads globals each time.
 * @returns the speeds, m/s
 */
// @ts-ignore: decorator
@inline function fluxQuad(
  a: usize,
  b: usize,
  steps: usize,
  friction: usize,
  normal: usize,
  q: usize,
  dryLine: v128,
  gravity: v128,
  step4: v128,
  froude2: v128,
): v128 {
  const zero = f32x4.splat(0)
  const left = v128.load(a)
  const right = v128.load(b)
  const step = v128.load(steps)
  const other = v128.add<f32>(right, step)
  const flow = v128.sub<f32>(v128.pmax<f32>(left, other), v128.pmax<f32>(step, zero))
  const wet = v128.gt<f32>(flow, dryLine)
  if (!v128.any_true(wet)) {
    v128.store(q, zero)
    return zero
  }
  const h = v128.pmax<f32>(flow, dryLine)
  const A = v128.sub<f32>(
    v128.load(q),
    v128.mul<f32>(v128.mul<f32>(gravity, h), v128.sub<f32>(other, left)),
  )
  const cbrt = inverseCubeRoot(h)
  const inverse = cube(cbrt)
  const power = v128.mul<f32>(v128.mul<f32>(inverse, inverse), cbrt)
  // step4 is 4 dt: the root below needs 4 B |A|.
  const B4 = v128.mul<f32>(v128.mul<f32>(v128.load(friction), step4), power)
  const one = f32x4.splat(1)
  const root = v128.sqrt<f32>(v128.add<f32>(one, v128.mul<f32>(B4, v128.abs<f32>(A))))
  let result = v128.div<f32>(v128.add<f32>(A, A), v128.add<f32>(one, root))
  // The Froude limit, or normal flow down the bed where that is faster. Squares first: few faces need the roots.
  const h2 = v128.mul<f32>(h, h)
  const square = v128.mul<f32>(froude2, v128.mul<f32>(h2, h))
  if (v128.any_true(v128.gt<f32>(v128.mul<f32>(result, result), square))) {
    // h^(5/3) = h^2 h^(-1/3)
    const down = v128.mul<f32>(v128.load(normal), v128.mul<f32>(h2, cbrt))
    const most = v128.pmax<f32>(v128.sqrt<f32>(square), down)
    result = v128.pmax<f32>(v128.neg<f32>(most), v128.pmin<f32>(most, result))
  }
  result = v128.and(result, wet)
  v128.store(q, result)
  return v128.mul<f32>(v128.abs<f32>(result), inverse)
}

// @ts-ignore: decorator
@inline function word(masks: usize, row: i32, w: i32): u64 {
  return load<u64>(masks + ((<usize>(row * words + w)) << 3))
}

// @ts-ignore: decorator
@inline function setWord(masks: usize, row: i32, w: i32, bits: u64): void {
  store<u64>(masks + ((<usize>(row * words + w)) << 3), bits)
}

function clearQuads(at: usize, bits: u64): void {
  while (bits) {
    v128.store(at + (<usize>ctz(bits) << 4), f32x4.splat(0))
    bits &= bits - 1
  }
}

/** Faces east and south of the cells of a row. */
function fluxRow(row: i32, sample: bool): void {
  const base = (<usize>row * stride) << 2
  const down = stride << 2
  const dryLine = vDry
  const gravity = vGravity
  const step4 = vDt4
  const froude2 = vFroude2
  const hf = HF
  const qx = QX
  const qy = QY
  const stepX = STEPX
  const stepY = STEPY
  const fricX = FRICX
  const fricY = FRICY
  const normX = NORMX
  const normY = NORMY
  let fastest = f32x4.splat(0)
  for (let w = 0; w < words; w++) {
    const act = word(ACT, row, w)
    const next = w + 1 < words ? word(ACT, row, w + 1) : 0
    const fx = act | (act >> 1) | (next << 63)
    const fy = act | word(ACT, row + 1, w)
    const oldX = word(FX, row, w)
    const oldY = word(FY, row, w)
    const from = base + (<usize>w << 10)
    if (oldX & ~fx) clearQuads(qx + from, oldX & ~fx)
    if (oldY & ~fy) clearQuads(qy + from, oldY & ~fy)
    setWord(FX, row, w, fx)
    setWord(FY, row, w, fy)
    let bits = fx
    while (bits) {
      const at = from + (<usize>ctz(bits) << 4)
      const a = hf + at
      const speed = fluxQuad(a, a + 4, stepX + at, fricX + at, normX + at, qx + at, dryLine, gravity, step4, froude2)
      fastest = v128.pmax<f32>(fastest, speed)
      if (sample) v128.store(SPEEDX + at, speed)
      bits &= bits - 1
    }
    bits = fy
    while (bits) {
      const at = from + (<usize>ctz(bits) << 4)
      const a = hf + at
      const speed = fluxQuad(a, a + down, stepY + at, fricY + at, normY + at, qy + at, dryLine, gravity, step4, froude2)
      fastest = v128.pmax<f32>(fastest, speed)
      if (sample) v128.store(SPEEDY + at, speed)
      bits &= bits - 1
    }
  }
  store<f32>(ROW_SPEED + (<usize>row << 2), largestLane(fastest))
  edgesOfRow(row)
}

/** Normal-depth outflow at open edges: entries of 16 bytes: cell i32, face i32 (bit 31: vertical), factor f32, sign f32. */
function edgesOfRow(row: i32): void {
  let k = load<i32>(EDGE_ROWS + (<usize>row << 2))
  const end = load<i32>(EDGE_ROWS + (<usize>(row + 1) << 2))
  for (; k < end; k++) {
    const at = EDGES + (<usize>k << 4)
    const h = load<f32>(HF + (<usize>load<u32>(at) << 2))
    if (h <= dry) continue
    const packed = load<u32>(at, 4)
    const face = <usize>(packed & 0x7fffffff) << 2
    // h^(5/3) = h^2 h^(-1/3)
    const free = load<f32>(at, 8) * (h * h) * f32x4.extract_lane(inverseCubeRoot(f32x4.splat(h)), 0)
    const q = min<f32>(free, froude * h * sqrt<f32>(h)) * load<f32>(at, 12)
    store<f32>((packed >> 31 ? QY : QX) + face, q)
  }
}

/** Quads of a mask word that exist; shifting a mask must not reach into the next row. */
// @ts-ignore: decorator
@inline function existing(w: i32): u64 {
  const count = <i32>(stride >> 2) - (w << 6)
  return count >= 64 ? ~(<u64>0) : (<u64>1 << count) - 1
}

// @ts-ignore: decorator
@inline function touchedQuads(row: i32, w: i32): u64 {
  const fx = word(FX, row, w)
  const before = w > 0 ? word(FX, row, w - 1) >> 63 : 0
  return (fx | (fx << 1) | before | word(FY, row, w) | word(FY, row - 1, w)) & existing(w)
}

/** Scales what leaves a cell to what it holds. */
export function limitRow(row: i32): void {
  const base = (<usize>row * stride) << 2
  const down = stride << 2
  const zero = f32x4.splat(0)
  const most = f32x4.splat(<f32>0.999999 / share)
  const qx = QX
  const qy = QY
  const hf = HF
  for (let w = 0; w < words; w++) {
    let bits = touchedQuads(row, w)
    while (bits) {
      const at = base + (<usize>w << 10) + (<usize>ctz(bits) << 4)
      bits &= bits - 1
      // What leaves: east and south positive, west and north negative.
      const out = v128.sub<f32>(
        v128.add<f32>(v128.pmax<f32>(v128.load(qx + at), zero), v128.pmax<f32>(v128.load(qy + at), zero)),
        v128.add<f32>(
          v128.pmin<f32>(v128.load(qx + at - 4), zero),
          v128.pmin<f32>(v128.load(qy + at - down), zero),
        ),
      )
      const over = v128.gt<f32>(out, v128.mul<f32>(v128.load(hf + at), most))
      if (v128.any_true(over)) limitCells(at, down)
    }
  }
}

function limitCells(at: usize, down: usize): void {
  for (let end = at + 16; at < end; at += 4) {
    const e = load<f32>(QX + at)
    const w = load<f32>(QX + at - 4)
    const s = load<f32>(QY + at)
    const n = load<f32>(QY + at - down)
    const out = (max<f32>(e, 0) + max<f32>(-w, 0) + (max<f32>(s, 0) + max<f32>(-n, 0))) * share
    const held = load<f32>(HF + at) * 0.999999
    if (out <= held) continue
    const factor = held / out
    if (e > 0) store<f32>(QX + at, e * factor)
    if (w < 0) store<f32>(QX + at - 4, w * factor)
    if (s > 0) store<f32>(QY + at, s * factor)
    if (n < 0) store<f32>(QY + at - down, n * factor)
  }
}

/** (west - east) + (north - south) of two cells, f64. */
// @ts-ignore: decorator
@inline function gain(west: v128, east: v128, north: v128, south: v128, share2: v128): v128 {
  return v128.mul<f64>(
    v128.add<f64>(
      v128.sub<f64>(f64x2.promote_low_f32x4(west), f64x2.promote_low_f32x4(east)),
      v128.sub<f64>(f64x2.promote_low_f32x4(north), f64x2.promote_low_f32x4(south)),
    ),
    share2,
  )
}

// @ts-ignore: decorator
@inline function upper(v: v128): v128 {
  return v128.shuffle<i64>(v, v, 1, 1)
}

// @ts-ignore: decorator
@inline function narrow(low: v128, high: v128): v128 {
  return v128.shuffle<i64>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 2)
}

/** Rain of two cells that reaches the ground; interception is filled first. */
// @ts-ignore: decorator
@inline function netRain(at: usize, intercepting: bool): v128 {
  const rain = v128.mul<f64>(v128.load(RAIN + at), f64x2.splat(dt))
  if (!intercepting) return rain
  const free = v128.load(KEPT + at)
  const kept = v128.pmin<f64>(rain, free)
  v128.store(KEPT + at, v128.sub<f64>(free, kept))
  return v128.sub<f64>(rain, kept)
}

/** Continuity, rain, interception and infiltration of a row, and its new masks. */
function balanceRow(row: i32, raining: bool, intercepting: bool): void {
  const base = (<usize>row * stride) << 2
  const down = stride << 2
  const zero = f32x4.splat(0)
  const zero64 = f64x2.splat(0)
  const dryLine = vDry
  const share2 = f64x2.splat(share64)
  const qx = QX
  const qy = QY
  const hf = HF
  const depth = DEPTH
  const conductivity = KH
  const liveCells = LIVE
  const maxima = MAXH
  let most = zero
  for (let w = 0; w < words; w++) {
    const touched = touchedQuads(row, w)
    let act = word(ACT, row, w)
    let soak = word(SOAK, row, w)
    let all: u64 = touched | soak
    if (raining) all = existing(w)
    let bits = all
    while (bits) {
      const k = ctz(bits)
      const bit = <u64>1 << k
      bits &= bits - 1
      const at = base + (<usize>w << 10) + (<usize>k << 4)
      const at64 = at << 1
      let low = v128.load(depth + at64)
      let high = v128.load(depth + at64, 16)
      if (touched & bit) {
        const west = v128.load(qx + at - 4)
        const east = v128.load(qx + at)
        const north = v128.load(qy + at - down)
        const south = v128.load(qy + at)
        low = v128.add<f64>(low, gain(west, east, north, south, share2))
        high = v128.add<f64>(high, gain(upper(west), upper(east), upper(north), upper(south), share2))
      }
      if (raining) {
        low = v128.add<f64>(low, netRain(at64, intercepting))
        high = v128.add<f64>(high, netRain(at64 + 16, intercepting))
      }
      const kh = v128.load(conductivity + at)
      const soil = v128.gt<f32>(kh, zero)
      let soaking = false
      if (v128.any_true(soil)) {
        const infiltratedLow = v128.load(INFIL + at64)
        const infiltratedHigh = v128.load(INFIL + at64, 16)
        const F = narrow(infiltratedLow, infiltratedHigh)
        const h = narrow(low, high)
        const kdt = v128.mul<f32>(kh, vDt)
        const c = v128.mul<f32>(v128.add<f32>(v128.load(CAPSH + at), h), v128.load(SOILMD + at))
        const numerator = v128.mul<f32>(v128.mul<f32>(f32x4.splat(4), kdt), v128.add<f32>(F, c))
        const b = v128.sub<f32>(v128.add<f32>(F, F), kdt)
        const root = v128.sqrt<f32>(
          v128.add<f32>(v128.mul<f32>(b, b), v128.add<f32>(numerator, numerator)),
        )
        const divisor = v128.pmax<f32>(v128.add<f32>(b, root), f32x4.splat(1e-30))
        const d = v128.and(v128.div<f32>(numerator, divisor), v128.gt<f32>(numerator, zero))
        const dLow = v128.pmin<f64>(f64x2.promote_low_f32x4(d), low)
        const dHigh = v128.pmin<f64>(f64x2.promote_low_f32x4(upper(d)), high)
        v128.store(INFIL + at64, v128.add<f64>(infiltratedLow, dLow))
        v128.store(INFIL + at64, v128.add<f64>(infiltratedHigh, dHigh), 16)
        low = v128.sub<f64>(low, dLow)
        high = v128.sub<f64>(high, dHigh)
        const wetLow = v128.gt<f64>(low, zero64)
        const wetHigh = v128.gt<f64>(high, zero64)
        soaking = v128.any_true(v128.and(v128.shuffle<i32>(wetLow, wetHigh, 0, 2, 4, 6), soil))
      }
      v128.store(depth + at64, low)
      v128.store(depth + at64, high, 16)
      const h = v128.mul<f32>(narrow(low, high), v128.load(liveCells + at))
      v128.store(hf + at, h)
      v128.store(maxima + at, v128.pmax<f32>(v128.load(maxima + at), h))
      most = v128.pmax<f32>(most, h)
      act = v128.any_true(v128.gt<f32>(h, dryLine)) ? act | bit : act & ~bit
      soak = soaking ? soak | bit : soak & ~bit
    }
    setWord(ACT, row, w, act)
    setWord(SOAK, row, w, soak)
  }
  store<f32>(ROW_MAX + (<usize>row << 2), largestLane(most))
}

/** Largest speed and depth x speed, from the faces of this step's fluxes. */
function sampleRow(row: i32): void {
  const base = (<usize>row * stride) << 2
  const down = stride << 2
  for (let w = 0; w < words; w++) {
    let bits = word(ACT, row, w)
    while (bits) {
      const at = base + (<usize>w << 10) + (<usize>ctz(bits) << 4)
      bits &= bits - 1
      const vx = v128.pmax<f32>(faceSpeed(QX, SPEEDX, at), faceSpeed(QX, SPEEDX, at - 4))
      const vy = v128.pmax<f32>(faceSpeed(QY, SPEEDY, at), faceSpeed(QY, SPEEDY, at - down))
      const h = v128.load(HF + at)
      const all = v128.sqrt<f32>(v128.add<f32>(v128.mul<f32>(vx, vx), v128.mul<f32>(vy, vy)))
      const speed = v128.and(all, v128.gt<f32>(h, vDry))
      v128.store(MAXV + at, v128.pmax<f32>(v128.load(MAXV + at), speed))
      v128.store(MAXHV + at, v128.pmax<f32>(v128.load(MAXHV + at), v128.mul<f32>(speed, h)))
    }
  }
}

// A face that carries nothing keeps an old speed, which must not count. Walls (edges too) have none.
// @ts-ignore: decorator
@inline function faceSpeed(q: usize, speeds: usize, at: usize): v128 {
  return v128.and(v128.load(speeds + at), v128.ne<f32>(v128.load(q + at), f32x4.splat(0)))
}

/** Part of a step before neighbours' fluxes are needed: all fluxes, and limits of all rows but the first. */
export function phaseFlux(from: i32, to: i32, sample: bool): void {
  for (let row = from; row < to; row++) {
    fluxRow(row, sample)
    if (row > from) limitRow(row)
  }
}

export function phaseBalance(from: i32, to: i32, flags: i32): void {
  const raining = (flags & RAINING) != 0
  const intercepting = (flags & INTERCEPTING) != 0
  for (let row = from; row < to; row++) {
    balanceRow(row, raining, intercepting)
    if (flags & SAMPLE) sampleRow(row)
  }
}

/** All rows that take part: the grid and its ghost rows. */
export function firstRow(): i32 {
  return 1
}

export function endRow(): i32 {
  return rows - 1
}

/** Quads with water in a row: what the row costs. */
export function activeQuads(row: i32): i32 {
  let count: i32 = 0
  for (let w = 0; w < words; w++) count += <i32>popcnt(word(ACT, row, w))
  return count
}

export function flags(): i32 {
  return <i32>load<f64>(slot(H_FLAGS))
}

export function control(): usize {
  return pointer(30)
}

function largestOf(perRow: usize): f32 {
  let most: f32 = 0
  for (let row = 1; row < rows - 1; row++) most = max<f32>(most, load<f32>(perRow + (<usize>row << 2)))
  return most
}

export function largestDepth(): f32 {
  return largestOf(ROW_MAX)
}

/** Of the last step's fluxes, before they were limited to what cells hold. */
export function largestSpeed(): f32 {
  return largestOf(ROW_SPEED)
}
