import type { PlaneGrid } from './field.ts'

/** Values at places, to be interpolated. */
export interface PointValues {
  x: readonly number[]
  y: readonly number[]
  values: readonly number[]
}

export interface InverseDistance {
  /** Nearest points that take part. @default 4 */
  nearest?: number
  /** @default 2 */
  power?: number
}

/** Squared distance below which two places are one: its inverse would no longer be a number. */
const SAME_PLACE = 1e-24

/** Inverse distance weighted mean of the nearest points (Shepard 1968); a point's own value at its place. */
export function inverseDistance(
  { x, y, values }: PointValues,
  atX: number,
  atY: number,
  { nearest = 4, power = 2 }: InverseDistance = {},
): number {
  const count = Math.min(nearest, values.length)
  const squares = new Float64Array(count).fill(Number.POSITIVE_INFINITY)
  const which = new Int32Array(count)
  for (let i = 0; i < values.length; i++) {
    const square = (x[i] - atX) ** 2 + (y[i] - atY) ** 2
    if (square >= squares[count - 1]) continue
    let k = count - 1
    for (; k > 0 && squares[k - 1] > square; k--) {
      squares[k] = squares[k - 1]
      which[k] = which[k - 1]
    }
    squares[k] = square
    which[k] = i
  }
  if (squares[0] < SAME_PLACE) return values[which[0]]
  let [sum, weights] = [0, 0]
  for (let k = 0; k < count; k++) {
    const weight = squares[k] ** (-power / 2)
    weights += weight
    sum += weight * values[which[k]]
  }
  return sum / weights
}

/** Cells of a side of the squares that look for their gauges together. */
const BLOCK = 16

/** The same at every cell centre, `[row * ncols + col]`. */
export function inverseDistanceGrid(
  points: PointValues,
  { nrows, ncols, x0, dx, y0, dy }: PlaneGrid,
  options: InverseDistance = {},
): Float64Array {
  const out = new Float64Array(nrows * ncols)
  for (let top = 0; top < nrows; top += BLOCK)
    for (let left = 0; left < ncols; left += BLOCK) {
      const [bottom, right] = [Math.min(top + BLOCK, nrows) - 1, Math.min(left + BLOCK, ncols) - 1]
      const middle = { x: x0 + ((left + right) / 2) * dx, y: y0 + ((top + bottom) / 2) * dy }
      const reach = Math.hypot((right - left) * dx, (bottom - top) * dy) / 2
      const near = nearestOfAll(points, middle, reach, options)
      for (let row = top; row <= bottom; row++)
        for (let col = left; col <= right; col++)
          out[row * ncols + col] = inverseDistance(near, x0 + col * dx, y0 + row * dy, options)
    }
  return out
}

/** Those of the points, in their order, that any place within reach of a middle can have among its nearest. */
function nearestOfAll(
  points: PointValues,
  middle: { x: number; y: number },
  reach: number,
  { nearest = 4 }: InverseDistance,
): PointValues {
  const { x, y, values } = points
  if (values.length <= nearest) return points
  const far = Float64Array.from(values, (_, i) => Math.hypot(x[i] - middle.x, y[i] - middle.y))
  // Rounding may not leave out one that is as near as the last.
  const most = (far.toSorted()[nearest - 1] + 2 * reach) * (1 + 1e-9)
  const kept = values.flatMap((_, i) => (far[i] <= most ? [i] : []))
  return { x: kept.map((i) => x[i]), y: kept.map((i) => y[i]), values: kept.map((i) => values[i]) }
}
