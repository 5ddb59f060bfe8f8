import type { Frame } from '../grid.ts'

/** NODATA that the model encloses. */
export interface Hole {
  cells: Int32Array
  /** Cells with ground around it, across sides. */
  ring: Int32Array
}

/**
 * Holes of a terrain: NODATA from which no way leads across sides to the outside.
 * @param outside 1: not of the catchment, whatever the terrain has there
 */
export function holesOf(z: Float64Array, { ncols, nrows }: Frame, outside: Uint8Array): Hole[] {
  const seen = new Uint8Array(z.length)
  const found: Hole[] = []
  const stack: number[] = []
  for (let first = 0; first < z.length; first++) {
    if (seen[first] === 1 || !Number.isNaN(z[first]) || outside[first] === 1) continue
    const cells: number[] = []
    const ring = new Set<number>()
    let open = false
    const meet = (cell: number) => {
      if (outside[cell] === 1) open = true
      else if (!Number.isNaN(z[cell])) ring.add(cell)
      else if (seen[cell] === 0) {
        seen[cell] = 1
        stack.push(cell)
      }
    }
    seen[first] = 1
    stack.push(first)
    for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
      cells.push(cell)
      const row = Math.floor(cell / ncols)
      const col = cell - row * ncols
      if (row === 0 || col === 0 || row === nrows - 1 || col === ncols - 1) open = true
      if (row > 0) meet(cell - ncols)
      if (row < nrows - 1) meet(cell + ncols)
      if (col > 0) meet(cell - 1)
      if (col < ncols - 1) meet(cell + 1)
    }
    if (!open) found.push({ cells: Int32Array.from(cells), ring: Int32Array.from(ring) })
  }
  return found.sort((a, b) => b.cells.length - a.cells.length || a.cells[0] - b.cells[0])
}

/** Fills a hole by inverse squared distance (Shepard, 1968) from the ground around it. */
export function fillHole(z: Float64Array, { ncols }: Frame, { cells, ring }: Hole): void {
  const rows = Int32Array.from(ring, (cell) => Math.floor(cell / ncols))
  const cols = Int32Array.from(ring, (cell, k) => cell - rows[k] * ncols)
  const levels = Float64Array.from(ring, (cell) => z[cell])
  for (const cell of cells) {
    const row = Math.floor(cell / ncols)
    const col = cell - row * ncols
    let sum = 0
    let weights = 0
    for (let k = 0; k < ring.length; k++) {
      const weight = 1 / ((rows[k] - row) ** 2 + (cols[k] - col) ** 2)
      sum += weight * levels[k]
      weights += weight
    }
    z[cell] = sum / weights
  }
}
