// Formulas and moves of lanes on vectors of four cells.

/**
 * Constants of these formulas, four times each, at a fixed place below the header: loaded in one instruction, where V8
 * makes a constant anew from three each time.
 */
const CONSTANTS: usize = 512
const SEED: usize = CONSTANTS
const THIRD: usize = CONSTANTS + 16
const ONE: usize = CONSTANTS + 32
const MAGNITUDE: usize = CONSTANTS + 48
const C0: usize = CONSTANTS + 64
const C1: usize = CONSTANTS + 80
const C2: usize = CONSTANTS + 96
const C3: usize = CONSTANTS + 112

/** Every thread writes the same. */
export function placeConstants(): void {
  v128.store(SEED, i32x4.splat(0x54a21d2a))
  v128.store(THIRD, i32x4.splat(21846))
  v128.store(ONE, f32x4.splat(1))
  v128.store(MAGNITUDE, i32x4.splat(0x7fffffff))
  v128.store(C0, f32x4.splat(12.898692))
  v128.store(C1, f32x4.splat(-27.057418))
  v128.store(C2, f32x4.splat(20.752439))
  v128.store(C3, f32x4.splat(-5.5938244))
}

/** h^(-1/3) within 3.6 %, from the upper bits of h: its exponent divided by -3. */
// @inline
function cubeRootSeed(h: v128): v128 {
  return v128.sub<i32>(v128.load(SEED), i32x4.dot_i16x8_s(v128.shr<u32>(h, 16), v128.load(THIRD)))
}

/** h^(-1/3), corrected once with the series of (1 - r)^(-1/3), r = 1 - h y^3, to third order: within 2e-5. */
// @inline
export function inverseCubeRoot(h: v128): v128 {
  const y = cubeRootSeed(h)
  const r = v128.sub<f32>(f32x4.splat(1), v128.mul<f32>(h, v128.mul<f32>(y, v128.mul<f32>(y, y))))
  let s = v128.add<f32>(f32x4.splat(0.22222222), v128.mul<f32>(r, f32x4.splat(0.17283951)))
  s = v128.add<f32>(f32x4.splat(0.33333333), v128.mul<f32>(r, s))
  return v128.add<f32>(y, v128.mul<f32>(y, v128.mul<f32>(r, s)))
}

/**
 * `factor` h^(-7/3) = y^7 (h y^3)^(-7/3) with the seed y; the latter is close to 1 and taken as the best cubic between
 * 0.8979 and 1.1077, in relative error (minimax): within 1.2e-4. A quad waits for one formula after the other, not for
 * their number: what does not need the last one's result stands beside it, as the cubic in two halves.
 */
// @inline
function inverseSevenThirds(h: v128, factor: v128): v128 {
  const y = cubeRootSeed(h)
  const y2 = v128.mul<f32>(y, y)
  const t = v128.mul<f32>(v128.mul<f32>(h, y), y2)
  const first = v128.add<f32>(v128.load(C0), v128.mul<f32>(t, v128.load(C1)))
  const second = v128.add<f32>(v128.load(C2), v128.mul<f32>(t, v128.load(C3)))
  const s = v128.add<f32>(first, v128.mul<f32>(v128.mul<f32>(t, t), second))
  const y7 = v128.mul<f32>(v128.mul<f32>(y2, y2), v128.mul<f32>(y2, y))
  return v128.mul<f32>(v128.mul<f32>(factor, y7), s)
}

/** Whether some lane of a comparison is true. */
// @inline
export function some(mask: v128): bool {
  return v128.bitmask<i32>(mask) != 0
}

// @inline
export function largestLane(v: v128): f32 {
  const half = v128.pmax<f32>(v, v128.shuffle<i32>(v, v, 2, 3, 0, 1))
  return f32x4.extract_lane(v128.pmax<f32>(half, v128.shuffle<i32>(half, half, 1, 0, 3, 2)), 0)
}

/** The four values from the second of `a` on; the last is the first of `b`. */
// @inline
export function toEast(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 1, 2, 3, 4)
}

/** The four values up to the third of `b`; the first is the last of `a`. */
// @inline
export function toWest(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 3, 4, 5, 6)
}

/** Depth of the flow between two levels over the higher bed; `other` is the level beyond a bed step, from our bed. */
// @inline
export function flowDepth(left: v128, other: v128, step: v128): v128 {
  return v128.sub<f32>(v128.pmax<f32>(left, other), v128.pmax<f32>(step, f32x4.splat(0)))
}

/** New unit discharge for a flow depth `h`. `step4` is 4 dt: the root needs 4 B |A|. */
// @inline
export function discharge(q: v128, h: v128, rise: v128, friction: v128, gravity: v128, step4: v128): v128 {
  const A = v128.sub<f32>(q, v128.mul<f32>(v128.mul<f32>(gravity, h), rise))
  const slow = v128.mul<f32>(v128.mul<f32>(friction, step4), v128.and(A, v128.load(MAGNITUDE)))
  const one = v128.load(ONE)
  const root = v128.sqrt<f32>(v128.add<f32>(one, inverseSevenThirds(h, slow)))
  return v128.div<f32>(v128.add<f32>(A, A), v128.add<f32>(one, root))
}

/** The Froude limit, or normal flow down the bed where that is faster: h^(5/3) = h^2 h^(-1/3). */
// @inline
export function limited(q: v128, h: v128, fast: v128, normal: usize): v128 {
  const steady = v128.mul<f32>(v128.load(normal), v128.mul<f32>(v128.mul<f32>(h, h), inverseCubeRoot(h)))
  const most = v128.pmax<f32>(v128.mul<f32>(h, v128.sqrt<f32>(fast)), steady)
  return v128.pmax<f32>(v128.neg<f32>(most), v128.pmin<f32>(most, q))
}

/** Two f32 as f64, straight from memory: one instruction, where widening a register takes two. */
// @inline
export function widen(at: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(at))
}

// @inline
export function upper(v: v128): v128 {
  return v128.shuffle<i64>(v, v, 1, 1)
}

// @inline
export function narrow(low: v128, high: v128): v128 {
  return v128.shuffle<i64>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 2)
}
