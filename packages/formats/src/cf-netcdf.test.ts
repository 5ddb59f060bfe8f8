import { type Dataset, File, FS, ready } from 'h5wasm'
import { expect, test } from 'vitest'
import { type CfRainGrids, writeCfNetcdf } from './cf-netcdf.ts'

const about: CfRainGrids = {
  nrows: 3,
  ncols: 4,
  lats: Float64Array.of(49, 48, 47),
  lons: Float64Array.of(1, 2, 3, 4),
  timesMs: [0, 206_000],
  representedS: Float64Array.of(103, 206),
  attributes: { title: 'Essai é', comment: '' },
}
const grids = async function* (...list: (Uint16Array | null)[]) {
  yield* list
}

async function open(bytes: Uint8Array): Promise<File> {
  await ready
  FS!.writeFile('/cf.nc', bytes)
  return new File('/cf.nc', 'r')
}
/** Every attribute but those that HDF5 keeps for its dimension scales. */
const attributes = (node: File | Dataset) =>
  Object.fromEntries(
    Object.keys(node.attrs)
      .filter((name) => !/^(CLASS|NAME|DIMENSION_LIST|REFERENCE_LIST)$/.test(name))
      .map((name) => {
        const { value } = node.attrs[name]
        return [name, ArrayBuffer.isView(value) ? [...(value as Float64Array)] : value]
      }),
  )

test('grids, coordinates, units and missing values read back, as CF-1.11 has them', async () => {
  const first = Uint16Array.from({ length: 12 }, (_, i) => (i === 5 ? 65535 : i * 100))
  const file = await open(await writeCfNetcdf(about, grids(first, null)))
  try {
    expect(attributes(file)).toEqual({ Conventions: 'CF-1.11', title: 'Essai é', comment: '' })
    const rates = file.get('rain_rate') as Dataset
    expect(rates.shape).toEqual([2, 3, 4])
    expect(rates.metadata).toMatchObject({ chunks: [1, 3, 4], maxshape: [2, 3, 4], size: 2, signed: false })
    expect(rates.filters).toMatchObject([{ id: 1, cd_values: [4] }])
    expect(rates.value).toEqual(Uint16Array.from([...first, ...new Array(12).fill(65535)]))
    expect(attributes(rates)).toEqual({
      _FillValue: [65535],
      scale_factor: [0.01],
      add_offset: [0],
      standard_name: 'rainfall_rate',
      long_name: 'rain rate from weather radar',
      units: 'mm h-1',
    })
    expect([0, 1, 2].map((axis) => rates.get_attached_scales(axis))).toEqual([['/time'], ['/lat'], ['/lon']])
    const of = (name: string) => {
      const data = file.get(name) as Dataset
      expect(data.metadata.size).toBe(8)
      return [data.get_scale_name(), [...(data.value as Float64Array)], attributes(data)]
    }
    expect(of('time')).toEqual([
      'time',
      [0, 206],
      {
        _Netcdf4Dimid: 0,
        standard_name: 'time',
        units: 'seconds since 1970-01-01T00:00:00Z',
        calendar: 'standard',
      },
    ])
    expect(of('lat')).toEqual([
      'lat',
      [49, 48, 47],
      { _Netcdf4Dimid: 1, standard_name: 'latitude', units: 'degrees_north' },
    ])
    expect(of('lon')).toEqual([
      'lon',
      [1, 2, 3, 4],
      { _Netcdf4Dimid: 2, standard_name: 'longitude', units: 'degrees_east' },
    ])
    const represented = file.get('represented_seconds') as Dataset
    expect(represented.get_attached_scales(0)).toEqual(['/time'])
    expect([...(represented.value as Float64Array)]).toEqual([103, 206])
    expect(attributes(represented)).toEqual({
      long_name: 'time that the grid stands for within the selection',
      units: 's',
    })
  } finally {
    file.close()
    FS!.unlink('/cf.nc')
  }
})

test('a file is written beside others, and leaves nothing behind', async () => {
  const before = FS!.readdir('/').length
  const [one, other] = await Promise.all([
    writeCfNetcdf(about, grids(null, null)),
    writeCfNetcdf(about, grids(new Uint16Array(12), null)),
  ])
  expect(one).not.toEqual(other)
  expect(FS!.readdir('/')).toHaveLength(before)
})

test('too few, too many or misshapen grids are an error of the caller', async () => {
  const before = FS!.readdir('/').length
  const refused = async (list: (Uint16Array | null)[], message: string) =>
    expect(writeCfNetcdf(about, grids(...list))).rejects.toThrow(new RangeError(message))
  await refused([null], '1 grids for 2 instants')
  await refused([null, null, null], 'grid 2 does not fit 2 x 3 x 4')
  await refused([null, new Uint16Array(5)], 'grid 1 does not fit 2 x 3 x 4')
  expect(FS!.readdir('/'), 'nothing is left behind').toHaveLength(before)
})
