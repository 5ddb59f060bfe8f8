// The inner loops of following points: windows of 50 x 50 cells, a row of which is 13 vectors with two lanes to spare.

const SIDE: i32 = 50
const VECTORS: i32 = 13
const LINE: usize = 208

/** Bilinear values of four cells. */
// @inline
function mixed(at: usize, below: usize, w00: v128, w01: v128, w10: v128, w11: v128): v128 {
  const top = v128.add<f32>(v128.mul<f32>(w00, v128.load(at)), v128.mul<f32>(w01, v128.load(at + 4)))
  const low = v128.add<f32>(v128.mul<f32>(w10, v128.load(below)), v128.mul<f32>(w11, v128.load(below + 4)))
  return v128.add<f32>(top, low)
}

// @inline
function total(v: v128): f64 {
  return (
    <f64>f32x4.extract_lane(v, 0) +
    <f64>f32x4.extract_lane(v, 1) +
    <f64>f32x4.extract_lane(v, 2) +
    <f64>f32x4.extract_lane(v, 3)
  )
}

/**
 * Cuts a window of a picture and its gradients. `offset` is the place of the window's upper left cell in bytes, `stride`
 * a row in bytes, `out` room for three windows. The spare lanes of the gradients are zero.
 * `sums` receives the sums of gx gx, gx gy and gy gy as f64.
 */
export function cut(
  image: usize,
  gx: usize,
  gy: usize,
  offset: usize,
  stride: usize,
  fx: f32,
  fy: f32,
  out: usize,
  sums: usize,
): void {
  const w00 = f32x4.splat((1 - fx) * (1 - fy))
  const w01 = f32x4.splat(fx * (1 - fy))
  const w10 = f32x4.splat((1 - fx) * fy)
  const w11 = f32x4.splat(fx * fy)
  const window: usize = LINE * <usize>SIDE
  const ends = i32x4(-1, -1, 0, 0)
  let xx: f64 = 0
  let xy: f64 = 0
  let yy: f64 = 0
  let at = offset
  let to = out
  for (let row = 0; row < SIDE; row++) {
    let rowXX = f32x4.splat(0)
    let rowXY = f32x4.splat(0)
    let rowYY = f32x4.splat(0)
    for (let k = 0; k < VECTORS; k++) {
      const o: usize = (<usize>k) << 4
      v128.store(to + o, mixed(image + at + o, image + at + o + stride, w00, w01, w10, w11))
      let x = mixed(gx + at + o, gx + at + o + stride, w00, w01, w10, w11)
      let y = mixed(gy + at + o, gy + at + o + stride, w00, w01, w10, w11)
      if (k == VECTORS - 1) {
        x = v128.and(x, ends)
        y = v128.and(y, ends)
      }
      v128.store(to + window + o, x)
      v128.store(to + 2 * window + o, y)
      rowXX = v128.add<f32>(rowXX, v128.mul<f32>(x, x))
      rowXY = v128.add<f32>(rowXY, v128.mul<f32>(x, y))
      rowYY = v128.add<f32>(rowYY, v128.mul<f32>(y, y))
    }
    xx += total(rowXX)
    xy += total(rowXY)
    yy += total(rowYY)
    at += stride
    to += LINE
  }
  store<f64>(sums, xx)
  store<f64>(sums + 8, xy)
  store<f64>(sums + 16, yy)
}

/** Sums of the difference to a cut window times each gradient, as f64 to `sums`. */
export function mismatch(
  image: usize,
  offset: usize,
  stride: usize,
  fx: f32,
  fy: f32,
  out: usize,
  sums: usize,
): void {
  const w00 = f32x4.splat((1 - fx) * (1 - fy))
  const w01 = f32x4.splat(fx * (1 - fy))
  const w10 = f32x4.splat((1 - fx) * fy)
  const w11 = f32x4.splat(fx * fy)
  const window: usize = LINE * <usize>SIDE
  let bx: f64 = 0
  let by: f64 = 0
  let at = image + offset
  let to = out
  for (let row = 0; row < SIDE; row++) {
    let rowX = f32x4.splat(0)
    let rowY = f32x4.splat(0)
    for (let k = 0; k < VECTORS; k++) {
      const o: usize = (<usize>k) << 4
      const off = v128.sub<f32>(mixed(at + o, at + o + stride, w00, w01, w10, w11), v128.load(to + o))
      rowX = v128.add<f32>(rowX, v128.mul<f32>(off, v128.load(to + window + o)))
      rowY = v128.add<f32>(rowY, v128.mul<f32>(off, v128.load(to + 2 * window + o)))
    }
    bx += total(rowX)
    by += total(rowY)
    at += stride
    to += LINE
  }
  store<f64>(sums, bx)
  store<f64>(sums + 8, by)
}
