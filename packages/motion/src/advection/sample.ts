import { atPlace, type MotionField } from '../motion-field.ts'
import type { Displacement } from './displacement.ts'

/** Nearer than this to a cell's centre, the cell alone counts: its neighbour may be missing. */
const ON_CELL = 1e-5

/**
 * A field as it comes along a displacement: bilinear in the field's own unit (rates are averaged in mm/h, never in
 * dBR). What comes from outside, or touches missing cells, is missing.
 * @param field `[row * ncols + col]`, NaN missing
 */
export function sampleAlong(
  field: Float32Array,
  { motion, dx, dy }: Displacement,
  out = new Float32Array(field.length),
): Float32Array {
  const { shape, step, nodes } = motion
  const { nrows, ncols } = shape
  for (let row = 0; row < nrows; row++) {
    const j = Math.floor(row / step)
    const fy = row / step - j
    for (let i = 0; i * step < ncols; i++) {
      const k = j * nodes.ncols + i
      const below = k + nodes.ncols
      const x0 = dx[k] + fy * (dx[below] - dx[k])
      const y0 = dy[k] + fy * (dy[below] - dy[k])
      const xStep = (dx[k + 1] + fy * (dx[below + 1] - dx[k + 1]) - x0) / step
      const yStep = (dy[k + 1] + fy * (dy[below + 1] - dy[k + 1]) - y0) / step
      const end = Math.min(ncols, (i + 1) * step)
      for (let col = i * step, n = 0; col < end; col++, n++) {
        const x = col + x0 + n * xStep
        const y = row + y0 + n * yStep
        out[row * ncols + col] = sampleAt(field, shape, x, y)
      }
    }
  }
  return out
}

/** Bilinear as in `sampleAlong`; NaN for what comes from outside or touches missing cells. */
function sampleAt(field: Float32Array, { nrows, ncols }: MotionField['shape'], x: number, y: number): number {
  if (!(x >= 0 && y >= 0 && x <= ncols - 1 && y <= nrows - 1)) return Number.NaN
  // Neither is negative: cut off at the point as whole numbers, which costs less than `Math.floor`.
  const ix = x | 0
  const iy = y | 0
  const wx = x - ix
  const wy = y - iy
  const at = iy * ncols + ix
  const right = wx > ON_CELL ? 1 : 0
  const down = wy > ON_CELL ? ncols : 0
  const top = field[at] + wx * (field[at + right] - field[at])
  const low = field[at + down]
  return top + wy * (low + wx * (field[at + down + right] - low) - top)
}

/**
 * Mean of a field at some places while it passes over them, from some minutes before the moment of the displacement to some
 * minutes after it, in steps of at most one cell: what falls in a time that a picture stands for. Moments that come from
 * missing cells do not count; NaN where all do.
 * @param field as for `sampleAlong`
 * @param speed motion at that moment, cells a minute
 * @param cells `row * ncols + col`
 * @param aroundMin from and to, minutes from that moment
 */
export function passingMean(
  field: Float32Array,
  { motion, dx, dy }: Displacement,
  speed: MotionField,
  cells: ArrayLike<number>,
  [fromMin, toMin]: readonly [number, number],
): Float32Array {
  const { shape } = motion
  const means = new Float32Array(cells.length)
  for (let k = 0; k < cells.length; k++) {
    const col = cells[k] % shape.ncols
    const row = (cells[k] - col) / shape.ncols
    const [u, v] = [atPlace(speed.u, speed, col, row), atPlace(speed.v, speed, col, row)]
    const moments = Math.max(1, Math.ceil(Math.hypot(u, v) * (toMin - fromMin)))
    let [sum, known] = [0, 0]
    for (let n = 0; n < moments; n++) {
      const minutes = fromMin + ((n + 0.5) * (toMin - fromMin)) / moments
      const [x, y] = [col - minutes * u, row - minutes * v]
      const value = sampleAt(field, shape, x + atPlace(dx, motion, x, y), y + atPlace(dy, motion, x, y))
      if (Number.isNaN(value)) continue
      sum += value
      known++
    }
    means[k] = known > 0 ? sum / known : Number.NaN
  }
  return means
}
