import { describe, expect, test } from 'vitest'
import { writeCfRain } from '../cf-rain.ts'
import { newHdf5, writeText } from '../hdf5/write.ts'
import { readNetcdfRain } from './rain-grids.ts'

const START = Date.UTC(2026, 5, 1, 12)
const PLANE = '+proj=aeqd +lat_0=48.84 +lon_0=2.587 +R=6371000'

/** A file of rain of 3 x 4 cells at two times, row 0 south, from what is asked. */
const file = (asked: {
  units?: string
  since?: string
  place?: 'axes' | 'degrees' | 'every' | 'none'
  name?: string
  times?: number[]
  shape?: number[]
  /** How a file of one time says over which time its depth fell. */
  lasts?: 'bounds' | 'start_time'
}) =>
  newHdf5((out) => {
    const {
      units,
      since = 'minutes since 2026-06-01 12:00',
      place = 'axes',
      name = 'rain',
      times = [0, 10],
    } = asked
    const axis = (of: string, data: number[], shape: number[], attributes: Record<string, string>) => {
      const made = out.create_dataset({ name: of, data: Float64Array.from(data), shape, dtype: '<d' })
      for (const [key, value] of Object.entries(attributes)) writeText(made, key, value)
    }
    if (asked.lasts === 'start_time') {
      axis('start_time', [times[0] - 6], [], { units: since })
      axis('valid_time', times, [], { units: since })
    } else
      axis('time', times, [times.length], {
        units: since,
        ...(asked.lasts === 'bounds' && { bounds: 'time_bnds' }),
      })
    if (asked.lasts === 'bounds') axis('time_bnds', [times[0] - 6, times[0]], [1, 2], {})
    if (place === 'axes') {
      axis('x', [0, 1, 2, 3], [4], { units: 'km' })
      axis('y', [10, 11, 12], [3], { units: 'km' })
      writeText(out, 'proj_string', PLANE)
    }
    if (place === 'degrees') {
      axis('lon', [2, 2.1, 2.2, 2.3], [4], {})
      axis('lat', [48, 48.1, 48.2], [3], {})
    }
    if (place === 'every') {
      const cells = Array.from({ length: 12 }, (_, i) => i)
      axis(
        'lon',
        cells.map((i) => 2 + 0.1 * (i % 4)),
        [3, 4],
        {},
      )
      axis(
        'lat',
        cells.map((i) => 48.2 - 0.1 * Math.floor(i / 4)),
        [3, 4],
        {},
      )
    }
    const shape = asked.shape ?? [times.length, 3, 4]
    const count = shape.reduce((a, b) => a * b, 1)
    const data = out.create_dataset({
      name,
      data: Int32Array.from({ length: count }, (_, i) => (i === 1 ? -9999 : i)),
      shape,
      dtype: '<i',
    })
    data.create_attribute('_FillValue', Int32Array.of(-9999), [1], '<i')
    data.create_attribute('scale_factor', Float64Array.of(0.1), [1], '<d')
    if (units !== undefined) writeText(data, 'units', units)
  })

const close = (value: number) => expect.closeTo(value, 5)

describe('rain of a netCDF file', () => {
  test('what is written comes back: place, times, rates, gaps', async () => {
    const geometry = { proj4: PLANE, left: -4000, right: 4000, bottom: 0, top: 6000, nrows: 3, ncols: 4 }
    const rates = [0, 1].map((k) =>
      Float32Array.from({ length: 12 }, (_, i) => (i === 5 ? Number.NaN : i + k)),
    )
    const bytes = await writeCfRain({
      ...{ geometry, nrows: 3, ncols: 4, cellM: null, timesMs: [START, START + 300_000], dated: true },
      ...{ stepS: 300, rates, attributes: {} },
    })
    const read = await readNetcdfRain(bytes)
    expect(read).toMatchObject({ timesMs: [START, START + 300_000], variable: 'rain_rate', bias: null })
    expect(read.geometry).toMatchObject({ left: close(-4000), right: close(4000), top: close(6000) })
    expect(read.rateMmH).toEqual(rates)
  })

  test.each([
    ['mm h-1', 1],
    ['mm/hr', 1],
    ['mm', 6],
    ['kg m-2', 6],
    ['kg m-2 s-1', 3600],
    ['m s-1', 3.6e6],
  ])('%s becomes mm/h; a depth is that of the time to the next', async (units, factor) => {
    const { rateMmH, timesMs, geometry } = await readNetcdfRain(await file({ units }))
    expect(timesMs).toEqual([START, START + 600_000])
    expect(geometry).toMatchObject({
      left: close(-500),
      right: close(3500),
      bottom: close(9500),
      top: close(12_500),
    })
    // Row 0 of the file is the south.
    expect(rateMmH[0][8]).toBe(0)
    expect(rateMmH[0][9]).toBeNaN()
    expect(rateMmH[1][0] / factor).toBeCloseTo(0.1 * (12 + 8), 4)
  })

  test.each(['dBZ', 'mm/h'])('%s that nobody measured is missing, not dry nor a flood', async (units) => {
    const values = Float32Array.of(Number.NaN, -999.9, 9.96921e36, Number.POSITIVE_INFINITY, 30, 0)
    const bytes = await newHdf5((out) => {
      const make = (name: string, data: Float64Array | Float32Array, shape: number[], dtype: '<d' | '<f') =>
        out.create_dataset({ name, data, shape, dtype })
      writeText(make('time', Float64Array.of(0), [1], '<d'), 'units', 'minutes since 2026-06-01 12:00')
      make('lon', Float64Array.of(2, 2.1, 2.2), [3], '<d')
      make('lat', Float64Array.of(48.1, 48), [2], '<d')
      const rain = make('rain', values, [1, 2, 3], '<f')
      writeText(rain, 'units', units)
      // As xarray and others write it: of 64 bits, beside NaN.
      rain.create_attribute('missing_value', Float64Array.of(-999.9), [1], '<d')
    })
    const [rates] = (await readNetcdfRain(bytes)).rateMmH
    expect([...rates.subarray(0, 4)]).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN])
    expect(rates[4]).toBeCloseTo(units === 'dBZ' ? 2.7 : 30, 1)
    expect(rates[5]).toBeCloseTo(units === 'dBZ' ? 0.04 : 0, 2)
  })

  test('degrees of axes and of every cell place a grid as well; times may be out of order', async () => {
    const axes = await readNetcdfRain(await file({ units: 'mm/h', place: 'degrees', times: [10, 0] }))
    expect(axes.timesMs).toEqual([START, START + 600_000])
    expect(axes.rateMmH[0][0]).toBeCloseTo(0.1 * 20, 5)
    const every = await readNetcdfRain(await file({ units: 'mm/h', place: 'every' }))
    expect(every.geometry).toMatchObject({ left: close(1.95), right: close(2.35), top: close(48.25) })
    expect(every.rateMmH[0][2]).toBeCloseTo(0.2, 5)
    const zoned = await file({ units: 'mm/h', since: 'hours since 2026-06-01T14:00:00+02:00', times: [0, 1] })
    expect((await readNetcdfRain(zoned)).timesMs).toEqual([START, START + 3_600_000])
  })

  test.each(['bounds', 'start_time'] as const)(
    'a depth at one time fell in the time that its %s tell',
    async (lasts) => {
      const { rateMmH, timesMs, depthHours } = await readNetcdfRain(
        await file({ units: 'mm', times: [12], shape: [3, 4], lasts }),
      )
      expect(timesMs).toEqual([START + 12 * 60_000])
      expect(depthHours).toBeCloseTo(0.1, 12)
      // Rows of the file run from the south: its first cell is the first of the last row.
      expect(rateMmH[0][0]).toBeCloseTo(0.1 * 8 * 10, 4)
    },
  )

  test('axes in an unknown plane tell the size of cells, times without a date the order alone', async () => {
    const rates = [3, 1, 2].map((rate) => Float32Array.from({ length: 12 }, (_, i) => rate * i))
    const plain = { geometry: null, nrows: 3, ncols: 4, timesMs: [0, 300_000, 600_000], stepS: 300, rates }
    const sized = await readNetcdfRain(
      await writeCfRain({ ...plain, cellM: 250, dated: false, attributes: {} }),
    )
    expect(sized).toMatchObject({ geometry: null, cellM: 250, timesMs: null, nrows: 3, ncols: 4 })
    expect(sized.rateMmH.map((grid) => [...grid])).toEqual(rates.map((grid) => [...grid]))
    const bare = await readNetcdfRain(
      await writeCfRain({ ...plain, cellM: null, dated: true, attributes: {} }),
    )
    expect(bare).toMatchObject({ geometry: null, cellM: null, timesMs: plain.timesMs })
  })

  test.each<[Parameters<typeof file>[0], RegExp]>([
    [{}, /Aucune grille de pluie dont l’unité se lise \(rain\)/],
    [{ units: 'K' }, /unité/],
    [{ units: 'mm/h', place: 'none' }, /n’a pas de place lisible/],
    [{ units: 'mm/h', since: 'fortnights since 2026' }, /Pas de temps lisible/],
    [{ units: 'mm/h', times: [0, 10, 20], shape: [2, 3, 4] }, /3 temps pour 2 images/],
    [{ units: 'mm', times: [0] }, /sa durée n’est pas connue/],
    [{ units: 'mm/h', shape: [2, 4, 3] }, /n’a pas de place lisible/],
  ])('what cannot be read is said (%#)', async (asked, said) => {
    await expect(readNetcdfRain(await file(asked))).rejects.toThrow(said)
  })
})
