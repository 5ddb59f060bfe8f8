import { type Dataset, File, FS, ready } from 'h5wasm'
import { expect, test } from 'vitest'
import { type CfFlood, writeCfFlood } from './cf-flood.ts'

const LAMBERT =
  '+proj=lcc +lat_0=46.5 +lon_0=3 +lat_1=49 +lat_2=44 +x_0=700000 +y_0=6600000 +ellps=GRS80 +units=m'
const about = (proj4 = LAMBERT): CfFlood => ({
  geometry: { proj4, left: 1000, top: 2020, right: 1030, bottom: 2000, nrows: 2, ncols: 3 },
  crsCode: 'EPSG:2154',
  startMs: 86_400_000,
  maps: [
    {
      name: 'duration_5cm',
      thresholdM: 0.05,
      attributes: { units: 's' },
      values: [Number.NaN, 1.5, 2, 0, 3, 4],
    },
    {
      name: 'hazard',
      classes: ['low', 'high'],
      attributes: {},
      values: [Number.NaN, 1, 2, 2, 1, Number.NaN],
    },
  ],
  timesS: [0, 300],
  attributes: { title: 'Crue' },
})
const depths = async function* (...list: Uint16Array[]) {
  yield* list
}
const grid = (...values: number[]) => Uint16Array.from(values)

async function read<T>(bytes: Uint8Array, look: (file: File) => T): Promise<T> {
  await ready
  FS!.writeFile('/flood.nc', bytes)
  const file = new File('/flood.nc', 'r')
  try {
    return look(file)
  } finally {
    file.close()
    FS!.unlink('/flood.nc')
  }
}
const told = (file: File, name: string) => {
  const data = file.get(name) as Dataset
  const attribute = (key: string) => {
    const value = data.attrs[key]?.value
    return ArrayBuffer.isView(value) ? [...(value as Float64Array)] : value
  }
  return { data, attribute, values: ArrayBuffer.isView(data.value) ? [...(data.value as Float32Array)] : [] }
}

test('a flood has its maps, depths over time, coordinates and projection as CF says', async () => {
  const bytes = await writeCfFlood(about(), depths(grid(0, 1, 2, 3, 4, 65535), grid(9, 8, 7, 6, 5, 65535)))
  await read(bytes, (file) => {
    const depth = told(file, 'water_depth')
    expect(depth.data.shape).toEqual([2, 2, 3])
    expect(depth.values).toEqual([0, 1, 2, 3, 4, 65535, 9, 8, 7, 6, 5, 65535])
    expect([depth.attribute('scale_factor'), depth.attribute('_FillValue')]).toEqual([[0.001], [65535]])
    expect([0, 1, 2].map((axis) => depth.data.get_attached_scales(axis))).toEqual([['/time'], ['/y'], ['/x']])
    expect(told(file, 'time').attribute('units')).toBe('seconds since 1970-01-02T00:00:00.000Z')
    expect([told(file, 'y').values, told(file, 'x').values]).toEqual([
      [2015, 2005],
      [1005, 1015, 1025],
    ])
    const duration = told(file, 'duration_5cm')
    expect(duration.values).toEqual([Number.NaN, 1.5, 2, 0, 3, 4])
    const threshold = told(file, String(duration.attribute('coordinates'))).data
    expect([threshold.value, threshold.attrs.units.value]).toEqual([0.05, 'm'])
    const hazard = told(file, 'hazard')
    expect(hazard.values).toEqual([0, 1, 2, 2, 1, 0])
    expect([hazard.attribute('flag_values'), hazard.attribute('flag_meanings')]).toEqual([[1, 2], 'low high'])
    const crs = told(file, 'crs').attribute
    for (const [name, value] of [
      ['grid_mapping_name', 'lambert_conformal_conic'],
      ['standard_parallel', [49, 44]],
      ['longitude_of_central_meridian', [3]],
      ['latitude_of_projection_origin', [46.5]],
      ['false_easting', [700_000]],
      ['false_northing', [6_600_000]],
      ['semi_major_axis', [6_378_137]],
      ['inverse_flattening', [298.257222101]],
      ['crs_name', 'EPSG:2154'],
    ] as const)
      expect(crs(name), name).toEqual(value)
  })
})

test('a UTM zone is told by its meridian and scale, in the south with its northing', async () => {
  const bytes = await writeCfFlood(
    { ...about('+proj=utm +zone=40 +south +datum=WGS84 +units=m'), timesS: [0], startMs: null },
    depths(grid(0, 0, 0, 0, 0, 0)),
  )
  await read(bytes, (file) => {
    const { attrs } = file.get('crs') as Dataset
    const number = (name: string) => Number((attrs[name].value as Float64Array)[0])
    expect(attrs.grid_mapping_name.value).toBe('transverse_mercator')
    expect(number('longitude_of_central_meridian')).toBe(57)
    expect(number('scale_factor_at_central_meridian')).toBe(0.9996)
    expect(number('false_northing')).toBe(10_000_000)
    expect((file.get('time') as Dataset).attrs.units.value).toBe('s')
  })
})

test('depths that do not fit are an error of the caller', async () => {
  const one = grid(0, 0, 0, 0, 0, 0)
  await expect(writeCfFlood(about(), depths(one))).rejects.toThrow('1 depths for 2 moments')
  await expect(writeCfFlood(about(), depths(one, grid(1)))).rejects.toThrow('depth 1 does not fit 2 x 2 x 3')
})
