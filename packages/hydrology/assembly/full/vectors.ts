// Formulas on two cells at a time.

// @inline
export function splat(x: f64): v128 {
  return f64x2.splat(x)
}

// @inline
function corrected(h: v128, y: v128): v128 {
  const cube = v128.mul<f64>(y, v128.mul<f64>(y, y))
  const r = v128.sub<f64>(splat(1), v128.mul<f64>(h, cube))
  let s = v128.add<f64>(splat(2.0 / 9.0), v128.mul<f64>(r, splat(14.0 / 81.0)))
  s = v128.add<f64>(splat(1.0 / 3.0), v128.mul<f64>(r, s))
  return v128.add<f64>(y, v128.mul<f64>(y, v128.mul<f64>(r, s)))
}

/** h^(-1/3): see src/surface/full/cube-root.ts. */
// @inline
export function inverseCubeRoot(h: v128): v128 {
  const upper = v128.shr<u64>(h, 32)
  // A third of 31 bits, rounded down.
  const third = v128.shr<u64>(v128.mul<i64>(upper, i64x2.splat(0x55555556)), 32)
  const seed = v128.shl<i64>(v128.sub<i64>(i64x2.splat(0x553ef0ff), third), 32)
  return corrected(h, corrected(h, seed))
}

// @inline
export function magnitude(x: v128): v128 {
  return v128.abs<f64>(x)
}

// @inline
export function isLane(mask: v128, lane: i32): bool {
  return (v128.bitmask<i64>(mask) & (1 << lane)) !== 0
}
