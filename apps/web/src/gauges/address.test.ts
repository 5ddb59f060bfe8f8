import { expect, test } from 'vitest'
import { pointAt, readGauges, writeGauges } from './address.ts'
import { addPoint, type PixelPoint, removePoint } from './points.ts'

const grid = { bounds: { ul: { lat: 49, lng: 2 }, lr: { lat: 48, lng: 3 } }, steps: 40 }
const add = (points: readonly PixelPoint<null>[], lat: number, lng: number) =>
  addPoint(points, pointAt(grid, { lat, lng }))

test('gauges survive an address with their order, places and colours', () => {
  const points = add(add(add([], 48.5123456, 2.5), 48.6, 2.6), 48.7, 2.7)
  expect(writeGauges(points)).toBe('48.7_2.7_2*48.6_2.6_1*48.51235_2.5_0')
  expect(readGauges(writeGauges(points), grid)).toEqual(points)
  const left = removePoint(points, points[1].radarPixel)
  expect(readGauges(writeGauges(left), grid)).toEqual(left)
  expect(writeGauges([])).toBeNull()
})

test('two places in one cell are one gauge, and what is no gauge is left out', () => {
  expect(readGauges('48.51_2.51_1*48.512_2.512_0*x_1_2*48.6_2.6_9*', grid)).toHaveLength(1)
  expect(readGauges(null, grid)).toEqual([])
})

test('[GAUGE-07] a place outside the grid has no cell', () => {
  expect(pointAt(grid, { lat: 50, lng: 2.5 }).radarPixel.row).toBeNaN()
})
