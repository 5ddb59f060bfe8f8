/**
 * Heights without holes: cells outside the model take those beside them, so that the edge of the ground stands upright
 * and does not slope to nothing.
 * @param heights `[row * ncols + col]`, m, NaN outside
 */
export function filledHeights(heights: Float32Array, ncols: number): Float32Array<ArrayBuffer> {
  const filled = new Float32Array(heights)
  const nrows = heights.length / ncols
  for (let row = 0; row < nrows; row++) {
    carry(filled, row * ncols, 1, ncols)
    carry(filled, (row + 1) * ncols - 1, -1, ncols)
  }
  carryRows(filled, ncols, nrows)
  for (let k = 0; k < filled.length; k++) if (Number.isNaN(filled[k])) filled[k] = 0
  return filled
}

/** Takes each number along to the cells without one that come next. */
function carry(values: Float32Array, from: number, step: number, count: number): void {
  let last = Number.NaN
  for (let n = 0, k = from; n < count; n++, k += step) {
    if (Number.isNaN(values[k])) values[k] = last
    else last = values[k]
  }
}

/** Copies whole rows over empty ones, downwards and then upwards: a row has numbers everywhere by now, or nowhere. */
function carryRows(values: Float32Array, ncols: number, nrows: number): void {
  const empty = (row: number) => Number.isNaN(values[row * ncols])
  const copy = (to: number, from: number) => values.copyWithin(to * ncols, from * ncols, (from + 1) * ncols)
  for (let row = 1; row < nrows; row++) if (empty(row) && !empty(row - 1)) copy(row, row - 1)
  for (let row = nrows - 2; row >= 0; row--) if (empty(row) && !empty(row + 1)) copy(row, row + 1)
}

interface Ground {
  /** Heights as the scene has them, m, `[row * ncols + col]`. */
  heightAt: (row: number, col: number) => number
  nrows: number
  ncols: number
  cellSizeM: number
}

/**
 * The cell that a ray meets first; null where it meets none. The scene's origin is the middle of the grid, x to the
 * east, y up, z to the south.
 * @param from m @param along unit vector
 */
export function cellOnRay(
  { heightAt, nrows, ncols, cellSizeM }: Ground,
  from: readonly [number, number, number],
  along: readonly [number, number, number],
  farM: number,
): { row: number; col: number } | null {
  const flat = Math.hypot(along[0], along[2])
  // Half a cell at a time; straight down, by metres.
  const step = flat > 1e-6 ? (0.5 * cellSizeM) / flat : 1
  for (let t = 0; t <= farM; t += Math.min(step, farM / 64)) {
    const [x, y, z] = from.map((value, k) => value + t * along[k])
    const [col, row] = [Math.floor(x / cellSizeM + ncols / 2), Math.floor(z / cellSizeM + nrows / 2)]
    const height = col >= 0 && row >= 0 && col < ncols && row < nrows ? heightAt(row, col) : Number.NaN
    if (y <= height) return { col, row }
    if (y < -farM) return null
  }
  return null
}
