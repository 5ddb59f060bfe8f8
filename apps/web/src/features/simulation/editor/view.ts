import { ZOOMS } from './model.ts'

/** Canvas of the editor (spec 2 §9). */
export const CANVAS = { width: 900, height: 600 } as const

/** What part of the grid is seen: its centre in cells, and how many times larger than the whole. */
export interface View {
  zoom: number
  col: number
  row: number
}

export interface Grid {
  ncols: number
  nrows: number
}

export const wholeView = ({ ncols, nrows }: Grid): View => ({ zoom: 1, col: ncols / 2, row: nrows / 2 })

/** Cells around a site that stay in sight. */
const MARGIN = 4

/**
 * What the editor shows first: all cells that may be edited, as large as they fit; the whole grid without a site.
 * @param editable `[row * ncols + col]`, 1 = may be edited; null without a case study
 */
export function openingView(grid: Grid, editable: Uint8Array | null): View {
  const whole = wholeView(grid)
  if (editable === null) return whole
  let [west, east, north, south] = [grid.ncols, -1, grid.nrows, -1]
  editable.forEach((may, cell) => {
    if (may !== 1) return
    const col = cell % grid.ncols
    const row = Math.floor(cell / grid.ncols)
    west = Math.min(west, col)
    east = Math.max(east, col)
    north = Math.min(north, row)
    south = Math.max(south, row)
  })
  if (east < 0) return whole
  const [ncols, nrows] = [east - west + 1 + 2 * MARGIN, south - north + 1 + 2 * MARGIN]
  const fits = (zoom: number) => {
    const px = cellPx({ zoom }, grid)
    return ncols * px <= CANVAS.width && nrows * px <= CANVAS.height
  }
  const zoom = ZOOMS.findLast(fits) ?? ZOOMS[0]
  return clampView({ zoom, col: (west + east + 1) / 2, row: (north + south + 1) / 2 }, grid)
}

/** Canvas pixels a cell; at zoom 1 the whole grid fits. */
export const cellPx = ({ zoom }: Pick<View, 'zoom'>, { ncols, nrows }: Grid): number =>
  Math.min(CANVAS.width / ncols, CANVAS.height / nrows) * zoom

/** Keeps the grid in the canvas; a side that fits stays centred. */
export function clampView(view: View, grid: Grid): View {
  const px = cellPx(view, grid)
  const within = (value: number, cells: number, pixels: number) => {
    const half = pixels / px / 2
    return half * 2 >= cells ? cells / 2 : Math.max(half, Math.min(cells - half, value))
  }
  return {
    zoom: view.zoom,
    col: within(view.col, grid.ncols, CANVAS.width),
    row: within(view.row, grid.nrows, CANVAS.height),
  }
}

/** Place on the grid under a canvas pixel, in cells, fractions kept. */
export function toGrid(x: number, y: number, view: View, grid: Grid): { col: number; row: number } {
  const px = cellPx(view, grid)
  return { col: view.col + (x - CANVAS.width / 2) / px, row: view.row + (y - CANVAS.height / 2) / px }
}

/** Canvas pixel of the grid's north-west corner. */
export function origin(view: View, grid: Grid): { x: number; y: number } {
  const px = cellPx(view, grid)
  return { x: CANVAS.width / 2 - view.col * px, y: CANVAS.height / 2 - view.row * px }
}

/** Another zoom that leaves the place under a canvas pixel where it is. */
export function zoomAt(view: View, zoom: number, x: number, y: number, grid: Grid): View {
  if (zoom === view.zoom) return view
  const held = toGrid(x, y, view, grid)
  const px = cellPx({ zoom }, grid)
  return clampView(
    {
      zoom,
      col: held.col - (x - CANVAS.width / 2) / px,
      row: held.row - (y - CANVAS.height / 2) / px,
    },
    grid,
  )
}

/** The view, moved no further than it takes to show a cell whole, with one more on every side. */
export function toView(view: View, { row, col }: { row: number; col: number }, grid: Grid): View {
  const px = cellPx(view, grid)
  const near = (at: number, centre: number, pixels: number) => {
    const half = pixels / px / 2
    return Math.max(at + 2 - half, Math.min(at - 1 + half, centre))
  }
  const moved = { col: near(col, view.col, CANVAS.width), row: near(row, view.row, CANVAS.height) }
  if (moved.col === view.col && moved.row === view.row) return view
  return clampView({ ...view, ...moved }, grid)
}

/** Ends of the elevation legend, rounded outwards to 5 m. */
export function elevationRange(elevation: Iterable<number>, empty: number): { low: number; high: number } {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const z of elevation) {
    if (z === empty) continue
    if (z < min) min = z
    if (z > max) max = z
  }
  if (min > max) return { low: 0, high: 5 }
  const low = Math.floor(min / 5) * 5
  return { low, high: Math.max(low + 5, Math.ceil(max / 5) * 5) }
}
