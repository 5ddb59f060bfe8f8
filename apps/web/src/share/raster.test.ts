import { cellOf } from '@radx/rainfall/grid'
import { expect, test } from 'vitest'
import { latOfMercatorY } from '../map/mercator.ts'
import { cellsOfPixels, evenly, paintCodes } from './raster.ts'

const BOUNDS = { ul: { lat: 49.29013, lng: 1.899286 }, lr: { lat: 48.390853, lng: 3.2779 } }

test('each pixel takes the cell of rain that its middle lies in', () => {
  const [width, height, steps] = [300, 200, 400]
  const size = 512 * 2 ** 7.3
  const view = { size, left: 150 - ((2.58871 + 180) / 360) * size, top: 100 - 0.3434 * size }
  const cells = cellsOfPixels(
    { kind: 'latlng', bounds: BOUNDS, view },
    { nrows: steps, ncols: steps },
    { width, height },
  )
  let [inside, off, wrong] = [0, 0, 0]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const lng = ((x + 0.5 - view.left) / size) * 360 - 180
      const lat = latOfMercatorY((y + 0.5 - view.top) / size)
      const cell = cellOf({ bounds: BOUNDS, steps }, { lat, lng })
      const found = cells[y * width + x]
      if (cell === null) {
        if (found !== -1) wrong++
        continue
      }
      inside++
      const [row, col] = [Math.floor(found / steps), found % steps]
      if (col !== cell.col || Math.abs(row - cell.row) > 1) wrong++
      if (row !== cell.row) off++
    }
  expect(wrong).toBe(0)
  expect(inside).toBeGreaterThan(1000)
  // Only where a middle lies on the line between two rows.
  expect(off / inside).toBeLessThan(0.02)
})

test('a grid that stands askew is stretched between its corners', () => {
  const corners = [
    [10, 20],
    [90, 10],
    [95, 70],
    [12, 80],
  ] as [number, number][]
  const cells = cellsOfPixels({ kind: 'quad', corners }, { nrows: 6, ncols: 8 }, { width: 100, height: 100 })
  const at = (x: number, y: number) => cells[y * 100 + x]
  expect(at(2, 50)).toBe(-1)
  expect(at(50, 5)).toBe(-1)
  // Just inside each corner lies the cell of that corner.
  expect([at(12, 21), at(89, 12), at(93, 68), at(14, 77)]).toEqual([0, 7, 47, 40])
})

test('colours, clear codes and missing data over the ground', () => {
  const ground = Uint8ClampedArray.from({ length: 4 * 4 }, (_, k) => (k % 4 === 3 ? 255 : 100))
  const out = new Uint8ClampedArray(ground.length)
  const palette = new Uint8Array(4 * 3)
  palette.set([200, 0, 0, 255], 4)
  palette.set([0, 0, 200, 255], 8)
  const look = { palette, opacity: 0.5, edge: null, noData: { code: 15, color: [0, 0, 0, 1] as const } }
  paintCodes(out, ground, Int32Array.of(0, 1, 2, -1), [0, 1, 15], look, 4)
  expect([...out.subarray(0, 3)]).toEqual([100, 100, 100])
  expect([...out.subarray(4, 7)]).toEqual([150, 50, 50])
  // Between two stripes of the hatching.
  expect([...out.subarray(8, 11)]).toEqual([75, 75, 75])
  expect([...out.subarray(12, 15)]).toEqual([100, 100, 100])
  // What is higher than the last code has its colour.
  paintCodes(out, ground, Int32Array.of(0, -1, -1, -1), [9], { ...look, opacity: 1 }, 4)
  expect([...out.subarray(0, 3)]).toEqual([0, 0, 200])
})

test('moments are taken evenly, both ends among them', () => {
  expect(evenly(4, 10)).toEqual([0, 1, 2, 3])
  expect(evenly(1001, 11)).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000])
  expect(new Set(evenly(5000, 1500)).size).toBe(1500)
})
