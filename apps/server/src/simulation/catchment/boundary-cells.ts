import type { EsriGrid } from '@radx/formats/esri-ascii'
import type { Boundary, Side } from '@radx/hydrology/surface/boundaries'
import type { BoundaryGeometry } from './boundaries.ts'

type Position = [x: number, y: number]
type ToGrid = (lng: number, lat: number) => Position
/** `across`: faces of the cells that run across the line, for boundaries that only make sense at the edge. */
type Cover = Pick<Boundary, 'faces' | 'cells'> & { across: Boundary['faces'] }

/** Sides of a cell: number, column and row beside it, and whether the face between runs north to south. */
const SIDES = [
  { side: 0, dx: 1, dy: 0, upright: true },
  { side: 1, dx: -1, dy: 0, upright: true },
  { side: 2, dx: 0, dy: 1, upright: false },
  { side: 3, dx: 0, dy: -1, upright: false },
] as const

/**
 * Faces of the model's edge and cells within that a geometry touches. A line takes the faces that run as it does, a point
 * the nearest one, a polygon all faces of its cells. What lies outside by less than a cell counts for the cell beside it.
 */
export function coverOf(geometry: BoundaryGeometry, grid: EsriGrid, toGrid: ToGrid): Cover {
  const { type } = geometry
  const lines = linesOf(geometry, grid, toGrid)
  const cover = new Covered(grid)
  if (type === 'Polygon' || type === 'MultiPolygon') cover.polygon(lines)
  for (const line of lines) {
    if (line.length === 1) cover.point(line[0])
    else if (type === 'LineString' || type === 'MultiLineString') cover.line(line)
  }
  return cover.result()
}

/** Points, lines or rings of a geometry in the coordinates of the grid, which it has already or has as longitude and latitude. */
export function linesOf(geometry: BoundaryGeometry, grid: EsriGrid, toGrid: ToGrid): Position[][] {
  const { type, coordinates } = geometry
  const lists: Position[][] =
    type === 'Point'
      ? [[coordinates as Position]]
      : type === 'MultiPoint'
        ? (coordinates as Position[]).map((position) => [position])
        : type === 'LineString'
          ? [coordinates as Position[]]
          : type === 'MultiPolygon'
            ? (coordinates as Position[][][]).flat()
            : (coordinates as Position[][])
  const all = lists.flat()
  const inGrid = all.some(([x, y]) => isNear(grid, x, y))
  return inGrid ? lists : lists.map((line) => line.map(([lng, lat]) => toGrid(lng, lat)))
}

function isNear({ ncols, nrows, xll, yll, cellSize }: EsriGrid, x: number, y: number): boolean {
  const col = (x - xll) / cellSize
  const row = (y - yll) / cellSize
  return col >= -1 && row >= -1 && col <= ncols + 1 && row <= nrows + 1
}

class Covered {
  private readonly faces = new Map<string, { cell: number; side: Side }>()
  private readonly across = new Map<string, { cell: number; side: Side }>()
  private readonly cells = new Set<number>()
  private readonly grid: EsriGrid

  constructor(grid: EsriGrid) {
    this.grid = grid
  }

  /** The cell at a place, or the one beside it that has ground; -1 where there is none within a cell. */
  private cellAt([x, y]: Position): number {
    const { ncols, nrows, xll, yll, cellSize } = this.grid
    const col = (x - xll) / cellSize
    const row = nrows - (y - yll) / cellSize
    let best = -1
    let nearest = 1 + 1e-9
    for (let r = Math.floor(row) - 1; r <= Math.floor(row) + 1; r++)
      for (let c = Math.floor(col) - 1; c <= Math.floor(col) + 1; c++) {
        if (r < 0 || c < 0 || r >= nrows || c >= ncols) continue
        const cell = r * ncols + c
        if (Number.isNaN(this.grid.data[cell])) continue
        // How far outside of the cell the place lies.
        const away = Math.max(c - col, col - c - 1, r - row, row - r - 1, 0)
        if (away < nearest) {
          nearest = away
          best = cell
        }
      }
    return best
  }

  /** Sides of a cell behind which the model ends. */
  private outer(cell: number) {
    const { ncols, nrows, data } = this.grid
    const row = Math.floor(cell / ncols)
    const col = cell % ncols
    return SIDES.filter(({ dx, dy }) => {
      const c = col + dx
      const r = row + dy
      return c < 0 || r < 0 || c >= ncols || r >= nrows || Number.isNaN(data[r * ncols + c])
    })
  }

  private take(cell: number, sides: readonly { side: Side }[]): void {
    if (sides.length === 0) this.cells.add(cell)
    for (const { side } of sides) this.faces.set(`${cell}:${side}`, { cell, side })
  }

  point(position: Position): void {
    const cell = this.cellAt(position)
    if (cell < 0) return
    const { ncols, nrows, xll, yll, cellSize } = this.grid
    const x = (position[0] - xll) / cellSize - (cell % ncols) - 0.5
    const y = nrows - (position[1] - yll) / cellSize - Math.floor(cell / ncols) - 0.5
    const outer = this.outer(cell).sort((a, b) => b.dx * x + b.dy * y - (a.dx * x + a.dy * y))
    this.take(cell, outer.slice(0, 1))
  }

  line(line: Position[]): void {
    const { cellSize } = this.grid
    for (let k = 1; k < line.length; k++) {
      const [x0, y0] = line[k - 1]
      const [x1, y1] = line[k]
      const upright = Math.abs(y1 - y0) >= Math.abs(x1 - x0)
      const steps = Math.max(1, Math.ceil((4 * Math.hypot(x1 - x0, y1 - y0)) / cellSize))
      // Middles of short pieces: an end that just touches the next cell does not take it.
      for (let s = 0; s < steps; s++) {
        const share = (s + 0.5) / steps
        const cell = this.cellAt([x0 + share * (x1 - x0), y0 + share * (y1 - y0)])
        if (cell < 0) continue
        const outer = this.outer(cell)
        for (const { side } of outer) this.across.set(`${cell}:${side}`, { cell, side })
        this.take(
          cell,
          outer.filter((side) => side.upright === upright),
        )
      }
    }
  }

  polygon(rings: Position[][]): void {
    const { ncols, nrows, xll, yll, cellSize, data } = this.grid
    for (let cell = 0; cell < data.length; cell++) {
      if (Number.isNaN(data[cell])) continue
      const x = xll + ((cell % ncols) + 0.5) * cellSize
      const y = yll + (nrows - Math.floor(cell / ncols) - 0.5) * cellSize
      if (inside(rings, x, y)) this.take(cell, this.outer(cell))
    }
  }

  result(): Cover {
    const faces = [...this.faces.values()]
    // A boundary at the edge does not also hold in cells that a crooked line touches beside it.
    return { faces, cells: faces.length > 0 ? [] : [...this.cells], across: [...this.across.values()] }
  }
}

function inside(rings: Position[][], x: number, y: number): boolean {
  let within = false
  for (const ring of rings)
    for (let k = 0, j = ring.length - 1; k < ring.length; j = k++) {
      const [xk, yk] = ring[k]
      const [xj, yj] = ring[j]
      if (yk > y !== yj > y && x < ((xj - xk) * (y - yk)) / (yj - yk) + xk) within = !within
    }
  return within
}
