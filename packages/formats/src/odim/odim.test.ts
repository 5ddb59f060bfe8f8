import { type Dataset, File, FS } from 'h5wasm'
import { beforeAll, describe, expect, test } from 'vitest'
import { hdf5Ready } from '../hdf5/file.ts'
import { attributes, type Layer, odim, RATE, WHERE } from '../testing/odim-file.ts'
import { lateRefusal } from '../testing/refusal.ts'
import { readOdim } from './odim.ts'

const rounded = (values: Float32Array): number[] => [...values].map((v) => +v.toPrecision(5))

beforeAll(hdf5Ready)

describe('quantities', () => {
  test('codes become rates by gain, offset, nodata and undetect', async () => {
    const layer: Layer = {
      what: { quantity: 'RATE', gain: 0.5, offset: -1, nodata: 255, undetect: 0 },
      data: Uint8Array.of(0, 255, 4, 3, 1, 254),
    }
    const image = await readOdim(odim([layer]))
    expect(rounded(image.rateMmH)).toEqual([0, Number.NaN, 1, 0.5, 0, 126])
    expect(image).toMatchObject({
      datetime: '2024-01-31T23:55:00.000Z',
      object: 'COMP',
      source: 'ORG:247',
      ncols: 3,
      nrows: 2,
    })
  })

  test.each([
    ['16-bit', Uint16Array.of(0, 65535, 4, 3, 1, 1000), 65535],
    ['32-bit', Int32Array.of(0, -9, 4, 3, 1, 1000), -9],
    ['double', Float64Array.of(0, -9e6, 4, 3, 1, 1000), -9e6],
  ])('%s data', async (_, data, nodata) => {
    const image = await readOdim(odim([{ what: { quantity: 'RATE', nodata }, data }]))
    expect(rounded(image.rateMmH)).toEqual([0, Number.NaN, 4, 3, 1, 1000])
  })

  test('a mark that has no exact double, in data of 32 bits', async () => {
    const what = { quantity: 'RATE', nodata: -999.9, undetect: -999.1 }
    const image = await readOdim(odim([{ what, data: Float32Array.of(-999.9, -999.1, 4, 3, 1, 1000) }]))
    expect(rounded(image.rateMmH)).toEqual([Number.NaN, 0, 4, 3, 1, 1000])
  })

  test("the data's own attributes go before those of its dataset", async () => {
    const layer: Layer = {
      what: { quantity: 'TH', gain: 9 },
      dataWhat: { quantity: 'RATE', gain: 2 },
      data: RATE.data,
    }
    expect(rounded((await readOdim(odim([layer]))).rateMmH)).toEqual([0, 2, 4, 6, 8, 10])
  })

  test('an accumulation over 15 minutes becomes four times as much an hour', async () => {
    const span = { startdate: '20240131', starttime: '234000', enddate: '20240131', endtime: '235500' }
    const image = await readOdim(odim([{ what: { quantity: 'ACRR', ...span }, data: RATE.data }]))
    expect(image.accumulationHours).toBe(0.25)
    expect(rounded(image.rateMmH)).toEqual([0, 4, 8, 12, 16, 20])
  })

  test("reflectivity becomes rain by Z = a R^b: the default, the caller's, the file's", async () => {
    const layer: Layer = {
      what: { quantity: 'DBZH', nodata: -99, undetect: -32 },
      data: Float32Array.of(-99, -32, 23.0103, 39.0103, 0, 30),
    }
    const rates = (await readOdim(odim([layer]))).rateMmH
    expect(rounded(rates).slice(0, 4)).toEqual([Number.NaN, 0, 1, 10])
    const own = (await readOdim(odim([layer]), { law: { a: 300, b: 1.4 } })).rateMmH
    expect(own[5]).toBeCloseTo((1000 / 300) ** (1 / 1.4), 4)
    const file = (
      await readOdim(odim([layer], { how: { zr_a: 256, zr_b: 1.42 } }), { law: { a: 300, b: 1.4 } })
    ).rateMmH
    expect(file[5]).toBeCloseTo((1000 / 256) ** (1 / 1.42), 4)
  })

  test('a rate is taken before an accumulation and a reflectivity, wherever it stands', async () => {
    const layers: Layer[] = [
      { what: { quantity: 'DBZH' }, data: RATE.data },
      { what: { quantity: 'QIND' }, data: RATE.data },
      RATE,
    ]
    expect((await readOdim(odim(layers))).quantity).toBe('RATE')
  })
})

describe('refusals', () => {
  test.each<[string, string, () => Uint8Array]>([
    ['a polar volume', 'odim.unsupported', () => odim([RATE], { what: { object: 'PVOL' } })],
    ['no quantity of rain', 'odim.notRain', () => odim([{ what: { quantity: 'VRADH' }, data: RATE.data }])],
    ['no data', 'odim.badHeader', () => odim([])],
    ['a date that does not exist', 'odim.badHeader', () => odim([RATE], { what: { date: '20240230' } })],
    ['no projection', 'odim.badHeader', () => odim([RATE], { where: { ...WHERE, projdef: 'EPSG:9999' } })],
    ['corners upside down', 'odim.badHeader', () => odim([RATE], { where: { ...WHERE, UR_lat: 47 } })],
    [
      'a size that is not that of the data',
      'odim.badHeader',
      () => odim([RATE], { where: { ...WHERE, xsize: 4 } }),
    ],
    [
      'an accumulation without its span',
      'odim.badHeader',
      () => odim([{ what: { quantity: 'ACRR' }, data: RATE.data }]),
    ],
    ['a classic netCDF file', 'odim.notHdf5', () => Buffer.from('CDF\u0001')],
    [
      'texts instead of numbers',
      'odim.damaged',
      () =>
        odim([], {
          change: (file) => {
            const set = file.create_group('dataset1')
            attributes(set, 'what', { quantity: 'RATE' })
            set
              .create_group('data1')
              .create_dataset({ name: 'data', data: ['a', 'b'], shape: [1, 2], dtype: 'S4' }) as Dataset
          },
          where: { ...WHERE, xsize: 2, ysize: 1 },
        }),
    ],
    [
      'a link to another file',
      'odim.badHeader',
      () =>
        odim([], {
          change: (file) => {
            const set = file.create_group('dataset1')
            attributes(set, 'what', { quantity: 'RATE' })
            set.create_group('data1').create_external_link('/etc/passwd', '/x', 'data')
          },
        }),
    ],
  ])('%s is refused as %s', async (_, code, bytes) => {
    expect((await lateRefusal(readOdim(bytes()))).code).toBe(code)
  })

  test('a chunk that cannot be inflated is refused, not read as zeros', async () => {
    const file = new File('/chunk.h5', 'w')
    attributes(file, 'what', { object: 'COMP', date: '20240131', time: '235500' })
    attributes(file, 'where', { ...WHERE, xsize: 64, ysize: 64 })
    const set = file.create_group('dataset1')
    attributes(set, 'what', { quantity: 'RATE' })
    const data = Float32Array.from({ length: 4096 }, (_, i) => Math.sin(i) + 1)
    set
      .create_group('data1')
      .create_dataset({ name: 'data', data, shape: [64, 64], chunks: [64, 64], compression: 'gzip' })
    file.close()
    const bytes = (FS as unknown as { readFile(path: string): Uint8Array }).readFile('/chunk.h5')
    await readOdim(bytes)
    // Noise deflates to a long run of bytes without structure; the middle of it is inside the chunk.
    const at = Buffer.from(bytes).indexOf(Buffer.from([0x78, 0x5e])) + 2000
    expect(at).toBeGreaterThan(2000)
    bytes.fill(0xff, at, at + 50)
    expect((await lateRefusal(readOdim(bytes))).code).toBe('odim.damaged')
  })
})

describe('HDF5 of the Dutch weather service', () => {
  /** Four corner cells of its national grid, as one cell each. */
  function knmi(
    changes: { parameter?: string; formula?: string; start?: string; top?: number } = {},
  ): Uint8Array {
    const { parameter = 'PRECIP_[MM]', formula = 'GEO = 0.010000 * PV + 0.000000' } = changes
    const path = '/knmi.h5'
    const file = new File(path, 'w')
    attributes(file, 'overview', {
      product_datetime_start: changes.start ?? '31-AUG-2010 23:55:00.000',
      product_datetime_end: '01-SEP-2010 00:00:00.000',
      product_group_name: 'RAD_NL25_RAP_5min',
    })
    const place = attributes(file, 'geographic', {
      geo_column_offset: 0,
      geo_row_offset: changes.top ?? 3649.982 / 382.5,
      geo_pixel_size_x: 350,
      geo_pixel_size_y: -382.5,
      geo_dim_pixel: 'KM,KM',
      geo_product_corners: Float64Array.of(0, 49.362064, 0, 55.973602, 10.856453, 55.388973, 9.0093, 48.8953),
    })
    attributes(place, 'map_projection', {
      projection_proj4_params: '+proj=stere +lat_0=90 +lon_0=0 +lat_ts=60 +a=6378.14 +b=6356.75 +x_0=0 y_0=0',
    })
    const image = attributes(file, 'image1', { image_geo_parameter: parameter })
    attributes(image, 'calibration', {
      calibration_formulas: formula,
      calibration_out_of_image: 65535,
      calibration_missing_data: 0,
    })
    image.create_dataset({ name: 'image_data', data: Uint16Array.of(0, 65535, 10, 100), shape: [2, 2] })
    file.close()
    const bytes = (FS as unknown as { readFile(path: string): Uint8Array }).readFile(path)
    FS!.unlink(path)
    return bytes
  }

  test('a depth of five minutes becomes a rate on the national grid', async () => {
    const { geometry, ...image } = await readOdim(knmi())
    expect(rounded(image.rateMmH)).toEqual([0, Number.NaN, 1.2, 12])
    expect(image).toMatchObject({
      datetime: '2010-09-01T00:00:00.000Z',
      quantity: 'ACRR',
      interval: { start: '2010-08-31T23:55:00.000Z' },
    })
    expect(geometry.right).toBe(700_000)
    expect([geometry.top, geometry.bottom].map(Math.round)).toEqual([-3_649_982, -4_414_982])
  })

  test('reflectivity is read by the formula of its file', async () => {
    const image = await readOdim(
      knmi({ parameter: 'REFLECTIVITY_[DBZ]', formula: 'GEO=0.500000*PV+-32.000000' }),
    )
    expect(rounded(image.rateMmH)).toEqual([
      0,
      Number.NaN,
      rounded(Float32Array.of((10 ** -2.7 / 200) ** 0.625))[0],
      0.48625,
    ])
  })

  test.each([
    ['no rain', { parameter: 'HEIGHT_[KM]' }, 'odim.notRain'],
    ['no formula', { formula: 'GEO=PV' }, 'odim.badHeader'],
    ['a depth of no time', { start: '01-SEP-2010 00:00:00.000' }, 'odim.badHeader'],
    ['corners elsewhere', { top: 1 }, 'odim.badHeader'],
  ])('%s is refused', async (_, changes, code) => {
    await expect(readOdim(knmi(changes))).rejects.toMatchObject({ code })
  })
})
