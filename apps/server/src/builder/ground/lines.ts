import { type Frame, type Place, topOf } from '../grid.ts'

/**
 * Tells the cells that a line crosses, with the length in each, in the order of the line; a cell that it comes back to is
 * told again. What lies outside of the grid is left out.
 * @param tell also with how far along the line, m, the piece begins
 */
export function alongLine(
  line: readonly Place[],
  frame: Frame,
  tell: (cell: number, lengthM: number, atM: number) => void,
): void {
  const { ncols, nrows, xll, cellSize } = frame
  const top = topOf(frame)
  let gone = 0
  for (let n = 1; n < line.length; n++) {
    const lengthM = Math.hypot(line[n][0] - line[n - 1][0], line[n][1] - line[n - 1][1])
    const x0 = (line[n - 1][0] - xll) / cellSize
    const y0 = (top - line[n - 1][1]) / cellSize
    const dx = (line[n][0] - xll) / cellSize - x0
    const dy = (top - line[n][1]) / cellSize - y0
    const within = clip(x0, y0, dx, dy, ncols, nrows)
    if (within !== null && lengthM > 0)
      pieces(x0, y0, dx, dy, within, (col, row, from, to) => {
        if (col >= 0 && row >= 0 && col < ncols && row < nrows)
          tell(row * ncols + col, (to - from) * lengthM, gone + from * lengthM)
      })
    gone += lengthM
  }
}

/** Part of a segment inside the grid, as shares of it (Liang and Barsky, 1984); null where there is none. */
function clip(
  x0: number,
  y0: number,
  dx: number,
  dy: number,
  ncols: number,
  nrows: number,
): [number, number] | null {
  let [from, to] = [0, 1]
  for (const [p, q] of [
    [-dx, x0],
    [dx, ncols - x0],
    [-dy, y0],
    [dy, nrows - y0],
  ]) {
    if (p === 0) {
      if (q < 0) return null
      continue
    }
    const t = q / p
    if (p < 0) from = Math.max(from, t)
    else to = Math.min(to, t)
  }
  return from <= to ? [from, to] : null
}

/** Pieces of a segment between the lines of the grid. */
function pieces(
  x0: number,
  y0: number,
  dx: number,
  dy: number,
  [start, end]: [number, number],
  tell: (col: number, row: number, from: number, to: number) => void,
): void {
  const cuts = [start, end]
  for (const [at, d] of [
    [x0, dx],
    [y0, dy],
  ]) {
    if (d === 0) continue
    const a = at + start * d
    const b = at + end * d
    for (let line = Math.ceil(Math.min(a, b)); line <= Math.max(a, b); line++) cuts.push((line - at) / d)
  }
  cuts.sort((a, b) => a - b)
  for (let k = 1; k < cuts.length; k++) {
    const [from, to] = [cuts[k - 1], cuts[k]]
    if (!(to - from > 1e-12) || from < start - 1e-12 || to > end + 1e-12) continue
    const middle = (from + to) / 2
    tell(Math.floor(x0 + middle * dx), Math.floor(y0 + middle * dy), from, to)
  }
}

/**
 * Tells the cells that a strip along a line takes: those whose middle lies within half its width of the line, and those in
 * which the line runs for at least half a cell, so that a narrow street stays in one piece.
 */
export function cellsOfStrip(
  line: readonly Place[],
  widthM: number,
  frame: Frame,
  take: (cell: number) => void,
): void {
  const { ncols, nrows, xll, cellSize } = frame
  const top = topOf(frame)
  const lengths = new Map<number, number>()
  alongLine(line, frame, (cell, lengthM) => lengths.set(cell, (lengths.get(cell) ?? 0) + lengthM))
  for (const [cell, lengthM] of lengths) if (lengthM >= cellSize / 2 - 1e-9) take(cell)
  const reach = widthM / 2
  for (let n = 1; n < line.length; n++) {
    const [x0, y0] = line[n - 1]
    const [x1, y1] = line[n]
    const firstRow = Math.max(0, Math.floor((top - Math.max(y0, y1) - reach) / cellSize))
    const lastRow = Math.min(nrows - 1, Math.floor((top - Math.min(y0, y1) + reach) / cellSize))
    const firstCol = Math.max(0, Math.floor((Math.min(x0, x1) - reach - xll) / cellSize))
    const lastCol = Math.min(ncols - 1, Math.floor((Math.max(x0, x1) + reach - xll) / cellSize))
    const square = (x1 - x0) ** 2 + (y1 - y0) ** 2
    for (let row = firstRow; row <= lastRow; row++)
      for (let col = firstCol; col <= lastCol; col++) {
        const x = xll + (col + 0.5) * cellSize
        const y = top - (row + 0.5) * cellSize
        const share =
          square === 0 ? 0 : Math.min(1, Math.max(0, ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / square))
        const away = Math.hypot(x0 + share * (x1 - x0) - x, y0 + share * (y1 - y0) - y)
        if (away <= reach) take(row * ncols + col)
      }
  }
}
