import { unpackAll, unpackCodes } from '../frame-codec.ts'
import { cutTile, type GridCell, tilesAcross } from '../tile-file.ts'

export const TILE_SIZE = 20

/** A frame as tiles of 20 x 20 cells, so that a cell is read without the rest. */
export interface Tiles {
  /** Where each tile ends in `tiles`, row by row. */
  ends: number[]
  tiles: Uint8Array
}

export function cutTiles(codes: Uint16Array, steps: number): Tiles {
  const across = tilesAcross(steps, TILE_SIZE)
  const parts: Uint8Array[] = []
  const ends: number[] = []
  let end = 0
  for (let tile = 0; tile < across * across; tile++) {
    const part = cutTile([codes], steps, TILE_SIZE, Math.floor(tile / across), tile % across)
    if (part) parts.push(part)
    end += part?.length ?? 0
    ends.push(end)
  }
  return { ends, tiles: new Uint8Array(Buffer.concat(parts)) }
}

/** Codes of a whole frame, `[row * steps + col]`. @throws StoreCorruptError */
export function codesOfTiles({ ends, tiles }: Tiles, steps: number): Uint16Array {
  const across = tilesAcross(steps, TILE_SIZE)
  const out = new Uint16Array(steps * steps)
  const wet = [...ends.keys()].filter((tile) => ends[tile] > (tile > 0 ? ends[tile - 1] : 0))
  const extents = wet.map((tile) => extentOf(Math.floor(tile / across), tile % across, steps))
  for (const [k, codes] of unpackTiles(tiles, ends, wet, extents).entries()) {
    const { row, col, nrows, ncols } = extents[k]
    for (let r = 0; r < nrows; r++)
      out.set(codes.subarray(r * ncols, (r + 1) * ncols), (row + r) * steps + col)
  }
  return out
}

/** Codes of each of the wet tiles; together where all are of one size, as those of a grid of whole tiles are. */
function unpackTiles(
  tiles: Uint8Array,
  ends: readonly number[],
  wet: readonly number[],
  extents: readonly { nrows: number; ncols: number }[],
): Uint16Array[] {
  const counts = extents.map(({ nrows, ncols }) => nrows * ncols)
  if (counts.every((count) => count === counts[0]))
    return unpackAll(
      tiles,
      wet.map((tile) => ends[tile]),
      counts[0] ?? 0,
    )
  return wet.map((tile, k) =>
    unpackCodes(tiles.subarray(tile > 0 ? ends[tile - 1] : 0, ends[tile]), counts[k]),
  )
}

/** Which tile a cell lies in, from 0. */
export function tileOfCell(row: number, col: number, steps: number): number {
  return Math.floor(row / TILE_SIZE) * tilesAcross(steps, TILE_SIZE) + Math.floor(col / TILE_SIZE)
}

/** Codes of cells of one tile. @param tile its bytes; empty for zeros. @throws StoreCorruptError */
export function codesOfCells(tile: Uint8Array, cells: readonly GridCell[], steps: number): number[] {
  if (tile.length === 0) return cells.map(() => 0)
  const [{ row, col }] = cells
  const extent = extentOf(Math.floor(row / TILE_SIZE), Math.floor(col / TILE_SIZE), steps)
  const codes = unpackCodes(tile, extent.nrows * extent.ncols)
  return cells.map((cell) => codes[(cell.row - extent.row) * extent.ncols + (cell.col - extent.col)])
}

function extentOf(tileRow: number, tileCol: number, steps: number) {
  const [row, col] = [tileRow * TILE_SIZE, tileCol * TILE_SIZE]
  return { row, col, nrows: Math.min(TILE_SIZE, steps - row), ncols: Math.min(TILE_SIZE, steps - col) }
}
