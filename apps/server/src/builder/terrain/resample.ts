import { type Frame, topOf } from '../grid.ts'

/** Values on a lattice, row 0 north, NaN for no data. */
export interface Patch {
  ncols: number
  nrows: number
  /** Outer corner north-west, and size of a cell. */
  left: number
  top: number
  cellWidth: number
  cellHeight: number
  data: Float64Array
}

/** A mean needs data on this share of a cell. */
export const LEAST_SHARE = 0.5

/** Weights of the columns (or rows) of a lattice under one of the target: where it begins, and how much of each it covers. */
interface Span {
  first: number
  weights: number[]
}

function spansOf(count: number, start: number, size: number, cells: number, cell: number): Span[] {
  return Array.from({ length: count }, (_, k) => {
    const from = (start + k * size) / cell
    const to = from + size / cell
    const first = Math.max(0, Math.floor(from + 1e-9))
    const last = Math.min(cells - 1, Math.ceil(to - 1e-9) - 1)
    const weights: number[] = []
    for (let n = first; n <= last; n++) weights.push((Math.min(to, n + 1) - Math.max(from, n)) / (to - from))
    return { first, weights }
  })
}

/**
 * Mean over the area of each cell of rows `row0` to `row1`; NaN where less than half of it has data.
 * @returns `[(row - row0) * ncols + col]`
 */
export function areaMeans(patch: Patch, frame: Frame, row0: number, row1: number): Float64Array {
  const { ncols, xll, cellSize } = frame
  const cols = spansOf(ncols, xll - patch.left, cellSize, patch.ncols, patch.cellWidth)
  const rows = spansOf(
    row1 - row0,
    patch.top - topOf(frame) + row0 * cellSize,
    cellSize,
    patch.nrows,
    patch.cellHeight,
  )
  const means = new Float64Array(ncols * (row1 - row0)).fill(Number.NaN)
  rows.forEach((rowSpan, r) => {
    for (let col = 0; col < ncols; col++) {
      const colSpan = cols[col]
      let sum = 0
      let weight = 0
      for (let n = 0; n < rowSpan.weights.length; n++) {
        const at = (rowSpan.first + n) * patch.ncols + colSpan.first
        for (let m = 0; m < colSpan.weights.length; m++) {
          const value = patch.data[at + m]
          if (Number.isNaN(value)) continue
          const share = rowSpan.weights[n] * colSpan.weights[m]
          sum += share * value
          weight += share
        }
      }
      if (weight >= LEAST_SHARE - 1e-9) means[r * ncols + col] = sum / weight
    }
  })
  return means
}

/** Value of the cell at a place, NaN outside. */
export function nearest(patch: Patch, x: number, y: number): number {
  const col = Math.floor((x - patch.left) / patch.cellWidth)
  const row = Math.floor((patch.top - y) / patch.cellHeight)
  if (!(col >= 0 && row >= 0 && col < patch.ncols && row < patch.nrows)) return Number.NaN
  return patch.data[row * patch.ncols + col]
}

/** Bilinear between the middles of cells; those without data are left out, and a place in one of them has none. */
export function bilinear(patch: Patch, x: number, y: number): number {
  if (Number.isNaN(nearest(patch, x, y))) return Number.NaN
  const u = (x - patch.left) / patch.cellWidth - 0.5
  const v = (patch.top - y) / patch.cellHeight - 0.5
  const col = Math.floor(u)
  const row = Math.floor(v)
  let sum = 0
  let weight = 0
  for (let n = 0; n < 2; n++)
    for (let m = 0; m < 2; m++) {
      const c = col + m
      const r = row + n
      if (c < 0 || r < 0 || c >= patch.ncols || r >= patch.nrows) continue
      const value = patch.data[r * patch.ncols + c]
      if (Number.isNaN(value)) continue
      const share = (m === 0 ? 1 - (u - col) : u - col) * (n === 0 ? 1 - (v - row) : v - row)
      sum += share * value
      weight += share
    }
  return weight > 0 ? sum / weight : Number.NaN
}

/** Do both have their cells at the same places, wherever they end? */
export function sameLattice(patch: Omit<Patch, 'data' | 'ncols' | 'nrows'>, frame: Frame): boolean {
  const { cellSize } = frame
  if (
    Math.abs(patch.cellWidth - cellSize) > 1e-9 * cellSize ||
    Math.abs(patch.cellHeight - cellSize) > 1e-9 * cellSize
  )
    return false
  const whole = (value: number) => Math.abs(value - Math.round(value)) < 1e-3
  return whole((frame.xll - patch.left) / cellSize) && whole((patch.top - topOf(frame)) / cellSize)
}

/** Values of rows `row0` to `row1` by a function of places in the lattice's own system. */
export function atMiddles(
  frame: Frame,
  row0: number,
  row1: number,
  valueAt: (x: number, y: number) => number,
): Float64Array {
  const { ncols, xll, cellSize } = frame
  const top = topOf(frame)
  const values = new Float64Array(ncols * (row1 - row0))
  for (let row = row0; row < row1; row++)
    for (let col = 0; col < ncols; col++)
      values[(row - row0) * ncols + col] = valueAt(xll + (col + 0.5) * cellSize, top - (row + 0.5) * cellSize)
  return values
}

/** Corners of cells of some rows in another system: `[(row - row0) * (ncols + 1) + col]`, x and y by turns. */
export interface Corners {
  row0: number
  row1: number
  places: Float64Array
}

/** Corners nearer than this, m, are set between moved ones: the way between is straight to less than a millimetre. */
const STRAIGHT_M = 100

/** Corners of the cells of rows `row0` to `row1`, moved to another system. */
export function movedCorners(
  frame: Frame,
  row0: number,
  row1: number,
  move: (place: readonly [number, number]) => [number, number],
): Corners {
  const { ncols, xll, cellSize } = frame
  const top = topOf(frame)
  const places = new Float64Array(2 * (ncols + 1) * (row1 - row0 + 1))
  const step = Math.max(1, Math.floor(STRAIGHT_M / cellSize))
  const knots = (count: number) => {
    const all: number[] = []
    for (let k = 0; k < count; k += step) all.push(k)
    all.push(count)
    return all
  }
  const cols = knots(ncols)
  const rows = knots(row1 - row0)
  const lines = rows.map((row) =>
    cols.map((col) => move([xll + col * cellSize, top - (row0 + row) * cellSize])),
  )
  for (let n = 1; n < rows.length; n++)
    for (let m = 1; m < cols.length; m++) {
      const [a, b, c, d] = [lines[n - 1][m - 1], lines[n - 1][m], lines[n][m - 1], lines[n][m]]
      for (let row = rows[n - 1]; row <= rows[n]; row++) {
        const v = (row - rows[n - 1]) / (rows[n] - rows[n - 1])
        for (let col = cols[m - 1]; col <= cols[m]; col++) {
          const u = (col - cols[m - 1]) / (cols[m] - cols[m - 1])
          const at = 2 * (row * (ncols + 1) + col)
          for (const axis of [0, 1])
            places[at + axis] =
              (1 - v) * ((1 - u) * a[axis] + u * b[axis]) + v * ((1 - u) * c[axis] + u * d[axis])
        }
      }
    }
  return { row0, row1, places }
}

/**
 * Values of cells whose corners lie anywhere: the mean of places spread evenly over each, as many as the lattice is finer,
 * or bilinear at the middle where it is coarser.
 */
export function overCorners(
  patch: Patch,
  ncols: number,
  { row0, row1, places }: Corners,
  read: 'mean' | 'nearest',
): Float64Array {
  const values = new Float64Array(ncols * (row1 - row0))
  const stride = 2 * (ncols + 1)
  for (let row = 0; row < row1 - row0; row++)
    for (let col = 0; col < ncols; col++) {
      const a = row * stride + 2 * col
      const c = a + stride
      const at = (u: number, v: number, axis: number) =>
        (1 - v) * ((1 - u) * places[a + axis] + u * places[a + 2 + axis]) +
        v * ((1 - u) * places[c + axis] + u * places[c + 2 + axis])
      values[row * ncols + col] =
        read === 'nearest'
          ? nearest(patch, at(0.5, 0.5, 0), at(0.5, 0.5, 1))
          : spread(patch, at, finer(patch, places, a, c))
    }
  return values
}

/** How many cells of the lattice lie along a side of a cell, at most 32. */
function finer(patch: Patch, places: Float64Array, a: number, c: number): number {
  const width = Math.hypot(
    (places[a + 2] - places[a]) / patch.cellWidth,
    (places[a + 3] - places[a + 1]) / patch.cellHeight,
  )
  const height = Math.hypot(
    (places[c] - places[a]) / patch.cellWidth,
    (places[c + 1] - places[a + 1]) / patch.cellHeight,
  )
  return Math.min(32, Math.ceil(Math.max(width, height) - 0.01))
}

function spread(patch: Patch, at: (u: number, v: number, axis: number) => number, count: number): number {
  if (count <= 1) return bilinear(patch, at(0.5, 0.5, 0), at(0.5, 0.5, 1))
  let sum = 0
  let found = 0
  for (let n = 0; n < count; n++)
    for (let m = 0; m < count; m++) {
      const u = (m + 0.5) / count
      const v = (n + 0.5) / count
      const value = nearest(patch, at(u, v, 0), at(u, v, 1))
      if (Number.isNaN(value)) continue
      sum += value
      found++
    }
  return found >= LEAST_SHARE * count * count ? sum / found : Number.NaN
}
