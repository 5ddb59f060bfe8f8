import type { Shape } from '../field.ts'
import { wasmWindows } from './follow-wasm.ts'
import { grow, halve, type Level, withMargin } from './images.ts'
import { corner, HALF, type Pyramid, WINDOW, type Windows } from './windows.ts'

const LEVELS = 4
const MOST_ROUNDS = 10
/** Cells; a step below this ends the search. */
const SMALL_STEP = 0.01
/** Smaller eigenvalue of the mean gradient product below which a window says nothing; image in 0 to 255 a cell. */
const LEAST_EIGENVALUE = 0.1

const half = ({ nrows, ncols }: Shape): Shape => ({ nrows: (nrows + 1) >> 1, ncols: (ncols + 1) >> 1 })

/**
 * Cells at or beside missing ones, for each level of a pyramid.
 * @param missing 1 where missing
 */
export function nearMissing(missing: Uint8Array, shape: Shape): Uint8Array[] {
  const out: Uint8Array[] = []
  let gone = missing
  for (let size = shape; out.length < LEVELS; size = half(size)) {
    const near = grow(gone, size, 1)
    out.push(near)
    if (Math.min(size.nrows, size.ncols) < 2 * 16) break
    gone = halveMarks(near, size)
  }
  return out
}

/**
 * Pyramid of a picture; gradients are zero near missing cells, so that the edge of what the radar sees, which stands
 * still, does not hold the rain back.
 * @param image 0 to 255
 * @param near a level each, see `nearMissing`
 */
export function buildPyramid(image: Float32Array, near: readonly Uint8Array[], shape: Shape): Pyramid[] {
  const out: Pyramid[] = []
  let level = { image, shape }
  for (const marks of near) {
    const { gx, gy } = gradients(level.image, level.shape)
    for (let i = 0; i < gx.length; i++) if (marks[i]) gx[i] = gy[i] = 0
    const margin = WINDOW + 2
    out.push({
      image: withMargin(level.image, level.shape, margin, true),
      gx: withMargin(gx, level.shape, margin, false),
      gy: withMargin(gy, level.shape, margin, false),
    })
    if (out.length < near.length) level = halve(level.image, level.shape)
  }
  return out
}

function halveMarks(marks: Uint8Array, shape: Shape): Uint8Array {
  const { nrows, ncols } = half(shape)
  const out = new Uint8Array(nrows * ncols)
  for (let row = 0; row < shape.nrows; row++)
    for (let col = 0; col < shape.ncols; col++)
      if (marks[row * shape.ncols + col]) out[(row >> 1) * ncols + (col >> 1)] = 1
  return out
}

/** Gradients a cell by Scharr's 3 10 3; zero at the edge. */
function gradients(image: Float32Array, { nrows, ncols }: Shape): { gx: Float32Array; gy: Float32Array } {
  const gx = new Float32Array(image.length)
  const gy = new Float32Array(image.length)
  for (let row = 1; row < nrows - 1; row++)
    for (let i = row * ncols + 1; i < (row + 1) * ncols - 1; i++) {
      const [up, down] = [i - ncols, i + ncols]
      gx[i] =
        (3 * (image[up + 1] - image[up - 1] + image[down + 1] - image[down - 1]) +
          10 * (image[i + 1] - image[i - 1])) /
        32
      gy[i] =
        (3 * (image[down - 1] - image[up - 1] + image[down + 1] - image[up + 1]) +
          10 * (image[down] - image[up])) /
        32
    }
  return { gx, gy }
}

/**
 * Windows from one picture to the next, and from that one back.
 * @param wasm bytes of the compiled loops
 */
export function windowsBetween(
  from: Pyramid[],
  to: Pyramid[],
  wasm?: Uint8Array,
): { there: Windows; back: Windows } {
  return wasm ? wasmWindows(from, to, wasm) : { there: plainWindows(from, to), back: plainWindows(to, from) }
}

/**
 * Follows points from one picture to the next (Lucas and Kanade 1981, pyramids by Bouguet 2001).
 * @param from pyramid of the picture that the points are in
 * @param points x, y of each, cells; NaN is lost already
 * @returns x, y of each in the next picture; NaN where it was lost
 */
export function followPoints(from: Pyramid[], windows: Windows, points: Float32Array): Float32Array {
  const out = new Float32Array(points.length)
  const top = from.length - 1
  for (let p = 0; p < points.length; p += 2) {
    if (Number.isNaN(points[p])) {
      out[p] = out[p + 1] = Number.NaN
      continue
    }
    let guess = { x: points[p] / 2 ** top, y: points[p + 1] / 2 ** top }
    let lost = false
    for (let k = top; k >= 0; k--) {
      const found = followAt(windows, from[k].image, k, points[p] / 2 ** k, points[p + 1] / 2 ** k, guess)
      if (found) guess = found
      else if (k === 0) lost = true
      if (k > 0) guess = { x: guess.x * 2, y: guess.y * 2 }
    }
    out[p] = lost ? Number.NaN : guess.x
    out[p + 1] = lost ? Number.NaN : guess.y
  }
  return out
}

interface Point {
  x: number
  y: number
}

function followAt(
  windows: Windows,
  picture: Level,
  k: number,
  x: number,
  y: number,
  guess: Point,
): Point | null {
  if (!fits(picture, x, y)) return null
  const [xx, xy, yy] = windows.cut(k, x, y)
  const least = (xx + yy - Math.sqrt((xx - yy) ** 2 + 4 * xy * xy)) / (2 * WINDOW * WINDOW)
  const det = xx * yy - xy * xy
  if (!(least >= LEAST_EIGENVALUE) || !(det > 0)) return null
  let [px, py, lastX, lastY] = [guess.x, guess.y, 0, 0]
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (!fits(picture, px, py)) return null
    const [bx, by] = windows.mismatch(k, px, py)
    const dx = (xy * by - yy * bx) / det
    const dy = (xy * bx - xx * by) / det
    px += dx
    py += dy
    if (Math.abs(dx) < SMALL_STEP && Math.abs(dy) < SMALL_STEP) break
    if (round > 0 && Math.abs(dx + lastX) < SMALL_STEP && Math.abs(dy + lastY) < SMALL_STEP) {
      // It swings between two places: the middle.
      px -= dx / 2
      py -= dy / 2
      break
    }
    lastX = dx
    lastY = dy
  }
  return { x: px, y: py }
}

function fits({ nrows, ncols, margin }: Level, x: number, y: number): boolean {
  const reach = HALF - margin + 1
  return x - reach >= 0 && y - reach >= 0 && x + reach <= ncols - 1 && y + reach <= nrows - 1
}

/** The reference of the compiled loops. */
function plainWindows(from: Pyramid[], to: Pyramid[]): Windows {
  const size = WINDOW * WINDOW
  const [value, gx, gy, next] = [0, 1, 2, 3].map(() => new Float32Array(size))
  const sum = (a: Float32Array, b: Float32Array) => {
    let total = 0
    for (let i = 0; i < size; i++) total += a[i] * b[i]
    return total
  }
  return {
    cut(k, x, y) {
      cut(from[k].image, x, y, value)
      cut(from[k].gx, x, y, gx)
      cut(from[k].gy, x, y, gy)
      return [sum(gx, gx), sum(gx, gy), sum(gy, gy)]
    },
    mismatch(k, x, y) {
      cut(to[k].image, x, y, next)
      for (let i = 0; i < size; i++) next[i] -= value[i]
      return [sum(next, gx), sum(next, gy)]
    },
  }
}

/** Cuts the window round a point, bilinear. */
function cut(level: Level, x: number, y: number, out: Float32Array): void {
  const { values, stride } = level
  const { at, fx, fy } = corner(level, x, y)
  const [w00, w01, w10, w11] = [(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy]
  let o = 0
  for (let row = 0; row < WINDOW; row++) {
    let i = at + row * stride
    for (let col = 0; col < WINDOW; col++, i++)
      out[o++] =
        w00 * values[i] + w01 * values[i + 1] + w10 * values[i + stride] + w11 * values[i + stride + 1]
  }
}
