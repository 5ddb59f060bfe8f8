import { expect, test } from 'vitest'
import { cellAt } from './grid-cell.ts'

test('a place falls into its cell, also on a grid that stands askew', () => {
  const upright = { sw: [2, 48], se: [3, 48], ne: [3, 49], nw: [2, 49] } as const
  const grid = { width: 10, height: 20 }
  const at = (lng: number, lat: number, corners: object = upright) => cellAt(lng, lat, corners as never, grid)
  expect(at(2.05, 48.99)).toEqual({ row: 0, col: 0 })
  expect(at(2.95, 48.01)).toEqual({ row: 19, col: 9 })
  expect(at(1.95, 49.01)).toEqual({ row: -1, col: -1 })
  const askew = { sw: [2, 48.1], se: [3, 48], ne: [3.1, 49], nw: [2.1, 49.1] }
  expect(at(2.55, 48.55, askew)).toEqual({ row: 10, col: 5 })
})
