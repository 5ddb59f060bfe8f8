import { expect, test } from 'vitest'
import { CELL_PX, cellSizeOf, withCodes } from './luse-image.ts'

test('[LUSE-13] cell sizes go from 1 to 20 px, 5 without a number', () => {
  expect(CELL_PX).toEqual({ min: 1, max: 20, default: 5 })
  expect([0, 1, 7.4, 20, 300, Number.NaN].map(cellSizeOf)).toEqual([1, 1, 7, 20, 20, 5])
})

test('[LUSE-11] a painted map keeps the header of its file', () => {
  const asc = 'ncols 2\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 10\nNODATA_value -9999\n1 2\n3 -9999\n'
  expect(withCodes(asc, Int16Array.of(1, 2, 7, -9999))).toBe(asc.replace('3 -9999', '7 -9999'))
  expect(() => withCodes(asc, Int16Array.of(1, 2, 3))).toThrow(RangeError)
})
