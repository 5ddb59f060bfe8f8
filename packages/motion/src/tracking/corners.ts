import type { Shape } from '../field.ts'

export interface CornerOptions {
  /** @default 1000 */
  most?: number
  /** Share of the best corner's measure that a corner needs. @default 0.01 */
  quality?: number
  /** Cells between two corners. @default 10 */
  apart?: number
}

/** Half a side of the square over which gradients are summed. */
const BLOCK = 2

/**
 * Corners worth following: local maxima of the smaller eigenvalue of the gradients' covariance (Shi and Tomasi 1994),
 * the best first, none nearer than `apart` to a better one.
 * @param image any unit, no missing values
 * @param usable 1 where a corner may lie
 * @returns x (column) and y (row) of each, one after another
 */
export function findCorners(
  image: Float32Array,
  usable: Uint8Array,
  shape: Shape,
  { most = 1000, quality = 0.01, apart = 10 }: CornerOptions = {},
): Float32Array {
  const measure = smallerEigenvalue(image, shape)
  const { nrows, ncols } = shape
  let best = 0
  for (let i = 0; i < measure.length; i++) if (usable[i] && measure[i] > best) best = measure[i]
  const least = best * quality
  const candidates: number[] = []
  for (let row = 1; row < nrows - 1; row++)
    for (let col = 1; col < ncols - 1; col++) {
      const i = row * ncols + col
      const m = measure[i]
      if (usable[i] && m > least && isPeak(measure, i, ncols)) candidates.push(i)
    }
  candidates.sort((a, b) => measure[b] - measure[a] || a - b)
  return thinOut(candidates, shape, most, apart)
}

function isPeak(measure: Float32Array, i: number, ncols: number): boolean {
  const m = measure[i]
  for (let dy = -ncols; dy <= ncols; dy += ncols)
    for (let dx = -1; dx <= 1; dx++) if (measure[i + dy + dx] > m) return false
  return true
}

function thinOut(candidates: number[], { ncols, nrows }: Shape, most: number, apart: number): Float32Array {
  const across = Math.ceil(ncols / apart)
  const boxes: number[][] = Array.from({ length: across * Math.ceil(nrows / apart) }, () => [])
  const kept: number[] = []
  for (const i of candidates) {
    const y = Math.floor(i / ncols)
    const x = i - y * ncols
    const [bx, by] = [Math.floor(x / apart), Math.floor(y / apart)]
    let free = true
    for (let ny = Math.max(0, by - 1); free && ny <= by + 1; ny++)
      for (let nx = Math.max(0, bx - 1); free && nx <= Math.min(across - 1, bx + 1); nx++)
        for (const k of boxes[ny * across + nx] ?? [])
          if ((kept[2 * k] - x) ** 2 + (kept[2 * k + 1] - y) ** 2 < apart * apart) free = false
    if (!free) continue
    boxes[by * across + bx].push(kept.length / 2)
    kept.push(x, y)
    if (kept.length >= 2 * most) break
  }
  return Float32Array.from(kept)
}

/** Smaller eigenvalue of the sum of gradient products over 5 x 5 cells; Sobel gradients, mirrored at the edges. */
export function smallerEigenvalue(image: Float32Array, { nrows, ncols }: Shape): Float32Array {
  const n = image.length
  const [xx, xy, yy] = [new Float32Array(n), new Float32Array(n), new Float32Array(n)]
  for (let row = 0; row < nrows; row++) {
    const up = mirror(row - 1, nrows) * ncols
    const at = row * ncols
    const down = mirror(row + 1, nrows) * ncols
    for (let col = 0; col < ncols; col++) {
      const west = mirror(col - 1, ncols)
      const east = mirror(col + 1, ncols)
      const gx =
        image[up + east] -
        image[up + west] +
        2 * (image[at + east] - image[at + west]) +
        image[down + east] -
        image[down + west]
      const gy =
        image[down + west] -
        image[up + west] +
        2 * (image[down + col] - image[up + col]) +
        image[down + east] -
        image[up + east]
      xx[at + col] = gx * gx
      xy[at + col] = gx * gy
      yy[at + col] = gy * gy
    }
  }
  for (const product of [xx, xy, yy]) boxSum(product, nrows, ncols)
  const out = xx
  for (let i = 0; i < n; i++) {
    const half = (xx[i] - yy[i]) / 2
    out[i] = (xx[i] + yy[i]) / 2 - Math.sqrt(half * half + xy[i] * xy[i])
  }
  return out
}

/** Sums over 5 x 5 cells, in place, mirrored at the edges. */
function boxSum(values: Float32Array, nrows: number, ncols: number): void {
  const line = new Float32Array(Math.max(nrows, ncols))
  const sum = (offset: number, stride: number, length: number) => {
    for (let k = 0; k < length; k++) line[k] = values[offset + k * stride]
    for (let k = 0; k < length; k++) {
      let total = 0
      if (k >= BLOCK && k < length - BLOCK) for (let d = -BLOCK; d <= BLOCK; d++) total += line[k + d]
      else for (let d = -BLOCK; d <= BLOCK; d++) total += line[mirror(k + d, length)]
      values[offset + k * stride] = total
    }
  }
  for (let row = 0; row < nrows; row++) sum(row * ncols, 1, ncols)
  for (let col = 0; col < ncols; col++) sum(col, ncols, nrows)
}

/** Index mirrored about the first and last cell, as often as needed. */
export function mirror(k: number, length: number): number {
  if (length === 1) return 0
  let i = k
  while (i < 0 || i >= length) i = i < 0 ? -i : 2 * (length - 1) - i
  return i
}
