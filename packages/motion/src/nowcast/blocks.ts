import type { Shape } from '../field.ts'

/** A grid cut into square blocks; the last ones reach beyond it. Values of blocks are `[down * across + across]`. */
export interface BlockGrid {
  across: number
  down: number
  /** Side of a block, cells. */
  size: number
}

export const blocksOf = ({ nrows, ncols }: Shape, size: number): BlockGrid => ({
  across: Math.ceil(ncols / size),
  down: Math.ceil(nrows / size),
  size,
})

/** Sums over `reach` blocks on all sides. */
export function sumsAround(values: Float32Array, { across, down }: BlockGrid, reach: number): Float32Array {
  const along = new Float32Array(values.length)
  const out = new Float32Array(values.length)
  for (let row = 0; row < down; row++)
    for (let col = 0; col < across; col++)
      for (let c = Math.max(0, col - reach); c <= Math.min(across - 1, col + reach); c++)
        along[row * across + col] += values[row * across + c]
  for (let row = 0; row < down; row++)
    for (let r = Math.max(0, row - reach); r <= Math.min(down - 1, row + reach); r++)
      for (let col = 0; col < across; col++) out[row * across + col] += along[r * across + col]
  return out
}

/** Block whose middle lies before a cell of a row or column, and how far the cell lies beyond it. */
export function betweenBlocks(cell: number, blocks: number, size: number): [block: number, share: number] {
  const place = Math.min(Math.max((cell + 0.5) / size - 0.5, 0), blocks - 1)
  const block = Math.floor(place)
  return [block, place - block]
}

/** Values of blocks at each cell of a row of the grid, linear between the middles of blocks. */
export function alongRow(
  values: Float32Array,
  { across, down, size }: BlockGrid,
  row: number,
  out: Float32Array,
): void {
  const [top, fy] = betweenBlocks(row, down, size)
  const upper = top * across
  const lower = upper + (top + 1 < down ? across : 0)
  for (let col = 0; col < out.length; col++) {
    const [left, fx] = betweenBlocks(col, across, size)
    const right = left + 1 < across ? left + 1 : left
    const a = values[upper + left] + fx * (values[upper + right] - values[upper + left])
    const b = values[lower + left] + fx * (values[lower + right] - values[lower + left])
    out[col] = a + fy * (b - a)
  }
}

/** Value of blocks at a place of the grid given in cells. */
export function atBlocks(
  values: Float32Array,
  { across, down, size }: BlockGrid,
  row: number,
  col: number,
): number {
  const [top, fy] = betweenBlocks(row, down, size)
  const [left, fx] = betweenBlocks(col, across, size)
  const k = top * across + left
  const right = left + 1 < across ? 1 : 0
  const below = top + 1 < down ? across : 0
  const a = values[k] + fx * (values[k + right] - values[k])
  const b = values[k + below] + fx * (values[k + below + right] - values[k + below])
  return a + fy * (b - a)
}
