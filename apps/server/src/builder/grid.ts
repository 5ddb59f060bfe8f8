/** Where the cells of a catchment lie, in its plane. Cells are `[row * ncols + col]`, row 0 north. */
export interface Frame {
  ncols: number
  nrows: number
  /** Lower-left corner. */
  xll: number
  yll: number
  cellSize: number
}

export type Place = readonly [number, number]

/** West, south, east, north. */
export type Box = readonly [number, number, number, number]

export const topOf = ({ yll, nrows, cellSize }: Frame): number => yll + nrows * cellSize

export const boxOf = (frame: Frame): Box => [
  frame.xll,
  frame.yll,
  frame.xll + frame.ncols * frame.cellSize,
  topOf(frame),
]

/** Middle of a cell. */
export function middleOf(frame: Frame, cell: number): [number, number] {
  const row = Math.floor(cell / frame.ncols)
  const col = cell - row * frame.ncols
  return [frame.xll + (col + 0.5) * frame.cellSize, topOf(frame) - (row + 0.5) * frame.cellSize]
}

/** Cell of a place, -1 outside. */
export function cellAt(frame: Frame, [x, y]: Place): number {
  const col = Math.floor((x - frame.xll) / frame.cellSize)
  const row = Math.floor((topOf(frame) - y) / frame.cellSize)
  if (!(col >= 0 && row >= 0 && col < frame.ncols && row < frame.nrows)) return -1
  return row * frame.ncols + col
}

/** Smallest box around places; null without any. */
export function boxAround(places: Iterable<Place>): Box | null {
  let [west, south, east, north] = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ]
  for (const [x, y] of places) {
    if (x < west) west = x
    if (x > east) east = x
    if (y < south) south = y
    if (y > north) north = y
  }
  return west <= east ? [west, south, east, north] : null
}

export const overlap = (a: Box, b: Box): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]

/**
 * The grid that covers a box: its lower-left corner is the box's, moved outwards to a multiple of the cell size, or as told.
 */
export function frameOf([west, south, east, north]: Box, cellSize: number, corner?: Place): Frame {
  // A box that lies on the lattice but for rounding gets no column more.
  const slack = 1e-6
  const xll = corner?.[0] ?? Math.floor(west / cellSize + slack) * cellSize
  const yll = corner?.[1] ?? Math.floor(south / cellSize + slack) * cellSize
  return {
    ncols: Math.max(1, Math.ceil((east - xll) / cellSize - slack)),
    nrows: Math.max(1, Math.ceil((north - yll) / cellSize - slack)),
    xll,
    yll,
    cellSize,
  }
}
