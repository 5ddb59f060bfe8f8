import { DRY_DBR, type Shape } from '../field.ts'

/**
 * Wet specks go: what a 3 x 3 opening (a cross) of the wet cells takes away becomes dry.
 * @param dbr dBR, `DRY_DBR` where dry
 */
export function dropSpecks(dbr: Float32Array, shape: Shape): Float32Array {
  const wet = new Uint8Array(dbr.length)
  for (let i = 0; i < dbr.length; i++) wet[i] = dbr[i] > DRY_DBR ? 1 : 0
  // Beyond the edge counts as wet for the first pass, so that rain there is kept.
  const opened = cross(cross(wet, shape, 5, 1), shape, 1, 0)
  const out = dbr.slice()
  for (let i = 0; i < out.length; i++) if (wet[i] && !opened[i]) out[i] = DRY_DBR
  return out
}

/** Cells of which at least `least` of the five of a cross are marked; `beyond` stands for cells outside. */
function cross(marks: Uint8Array, { nrows, ncols }: Shape, least: number, beyond: 0 | 1): Uint8Array {
  const out = new Uint8Array(marks.length)
  for (let row = 0; row < nrows; row++)
    for (let col = 0, i = row * ncols; col < ncols; col++, i++) {
      const sum =
        marks[i] +
        (row > 0 ? marks[i - ncols] : beyond) +
        (row < nrows - 1 ? marks[i + ncols] : beyond) +
        (col > 0 ? marks[i - 1] : beyond) +
        (col < ncols - 1 ? marks[i + 1] : beyond)
      out[i] = sum >= least ? 1 : 0
    }
  return out
}

/** Cells within `by` cells (a square) of a marked one. */
export function grow(marked: Uint8Array, { nrows, ncols }: Shape, by: number): Uint8Array {
  const along = new Uint8Array(marked.length)
  for (let row = 0; row < nrows; row++) {
    const [start, end] = [row * ncols, (row + 1) * ncols]
    // Up to where the marks so far reach.
    let reached = start
    for (let i = start; i < end; i++) {
      if (!marked[i]) continue
      const to = Math.min(end, i + by + 1)
      along.fill(1, Math.max(reached, i - by), to)
      reached = to
    }
  }
  const out = new Uint8Array(marked.length)
  for (let row = 0; row < nrows; row++) {
    const to = row * ncols
    for (let other = Math.max(0, row - by); other <= Math.min(nrows - 1, row + by); other++) {
      const from = other * ncols
      for (let col = 0; col < ncols; col++) out[to + col] |= along[from + col]
    }
  }
  return out
}

/** A level of a pyramid, with a margin on all sides. */
export interface Level extends Shape {
  /** Cells of a row with its margins. */
  stride: number
  margin: number
  values: Float32Array
}

/** Puts a margin round a picture, mirrored or of zeros. */
export function withMargin(
  values: Float32Array,
  { nrows, ncols }: Shape,
  margin: number,
  mirrored: boolean,
): Level {
  const stride = ncols + 2 * margin
  const out = new Float32Array(stride * (nrows + 2 * margin))
  const place = (k: number, length: number) => {
    if (k >= 0 && k < length) return k
    if (!mirrored) return -1
    const period = Math.max(1, 2 * (length - 1))
    const folded = ((k % period) + period) % period
    return folded < length ? folded : period - folded
  }
  for (let row = -margin; row < nrows + margin; row++) {
    const from = place(row, nrows)
    if (from < 0) continue
    const to = (row + margin) * stride + margin
    out.set(values.subarray(from * ncols, (from + 1) * ncols), to)
    if (mirrored)
      for (let k = 1; k <= margin; k++) {
        out[to - k] = values[from * ncols + place(-k, ncols)]
        out[to + ncols - 1 + k] = values[from * ncols + place(ncols - 1 + k, ncols)]
      }
  }
  return { nrows, ncols, stride, margin, values: out }
}

/** Every second cell of the picture smoothed by 1 4 6 4 1 in both directions (Burt and Adelson 1983). */
export function halve(image: Float32Array, { nrows, ncols }: Shape): { image: Float32Array; shape: Shape } {
  const shape = { nrows: (nrows + 1) >> 1, ncols: (ncols + 1) >> 1 }
  const out = new Float32Array(shape.nrows * shape.ncols)
  const row5 = new Float32Array(ncols)
  const fold = (k: number, length: number) =>
    length === 1 ? 0 : k < 0 ? Math.min(-k, length - 1) : k >= length ? Math.max(0, 2 * (length - 1) - k) : k
  for (let r = 0; r < shape.nrows; r++) {
    const at = [-2, -1, 0, 1, 2].map((d) => fold(2 * r + d, nrows) * ncols)
    for (let c = 0; c < ncols; c++)
      row5[c] =
        image[at[0] + c] + image[at[4] + c] + 4 * (image[at[1] + c] + image[at[3] + c]) + 6 * image[at[2] + c]
    for (let c = 0; c < shape.ncols; c++) {
      const k = 2 * c
      const near = row5[fold(k - 1, ncols)] + row5[fold(k + 1, ncols)]
      const far = row5[fold(k - 2, ncols)] + row5[fold(k + 2, ncols)]
      out[r * shape.ncols + c] = (far + 4 * near + 6 * row5[k]) / 256
    }
  }
  return { image: out, shape }
}
