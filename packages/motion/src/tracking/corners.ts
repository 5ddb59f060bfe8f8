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
export function smallerEigenvalue(image: Float32Array, shape: Shape): Float32Array {
  const { nrows, ncols } = shape
  const n = image.length
  const [xx, xy, yy] = [new Float32Array(n), new Float32Array(n), new Float32Array(n)]
  for (let row = 0; row < nrows; row++) {
    const up = mirror(row - 1, nrows) * ncols
    const at = row * ncols
    const down = mirror(row + 1, nrows) * ncols
    for (let col = 0; col < ncols; col++) {
      const west = col > 0 ? col - 1 : mirror(-1, ncols)
      const east = col < ncols - 1 ? col + 1 : mirror(ncols, ncols)
      const diagonal = image[down + east] - image[up + west]
      const other = image[up + east] - image[down + west]
      const gx = diagonal + other + 2 * (image[at + east] - image[at + west])
      const gy = diagonal - other + 2 * (image[down + col] - image[up + col])
      xx[at + col] = gx * gx
      xy[at + col] = gx * gy
      yy[at + col] = gy * gy
    }
  }
  const [sumXX, sumXY, sumYY] = [xx, xy, yy].map((product) => boxSum(product, shape))
  const out = xx
  for (let i = 0; i < n; i++) {
    const half = (sumXX[i] - sumYY[i]) / 2
    out[i] = (sumXX[i] + sumYY[i]) / 2 - Math.sqrt(half * half + sumXY[i] * sumXY[i])
  }
  return out
}

/** Sums over 5 x 5 cells, mirrored at the edges. */
function boxSum(values: Float32Array, { nrows, ncols }: Shape): Float32Array {
  const out = new Float32Array(values.length)
  const line = new Float32Array(ncols + 2 * BLOCK)
  for (let row = 0; row < nrows; row++) {
    const [a, b, c, d, e] = [-2, -1, 0, 1, 2].map((k) => mirror(row + k, nrows) * ncols)
    for (let col = 0; col < ncols; col++)
      line[col + BLOCK] =
        values[a + col] + values[b + col] + values[c + col] + values[d + col] + values[e + col]
    for (let k = 1; k <= BLOCK; k++) {
      line[BLOCK - k] = line[BLOCK + mirror(-k, ncols)]
      line[BLOCK + ncols - 1 + k] = line[BLOCK + mirror(ncols - 1 + k, ncols)]
    }
    for (let col = 0; col < ncols; col++)
      out[row * ncols + col] = line[col] + line[col + 1] + line[col + 2] + line[col + 3] + line[col + 4]
  }
  return out
}

/** Index mirrored about the first and last cell, as often as needed. */
export function mirror(k: number, length: number): number {
  if (length === 1) return 0
  let i = k
  while (i < 0 || i >= length) i = i < 0 ? -i : 2 * (length - 1) - i
  return i
}
