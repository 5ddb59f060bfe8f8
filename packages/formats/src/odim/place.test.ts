import proj4 from 'proj4'
import { beforeAll, describe, expect, test } from 'vitest'
import { hdf5Ready } from '../hdf5/file.ts'
import { LONGLAT, plainDefinition } from '../projection.ts'
import { type Attributes, odim, RATE, WHERE } from '../testing/odim-file.ts'
import { readOdim } from './odim.ts'

beforeAll(hdf5Ready)

const geometryOf = async (where: Attributes) => (await readOdim(odim([RATE], { where }))).geometry

describe('places', () => {
  test('corners in degrees are the edges of a latitude-longitude picture', async () => {
    expect((await readOdim(odim([RATE]))).geometry).toMatchObject({
      left: 2,
      top: 49,
      right: 3.5,
      bottom: 48,
    })
  })

  test.each([
    '+proj=stere +lat_0=90 +lon_0=10 +lat_ts=60 +a=6378137 +b=6356752.3142451802 +x_0=0 +y_0=0 +no_defs',
    '+proj=laea +lat_0=55 +lon_0=10 +x_0=1950000 +y_0=-2100000 +units=m +ellps=WGS84',
    '+proj=aeqd +lat_0=48.8 +lon_0=2.5 +ellps=WGS84',
    '+proj=merc +lat_ts=45 +lon_0=0 +ellps=WGS84',
  ])('%s: the lower-left corner and the cell sizes place the picture', async (projdef) => {
    const plane = proj4(LONGLAT, projdef)
    const [x, y] = plane.forward([2, 48])
    const corner = plane.inverse([x + 3 * 1000, y + 2 * 2000])
    const where = {
      projdef,
      LL_lon: 2,
      LL_lat: 48,
      UR_lon: corner[0],
      UR_lat: corner[1],
      xscale: 1000,
      yscale: 2000,
      xsize: 3,
      ysize: 2,
    }
    const geometry = await geometryOf(where)
    expect(geometry.proj4).toBe(plainDefinition(projdef))
    expect([geometry.right - geometry.left, geometry.top - geometry.bottom]).toEqual([3000, 4000])
    expect(geometry.left).toBeCloseTo(x, 3)
    expect(geometry.bottom).toBeCloseTo(y, 3)
  })

  test('a plane in degrees goes by one name, whatever the file calls it', async () => {
    for (const name of ['longlat', 'latlong', 'lonlat', 'latlon'])
      for (const plus of ['+', ''])
        expect(
          (await geometryOf({ ...WHERE, projdef: `${plus}proj=${name} ${plus}ellps=WGS84` })).proj4,
        ).toBe(LONGLAT)
    expect((await geometryOf({ ...WHERE, projdef: 'proj=merc R=6371000' })).proj4).toBe(
      '+proj=merc +R=6371000 +lat_0=0 +lon_0=0 +x_0=0 +y_0=0',
    )
  })

  test('a latitude-longitude picture may have cell sizes in degrees, counted north or south', async () => {
    const { UR_lon, UR_lat, ...corner } = WHERE
    for (const yscale of [0.5, -0.5])
      expect(await geometryOf({ ...corner, xscale: 0.5, yscale })).toMatchObject({
        left: 2,
        top: 49,
        right: 3.5,
        bottom: 48,
      })
  })
})

describe('a picture in the Mercator plane of the sphere', () => {
  const R = 6_371_000
  const rad = Math.PI / 180
  const x = (lon: number) => R * lon * rad
  const y = (lat: number) => R * Math.log(Math.tan(Math.PI / 4 + (lat * rad) / 2))
  const MERCATOR: Attributes = { projdef: '+proj=merc +lon_0=0 +R=6371000', xsize: 3, ysize: 2 }
  const LL = { LL_lon: 2, LL_lat: 48 }
  const UR = { UR_lon: 3.5, UR_lat: 49 }
  const SCALES = { xscale: (x(3.5) - x(2)) / 3, yscale: (y(49) - y(48)) / 2 }
  const near = async (where: Attributes, [left, top, right, bottom]: number[]) => {
    const geometry = await geometryOf({ ...MERCATOR, ...where })
    expect(geometry.left).toBeCloseTo(left, 3)
    expect(geometry.top).toBeCloseTo(top, 3)
    expect(geometry.right).toBeCloseTo(right, 3)
    expect(geometry.bottom).toBeCloseTo(bottom, 3)
  }
  const all = [x(2), y(49), x(3.5), y(48)]

  test('lies between its corners, from one with the cell sizes, or from its own upper left', async () => {
    await near({ ...LL, ...UR }, all)
    await near({ ...LL, ...SCALES }, all)
    await near({ UL_x: x(2), UL_y: y(49), ...SCALES }, all)
  })

  test('goes by the upper left in the plane before the corners in degrees', async () => {
    const [dx, dy] = [SCALES.xscale * 0.03, SCALES.yscale * 0.03]
    const shifted = [x(2) + dx, y(49) - dy, x(3.5) + dx, y(48) - dy]
    await near({ UL_x: x(2) + dx, UL_y: y(49) - dy, ...SCALES, ...LL, ...UR }, shifted)
  })

  test('goes by the corners where a cell size or half of the upper left is missing', async () => {
    const { xscale, yscale } = SCALES
    await near({ ...LL, ...UR, xscale: xscale * 1.01 }, all)
    await near({ ...LL, ...UR, yscale: yscale * 1.01 }, all)
    await near({ ...LL, ...UR, xscale: 0, yscale }, all)
    await near({ ...LL, ...UR, xscale, yscale: 0 }, all)
    await near({ ...LL, ...SCALES, UL_x: 0 }, all)
    await near({ ...LL, ...SCALES, UL_y: 0 }, all)
  })

  const refused = async (where: Attributes) => {
    const error = await geometryOf({ ...MERCATOR, ...where }).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'odim.badHeader', details: { projdef: MERCATOR.projdef } })
    expect(error.message).toContain('La projection ou les coins du fichier ODIM')
  }

  test('may be off by a fiftieth of the picture from its corners, no more', async () => {
    // The upper left and the cell sizes place it; corners in degrees say it again.
    const own = { UL_x: x(2), UL_y: y(49), ...SCALES }
    const [width, height] = [x(3.5) - x(2), y(49) - y(48)]
    const east = (part: number) => (part * width) / R / rad
    const north = (lat: number, part: number) =>
      (2 * Math.atan(Math.exp((y(lat) + part * height) / R)) - Math.PI / 2) / rad
    for (const part of [0.019, -0.019]) {
      await near({ ...own, LL_lon: 2 + east(part), LL_lat: 48 }, all)
      await near({ ...own, LL_lon: 2, LL_lat: north(48, part) }, all)
      await near({ ...own, UR_lon: 3.5 + east(part), UR_lat: 49 }, all)
      await near({ ...own, UR_lon: 3.5, UR_lat: north(49, part) }, all)
    }
    for (const part of [0.021, -0.021]) {
      await refused({ ...own, LL_lon: 2 + east(part), LL_lat: 48 })
      await refused({ ...own, LL_lon: 2, LL_lat: north(48, part) })
      await refused({ ...own, UR_lon: 3.5 + east(part), UR_lat: 49 })
      await refused({ ...own, UR_lon: 3.5, UR_lat: north(49, part) })
    }
  })

  test('needs corners that there are, the right way round', async () => {
    await refused({ ...LL })
    await refused({ ...UR })
    await refused({ ...SCALES })
    await refused({ ...SCALES, UL_x: x(2) })
    await refused({ ...LL, UR_lon: 3.5, UR_lat: 90.1 })
    await refused({ ...LL, UR_lon: 541, UR_lat: 49 })
    // No end: right and bottom would lie at infinity.
    await refused({ ...LL, xscale: Float64Array.of(1e308), yscale: SCALES.yscale })
    await refused({ UL_x: 0, UL_y: 0, xscale: SCALES.xscale, yscale: Float64Array.of(1e308) })
    await refused({ ...LL, UR_lon: 1.9, UR_lat: 49 })
    await refused({ ...LL, UR_lon: 2, UR_lat: 49 })
    await refused({ ...LL, UR_lon: 3.5, UR_lat: 48 })
  })
})

test('a picture in degrees may reach from pole to pole and once and a half round the globe', async () => {
  const globe = { ...WHERE, LL_lon: -540, LL_lat: -90, UR_lon: 540, UR_lat: 90 }
  expect(await geometryOf(globe)).toMatchObject({ left: -540, bottom: -90, right: 540, top: 90 })
  for (const beyond of [{ UR_lat: 90.1 }, { LL_lat: -90.1 }, { UR_lon: 540.1 }, { LL_lon: -540.1 }])
    await expect(geometryOf({ ...globe, ...beyond })).rejects.toThrow('les coins du fichier ODIM')
})

test('a projection that is none is quoted up to 200 characters', async () => {
  const error = await geometryOf({ ...WHERE, projdef: `EPSG:${'9'.repeat(300)}` }).catch((thrown) => thrown)
  expect(error.details).toEqual({ projdef: `EPSG:${'9'.repeat(195)}` })
})

test('a file without a projection is refused as one', async () => {
  const error = await geometryOf({ ...WHERE, projdef: '' }).catch((thrown) => thrown)
  expect(error).toMatchObject({ code: 'odim.badHeader', details: { projdef: undefined } })
})
