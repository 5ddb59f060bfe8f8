import type { GridPlace } from '@radx/contracts/flood'

/** Lines in cells from the north-west corner, x to the east, y to the south: pairs one after the other. */
export type Lines = Float32Array[]

/** Steps between contour lines, m. */
const STEPS_M = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200]
/** More lines than that cover the town. */
const MOST_LEVELS = 16

/** The smallest usual step that leaves a legible number of lines, m. */
export function contourStep(heights: ArrayLike<number>): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let k = 0; k < heights.length; k++) {
    if (heights[k] < least) least = heights[k]
    if (heights[k] > most) most = heights[k]
  }
  return STEPS_M.find((step) => (most - least) / step <= MOST_LEVELS) ?? STEPS_M[STEPS_M.length - 1]
}

/** Means over 3 x 3 cells inside the model, so that kerbs and house floors do not fray the contour lines. */
export function smoothed(heights: Float32Array, ncols: number): Float32Array {
  const nrows = heights.length / ncols
  return heights.map((height, k) => {
    if (Number.isNaN(height)) return height
    const [row, col] = [Math.floor(k / ncols), k % ncols]
    let [sum, count] = [0, 0]
    for (let i = Math.max(0, row - 1); i <= Math.min(nrows - 1, row + 1); i++)
      for (let j = Math.max(0, col - 1); j <= Math.min(ncols - 1, col + 1); j++) {
        const other = heights[i * ncols + j]
        if (Number.isNaN(other)) continue
        sum += other
        count++
      }
    return sum / count
  })
}

/**
 * Contour lines through the middles of cells by marching squares: where a line leaves the model it ends, it does not go
 * along its edge.
 * @param heights `[row * ncols + col]`, m, NaN outside
 * @returns lines of each level, a whole multiple of `stepM`
 */
export function contours(heights: Float32Array, ncols: number, stepM: number): Map<number, Lines> {
  const nrows = heights.length / ncols
  const levels = new Map<number, number[]>()
  for (let row = 0; row + 1 < nrows; row++)
    for (let col = 0; col + 1 < ncols; col++) {
      const k = row * ncols + col
      const [nw, ne, sw, se] = [heights[k], heights[k + 1], heights[k + ncols], heights[k + ncols + 1]]
      const most = Math.max(nw, ne, sw, se)
      // With a corner outside there is no number either.
      if (!(most >= 0 || most < 0)) continue
      const first = Math.floor(Math.min(nw, ne, sw, se) / stepM) + 1
      for (let n = first; n * stepM <= most; n++) {
        const level = n * stepM
        // Edges by number: 2k is that from cell k to the east, 2k + 1 that to the south.
        const crossed: number[] = []
        if (nw < level !== ne < level) crossed.push(2 * k)
        if (ne < level !== se < level) crossed.push(2 * (k + 1) + 1)
        if (sw < level !== se < level) crossed.push(2 * (k + ncols))
        if (nw < level !== sw < level) crossed.push(2 * k + 1)
        const segments = levels.get(n) ?? []
        if (segments.length === 0) levels.set(n, segments)
        segments.push(...crossed.slice(0, 2))
        // A saddle: two lines; which way they pass is a matter of taste.
        if (crossed.length === 4) segments.push(...crossed.slice(2))
      }
    }
  const found = new Map<number, Lines>()
  for (const [n, segments] of levels) {
    const level = n * stepM
    const at = (edge: number): [number, number] => {
      const k = edge >> 1
      const south = edge & 1
      const [a, b] = [heights[k], heights[south ? k + ncols : k + 1]]
      const share = (level - a) / (b - a)
      return [(k % ncols) + 0.5 + (south ? 0 : share), Math.floor(k / ncols) + 0.5 + (south ? share : 0)]
    }
    found.set(
      Math.round(level * 1000) / 1000,
      chained(segments).map((line) => Float32Array.from(line.flatMap(at))),
    )
  }
  return found
}

/** The edge of the model, along its cells. @param isInside by cell */
export function outline(isInside: (k: number) => boolean, nrows: number, ncols: number): Lines {
  const inside = (row: number, col: number) =>
    row >= 0 && col >= 0 && row < nrows && col < ncols && isInside(row * ncols + col)
  const corner = (row: number, col: number) => row * (ncols + 1) + col
  const segments: number[] = []
  for (let row = 0; row <= nrows; row++)
    for (let col = 0; col <= ncols; col++) {
      const here = inside(row, col)
      if (here !== inside(row - 1, col)) segments.push(corner(row, col), corner(row, col + 1))
      if (here !== inside(row, col - 1)) segments.push(corner(row, col), corner(row + 1, col))
    }
  return chained(segments).map((line) => {
    const at = (k: number) => [line[k] % (ncols + 1), Math.floor(line[k] / (ncols + 1))]
    const points: number[] = []
    line.forEach((_, k) => {
      const [x, y] = at(k)
      if (k > 0 && k + 1 < line.length) {
        const [before, after] = [at(k - 1), at(k + 1)]
        if ((before[0] === x && after[0] === x) || (before[1] === y && after[1] === y)) return
      }
      points.push(x, y)
    })
    return Float32Array.from(points)
  })
}

/** Joins segments, pairs of points by number, into lines as long as they come. */
export function chained(segments: readonly number[]): number[][] {
  const at = new Map<number, number[]>()
  for (let k = 0; k < segments.length; k++) {
    const segment = k >> 1
    const others = at.get(segments[k])
    if (others) others.push(segment)
    else at.set(segments[k], [segment])
  }
  const taken = new Uint8Array(segments.length / 2)
  const next = (point: number): number | undefined => {
    const segment = at.get(point)?.find((one) => taken[one] === 0)
    if (segment === undefined) return undefined
    taken[segment] = 1
    const [a, b] = [segments[2 * segment], segments[2 * segment + 1]]
    return a === point ? b : a
  }
  const grow = (line: number[]) => {
    for (let point = next(line[line.length - 1]); point !== undefined; point = next(point)) line.push(point)
    return line
  }
  const lines: number[][] = []
  for (let segment = 0; segment < taken.length; segment++) {
    if (taken[segment] === 1) continue
    taken[segment] = 1
    const line = grow([segments[2 * segment], segments[2 * segment + 1]])
    lines.push(grow(line.reverse()))
  }
  return lines
}

/** Place on the globe of a point in cells; between the corners the grid is stretched evenly. @returns [lng, lat] */
export function lngLatAt(
  { nrows, ncols, corners: { nw, ne, sw, se } }: Pick<GridPlace, 'nrows' | 'ncols' | 'corners'>,
  x: number,
  y: number,
): [number, number] {
  const [u, v] = [x / ncols, y / nrows]
  const at = (axis: 0 | 1) =>
    (1 - v) * ((1 - u) * nw[axis] + u * ne[axis]) + v * ((1 - u) * sw[axis] + u * se[axis])
  return [at(0), at(1)]
}

/** Point in cells of a place on the globe, the other way round; the grid is nearly a parallelogram in degrees. @returns [x, y] */
export function cellsAt(
  { nrows, ncols, corners: { sw, se, nw } }: Pick<GridPlace, 'nrows' | 'ncols' | 'corners'>,
  lng: number,
  lat: number,
): [number, number] {
  const [ax, ay] = [se[0] - sw[0], se[1] - sw[1]]
  const [bx, by] = [nw[0] - sw[0], nw[1] - sw[1]]
  const [px, py] = [lng - sw[0], lat - sw[1]]
  const area = ax * by - ay * bx
  return [(ncols * (px * by - py * bx)) / area, nrows * (1 - (ax * py - ay * px) / area)]
}
