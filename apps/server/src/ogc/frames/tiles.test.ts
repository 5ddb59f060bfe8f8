import { expect, test } from 'vitest'
import { HALF_WORLD_M, LEVELS, tileLimits, tilePlace, tileWindow } from './tiles.ts'

test('level 0 is the world, and each level has four tiles where the one above has one', () => {
  expect(tileWindow({ level: 0, row: 0, col: 0 })).toMatchObject({
    west: -HALF_WORLD_M,
    south: -HALF_WORLD_M,
    east: HALF_WORLD_M,
    north: HALF_WORLD_M,
    width: 256,
    height: 256,
  })
  const { west, south, north } = tileWindow({ level: 1, row: 0, col: 1 })
  expect([west, south, north]).toEqual([0, 0, HALF_WORLD_M])
  // 17-083r4, annex D.1.
  expect(LEVELS[0].cellSize).toBeCloseTo(156_543.033_928_040_97, 6)
  expect(LEVELS[18].scaleDenominator).toBeCloseTo(2_132.729_583_849_841, 6)
})

test.each([
  ['0', '0', '1'],
  ['19', '0', '0'],
  ['-1', '0', '0'],
  ['1', '2', '0'],
  ['1', '0.5', '0'],
  ['1e1', '0', '0'],
  ['', '0', '0'],
  ['constructor', '0', '0'],
])('level %s has no tile %s/%s', (level, row, col) => {
  expect(tilePlace(level, row, col)).toBeNull()
})

test('the tiles of a ground are those that hold its corners', () => {
  const bounds = { ul: { lat: 49, lng: 2 }, lr: { lat: 48, lng: 3 } }
  const level = 10
  const { minRow, maxRow, minCol, maxCol } = tileLimits(bounds, level)
  // The usual formula of slippy maps.
  const col = (lng: number) => Math.floor(((lng + 180) / 360) * 2 ** level)
  const row = (lat: number) =>
    Math.floor(((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** level)
  expect([minRow, maxRow, minCol, maxCol]).toEqual([row(49), row(48), col(2), col(3)])
  expect(tilePlace(String(level), String(minRow), String(minCol))).not.toBeNull()
})
