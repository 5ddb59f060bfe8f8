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
  const [lastRow, lastCol] = [nrows - 1, ncols - 1]
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
        const o = row * ncols + col
        if (!(x >= 0 && y >= 0 && x <= lastCol && y <= lastRow)) {
          out[o] = Number.NaN
          continue
        }
        const ix = Math.floor(x)
        const iy = Math.floor(y)
        const wx = x - ix
        const wy = y - iy
        const at = iy * ncols + ix
        const right = wx > ON_CELL ? 1 : 0
        const down = wy > ON_CELL ? ncols : 0
        const top = field[at] + wx * (field[at + right] - field[at])
        const low = field[at + down]
        out[o] = top + wy * (low + wx * (field[at + down + right] - low) - top)
      }
    }
  }
  return out
}
