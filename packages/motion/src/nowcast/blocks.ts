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

/** Sums over `reach` blocks on all sides, of `planes` values a block: `[block * planes + plane]`. Whole numbers stay exact. */
export function sumsAround(
  values: Float32Array,
  { across, down }: BlockGrid,
  reach: number,
  planes = 1,
): Float32Array {
  const [column, row] = [planes, across * planes]
  const upright = sumsAlong(
    values,
    { length: down, step: row, lines: across, lineStep: column, planes },
    reach,
  )
  return sumsAlong(upright, { length: across, step: column, lines: down, lineStep: row, planes }, reach)
}

interface Lines {
  length: number
  step: number
  lines: number
  lineStep: number
  planes: number
}

/** Sums over `reach` values on both sides along each line. */
function sumsAlong(
  values: Float32Array,
  { length, step, lines, lineStep, planes }: Lines,
  reach: number,
): Float32Array {
  const out = new Float32Array(values.length)
  for (let line = 0; line < lines; line++)
    for (let plane = 0; plane < planes; plane++) {
      const start = line * lineStep + plane
      let sum = 0
      for (let k = -reach; k < length; k++) {
        if (k + reach < length) sum += values[start + (k + reach) * step]
        if (k - reach - 1 >= 0) sum -= values[start + (k - reach - 1) * step]
        if (k >= 0) out[start + k * step] = sum
      }
    }
  return out
}

/** Block whose middle lies before a cell of a row or column, and how far the cell lies beyond it. */
export function betweenBlocks(cell: number, blocks: number, size: number): [block: number, share: number] {
  const place = Math.min(Math.max((cell + 0.5) / size - 0.5, 0), blocks - 1)
  const block = Math.floor(place)
  return [block, place - block]
}

/** Value among four blocks: `right` is how far on the next to the right lies. */
function among(
  values: Float32Array,
  upper: number,
  lower: number,
  right: number,
  fx: number,
  fy: number,
): number {
  const a = values[upper] + fx * (values[upper + right] - values[upper])
  const b = values[lower] + fx * (values[lower + right] - values[lower])
  return a + fy * (b - a)
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
    out[col] = among(values, upper + left, lower + left, left + 1 < across ? 1 : 0, fx, fy)
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
  const upper = top * across + left
  return among(values, upper, upper + (top + 1 < down ? across : 0), left + 1 < across ? 1 : 0, fx, fy)
}
