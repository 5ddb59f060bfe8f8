import { expect, test } from 'vitest'
import { cellOnRay, filledHeights } from './heights.ts'
import { BOX_FIELDS, houseBoxes, rectangles } from './houses.ts'
import { chooseLevels, GROUND_LEVELS, groundTriangles, strideOf, type Tile, tileTriangles } from './levels.ts'

test('cells outside the model take the heights beside them, whole rows those above or below', () => {
  const no = Number.NaN
  expect([...filledHeights(Float32Array.from([no, no, no, no, 5, no, 2, no, 7, no, no, no]), 3)]).toEqual([
    5, 5, 5, 5, 5, 5, 2, 2, 7, 2, 2, 7,
  ])
  expect([...filledHeights(Float32Array.from([no, no]), 2)]).toEqual([0, 0])
})

test('a ray meets the first cell that reaches it, and none beside the town', () => {
  const heights = [0, 0, 0, 0, 9, 0, 0, 0, 0]
  const ground = {
    heightAt: (row: number, col: number) => heights[3 * row + col],
    nrows: 3,
    ncols: 3,
    cellSizeM: 10,
  }
  expect(cellOnRay(ground, [10, 50, 10], [0, -1, 0], 1000)).toEqual({ row: 2, col: 2 })
  // Flat over the southern row towards the north: the tower in the middle stands in the way.
  const [y, z] = [-0.2, -Math.sqrt(0.96)]
  expect(cellOnRay(ground, [0, 8, 30], [0, y, z], 1000)).toEqual({ row: 1, col: 1 })
  expect(cellOnRay(ground, [0, 50, 0], [0, 1, 0], 1000)).toBeNull()
  expect(cellOnRay(ground, [40, 50, 0], [0, -1, 0], 1000)).toBeNull()
})

test('rectangles cover each cell of a mask once', () => {
  const side = 16
  const mask = Uint8Array.from({ length: side * side }, (_, k) => ((k * 2_654_435_761) >>> 29 > 2 ? 1 : 0))
  const seen = new Uint8Array(side * side)
  for (const [x, y, width, depth] of rectangles(mask, side))
    for (let row = y; row < y + depth; row++)
      for (let col = x; col < x + width; col++) seen[row * side + col]++
  expect([...seen]).toEqual([...mask])
  expect(rectangles(new Uint8Array(side * side).fill(1), side)).toEqual([[0, 0, 16, 16]])
})

test('buildings are boxes from their lowest ground to over their highest, fewer at each level, tile by tile', () => {
  const [nrows, ncols] = [70, 130]
  const houses = new Set<number>()
  for (let row = 10; row < 14; row++) for (let col = 60; col < 70; col++) houses.add(row * ncols + col)
  const heights = Float32Array.from({ length: nrows * ncols }, (_, k) => 0.1 * (k % ncols))
  const levels = houseBoxes((k) => houses.has(k), heights, { nrows, ncols }, 6)
  const [fine] = levels
  // Two tiles across the edge at column 64, of three a row.
  expect([...fine.starts]).toEqual([0, 1, 2, 2, 2, 2, 2])
  expect([...fine.values.subarray(0, 4)]).toEqual([60, 10, 4, 4])
  expect(fine.values[4]).toBeCloseTo(6)
  expect(fine.values[5]).toBeCloseTo(6.3 + 6)
  const area = ({ values }: typeof fine) => {
    let sum = 0
    for (let k = 0; k < values.length; k += BOX_FIELDS) sum += values[k + 2] * values[k + 3]
    return sum
  }
  expect(area(fine)).toBe(40)
  for (const level of levels) expect(level.values.length).toBeLessThanOrEqual(fine.values.length)
})

test('the near is drawn finer than the far, all of it within the budget, and nothing out of sight', () => {
  const across = 28
  const tiles: Tile[] = Array.from({ length: across * across }, (_, k) => ({
    row: 64 * Math.floor(k / across),
    col: 64 * (k % across),
    x: 160 * ((k % across) - across / 2),
    z: 160 * (Math.floor(k / across) - across / 2),
    houses: [900, 500, 200, 60, 12],
  }))
  const eye = { x: 0, y: 120, z: 0 }
  const count = (levels: Int8Array) =>
    levels.reduce((sum, level, k) => sum + (level < 0 ? 0 : tileTriangles(tiles[k], level)), 0)
  const levels = chooseLevels(tiles, eye, 1500, () => true, 480_000)
  expect(count(levels)).toBeLessThanOrEqual(480_000)
  expect(count(levels)).toBeGreaterThan(240_000)
  const far = (k: number) => Math.hypot(tiles[k].x, tiles[k].z)
  const order = tiles.map((_, k) => k).sort((a, b) => far(a) - far(b))
  for (let n = 1; n < order.length; n++) expect(levels[order[n]]).toBeGreaterThanOrEqual(levels[order[n - 1]])
  expect(chooseLevels(tiles, eye, 1500, (k) => k === 3, 480_000).filter((level) => level >= 0)).toHaveLength(
    1,
  )
  // A budget that nothing fits into ends with the coarsest.
  expect([...new Set(chooseLevels(tiles, eye, 1500, () => true, 10))]).toEqual([GROUND_LEVELS - 1])
})

test('a tile of the finest level has a quad a cell, until a grid is so large that it would have too many tiles', () => {
  expect(groundTriangles(0)).toBe(2 * 64 * 64 + 8 * 64)
  expect(strideOf({ nrows: 1732, ncols: 1732 })).toBe(1)
  expect(strideOf({ nrows: 20_000, ncols: 100 })).toBe(10)
})
