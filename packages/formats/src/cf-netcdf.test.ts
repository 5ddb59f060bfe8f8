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
  attributes: { title: 'Essai é' },
}
const grids = async function* (...list: (Uint16Array | null)[]) {
  yield* list
}

test('grids, coordinates, units and missing values read back', async () => {
  const first = Uint16Array.from({ length: 12 }, (_, i) => (i === 5 ? 65535 : i * 100))
  const bytes = await writeCfNetcdf(about, grids(first, null))
  await ready
  FS!.writeFile('/cf.nc', bytes)
  const file = new File('/cf.nc', 'r')
  const rates = file.get('rain_rate') as Dataset
  expect(rates.shape).toEqual([2, 3, 4])
  expect(rates.value).toEqual(Uint16Array.from([...first, ...new Array(12).fill(65535)]))
  expect(rates.attrs.scale_factor.value).toEqual(Float64Array.of(0.01))
  expect(rates.get_attribute('units', true)).toBe('mm h-1')
  expect(rates.get_attached_scales(0)).toEqual(['/time'])
  expect(rates.get_attached_scales(2)).toEqual(['/lon'])
  expect((file.get('time') as Dataset).value).toEqual(Float64Array.of(0, 206))
  expect((file.get('lat') as Dataset).value).toEqual(about.lats)
  file.close()
  FS!.unlink('/cf.nc')
})

test('too few, too many or misshapen grids are an error of the caller', async () => {
  await expect(writeCfNetcdf(about, grids(null))).rejects.toThrow(RangeError)
  await expect(writeCfNetcdf(about, grids(null, null, null))).rejects.toThrow(RangeError)
  await expect(writeCfNetcdf(about, grids(new Uint16Array(5), null))).rejects.toThrow(RangeError)
})
