import type { EsriGrid } from '@radx/formats/esri-ascii'
import type { BoundaryGeometry } from './boundaries.ts'

export type Ring = [x: number, y: number][]

/**
 * The rings of each polygon of a geometry.
 *
 * @param rings all of them, in their order, as `linesOf` gives them
 */
export function partsOf({ type, coordinates }: BoundaryGeometry, rings: readonly Ring[]): Ring[][] {
  if (type !== 'MultiPolygon') return [[...rings]]
  let next = 0
  return coordinates.map((part) => {
    const from = next
    next += part.length
    return rings.slice(from, next)
  })
}

/** Tells each cell whose middle lies within rings, holes left out. */
export function cellsWithin(
  rings: readonly (readonly (readonly [number, number])[])[],
  { ncols, nrows, xll, yll, cellSize }: EsriGrid,
  take: (cell: number) => void,
): void {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const ring of rings)
    for (const [, y] of ring) {
      if (y < low) low = y
      if (y > high) high = y
    }
  const first = Math.max(0, Math.floor(nrows - (high - yll) / cellSize - 0.5))
  const last = Math.min(nrows - 1, Math.ceil(nrows - (low - yll) / cellSize - 0.5))
  for (let row = first; row <= last; row++) {
    const y = yll + (nrows - row - 0.5) * cellSize
    // Where the rings cross the line through the middles of the row, west to east: in and out by turns.
    const crossings: number[] = []
    for (const ring of rings)
      for (let n = 1; n < ring.length; n++) {
        const [[x0, y0], [x1, y1]] = [ring[n - 1], ring[n]]
        if (y0 < y !== y1 < y) crossings.push(x0 + ((y - y0) / (y1 - y0)) * (x1 - x0))
      }
    crossings.sort((a, b) => a - b)
    for (let n = 0; n + 1 < crossings.length; n += 2) {
      const from = Math.max(0, Math.ceil((crossings[n] - xll) / cellSize - 0.5))
      const to = Math.min(ncols - 1, Math.floor((crossings[n + 1] - xll) / cellSize - 0.5))
      for (let col = from; col <= to; col++) take(row * ncols + col)
    }
  }
}
