// Depths above hollows after a step: src/runoff/drainage.ts, whose order of operations this keeps. `rungeKutta` does two
// grounds at once; cube roots are those of the host (FreeBSD's s_cbrt.c), which a test holds bit by bit.
import { power } from './env'

const TOLERANCE: f64 = 1e-4
const SMALL_INFLOW: f64 = 0.02

/** Smallest number whose cube root is found without scaling. */
export const LEAST: f64 = 2.2250738585072014e-308

const P0: f64 = 1.87595182427177009643
const P1: f64 = -1.88497979543377169875
const P2: f64 = 1.62142972010535446614
const P3: f64 = -0.758397934778766047437
const P4: f64 = 0.145996192886612446982
/** (1023 - 1023 / 3 - 0.03306235651) * 2^20, as the exponent's share of a guess. */
const GUESS: u64 = 715094163

// @inline
export function cubeRoot(x: f64): f64 {
  if (!(x >= LEAST)) return NativeMath.cbrt(x)
  let t = reinterpret<f64>(((reinterpret<u64>(x) >> 32) / 3 + GUESS) << 32)
  let r = t * t * (t / x)
  t = t * (P0 + r * (P1 + r * P2) + r * r * r * (P3 + r * P4))
  t = reinterpret<f64>((reinterpret<u64>(t) + 0x80000000) & 0xffffffffc0000000)
  const s = t * t
  r = x / s
  r = (r - t) / (t + t + r)
  return t + t * r
}

/** Two cube roots of numbers from LEAST on, to 23 bits. */
// @inline
function roughRoots(x: v128): v128 {
  const high = i64x2.shr_u(x, 32)
  // A third of 32 bits: the product's upper half, shifted once.
  const third = i64x2.shr_u(i64x2.mul(high, i64x2.splat(0xaaaaaaab)), 33)
  const t = i64x2.shl(i64x2.add(third, i64x2.splat(GUESS)), 32)
  const r = f64x2.mul(f64x2.mul(t, t), f64x2.div(t, x))
  const low = f64x2.add(
    f64x2.splat(P0),
    f64x2.mul(r, f64x2.add(f64x2.splat(P1), f64x2.mul(r, f64x2.splat(P2)))),
  )
  const rest = f64x2.mul(
    f64x2.mul(f64x2.mul(r, r), r),
    f64x2.add(f64x2.splat(P3), f64x2.mul(r, f64x2.splat(P4))),
  )
  return f64x2.mul(t, f64x2.add(low, rest))
}

/** Two cube roots of numbers from LEAST on. */
// @inline
export function cubeRoots(x: v128): v128 {
  let t = roughRoots(x)
  t = v128.and(i64x2.add(t, i64x2.splat(0x80000000)), i64x2.splat(0xffffffffc0000000))
  let r = f64x2.div(x, f64x2.mul(t, t))
  r = f64x2.div(f64x2.sub(r, t), f64x2.add(f64x2.add(t, t), r))
  return f64x2.add(t, f64x2.mul(t, r))
}

/** What comes less what runs off, m/s; 23 bits of a root are a thousand times finer than the step's error. */
// @inline
function ratesAt(x: v128, inflow: v128, alpha: v128): v128 {
  const least = f64x2.splat(LEAST)
  const root = roughRoots(f64x2.max(x, least))
  const flow = f64x2.sub(inflow, f64x2.mul(alpha, f64x2.mul(f64x2.mul(x, root), root)))
  return v128.bitselect(flow, inflow, f64x2.ge(x, least))
}

/** Time that is left, s, where more is needed than `drainBegin` does. */
export let leftS: f64 = 0
/** Whether the closed solution does it, with this half of the inflow before and after, m. */
export let recedes: bool = false
export let halfM: f64 = 0

/** Depth after the step, or, where `leftS` is not 0, at the beginning of what is left. */
export function drainBegin(x: f64, inflow: f64, alpha: f64, dt: f64): f64 {
  leftS = 0
  recedes = false
  let y = x
  let left = dt
  if (y < 0) {
    if (inflow <= 0) return y + inflow * left
    const filling = -y / inflow
    if (filling >= left) return y + inflow * left
    left -= filling
    y = 0
  }
  if (alpha <= 0) return y + inflow * left
  if (abs<f64>(inflow) * left <= SMALL_INFLOW * y) {
    halfM = (inflow * left) / 2
    const at = y + halfM
    if (at <= 0) return at + halfM
    recedes = true
    leftS = left
    return at
  }
  leftS = left
  return y
}

/** Depth after the closed solution. */
export function recede(x: f64, alpha: f64, dt: f64): f64 {
  const root = cubeRoot(x)
  const slower = 1 + TWO_THIRDS * alpha * (root * root) * dt
  return x / (slower * sqrt<f64>(slower))
}

const TWO_THIRDS: f64 = 2.0 / 3.0

/** The same for two grounds with depths from LEAST on. */
// @inline
export function recedePair(x: v128, alpha: v128, dt: v128): v128 {
  const root = cubeRoots(x)
  const faster = f64x2.mul(f64x2.mul(f64x2.mul(f64x2.splat(TWO_THIRDS), alpha), f64x2.mul(root, root)), dt)
  const slower = f64x2.add(f64x2.splat(1), faster)
  return f64x2.div(x, f64x2.mul(slower, f64x2.sqrt(slower)))
}

const A51: f64 = -11.0 / 54.0
const A53: f64 = -70.0 / 27.0
const A54: f64 = 35.0 / 27.0
const A61: f64 = 1631.0 / 55296.0
const A62: f64 = 175.0 / 512.0
const A63: f64 = 575.0 / 13824.0
const A64: f64 = 44275.0 / 110592.0
const A65: f64 = 253.0 / 4096.0
const B1: f64 = 37.0 / 378.0
const B3: f64 = 250.0 / 621.0
const B4: f64 = 125.0 / 594.0
const B6: f64 = 512.0 / 1771.0
const C1: f64 = 2825.0 / 27648.0
const C3: f64 = 18575.0 / 48384.0
const C4: f64 = 13525.0 / 55296.0
const C5: f64 = 277.0 / 14336.0

/** Error of a step over the one that is allowed, for two grounds. */
export let errors: v128 = i64x2.splat(0)

/** The length of the next step, s, after one of length `h` with this error. */
export function nextStep(h: f64, error: f64): f64 {
  if (error > 1) return max<f64>(0.1 * h, 0.9 * h * power(error, -0.25))
  return error > 1.89e-4 ? 0.9 * h * power(error, -0.2) : 5 * h
}

// @inline
function times(factor: f64, values: v128): v128 {
  return f64x2.mul(f64x2.splat(factor), values)
}

/** One step of Runge and Kutta for two grounds, whose `errors` it leaves. */
export function rungeKutta(y: v128, inflow: v128, alpha: v128, h: v128): v128 {
  const k1 = ratesAt(y, inflow, alpha)
  const k2 = ratesAt(f64x2.add(y, f64x2.mul(times(0.2, h), k1)), inflow, alpha)
  let sum = f64x2.add(times(0.075, k1), times(0.225, k2))
  const k3 = ratesAt(f64x2.add(y, f64x2.mul(h, sum)), inflow, alpha)
  sum = f64x2.add(f64x2.sub(times(0.3, k1), times(0.9, k2)), times(1.2, k3))
  const k4 = ratesAt(f64x2.add(y, f64x2.mul(h, sum)), inflow, alpha)
  sum = f64x2.add(f64x2.add(f64x2.add(times(A51, k1), times(2.5, k2)), times(A53, k3)), times(A54, k4))
  const k5 = ratesAt(f64x2.add(y, f64x2.mul(h, sum)), inflow, alpha)
  sum = f64x2.add(f64x2.add(f64x2.add(times(A61, k1), times(A62, k2)), times(A63, k3)), times(A64, k4))
  sum = f64x2.add(sum, times(A65, k5))
  const k6 = ratesAt(f64x2.add(y, f64x2.mul(h, sum)), inflow, alpha)
  const fifth = f64x2.add(f64x2.add(f64x2.add(times(B1, k1), times(B3, k3)), times(B4, k4)), times(B6, k6))
  let fourth = f64x2.add(f64x2.add(f64x2.add(times(C1, k1), times(C3, k3)), times(C4, k4)), times(C5, k5))
  fourth = f64x2.add(fourth, times(0.25, k6))
  const size = f64x2.add(f64x2.add(f64x2.abs(y), f64x2.abs(f64x2.mul(k1, h))), f64x2.splat(1e-30))
  const scale = f64x2.mul(size, f64x2.splat(TOLERANCE))
  errors = f64x2.div(f64x2.abs(f64x2.mul(h, f64x2.sub(fifth, fourth))), scale)
  return f64x2.add(y, f64x2.mul(h, fifth))
}
