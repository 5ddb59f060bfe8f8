import { describe, expect, test } from 'vitest'
import { CANVAS, cellPx, openingView, toGrid, toView } from './view.ts'

const GRID = { ncols: 340, nrows: 340 }

const site = (west: number, north: number, cols: number, rows: number): Uint8Array => {
  const mask = new Uint8Array(GRID.ncols * GRID.nrows)
  for (let row = north; row < north + rows; row++)
    mask.fill(1, row * GRID.ncols + west, row * GRID.ncols + west + cols)
  return mask
}

describe('what the editor shows first', () => {
  test('without a case study the whole grid', () => {
    expect(openingView(GRID, null)).toEqual({ zoom: 1, col: 170, row: 170 })
    expect(openingView(GRID, new Uint8Array(GRID.ncols * GRID.nrows))).toEqual({
      zoom: 1,
      col: 170,
      row: 170,
    })
  })

  test.each([
    ['a site in the middle', site(130, 80, 64, 62), 4],
    ['a site in a corner', site(0, 0, 40, 40), 4],
    ['half the catchment', site(60, 90, 160, 140), 2],
    ['a long strip', site(10, 160, 320, 5), 1],
  ])('%s, as large as it fits, whole', (_, mask, zoom) => {
    const view = openingView(GRID, mask)
    expect(view.zoom).toBe(zoom)
    const from = toGrid(0, 0, view, GRID)
    const to = toGrid(CANVAS.width, CANVAS.height, view, GRID)
    mask.forEach((may, cell) => {
      if (may !== 1) return
      const [col, row] = [cell % GRID.ncols, Math.floor(cell / GRID.ncols)]
      if (col < from.col || col + 1 > to.col || row < from.row || row + 1 > to.row)
        throw new Error(`cell ${col}, ${row} is out of sight`)
    })
    // The next zoom would cut it off.
    if (zoom < 4)
      expect(cellPx({ zoom: zoom + 1 }, GRID) * (zoom === 2 ? 140 : 328)).toBeGreaterThan(CANVAS.height)
  })
})

describe('a cursor that keys move', () => {
  test('moves the view no further than it takes to see its cell', () => {
    const view = { zoom: 4, col: 170, row: 170 }
    expect(toView(view, { row: 170, col: 170 }, GRID)).toBe(view)
    const shown = (cell: { row: number; col: number }) => {
      const moved = toView(view, cell, GRID)
      const [from, to] = [toGrid(0, 0, moved, GRID), toGrid(CANVAS.width, CANVAS.height, moved, GRID)]
      expect(cell.col).toBeGreaterThanOrEqual(from.col)
      expect(cell.col + 1).toBeLessThanOrEqual(to.col)
      expect(cell.row).toBeGreaterThanOrEqual(from.row)
      expect(cell.row + 1).toBeLessThanOrEqual(to.row)
      return moved
    }
    for (const row of [0, 100, 339]) for (const col of [0, 200, 339]) shown({ row, col })
    // Straight down, the view keeps its column.
    expect(shown({ row: 339, col: 170 }).col).toBe(170)
  })
})
