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

/** The same at every cell centre, `[row * ncols + col]`. */
export function inverseDistanceGrid(
  points: PointValues,
  { nrows, ncols, x0, dx, y0, dy }: PlaneGrid,
  options: InverseDistance = {},
): Float64Array {
  const out = new Float64Array(nrows * ncols)
  for (let row = 0; row < nrows; row++)
    for (let col = 0; col < ncols; col++)
      out[row * ncols + col] = inverseDistance(points, x0 + col * dx, y0 + row * dy, options)
  return out
}
