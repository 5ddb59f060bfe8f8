import { HOUSE_LEVELS, strideOf, TILE_QUADS } from './levels.ts'

/** Numbers of a box: west and north edge, width and depth in cells; ground and ridge, m. */
export const BOX_FIELDS = 6
/** A longer box on a slope would leave the ground, in blocks. */
const LONGEST = 16

/** Boxes of one level, tile by tile. */
export interface Boxes {
  values: Float32Array
  /** First box of each tile, and one more at the end. */
  starts: Uint32Array
}

interface Grid {
  nrows: number
  ncols: number
}

/**
 * Buildings as few boxes: cells of houses joined into rectangles within each tile, level by level coarser. A block of a
 * coarser level is one where half of its cells are.
 * @param isHouse by cell, `[row * ncols + col]`, row 0 north
 * @param heights m, without holes
 * @param ridgeM height of a building over its highest ground
 */
export function houseBoxes(
  isHouse: (k: number) => boolean,
  heights: ArrayLike<number>,
  { nrows, ncols }: Grid,
  ridgeM: number,
): Boxes[] {
  const stride = strideOf({ nrows, ncols })
  const span = TILE_QUADS * stride
  const [tileRows, tileCols] = [Math.ceil(nrows / span), Math.ceil(ncols / span)]
  return Array.from({ length: HOUSE_LEVELS }, (_, level) => {
    const block = stride << level
    const values: number[] = []
    const starts = new Uint32Array(tileRows * tileCols + 1)
    for (let tile = 0; tile < tileRows * tileCols; tile++) {
      const [top, left] = [Math.floor(tile / tileCols) * span, (tile % tileCols) * span]
      const side = TILE_QUADS >> level
      const mask = blocksOf(isHouse, { nrows, ncols }, top, left, block, side)
      for (const [x, y, width, depth] of rectangles(mask, side)) {
        const [col, row] = [left + x * block, top + y * block]
        const [right, bottom] = [Math.min(ncols, col + width * block), Math.min(nrows, row + depth * block)]
        const [low, high] = rangeOf(heights, ncols, col, row, right, bottom)
        values.push(col, row, right - col, bottom - row, low, high + ridgeM)
      }
      starts[tile + 1] = values.length / BOX_FIELDS
    }
    return { values: Float32Array.from(values), starts }
  })
}

/** Which blocks of a tile are houses. */
function blocksOf(
  isHouse: (k: number) => boolean,
  { nrows, ncols }: Grid,
  top: number,
  left: number,
  block: number,
  side: number,
): Uint8Array {
  const mask = new Uint8Array(side * side)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      let [houses, cells] = [0, 0]
      for (let row = top + y * block; row < Math.min(nrows, top + (y + 1) * block); row++)
        for (let col = left + x * block; col < Math.min(ncols, left + (x + 1) * block); col++) {
          cells++
          if (isHouse(row * ncols + col)) houses++
        }
      if (cells > 0 && 2 * houses >= cells) mask[y * side + x] = 1
    }
  return mask
}

/** Rectangles that cover a mask once: each as wide as it goes, then as deep. */
export function rectangles(mask: Uint8Array, side: number): [number, number, number, number][] {
  const left = Uint8Array.from(mask)
  const found: [number, number, number, number][] = []
  const full = (y: number, x: number, width: number) => {
    for (let k = 0; k < width; k++) if (left[y * side + x + k] === 0) return false
    return true
  }
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      if (left[y * side + x] === 0) continue
      let width = 1
      while (width < LONGEST && x + width < side && left[y * side + x + width] === 1) width++
      let depth = 1
      while (depth < LONGEST && y + depth < side && full(y + depth, x, width)) depth++
      for (let row = y; row < y + depth; row++) left.fill(0, row * side + x, row * side + x + width)
      found.push([x, y, width, depth])
    }
  return found
}

function rangeOf(
  heights: ArrayLike<number>,
  ncols: number,
  left: number,
  top: number,
  right: number,
  bottom: number,
): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let row = top; row < bottom; row++)
    for (let col = left; col < right; col++) {
      const height = heights[row * ncols + col]
      if (height < low) low = height
      if (height > high) high = height
    }
  return [low, high]
}
