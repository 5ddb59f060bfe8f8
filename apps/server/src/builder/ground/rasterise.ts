import { type Frame, type Place, topOf } from '../grid.ts'

/** Rings of one area: outlines and holes in any order and direction, each closed on its first place or not. */
export type Rings = readonly (readonly Place[])[]

/**
 * Tells each cell whose middle lies inside, by the even-odd rule. A middle on an edge belongs to the area east and north of
 * the edge, so that areas which touch share no cell and leave none out.
 */
export function cellsInside(rings: Rings, frame: Frame, take: (cell: number) => void): void {
  const { ncols, nrows, xll, cellSize } = frame
  const top = topOf(frame)
  /** Column of the first middle at or behind each crossing, by row. */
  const crossings = new Map<number, number[]>()
  for (const ring of rings)
    for (let n = 0, before = ring.length - 1; n < ring.length; before = n++) {
      const [x0, y0] = ring[before]
      const [x1, y1] = ring[n]
      if (y0 === y1) continue
      // Rows whose middles y fulfil low <= y < high.
      const first = Math.max(0, Math.floor((top - Math.max(y0, y1)) / cellSize - 0.5) + 1)
      const last = Math.min(nrows - 1, Math.floor((top - Math.min(y0, y1)) / cellSize - 0.5))
      for (let row = first; row <= last; row++) {
        const y = top - (row + 0.5) * cellSize
        const x = x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)
        const list = crossings.get(row)
        if (list === undefined) crossings.set(row, [x])
        else list.push(x)
      }
    }
  for (const [row, xs] of crossings) {
    xs.sort((a, b) => a - b)
    for (let n = 0; n + 1 < xs.length; n += 2) {
      const first = Math.max(0, Math.ceil((xs[n] - xll) / cellSize - 0.5))
      const last = Math.min(ncols - 1, Math.ceil((xs[n + 1] - xll) / cellSize - 0.5) - 1)
      for (let col = first; col <= last; col++) take(row * ncols + col)
    }
  }
}

/** Twice the area that a ring encloses, positive where it runs counter-clockwise. */
export function signedArea(ring: readonly Place[]): number {
  let sum = 0
  for (let n = 0, before = ring.length - 1; n < ring.length; before = n++)
    sum += ring[before][0] * ring[n][1] - ring[n][0] * ring[before][1]
  return sum
}

/**
 * Shares of cells that an area covers, exactly: each edge adds the signed area between itself and the east of its cells
 * (the way in which outlines of letters are filled; R. Levien, font-rs, 2016).
 *
 * @param polygon its outline first, then its holes, none of them crossing itself or another
 * @param tell called once for each cell that is covered in part or whole, with a share above 0 and at most 1
 */
export function coverageOf(polygon: Rings, frame: Frame, tell: (cell: number, share: number) => void): void {
  const { ncols, nrows, xll, cellSize } = frame
  const top = topOf(frame)
  let [firstRow, lastRow] = [nrows, -1]
  let [firstCol, lastCol] = [ncols, -1]
  for (const [x, y] of polygon[0] ?? []) {
    firstRow = Math.min(firstRow, Math.floor((top - y) / cellSize))
    lastRow = Math.max(lastRow, Math.floor((top - y) / cellSize))
    firstCol = Math.min(firstCol, Math.floor((x - xll) / cellSize))
    lastCol = Math.max(lastCol, Math.floor((x - xll) / cellSize))
  }
  firstRow = Math.max(0, firstRow)
  lastRow = Math.min(nrows - 1, lastRow)
  firstCol = Math.max(0, firstCol)
  lastCol = Math.min(ncols - 1, lastCol)
  if (firstRow > lastRow || firstCol > lastCol) return
  const cols = lastCol - firstCol + 1
  const rows = lastRow - firstRow + 1
  // A column more takes what lies east of the window.
  const sums = new Float64Array(rows * (cols + 1))
  polygon.forEach((ring, k) => {
    const outwards = signedArea(ring) > 0
    const sign = outwards === (k === 0) ? 1 : -1
    for (let n = 0, before = ring.length - 1; n < ring.length; before = n++) {
      const x0 = (ring[before][0] - xll) / cellSize - firstCol
      const x1 = (ring[n][0] - xll) / cellSize - firstCol
      const y0 = (top - ring[before][1]) / cellSize - firstRow
      const y1 = (top - ring[n][1]) / cellSize - firstRow
      addEdge(sums, rows, cols, x0, y0, x1, y1, sign)
    }
  })
  for (let row = 0; row < rows; row++) {
    let share = 0
    for (let col = 0; col < cols; col++) {
      share += sums[row * (cols + 1) + col]
      if (share > 1e-9) tell((firstRow + row) * ncols + firstCol + col, Math.min(1, share))
    }
  }
}

/** Adds an edge to the differences of coverage along rows. Columns and rows from the window's north-west corner. */
function addEdge(
  sums: Float64Array,
  rows: number,
  cols: number,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  sign: number,
): void {
  if (y0 === y1) return
  // Counter-clockwise with y to the north is clockwise here: going down adds what lies to the east.
  const down = y1 > y0
  const [xa, ya, xb, yb] = down ? [x0, y0, x1, y1] : [x1, y1, x0, y0]
  const direction = down ? sign : -sign
  const slope = (xb - xa) / (yb - ya)
  const stride = cols + 1
  const from = Math.max(0, ya)
  const to = Math.min(rows, yb)
  for (let row = Math.floor(from); row < to; row++) {
    const ys = Math.max(row, from)
    const ye = Math.min(row + 1, to)
    const height = (ye - ys) * direction
    if (height === 0) continue
    const [xs, xe] = [xa + (ys - ya) * slope, xa + (ye - ya) * slope]
    addPiece(sums, row * stride, cols, Math.min(xs, xe), Math.max(xs, xe), height)
  }
}

/** Adds a piece of an edge within one row: `height` of the row, evenly spread from `left` to `right`. */
function addPiece(
  sums: Float64Array,
  at: number,
  cols: number,
  left: number,
  right: number,
  height: number,
): void {
  if (right <= 0) {
    sums[at] += height
    return
  }
  if (left >= cols) return
  const first = Math.floor(left)
  const last = Math.ceil(right)
  if (first >= 0 && last <= first + 1) {
    const middle = (left + right) / 2 - first
    sums[at + first] += height * (1 - middle)
    sums[at + first + 1] += height * middle
    return
  }
  let before = 0
  for (let col = Math.max(0, first); col <= Math.min(cols, last); col++) {
    // Share of the column, over the piece's height, that lies to its east.
    const whole = Math.max(0, Math.min(right, col) - left)
    const a = Math.max(left, col)
    const b = Math.min(right, col + 1)
    const part = b > a ? (b - a) * (col + 1 - (a + b) / 2) : 0
    const share = (whole + part) / (right - left)
    sums[at + col] += height * (share - before)
    before = share
  }
}
