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
  const sums = new Float32Array(planes)
  for (let line = 0; line < lines; line++) {
    const start = line * lineStep
    sums.fill(0)
    for (let k = -reach; k < length; k++) {
      const [next, past, at] = [k + reach, k - reach - 1, k].map((place) => start + place * step)
      if (k + reach < length) for (let plane = 0; plane < planes; plane++) sums[plane] += values[next + plane]
      if (k - reach - 1 >= 0) for (let plane = 0; plane < planes; plane++) sums[plane] -= values[past + plane]
      if (k >= 0) out.set(sums, at)
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

/** For each column of the grid the block whose middle lies before it, and how far it lies beyond that. */
export function columnsOf(
  { across, size }: BlockGrid,
  ncols: number,
): { block: Int32Array; part: Float32Array } {
  const block = new Int32Array(ncols)
  const part = new Float32Array(ncols)
  for (let col = 0; col < ncols; col++) [block[col], part[col]] = betweenBlocks(col, across, size)
  return { block, part }
}

/** Values of blocks at a row of the grid, at the middle of each block and once more at the last: `across + 1` of them. */
export function lineAt(
  values: Float32Array,
  { across, down, size }: BlockGrid,
  row: number,
  out: Float32Array,
): void {
  const [top, fy] = betweenBlocks(row, down, size)
  const upper = top * across
  const lower = upper + (top + 1 < down ? across : 0)
  for (let k = 0; k < across; k++) out[k] = values[upper + k] + fy * (values[lower + k] - values[upper + k])
  out[across] = out[across - 1]
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
