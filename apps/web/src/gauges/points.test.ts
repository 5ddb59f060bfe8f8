import { expect, test } from 'vitest'
import { addPoint, type PixelPoint, removePoint } from './points.ts'

const at = (row: number, col: number) => ({
  radarPixel: { row, col },
  radarData: [],
  pos: { lat: 48, lng: 2 },
  posCenter: { lat: 48.001, lng: 2.001 },
})
const add = (points: readonly PixelPoint<never[]>[], row: number, col: number) =>
  addPoint(points, at(row, col))

test('[GAUGE-03] a pixel that is there already is ignored', () => {
  const one = add([], 3, 4)
  expect(add(one, 3, 4)).toBe(one)
})

test('[GAUGE-02] [GAUGE-04] [GAUGE-05] new points come first and take the count modulo 3 as colour', () => {
  const four = [1, 2, 3, 4].reduce((points, row) => add(points, row, 0), [] as readonly PixelPoint<never[]>[])
  expect(four.map((p) => [p.radarPixel.row, p.color])).toEqual([
    [4, 0],
    [3, 2],
    [2, 1],
    [1, 0],
  ])
  expect(Object.keys(four[0]).sort()).toEqual(['color', 'pos', 'posCenter', 'radarData', 'radarPixel'])
})

test('removal takes exactly that pixel away', () => {
  const two = add(add([], 1, 0), 2, 0)
  expect(removePoint(two, { row: 1, col: 0 }).map((p) => p.radarPixel.row)).toEqual([2])
})
