import { type Dataset, File, FS, ready } from 'h5wasm'
import { expect, test } from 'vitest'
import { type CfForecast, writeCfForecast } from './cf-forecast.ts'

const forecast: CfForecast = {
  geometry: {
    proj4: '+proj=laea +lat_0=48 +lon_0=2 +ellps=WGS84',
    left: 0,
    top: 2000,
    right: 3000,
    bottom: 0,
    ncols: 3,
    nrows: 2,
  },
  issueMs: Date.parse('2024-01-31T10:20:00Z'),
  leadsMin: [5, 10],
  rates: [Float32Array.of(0, 1.234, Number.NaN, 0.001, 5, 6), new Float32Array(6)],
  ensemble: {
    thresholdsMmH: [1],
    members: 2,
    lead: (k) => ({
      percent: [k === 0 ? Uint8Array.of(0, 25, 255, 0, 100, 100) : new Uint8Array(6)],
      members: [new Float32Array(6).fill(2 * k), new Float32Array(6).fill(1 + 2 * k)],
    }),
  },
  attributes: { method: 'steps' },
}

test('a forecast reads back: rates, probabilities, members, times and places', async () => {
  const bytes = await writeCfForecast(forecast)
  await ready
  FS!.writeFile('/forecast.nc', bytes)
  const file = new File('/forecast.nc', 'r')
  try {
    const of = (name: string) => file.get(name) as Dataset
    const rates = of('rain_rate')
    expect(rates.shape).toEqual([2, 2, 3])
    // A wet cell stays wet; 65535 is missing.
    expect([...(rates.value as Uint16Array)].slice(0, 6)).toEqual([0, 123, 65535, 1, 500, 600])
    expect([0, 1, 2].map((axis) => rates.get_attached_scales(axis))).toEqual([['/time'], ['/y'], ['/x']])
    expect(rates.attrs.grid_mapping.value).toBe('crs')
    expect(rates.attrs.coordinates.value).toBe('lat lon')
    const share = of('rain_probability')
    expect(share.shape).toEqual([1, 2, 2, 3])
    expect([...(share.value as Uint8Array)].slice(0, 6)).toEqual([0, 25, 255, 0, 100, 100])
    const members = of('rain_rate_member')
    expect(members.shape).toEqual([2, 2, 2, 3])
    expect([0, 6, 12, 18].map((k) => (members.value as Uint16Array)[k])).toEqual([0, 200, 100, 300])
    expect([...(of('time').value as Float64Array)]).toEqual(
      [5, 10].map((lead) => forecast.issueMs / 1000 + lead * 60),
    )
    expect([...(of('forecast_period').value as Float64Array)]).toEqual([300, 600])
    expect([...(of('y').value as Float64Array)]).toEqual([1500, 500])
    expect([...(of('x').value as Float64Array)]).toEqual([500, 1500, 2500])
    expect((of('lat').value as Float32Array)[3]).toBeCloseTo(48.0045, 3)
    expect((of('lon').value as Float32Array)[0]).toBeCloseTo(2.0067, 3)
  } finally {
    file.close()
  }
})

test('a field of another size is refused', async () => {
  await expect(
    writeCfForecast({ ...forecast, rates: [new Float32Array(5), new Float32Array(6)] }),
  ).rejects.toThrow()
})
