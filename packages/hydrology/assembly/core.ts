// Local inertial shallow water on four cells at a time; the formulas are those of src/surface/reference.ts.
// Depth is f64 with an f32 copy (0 where a cell is not live); fluxes, friction and bed steps are f32.
// What a quad of four cells needs lies in one record, so that a lone wet quad costs few cache lines; only what is
// used while it rains or a speed is sampled lies in arrays of its own.
// Each row has bitmasks, a bit a quad: ACT some cell deeper than the dry depth, SOAK some cell with water over soil,
// FLOW some eastern or southern face that carries water, so that dry and still quads cost nothing; SOIL some cell of
// soil and ALIVE all cells live.

// A record (src/surface/memory.ts), bytes.
const RECORD: usize = 256
const RECORD_SHIFT: usize = 8
const HF: usize = 0
const QX: usize = 16
const QY: usize = 32
const MAXH: usize = 48
const STEPX: usize = 64
const STEPY: usize = 80
const FRICX: usize = 96
const FRICY: usize = 112
const DEPTH: usize = 128
const INFIL: usize = 160
const KH: usize = 192
const CAPSH: usize = 208
const SOILMD: usize = 224
const LIVE: usize = 240

// Slots of the header, in units of 8 bytes; the host fills them (src/surface/memory.ts).
const H_STRIDE: usize = 0
const H_ROWS: usize = 1
const H_WORDS: usize = 2
const H_DT: usize = 3
const H_DX: usize = 4
const H_DRY: usize = 5
const H_FROUDE: usize = 6
const H_FLAGS: usize = 7
const H_POINTERS: usize = 8

const RAINING: i32 = 1
const INTERCEPTING: i32 = 2
export const SAMPLE: i32 = 4

let header: usize = 0
/** Quads in a row. */
let quads: i32 = 0
let rows: i32 = 0
let words: i32 = 0
/** From a record to the one below. */
let down: usize = 0

let RECORDS: usize = 0
let RAIN: usize = 0
let KEPT: usize = 0
let MAXV: usize = 0
let MAXHV: usize = 0
let SPEEDX: usize = 0
let SPEEDY: usize = 0
let NORMX: usize = 0
let NORMY: usize = 0
let ACT: usize = 0
let SOAK: usize = 0
let FLOW: usize = 0
let SOIL: usize = 0
let ALIVE: usize = 0
let EDGES: usize = 0
let EDGE_ROWS: usize = 0
let ROW_MAX: usize = 0
let ROW_SPEED: usize = 0
let CONTROL: usize = 0

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
  ACT = pointer(9)
  SOAK = pointer(10)
  FLOW = pointer(11)
  SOIL = pointer(12)
  ALIVE = pointer(13)
  EDGES = pointer(14)
  EDGE_ROWS = pointer(15)
  ROW_MAX = pointer(16)
  ROW_SPEED = pointer(17)
  CONTROL = pointer(18)
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
 * h^(-1/3), seeded from the upper bits of h (exponent divided by -3, within 3.6 %) and corrected once with the series
 * of (1 - r)^(-1/3), r = 1 - h y^3, to third order: within 2e-5. Its cube is 1 / h, its seventh power h^(-7/3), so
 * that a face needs one division only.
 */
// @ts-ignore: decorator
@inline function inverseCubeRoot(h: v128): v128 {
  const third = i32x4.dot_i16x8_s(v128.shr<u32>(h, 16), i32x4.splat(21846))
  const y = v128.sub<i32>(i32x4.splat(SEED), third)
  const r = v128.sub<f32>(f32x4.splat(1), v128.mul<f32>(h, v128.mul<f32>(y, v128.mul<f32>(y, y))))
  let s = v128.add<f32>(f32x4.splat(0.22222222), v128.mul<f32>(r, f32x4.splat(0.17283951)))
  s = v128.add<f32>(f32x4.splat(0.33333333), v128.mul<f32>(r, s))
  return v128.add<f32>(y, v128.mul<f32>(y, v128.mul<f32>(r, s)))
}

const SEED: i32 = 0x54a21d2a

// @ts-ignore: decorator
@inline function cube(v: v128): v128 {
  return v128.mul<f32>(v128.mul<f32>(v, v), v)
}

// @ts-ignore: decorator
@inline function largestLane(v: v128): f32 {
  const half = v128.pmax<f32>(v, v128.shuffle<i32>(v, v, 2, 3, 0, 1))
  return f32x4.extract_lane(v128.pmax<f32>(half, v128.shuffle<i32>(half, half, 1, 0, 3, 2)), 0)
}

/** The four values from the second of `a` on; the last is the first of `b`. */
// @ts-ignore: decorator
@inline function toEast(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 1, 2, 3, 4)
}

/** The four values up to the third of `b`; the first is the last of `a`. */
// @ts-ignore: decorator
@inline function toWest(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 3, 4, 5, 6)
}

/** Depth of the flow between two levels over the higher bed; `other` is the level beyond a bed step, from our bed. */
// @ts-ignore: decorator
@inline function flowDepth(left: v128, other: v128, step: v128): v128 {
  return v128.sub<f32>(v128.pmax<f32>(left, other), v128.pmax<f32>(step, f32x4.splat(0)))
}

/** New unit discharge for a flow depth `h`, with its h^(-1/3) and 1 / h. `step4` is 4 dt: the root needs 4 B |A|. */
// @ts-ignore: decorator
@inline function discharge(
  q: v128,
  h: v128,
  rise: v128,
  cbrt: v128,
  inverse: v128,
  friction: v128,
  gravity: v128,
  step4: v128,
): v128 {
  const A = v128.sub<f32>(q, v128.mul<f32>(v128.mul<f32>(gravity, h), rise))
  const power = v128.mul<f32>(v128.mul<f32>(inverse, inverse), cbrt)
  const B4 = v128.mul<f32>(v128.mul<f32>(friction, step4), power)
  const one = f32x4.splat(1)
  const root = v128.sqrt<f32>(v128.add<f32>(one, v128.mul<f32>(B4, v128.abs<f32>(A))))
  return v128.div<f32>(v128.add<f32>(A, A), v128.add<f32>(one, root))
}

/** The Froude limit, or normal flow down the bed where that is faster: h^(5/3) = h^2 h^(-1/3). */
// @ts-ignore: decorator
@inline function limited(q: v128, h: v128, fast: v128, cbrt: v128, normal: usize): v128 {
  const steady = v128.mul<f32>(v128.load(normal), v128.mul<f32>(v128.mul<f32>(h, h), cbrt))
  const most = v128.pmax<f32>(v128.mul<f32>(h, v128.sqrt<f32>(fast)), steady)
  return v128.pmax<f32>(v128.neg<f32>(most), v128.pmin<f32>(most, q))
}

// @ts-ignore: decorator
@inline function word(masks: usize, row: i32, w: i32): u64 {
  return load<u64>(masks + ((<usize>(row * words + w)) << 3))
}

// @ts-ignore: decorator
@inline function setWord(masks: usize, row: i32, w: i32, bits: u64): void {
  store<u64>(masks + ((<usize>(row * words + w)) << 3), bits)
}

function clearFaces(from: usize, bits: u64): void {
  while (bits) {
    const at = from + (<usize>ctz(bits) << RECORD_SHIFT)
    v128.store(at, f32x4.splat(0), QX)
    v128.store(at, f32x4.splat(0), QY)
    bits &= bits - 1
  }
}

/**
 * Faces east and south of the cells of a row, and unless `open` their limits: a quad's other faces are those of the
 * quad before it and of the row above. Constants are locals: a loop keeps those in registers but loads globals.
 */
function fluxRow(row: i32, sample: bool, open: bool): void {
  const zero = f32x4.splat(0)
  const dryLine = vDry
  const gravity = vGravity
  const step4 = vDt4
  const froude2 = vFroude2
  const most = f32x4.splat(<f32>0.999999 / share)
  const below = down
  const normX = NORMX
  const normY = NORMY
  let fastest = zero
  for (let w = 0; w < words; w++) {
    const act = word(ACT, row, w)
    const next = w + 1 < words ? word(ACT, row, w + 1) : 0
    const faces = act | (act >> 1) | (next << 63) | word(ACT, row + 1, w)
    const old = word(FLOW, row, w)
    const first = <usize>(row * quads + (w << 6))
    const from = RECORDS + (first << RECORD_SHIFT)
    if (old & ~faces) clearFaces(from, old & ~faces)
    let flows: u64 = 0
    let bits = faces
    while (bits) {
      const k = <usize>ctz(bits)
      const bit = <u64>1 << k
      const at = from + (k << RECORD_SHIFT)
      bits &= bits - 1
      const h = v128.load(at, HF)
      const stepX = v128.load(at, STEPX)
      const stepY = v128.load(at, STEPY)
      const otherX = v128.add<f32>(toEast(h, v128.load(at, HF + RECORD)), stepX)
      const otherY = v128.add<f32>(v128.load(at + below, HF), stepY)
      const flowX = flowDepth(h, otherX, stepX)
      const flowY = flowDepth(h, otherY, stepY)
      const wetX = v128.gt<f32>(flowX, dryLine)
      const wetY = v128.gt<f32>(flowY, dryLine)
      let x = zero
      let y = zero
      let squareX = zero
      let squareY = zero
      if (v128.any_true(v128.or(wetX, wetY))) {
        const hX = v128.pmax<f32>(flowX, dryLine)
        const hY = v128.pmax<f32>(flowY, dryLine)
        const cbrtX = inverseCubeRoot(hX)
        const cbrtY = inverseCubeRoot(hY)
        const inverseX = cube(cbrtX)
        const inverseY = cube(cbrtY)
        const riseX = v128.sub<f32>(otherX, h)
        const riseY = v128.sub<f32>(otherY, h)
        x = discharge(v128.load(at, QX), hX, riseX, cbrtX, inverseX, v128.load(at, FRICX), gravity, step4)
        y = discharge(v128.load(at, QY), hY, riseY, cbrtY, inverseY, v128.load(at, FRICY), gravity, step4)
        x = v128.and(x, wetX)
        y = v128.and(y, wetY)
        const speedX = v128.mul<f32>(x, inverseX)
        const speedY = v128.mul<f32>(y, inverseY)
        squareX = v128.mul<f32>(speedX, speedX)
        squareY = v128.mul<f32>(speedY, speedY)
        const fastX = v128.mul<f32>(froude2, hX)
        const fastY = v128.mul<f32>(froude2, hY)
        // Squares: few faces need the roots.
        if (v128.any_true(v128.or(v128.gt<f32>(squareX, fastX), v128.gt<f32>(squareY, fastY)))) {
          const own = (first + k) << 4
          x = limited(x, hX, fastX, cbrtX, normX + own)
          y = limited(y, hY, fastY, cbrtY, normY + own)
          const slowX = v128.mul<f32>(x, inverseX)
          const slowY = v128.mul<f32>(y, inverseY)
          squareX = v128.mul<f32>(slowX, slowX)
          squareY = v128.mul<f32>(slowY, slowY)
        }
        const square = v128.pmax<f32>(squareX, squareY)
        fastest = v128.pmax<f32>(fastest, square)
        if (v128.any_true(square)) flows |= bit
      }
      v128.store(at, x, QX)
      v128.store(at, y, QY)
      if (sample) {
        const own = (first + k) << 4
        v128.store(SPEEDX + own, v128.sqrt<f32>(squareX))
        v128.store(SPEEDY + own, v128.sqrt<f32>(squareY))
      }
      if (!open) limitQuad(at, h, x, y, most, below)
    }
    setWord(FLOW, row, w, flows)
    if (!open) limitOthers(row, w, faces)
  }
  store<f32>(ROW_SPEED + (<usize>row << 2), sqrt<f32>(largestLane(fastest)))
  edgesOfRow(row, open)
}

/**
 * Normal-depth outflow at open edges: entries of 16 bytes: addresses of depth and flux, factor f32, sign f32. It comes
 * on top of what limits have seen, so that the cell's are looked at again; cells of the row below still have theirs
 * to come.
 */
function edgesOfRow(row: i32, open: bool): void {
  let k = load<i32>(EDGE_ROWS + (<usize>row << 2))
  const end = load<i32>(EDGE_ROWS + (<usize>(row + 1) << 2))
  for (; k < end; k++) {
    const at = EDGES + (<usize>k << 4)
    const h = load<f32>(<usize>load<u32>(at))
    if (h <= dry) continue
    // h^(5/3) = h^2 h^(-1/3)
    const free = load<f32>(at, 8) * (h * h) * f32x4.extract_lane(inverseCubeRoot(f32x4.splat(h)), 0)
    const q = min<f32>(free, froude * h * sqrt<f32>(h)) * load<f32>(at, 12)
    const face = <usize>load<u32>(at, 4)
    store<f32>(face, q)
    const quad = <i32>((face - RECORDS) >> RECORD_SHIFT) - row * quads
    setWord(FLOW, row, quad >> 6, word(FLOW, row, quad >> 6) | (<u64>1 << (quad & 63)))
    const cell = <i32>((<usize>load<u32>(at) - RECORDS) >> RECORD_SHIFT)
    if (!open && cell < (row + 1) * quads) limitCells(RECORDS + (<usize>cell << RECORD_SHIFT))
  }
}

/** Quads of a mask word that exist; shifting a mask must not reach into the next row. */
// @ts-ignore: decorator
@inline function existing(w: i32): u64 {
  const count = quads - (w << 6)
  return count >= 64 ? ~(<u64>0) : (<u64>1 << count) - 1
}

/** Quads with some face that carries water. */
// @ts-ignore: decorator
@inline function touchedQuads(row: i32, w: i32): u64 {
  const flow = word(FLOW, row, w)
  const before = w > 0 ? word(FLOW, row, w - 1) >> 63 : 0
  return (flow | (flow << 1) | before | word(FLOW, row - 1, w)) & existing(w)
}

/** Scales what leaves the cells of a quad to what they hold. What leaves: east and south positive, west and north negative. */
// @ts-ignore: decorator
@inline function limitQuad(at: usize, h: v128, east: v128, south: v128, most: v128, above: usize): void {
  const zero = f32x4.splat(0)
  const west = toWest(v128.load(at - RECORD, QX), east)
  const out = v128.sub<f32>(
    v128.add<f32>(v128.pmax<f32>(east, zero), v128.pmax<f32>(south, zero)),
    v128.add<f32>(v128.pmin<f32>(west, zero), v128.pmin<f32>(v128.load(at - above, QY), zero)),
  )
  const over = v128.gt<f32>(out, v128.mul<f32>(h, most))
  if (v128.any_true(over)) limitCells(at)
}

/** Limits of quads whose own faces were not computed: water may leave through those of their neighbours. */
function limitOthers(row: i32, w: i32, done: u64): void {
  const most = f32x4.splat(<f32>0.999999 / share)
  const from = RECORDS + (<usize>(row * quads + (w << 6)) << RECORD_SHIFT)
  let bits = touchedQuads(row, w) & ~done
  while (bits) {
    const at = from + (<usize>ctz(bits) << RECORD_SHIFT)
    bits &= bits - 1
    limitQuad(at, v128.load(at, HF), v128.load(at, QX), v128.load(at, QY), most, down)
  }
}

/** Limits of a row whose fluxes, and those of the row above, are known. */
export function limitRow(row: i32): void {
  for (let w = 0; w < words; w++) limitOthers(row, w, 0)
}

function limitCells(at: usize): void {
  for (let lane: usize = 0; lane < 16; lane += 4) {
    const cell = at + lane
    const beside = lane === 0 ? at - RECORD + 12 : cell - 4
    const above = cell - down
    const e = load<f32>(cell, QX)
    const w = load<f32>(beside, QX)
    const s = load<f32>(cell, QY)
    const n = load<f32>(above, QY)
    const out = (max<f32>(e, 0) + max<f32>(-w, 0) + (max<f32>(s, 0) + max<f32>(-n, 0))) * share
    const held = load<f32>(cell, HF) * 0.999999
    if (out <= held) continue
    const factor = held / out
    if (e > 0) store<f32>(cell, e * factor, QX)
    if (w < 0) store<f32>(beside, w * factor, QX)
    if (s > 0) store<f32>(cell, s * factor, QY)
    if (n < 0) store<f32>(above, n * factor, QY)
  }
}

/** Two f32 as f64, straight from memory: one instruction, where widening a register takes two. */
// @ts-ignore: decorator
@inline function widen(at: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(at))
}

/** (west - east) + (north - south) of two cells, f64. */
// @ts-ignore: decorator
@inline function gain(west: v128, east: v128, north: v128, south: v128, share2: v128): v128 {
  return v128.mul<f64>(
    v128.add<f64>(v128.sub<f64>(west, east), v128.sub<f64>(north, south)),
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
  const zero = f32x4.splat(0)
  const zero64 = f64x2.splat(0)
  const dryLine = vDry
  const share2 = f64x2.splat(share64)
  const above = down
  let most = zero
  for (let w = 0; w < words; w++) {
    const touched = touchedQuads(row, w)
    let act = word(ACT, row, w)
    let soak = word(SOAK, row, w)
    const soils = word(SOIL, row, w)
    const alive = word(ALIVE, row, w)
    const first = <usize>(row * quads + (w << 6))
    const from = RECORDS + (first << RECORD_SHIFT)
    let bits = touched | soak
    if (raining) bits = existing(w)
    let still = act & ~bits
    while (still) {
      most = v128.pmax<f32>(most, v128.load(from + (<usize>ctz(still) << RECORD_SHIFT), HF))
      still &= still - 1
    }
    while (bits) {
      const k = <usize>ctz(bits)
      const bit = <u64>1 << k
      bits &= bits - 1
      const at = from + (k << RECORD_SHIFT)
      let low = v128.load(at, DEPTH)
      let high = v128.load(at, DEPTH + 16)
      if (touched & bit) {
        const x = at + QX
        const y = at + QY
        const east = widen(x)
        const beforeEast = widen(x - RECORD + 8)
        const west = v128.shuffle<i64>(beforeEast, east, 1, 2)
        low = v128.add<f64>(low, gain(west, east, widen(y - above), widen(y), share2))
        high = v128.add<f64>(high, gain(widen(x + 4), widen(x + 8), widen(y - above + 8), widen(y + 8), share2))
      }
      if (raining) {
        const own = (first + k) << 5
        low = v128.add<f64>(low, netRain(own, intercepting))
        high = v128.add<f64>(high, netRain(own + 16, intercepting))
      }
      let h = narrow(low, high)
      if (soils & bit) {
        const kh = v128.load(at, KH)
        const infiltratedLow = v128.load(at, INFIL)
        const infiltratedHigh = v128.load(at, INFIL + 16)
        const F = narrow(infiltratedLow, infiltratedHigh)
        const kdt = v128.mul<f32>(kh, vDt)
        const c = v128.mul<f32>(v128.add<f32>(v128.load(at, CAPSH), h), v128.load(at, SOILMD))
        const numerator = v128.mul<f32>(v128.mul<f32>(f32x4.splat(4), kdt), v128.add<f32>(F, c))
        const b = v128.sub<f32>(v128.add<f32>(F, F), kdt)
        const root = v128.sqrt<f32>(
          v128.add<f32>(v128.mul<f32>(b, b), v128.add<f32>(numerator, numerator)),
        )
        const divisor = v128.pmax<f32>(v128.add<f32>(b, root), f32x4.splat(1e-30))
        const d = v128.and(v128.div<f32>(numerator, divisor), v128.gt<f32>(numerator, zero))
        const dLow = v128.pmin<f64>(f64x2.promote_low_f32x4(d), low)
        const dHigh = v128.pmin<f64>(f64x2.promote_low_f32x4(upper(d)), high)
        v128.store(at, v128.add<f64>(infiltratedLow, dLow), INFIL)
        v128.store(at, v128.add<f64>(infiltratedHigh, dHigh), INFIL + 16)
        low = v128.sub<f64>(low, dLow)
        high = v128.sub<f64>(high, dHigh)
        h = narrow(low, high)
        const wetLow = v128.gt<f64>(low, zero64)
        const wetHigh = v128.gt<f64>(high, zero64)
        const wet = v128.shuffle<i32>(wetLow, wetHigh, 0, 2, 4, 6)
        soak = v128.any_true(v128.and(wet, v128.gt<f32>(kh, zero))) ? soak | bit : soak & ~bit
      }
      v128.store(at, low, DEPTH)
      v128.store(at, high, DEPTH + 16)
      if (!(alive & bit)) h = v128.mul<f32>(h, v128.load(at, LIVE))
      v128.store(at, h, HF)
      v128.store(at, v128.pmax<f32>(v128.load(at, MAXH), h), MAXH)
      most = v128.pmax<f32>(most, h)
      act = v128.any_true(v128.gt<f32>(h, dryLine)) ? act | bit : act & ~bit
    }
    setWord(ACT, row, w, act)
    setWord(SOAK, row, w, soak)
  }
  store<f32>(ROW_MAX + (<usize>row << 2), largestLane(most))
}

/** Largest speed and depth x speed, from the faces of this step's fluxes. */
function sampleRow(row: i32): void {
  const above = <usize>quads << 4
  for (let w = 0; w < words; w++) {
    const first = <usize>(row * quads + (w << 6))
    let bits = word(ACT, row, w)
    while (bits) {
      const k = <usize>ctz(bits)
      bits &= bits - 1
      const at = RECORDS + ((first + k) << RECORD_SHIFT)
      const own = (first + k) << 4
      const east = v128.load(at, QX)
      const vx = v128.pmax<f32>(
        faceSpeed(east, SPEEDX + own),
        faceSpeed(toWest(v128.load(at - RECORD, QX), east), SPEEDX + own - 4),
      )
      const vy = v128.pmax<f32>(
        faceSpeed(v128.load(at, QY), SPEEDY + own),
        faceSpeed(v128.load(at - down, QY), SPEEDY + own - above),
      )
      const h = v128.load(at, HF)
      const all = v128.sqrt<f32>(v128.add<f32>(v128.mul<f32>(vx, vx), v128.mul<f32>(vy, vy)))
      const speed = v128.and(all, v128.gt<f32>(h, vDry))
      v128.store(MAXV + own, v128.pmax<f32>(v128.load(MAXV + own), speed))
      v128.store(MAXHV + own, v128.pmax<f32>(v128.load(MAXHV + own), v128.mul<f32>(speed, h)))
    }
  }
}

// A face that carries nothing keeps an old speed, which must not count. Walls (edges too) have none.
// @ts-ignore: decorator
@inline function faceSpeed(q: v128, speeds: usize): v128 {
  return v128.and(v128.load(speeds), v128.ne<f32>(q, f32x4.splat(0)))
}

function finishRow(row: i32, flags: i32): void {
  balanceRow(row, (flags & RAINING) != 0, (flags & INTERCEPTING) != 0)
  if (flags & SAMPLE) sampleRow(row)
}

/**
 * A step of the rows `from` to `to` in one sweep, each row while it is in the cache: its fluxes, their limits, and
 * the balance of the row above, whose four fluxes are then final. Balances start at `balanceFrom`.
 */
export function sweep(from: i32, to: i32, limitFrom: i32, balanceFrom: i32, flags: i32): void {
  const sample = (flags & SAMPLE) != 0
  for (let row = from; row < to; row++) {
    fluxRow(row, sample, row < limitFrom)
    if (row > balanceFrom) finishRow(row - 1, flags)
  }
}

export function finishRows(from: i32, to: i32, flags: i32): void {
  for (let row = from; row < to; row++) finishRow(row, flags)
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
  return CONTROL
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
