import { RadxError } from '@radx/contracts/errors'
import type { GridGeometry } from '@radx/contracts/grid-geometry'
import proj4 from 'proj4'
import { describe, expect, test } from 'vitest'
import { cellCentre, cellOf, type ProductGrid } from './grid.ts'
import { areaMap, nearestMap, regridArea, regridKey, regridNearest } from './regrid.ts'

const GRID: ProductGrid = { bounds: { ul: { lat: 49, lng: 2 }, lr: { lat: 48, lng: 3 } }, steps: 40 }
const LONGLAT = '+proj=longlat +datum=WGS84 +no_defs'

const degrees = (part: Partial<GridGeometry> = {}): GridGeometry => ({
  proj4: LONGLAT,
  left: 2,
  top: 49,
  right: 3,
  bottom: 48,
  ncols: 40,
  nrows: 40,
  ...part,
})
const counting = (n: number): Float32Array => Float32Array.from({ length: n }, (_, i) => i)

describe('nearest', () => {
  test('the same grid in degrees comes through unchanged', () => {
    const values = counting(1600)
    values[7] = Number.NaN
    expect(regridNearest(values, nearestMap(degrees(), GRID))).toEqual(values)
  })

  test('cells whose centre lies outside the source are no data', () => {
    // The source covers the south-eastern quarter with 10 x 10 cells of 2 x 2 target cells.
    const source = degrees({ left: 2.5, top: 48.5, ncols: 10, nrows: 10 })
    const rates = regridNearest(counting(100), nearestMap(source, GRID))
    expect(rates[0]).toBeNaN()
    expect(rates[20 * 40 + 19]).toBeNaN()
    expect([rates[20 * 40 + 20], rates[20 * 40 + 21], rates[20 * 40 + 22], rates[22 * 40 + 20]]).toEqual([
      0, 0, 1, 10,
    ])
    expect(rates[1599]).toBe(99)
  })

  test('bounds of any height and width, the source to one side of the target', () => {
    const wide: ProductGrid = { bounds: { ul: { lat: 50, lng: 1 }, lr: { lat: 46, lng: 3 } }, steps: 4 }
    // 4 x 4 source cells of half a degree around 47 to 49 N, 2 to 4 E.
    const source = degrees({ left: 2, right: 4, top: 49, bottom: 47, ncols: 4, nrows: 4 })
    expect([...nearestMap(source, wide)]).toEqual([
      -1, -1, -1, -1, -1, -1, 4, 5, -1, -1, 12, 13, -1, -1, -1, -1,
    ])
    expect([...regridNearest(counting(16), nearestMap(source, wide))].filter((v) => v >= 0)).toEqual([
      4, 5, 12, 13,
    ])
    const area = regridArea(counting(16), areaMap(source, wide))
    // A target cell is one source cell wide and two high: the mean of both.
    expect([...area].map((v) => (Number.isNaN(v) ? -1 : v))).toEqual([
      -1, -1, -1, -1, -1, -1, 2, 3, -1, -1, 10, 11, -1, -1, -1, -1,
    ])
    const eastwards = degrees({ left: 0, right: 2, top: 51, bottom: 49, ncols: 4, nrows: 4 })
    expect([...nearestMap(eastwards, wide)].filter((cell) => cell >= 0)).toEqual([14, 15])
    expect([...areaMap(eastwards, wide).source]).toEqual([10, 14, 11, 15])
  })

  test('a point of an azimuthal equidistant picture keeps its place', () => {
    const proj = '+proj=aeqd +lat_0=48.5 +lon_0=2.5 +R=6371000 +units=m +no_defs'
    const source: GridGeometry = {
      proj4: proj,
      left: -60_000,
      top: 60_000,
      right: 60_000,
      bottom: -60_000,
      ncols: 240,
      nrows: 240,
    }
    const map = nearestMap(source, GRID)
    for (const place of [
      { lat: 48.9, lng: 2.1 },
      { lat: 48.02, lng: 2.97 },
      { lat: 48.5, lng: 2.5 },
    ]) {
      const { row, col } = cellOf(GRID, place)!
      const centre = cellCentre(GRID, row, col)
      const [x, y] = proj4(LONGLAT, proj, [centre.lng, centre.lat])
      expect(map[row * 40 + col]).toBe(Math.floor((60_000 - y) / 500) * 240 + Math.floor((x + 60_000) / 500))
    }
  })

  test('a centre on the northern or western edge of the source is inside, on the others outside', () => {
    const one: ProductGrid = { bounds: { ul: { lat: 49, lng: 2 }, lr: { lat: 48, lng: 3 } }, steps: 1 }
    const at = (part: Partial<GridGeometry>) => [...nearestMap(degrees({ ncols: 2, nrows: 2, ...part }), one)]
    expect(at({ left: 2.5, right: 3.5 })).toEqual([2])
    expect(at({ top: 48.5, bottom: 47.5 })).toEqual([1])
    expect(at({ left: 1.5, right: 2.5 })).toEqual([-1])
    expect(at({ top: 49.5, bottom: 48.5 })).toEqual([-1])
  })

  test('a projection that is not known is an error with a code', () => {
    const wrong = `+proj=cheese${' +x'.repeat(40)}`
    expect(() => nearestMap(degrees({ proj4: wrong }), GRID)).toThrow(RadxError)
    expect(() => nearestMap(degrees({ proj4: wrong }), GRID)).toThrow(
      expect.objectContaining({
        code: 'regrid.projection',
        status: 422,
        message: expect.stringMatching(/^La projection « \+proj=cheese.{68} » n'est pas connue\. Demandez/),
        cause: expect.anything(),
      }),
    )
  })
})

describe('area', () => {
  test('a grid twice as fine averages four cells', () => {
    const values = counting(6400)
    const rates = regridArea(values, areaMap(degrees({ ncols: 80, nrows: 80 }), GRID))
    expect(rates[0]).toBeCloseTo((0 + 1 + 80 + 81) / 4, 3)
    expect(rates[1599]).toBeCloseTo((6399 + 6398 + 6319 + 6318) / 4, 2)
  })

  test('a source shifted by a quarter cell weighs its cells by what they cover', () => {
    const quarter = 1 / 160
    const source = degrees({ left: 2 - quarter, right: 3 - quarter })
    const map = areaMap(source, GRID)
    const second = [map.start[1], map.start[2]]
    expect([...map.source.subarray(...second)]).toEqual([1, 2])
    expect(map.weight[second[0]]).toBeCloseTo(0.75, 5)
    expect(map.weight[second[0] + 1]).toBeCloseTo(0.25, 5)
  })

  test('cells without data count for nothing; where they cover most of a cell there is no data', () => {
    const fine = degrees({ ncols: 80, nrows: 80 })
    const values = new Float32Array(6400).fill(2)
    values[0] = Number.NaN
    for (const i of [2, 3, 82]) values[i] = Number.NaN
    const rates = regridArea(values, areaMap(fine, GRID))
    expect(rates[0]).toBe(2)
    expect(rates[1]).toBeNaN()
  })

  test('a cell of which half has data has their mean', () => {
    const one: ProductGrid = { bounds: { ul: { lat: 49, lng: 2 }, lr: { lat: 48, lng: 3 } }, steps: 1 }
    const map = areaMap(degrees({ ncols: 2, nrows: 2 }), one)
    expect([...regridArea(Float32Array.of(1, Number.NaN, Number.NaN, 3), map)]).toEqual([2])
    expect([...regridArea(Float32Array.of(1, Number.NaN, Number.NaN, Number.NaN), map)]).toEqual([Number.NaN])
  })

  test('cells that the plane of the source does not have, or of no area, are no data', () => {
    // Seen from far over the equator, the half of the globe beyond 90 degrees does not show.
    const source = degrees({
      proj4: '+proj=ortho +lat_0=0 +lon_0=0 +R=6371000',
      left: -7e6,
      right: 7e6,
      top: 7e6,
      bottom: -7e6,
    })
    const wide: ProductGrid = { bounds: { ul: { lat: 10, lng: 60 }, lr: { lat: -10, lng: 140 } }, steps: 2 }
    const rates = regridArea(new Float32Array(1600).fill(1), areaMap(source, wide))
    expect([...rates]).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN])
    const near: ProductGrid = { bounds: { ul: { lat: 10, lng: 60 }, lr: { lat: -10, lng: 80 } }, steps: 2 }
    expect([...regridArea(new Float32Array(1600).fill(1), areaMap(source, near))]).toEqual([1, 1, 1, 1])
    const flat: ProductGrid = { bounds: { ul: { lat: 49, lng: 2.5 }, lr: { lat: 48, lng: 2.5 } }, steps: 2 }
    expect(areaMap(degrees(), flat).source).toHaveLength(0)
  })

  test('a projected source keeps a uniform field and covers every cell once', () => {
    const proj = '+proj=lcc +lat_1=48 +lat_2=49 +lat_0=48.5 +lon_0=2 +ellps=GRS80 +units=m +no_defs'
    const source: GridGeometry = {
      proj4: proj,
      left: -50_000,
      top: 100_000,
      right: 150_000,
      bottom: -100_000,
      ncols: 130,
      nrows: 170,
    }
    const map = areaMap(source, GRID)
    for (let cell = 0; cell < 1600; cell++) {
      let covered = 0
      for (let i = map.start[cell]; i < map.start[cell + 1]; i++) covered += map.weight[i]
      expect(covered).toBeCloseTo(1, 4)
    }
    expect(new Set(regridArea(new Float32Array(130 * 170).fill(3), map))).toEqual(new Set([3]))
  })
})

test('the key tells geometries and grids apart', () => {
  const keys = [
    regridKey(degrees(), GRID),
    regridKey(degrees({ left: 2.1 }), GRID),
    regridKey(degrees({ proj4: '+proj=longlat' }), GRID),
    regridKey(degrees(), { ...GRID, steps: 41 }),
    regridKey(degrees({ ncols: 1, nrows: 23 }), GRID),
    regridKey(degrees({ ncols: 12, nrows: 3 }), GRID),
  ]
  expect(new Set(keys).size).toBe(6)
  expect(regridKey(degrees(), { ...GRID })).toBe(keys[0])
})
