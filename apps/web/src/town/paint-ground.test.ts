import { expect, test } from 'vitest'
import { cellsOf, type TownGrid } from './api.ts'
import { landPicture, shadePicture } from './paint-ground.ts'

const corner: [number, number] = [0, 0]
const place = {
  nrows: 1,
  ncols: 4,
  cellSizeM: 10,
  crs: 'EPSG:2154',
  xll: 0,
  yll: 0,
  corners: { sw: corner, se: corner, ne: corner, nw: corner },
}
const elevation = { minM: 30, stepM: 0.01 }
/** Two cells of a slope to the east, one beside it, one outside. */
const bytes = () => {
  const all = new Uint8Array(12)
  all.set(new Uint8Array(Uint16Array.of(0, 200, 400, 65535).buffer))
  all.set([0, 1, 255, 255], 8)
  return all.buffer
}
const town: TownGrid = {
  place,
  elevation,
  classes: [
    { code: 6, title: 'Eau', color: '#0000ff' },
    { code: 7, title: 'Noue', color: '#00ff00' },
  ],
  waterCode: 6,
  attribution: '',
  ...cellsOf({ place, elevation }, bytes()),
}

test('cells are read as they were written, and an answer cut short is refused', () => {
  expect([...town.elevationM]).toEqual([30, 32, 34, Number.NaN])
  expect(() => cellsOf({ place, elevation }, bytes().slice(0, 11))).toThrow(RangeError)
})

test('each class has its tint, what a table adds shows its own colour, and nothing is drawn outside', () => {
  const { data } = landPicture(town, 'light')
  const pixel = (k: number) => [...data.subarray(4 * k, 4 * k + 4)]
  expect(pixel(0)).toEqual([196, 211, 214, 255])
  const [r, g, b] = pixel(1)
  expect(g).toBeGreaterThan(Math.max(r, b))
  expect(pixel(2)[3]).toBe(255)
  expect(pixel(3)[3]).toBe(0)
})

test('ground that rises to the east turns to the sun in the north-west, and falls into shade the other way', () => {
  const up = shadePicture(town, 'light').data
  expect([up[4], up[7] > 10]).toEqual([255, true])
  const falling = { ...town, elevationM: Float32Array.of(34, 32, 30, Number.NaN) }
  const down = shadePicture(falling, 'light').data
  expect([down[4], down[7] > 20, down[15]]).toEqual([0, true, 0])
})
