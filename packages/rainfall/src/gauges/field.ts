/** Places of cells and gauges in one plane, both coordinates in the same unit (m or km). */
export interface Places {
  x: Float64Array
  y: Float64Array
}

/** A regular grid whose rows and columns run along the axes of the plane. */
export interface PlaneGrid {
  nrows: number
  ncols: number
  /** Centre of the first column and distance of columns. */
  x0: number
  dx: number
  /** Centre of the first row and distance of rows; negative where row 0 is north and y grows to the north. */
  y0: number
  dy: number
}

/** A radar field and the gauges beside it. Depths or rates: both in one unit. */
export interface AdjustInput {
  grid: PlaneGrid
  /** `[row * ncols + col]`, NaN = missing. */
  radar: Float64Array
  gauges: Places
  /** One a gauge, NaN = missing. */
  observed: Float64Array
}

/** What pairs gauges with the radar, and when there are too few of them. */
export interface PairOptions {
  /** Cells nearest to a gauge whose median stands for the radar there. @default 9 */
  nearestCells?: number
  /** Pairs below which nothing is adjusted. @default 5 */
  minGauges?: number
  /** Both of a pair reach this. @default 0 */
  minValue?: number
}

/** A gauge with what the radar says there. */
export interface Pair {
  gauge: number
  x: number
  y: number
  observed: number
  radar: number
}

/** Pairs of all gauges at which both gauge and radar are known and reach the least value. */
export function pairsOf(
  { grid, radar, gauges, observed }: AdjustInput,
  { nearestCells = 9, minValue = 0 }: PairOptions = {},
): Pair[] {
  const pairs: Pair[] = []
  for (let gauge = 0; gauge < observed.length; gauge++) {
    const [x, y] = [gauges.x[gauge], gauges.y[gauge]]
    const cells = nearestCellsOf(grid, x, y, nearestCells)
    const at = medianOf(cells.map((cell) => radar[cell]))
    if (observed[gauge] >= minValue && at >= minValue)
      pairs.push({ gauge, x, y, observed: observed[gauge], radar: at })
  }
  return pairs
}

/**
 * Cells nearest to a place, nearest first; of cells as near as each other those of the nearest row come first.
 * None where the place lies outside the grid by more than a cell.
 */
export function nearestCellsOf(grid: PlaneGrid, x: number, y: number, count: number): number[] {
  const { nrows, ncols, x0, dx, y0, dy } = grid
  const col = (x - x0) / dx
  const row = (y - y0) / dy
  if (!(col > -1.5 && row > -1.5 && col < ncols + 0.5 && row < nrows + 0.5)) return []
  const reach = Math.ceil(Math.sqrt(count)) + 1
  const found: { cell: number; far: number; rows: number }[] = []
  for (let r = Math.max(0, Math.round(row) - reach); r <= Math.min(nrows - 1, Math.round(row) + reach); r++) {
    for (
      let c = Math.max(0, Math.round(col) - reach);
      c <= Math.min(ncols - 1, Math.round(col) + reach);
      c++
    ) {
      const rows = Math.abs((r - row) * dy)
      found.push({ cell: r * ncols + c, far: Math.hypot((c - col) * dx, rows), rows })
    }
  }
  const near = 1e-9 * (Math.abs(dx) + Math.abs(dy))
  found.sort((a, b) => (Math.abs(a.far - b.far) > near ? a.far - b.far : a.rows - b.rows || a.cell - b.cell))
  return found.slice(0, count).map(({ cell }) => cell)
}

/** Median of what is known, NaN of nothing. */
export function medianOf(values: readonly number[]): number {
  const known = values.filter((v) => !Number.isNaN(v)).sort((a, b) => a - b)
  if (known.length === 0) return Number.NaN
  const middle = known.length >> 1
  return known.length % 2 === 1 ? known[middle] : (known[middle - 1] + known[middle]) / 2
}
