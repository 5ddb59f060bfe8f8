// Rows of a conduit's section, between which its geometry is interpolated: src/sewer/step/section-at.ts.
import { SectionRow } from '../sections/records'

export const INTERVALS: i32 = 256
export const ROW: usize = offsetof<SectionRow>()
const RADIUS43: usize = offsetof<SectionRow>('radius43')

/** Row of a depth, in rows; behind the last one it stands once more, so that nothing changes from there on. */
// @inline
export function rowOf(at: f64): i32 {
  const i = <i32>at
  return i < INTERVALS ? i : INTERVALS
}

/** Area, m2, and width, m, a share of the way to the next row. */
// @inline
export function waterAt(row: usize, share: f64): v128 {
  const first = v128.load(row)
  return f64x2.add(first, f64x2.mul(f64x2.splat(share), f64x2.sub(v128.load(row, ROW), first)))
}

/** How radius^(4/3) and section factor rise to the next row. */
// @inline
export function riseAt(row: usize): v128 {
  return f64x2.sub(v128.load(row, ROW + RADIUS43), v128.load(row, RADIUS43))
}

/** Radius^(4/3) and section factor, a share of the rise that `riseAt` found. */
// @inline
export function wettedAt(row: usize, share: f64, rise: v128): v128 {
  return f64x2.add(v128.load(row, RADIUS43), f64x2.mul(f64x2.splat(share), rise))
}

/** Area at a depth in rows, m2. */
// @inline
export function areaAt(rows: usize, at: f64): f64 {
  const i = rowOf(at)
  const row = rows + <usize>i * ROW
  const area = load<f64>(row)
  return area + (at - <f64>i) * (load<f64>(row, ROW) - area)
}

/** Radius^(4/3), a share of the way to the next row. */
// @inline
export function radiusAt(row: usize, share: f64): f64 {
  const radius = load<f64>(row, RADIUS43)
  return radius + share * (load<f64>(row, ROW + RADIUS43) - radius)
}
