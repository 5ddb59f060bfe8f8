import type { Frame } from '../grid.ts'

/**
 * Priority flood (R. Barnes, C. Lehman, D. Mulla, 2014, Computers & Geosciences 62, algorithm 2 "improved", with an order of
 * first come first served among equals).
 */
export interface Flood {
  /** Level to which water rises before it leaves, m; `z` itself where it drains. NaN outside. */
  level: Float64Array
  /** The cell over which a cell's water leaves, -1 where it leaves the model. */
  next: Int32Array
}

/** Steps in the grid: sides first, then corners. */
const DX = [0, 1, 0, -1, 1, 1, -1, -1]
const DY = [-1, 0, 1, 0, -1, 1, 1, -1]

/** A heap of cells by level, then by order of entry. */
class Heap {
  private readonly cells: Int32Array
  private readonly orders: Int32Array
  private readonly levels: Float64Array
  private size = 0
  private entered = 0

  constructor(room: number) {
    this.cells = new Int32Array(room)
    this.orders = new Int32Array(room)
    this.levels = new Float64Array(room)
  }

  get empty(): boolean {
    return this.size === 0
  }

  push(cell: number, level: number): void {
    const { cells, orders, levels } = this
    const order = this.entered++
    let at = this.size++
    while (at > 0) {
      const up = (at - 1) >> 1
      // A newcomer is the last of its level.
      if (levels[up] <= level) break
      cells[at] = cells[up]
      orders[at] = orders[up]
      levels[at] = levels[up]
      at = up
    }
    cells[at] = cell
    orders[at] = order
    levels[at] = level
  }

  pop(): number {
    const { cells, orders, levels } = this
    const top = cells[0]
    const size = --this.size
    const cell = cells[size]
    const order = orders[size]
    const level = levels[size]
    let at = 0
    for (;;) {
      let down = 2 * at + 1
      if (down >= size) break
      const right = down + 1
      if (
        right < size &&
        (levels[right] < levels[down] || (levels[right] === levels[down] && orders[right] < orders[down]))
      )
        down = right
      if (levels[down] > level || (levels[down] === level && orders[down] > order)) break
      cells[at] = cells[down]
      orders[at] = orders[down]
      levels[at] = levels[down]
      at = down
    }
    cells[at] = cell
    orders[at] = order
    levels[at] = level
    return top
  }
}

/**
 * Floods a terrain from where its water leaves.
 *
 * @param z elevations, m, `[row * ncols + col]`, NaN outside
 * @param outlets cells from which water leaves: 1
 * @param neighbours 4: across sides; 8: across corners too
 */
export function priorityFlood(z: Float64Array, frame: Frame, outlets: Uint8Array, neighbours: 4 | 8): Flood {
  const { ncols, nrows } = frame
  const level = new Float64Array(z.length).fill(Number.NaN)
  const next = new Int32Array(z.length).fill(-1)
  const seen = new Uint8Array(z.length)
  const heap = new Heap(z.length)
  // Cells of a sink lie at one level: a queue takes them in the order in which they are found.
  const queue = new Int32Array(z.length)
  let [head, tail] = [0, 0]
  for (let cell = 0; cell < z.length; cell++) {
    if (outlets[cell] === 0 || Number.isNaN(z[cell])) continue
    seen[cell] = 1
    level[cell] = z[cell]
    heap.push(cell, z[cell])
  }
  while (head < tail || !heap.empty) {
    if (head === tail) head = tail = 0
    const cell = tail > 0 ? queue[head++] : heap.pop()
    const row = Math.floor(cell / ncols)
    const col = cell - row * ncols
    for (let k = 0; k < neighbours; k++) {
      const c = col + DX[k]
      const r = row + DY[k]
      if (c < 0 || r < 0 || c >= ncols || r >= nrows) continue
      const other = r * ncols + c
      if (seen[other] === 1 || Number.isNaN(z[other])) continue
      seen[other] = 1
      next[other] = cell
      if (z[other] <= level[cell]) {
        level[other] = level[cell]
        queue[tail++] = other
      } else {
        level[other] = z[other]
        heap.push(other, z[other])
      }
    }
  }
  return { level, next }
}

/**
 * Cells from which water leaves: those of water, and where edges are open those at the end of the model. Where there is none
 * the lowest cell.
 * @param water 1: open water, which takes what comes
 */
export function outletsOf(
  z: Float64Array,
  { ncols, nrows }: Frame,
  water: Uint8Array,
  open: boolean,
): Uint8Array {
  const outlets = new Uint8Array(z.length)
  let any = false
  let lowest = -1
  for (let cell = 0; cell < z.length; cell++) {
    if (Number.isNaN(z[cell])) continue
    if (lowest < 0 || z[cell] < z[lowest]) lowest = cell
    const row = Math.floor(cell / ncols)
    const col = cell - row * ncols
    const edge =
      open &&
      (row === 0 ||
        col === 0 ||
        row === nrows - 1 ||
        col === ncols - 1 ||
        Number.isNaN(z[cell - 1]) ||
        Number.isNaN(z[cell + 1]) ||
        Number.isNaN(z[cell - ncols]) ||
        Number.isNaN(z[cell + ncols]))
    if (!edge && water[cell] === 0) continue
    outlets[cell] = 1
    any = true
  }
  if (!any && lowest >= 0) outlets[lowest] = 1
  return outlets
}

/** Ground from which no water leaves until it is full. */
export interface Sink {
  /** Its deepest cell. */
  cell: number
  cells: Int32Array
  /** Where it spills, m. */
  levelM: number
  depthM: number
  areaM2: number
  volumeM3: number
}

/** Sinks of a flooded terrain that are at least so deep, the largest volume first. */
export function sinksOf(
  z: Float64Array,
  { level }: Flood,
  frame: Frame,
  neighbours: 4 | 8,
  leastDepthM: number,
): Sink[] {
  const { ncols, nrows, cellSize } = frame
  const seen = new Uint8Array(z.length)
  const found: Sink[] = []
  const stack: number[] = []
  for (let first = 0; first < z.length; first++) {
    if (seen[first] === 1 || !(level[first] > z[first])) continue
    const cells: number[] = []
    seen[first] = 1
    stack.push(first)
    for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
      cells.push(cell)
      const row = Math.floor(cell / ncols)
      const col = cell - row * ncols
      for (let k = 0; k < neighbours; k++) {
        const c = col + DX[k]
        const r = row + DY[k]
        if (c < 0 || r < 0 || c >= ncols || r >= nrows) continue
        const other = r * ncols + c
        // Two sinks that touch at different levels are two.
        if (seen[other] === 1 || !(level[other] > z[other]) || level[other] !== level[cell]) continue
        seen[other] = 1
        stack.push(other)
      }
    }
    const levelM = level[first]
    let volume = 0
    let deepest = cells[0]
    for (const cell of cells) {
      volume += levelM - z[cell]
      if (z[cell] < z[deepest]) deepest = cell
    }
    if (levelM - z[deepest] < leastDepthM) continue
    const area = cellSize * cellSize
    found.push({
      cell: deepest,
      cells: Int32Array.from(cells),
      levelM,
      depthM: levelM - z[deepest],
      areaM2: cells.length * area,
      volumeM3: volume * area,
    })
  }
  return found.sort((a, b) => b.volumeM3 - a.volumeM3 || a.cell - b.cell)
}

/** Raises a sink's cells to where it spills. */
export function fill(z: Float64Array, { cells, levelM }: Sink): void {
  for (const cell of cells) z[cell] = Math.max(z[cell], levelM)
}

/**
 * Cuts a way out of a sink: along the way on which its water leaves once it is full, from its deepest cell to the first that
 * lies lower, evenly down.
 * @returns deepest cut, m; null, with nothing changed, where it would pass `mostCutM`
 */
export function breach(
  z: Float64Array,
  { next }: Flood,
  { cell: from }: Sink,
  mostCutM: number,
): { cutM: number; cells: number } | null {
  const way = [from]
  let to = next[from]
  while (to >= 0 && !(z[to] < z[from])) {
    way.push(to)
    to = next[to]
  }
  // Nothing lower before the model ends: level with the deepest cell.
  const end = to >= 0 ? z[to] : z[from]
  const levels = way.map((_, k) => z[from] + ((end - z[from]) * k) / way.length)
  const cutM = way.reduce((cut, cell, k) => Math.max(cut, z[cell] - levels[k]), 0)
  if (cutM > mostCutM) return null
  way.forEach((cell, k) => {
    z[cell] = Math.min(z[cell], levels[k])
  })
  return { cutM, cells: way.length }
}
