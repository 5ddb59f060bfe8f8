import { rowFraction, rowPolynomial, toMercator } from '../map/mercator.ts'
import type { CellPlace, CodeLook } from './protocol.ts'

interface Size {
  width: number
  height: number
}

/**
 * The cell under the middle of each pixel, `[y * width + x]`: `row * ncols + col`, -1 outside the grid. The same
 * arithmetic as on the page's own map: even in latitude for rain, stretched between the corners for a town's grid.
 */
export function cellsOfPixels(
  place: CellPlace,
  { nrows, ncols }: { nrows: number; ncols: number },
  { width, height }: Size,
): Int32Array {
  const cells = new Int32Array(width * height).fill(-1)
  if (place.kind === 'latlng') {
    const { bounds, view } = place
    const [ul, lr] = [toMercator(bounds.ul), toMercator(bounds.lr)]
    const polynomial = rowPolynomial(bounds)
    const cols = Int32Array.from({ length: width }, (_, x) => {
      const share = ((x + 0.5 - view.left) / view.size - ul.x) / (lr.x - ul.x)
      return share >= 0 && share < 1 ? Math.floor(share * ncols) : -1
    })
    for (let y = 0; y < height; y++) {
      const t = ((y + 0.5 - view.top) / view.size - ul.y) / (lr.y - ul.y)
      if (t < 0 || t >= 1) continue
      const row = Math.min(nrows - 1, Math.max(0, Math.floor(rowFraction(t, polynomial) * nrows)))
      for (let x = 0; x < width; x++) if (cols[x] >= 0) cells[y * width + x] = row * ncols + cols[x]
    }
    return cells
  }
  const back = squareOf(place.corners)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = back(x + 0.5, y + 0.5)
      if (u >= 0 && v >= 0 && u < 1 && v < 1)
        cells[y * width + x] = Math.floor(v * nrows) * ncols + Math.floor(u * ncols)
    }
  return cells
}

/** From a place of the picture to the unit square whose corners lie there (Heckbert 1989, projective mapping, inverted). */
function squareOf(corners: readonly [number, number][]): (x: number, y: number) => [number, number] {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = corners
  const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3]
  const [dx1, dx2, dy1, dy2] = [x1 - x2, x3 - x2, y1 - y2, y3 - y2]
  const det = dx1 * dy2 - dx2 * dy1
  const g = (sx * dy2 - dx2 * sy) / det
  const h = (dx1 * sy - sx * dy1) / det
  const [a, b, c] = [x1 - x0 + g * x1, x3 - x0 + h * x3, x0]
  const [d, e, f] = [y1 - y0 + g * y1, y3 - y0 + h * y3, y0]
  // Rows of the adjugate.
  const [p, q, r] = [e - f * h, c * h - b, b * f - c * e]
  const [s, t, o] = [f * g - d, a - c * g, c * d - a * f]
  const [i, j, k] = [d * h - e * g, b * g - a * h, a * e - b * d]
  return (x, y) => {
    const w = i * x + j * y + k
    return [(p * x + q * y + r) / w, (s * x + t * y + o) / w]
  }
}

/** Pixels between two stripes of the hatching over missing data, and how much of that a stripe takes. */
const HATCH = 10
const STRIPE = 0.18
const BETWEEN = 0.25

/**
 * Lays the codes of one moment over the ground.
 * @param out RGBA of the picture, written whole
 * @param ground RGBA of the picture without them, opaque
 * @param cells see `cellsOfPixels`
 * @param codes `[row * ncols + col]`
 */
export function paintCodes(
  out: Uint8ClampedArray,
  ground: Uint8ClampedArray,
  cells: Int32Array,
  codes: ArrayLike<number>,
  look: CodeLook,
  width: number,
): void {
  out.set(ground)
  const { palette, noData, opacity, edge } = look
  const last = palette.length / 4 - 1
  const colored = (pixel: number): boolean => {
    const cell = cells[pixel]
    if (cell < 0) return false
    const code = codes[cell]
    return code !== noData?.code && palette[4 * Math.min(last, code) + 3] > 0
  }
  const rows = cells.length / width
  for (let pixel = 0; pixel < cells.length; pixel++) {
    const cell = cells[pixel]
    if (cell < 0) continue
    const code = codes[cell]
    if (noData !== null && code === noData.code) {
      const [r, g, b, a] = noData.color
      const stripe = (((pixel % width) + Math.floor(pixel / width)) % HATCH) / HATCH < STRIPE
      mix(out, 4 * pixel, r, g, b, stripe ? a : a * BETWEEN)
      continue
    }
    const at = 4 * Math.min(last, code)
    const alpha = palette[at + 3]
    if (alpha === 0) continue
    let [r, g, b] = [palette[at], palette[at + 1], palette[at + 2]]
    if (edge !== null) {
      const [x, y] = [pixel % width, Math.floor(pixel / width)]
      const inside =
        (x === 0 || colored(pixel - 1)) &&
        (x === width - 1 || colored(pixel + 1)) &&
        (y === 0 || colored(pixel - width)) &&
        (y === rows - 1 || colored(pixel + width))
      if (!inside) {
        const share = edge[3]
        r += (255 * edge[0] - r) * share
        g += (255 * edge[1] - g) * share
        b += (255 * edge[2] - b) * share
      }
    }
    mix(out, 4 * pixel, r, g, b, (alpha / 255) * opacity)
  }
}

function mix(out: Uint8ClampedArray, at: number, r: number, g: number, b: number, share: number): void {
  out[at] += (r - out[at]) * share
  out[at + 1] += (g - out[at + 1]) * share
  out[at + 2] += (b - out[at + 2]) * share
}

/**
 * At most so many moments, evenly taken, the first and the last among them.
 * @returns indices, ascending
 */
export function evenly(count: number, most: number): number[] {
  if (count <= most) return Array.from({ length: count }, (_, k) => k)
  return Array.from({ length: most }, (_, k) => Math.round((k * (count - 1)) / (most - 1)))
}
