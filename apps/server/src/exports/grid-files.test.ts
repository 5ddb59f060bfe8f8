import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { encodeRate, RATE_NO_DATA, representativeness } from '@radx/rainfall'
import { unzipSync } from 'fflate'
import { type Dataset, File, FS } from 'h5wasm'
import { beforeAll, describe, expect, test } from 'vitest'
import * as zarr from 'zarrita'
import { writeNetcdf } from './netcdf.ts'
import { provenance, type Selection } from './selection.ts'
import { writeZarr } from './zarr.ts'

// The files of a period as libraries of others read them: zarrita for Zarr, libhdf5 for netCDF.

const START = Date.parse('2026-06-04T10:00:00Z')
const STEPS = 8
const TIMES = [0, 1, 2, 5].map((k) => START + k * 206_000 + 250)
const span = { startMs: START, endMs: START + 6 * 206_000 }
const selection = {
  product: {
    shortName: 'dpsri',
    longName: 'Intensité de pluie',
    steps: STEPS,
    frameSeconds: 206,
    bounds: { ul: { lat: 49.2, lng: 1.8 }, lr: { lat: 48.4, lng: 3 } },
  },
  span,
  zone: null,
  frames: TIMES.map((timeMs, k) => ({
    timeMs,
    zone: { mean: 1 },
    quality: k === 1 ? { zone: 0.5, catchment: null } : null,
  })),
  time: representativeness(TIMES, span, 206),
} as unknown as Selection

/** No data in the west, dry beside it, then rain that grows; the third frame has no data at all. */
const frames = TIMES.map((_, k) =>
  k === 2
    ? new Uint16Array(STEPS * STEPS).fill(RATE_NO_DATA)
    : Uint16Array.from({ length: STEPS * STEPS }, (_, cell) => {
        const col = cell % STEPS
        if (col === 0) return RATE_NO_DATA
        return col === 1 ? 0 : encodeRate((k + 1) * 0.37 * col + Math.floor(cell / STEPS))
      }),
)
async function* codes() {
  yield* frames
}
/** Only the second frame says something of its quality, and not in the west. */
const quality = Uint8Array.from({ length: STEPS * STEPS }, (_, cell) => (cell % STEPS === 0 ? 255 : cell))
async function* qualities() {
  for (const k of TIMES.keys()) yield k === 1 ? quality : null
}

let root: zarr.Group<Map<`/${string}`, Uint8Array>>
let files: Record<string, Uint8Array>
/** Values of the netCDF file, decoded as CF says. */
let netcdf: Record<string, number[]>

beforeAll(async () => {
  const about = provenance(selection, { name: 'Site d’essai' }, new Date(START))
  const out = new PassThrough()
  const zip = buffer(out)
  await writeZarr(selection, codes(), about, out, qualities())
  out.end()
  files = unzipSync(await zip)
  const entries = Object.entries(files).map(([name, bytes]) => [`/${name}`, bytes] as const)
  root = await zarr.open.v3(new Map<`/${string}`, Uint8Array>(entries), { kind: 'group' })

  const bytes = await writeNetcdf(selection, codes(), about, qualities())
  FS!.writeFile('/beside.nc', bytes)
  const file = new File('/beside.nc', 'r')
  const values = (name: string) => Array.from((file.get(name) as Dataset).value as ArrayLike<number>)
  netcdf = Object.fromEntries(['time', 'lat', 'lon', 'represented_seconds'].map((n) => [n, values(n)]))
  const scale = ((file.get('rain_rate') as Dataset).attrs.scale_factor.value as Float64Array)[0]
  netcdf.rain_rate = values('rain_rate').map((code) => (code === 65535 ? Number.NaN : code * scale))
  netcdf.rain_quality = values('rain_quality').map((code) => (code === 255 ? Number.NaN : code / 100))
  file.close()
})

const open = (name: string) => zarr.open.v3(root.resolve(name), { kind: 'array' })
const read = async (name: string) => {
  const { data } = await zarr.get(await open(name))
  return Array.from(data as Float64Array | Float32Array)
}

describe('the Zarr file of a period', () => {
  test('opens with its dimensions by name, one chunk a frame', async () => {
    const rain = await open('rain_rate')
    expect(rain.shape).toEqual([TIMES.length, STEPS, STEPS])
    expect(rain.chunks).toEqual([1, STEPS, STEPS])
    expect(rain.dtype).toBe('float32')
    expect(rain.dimensionNames).toEqual(['time', 'lat', 'lon'])
    for (const name of ['time', 'lat', 'lon']) expect((await open(name)).dimensionNames).toEqual([name])
    expect((await open('represented_seconds')).dimensionNames).toEqual(['time'])
  })

  test.each(['time', 'lat', 'lon', 'represented_seconds'])('%s is that of the netCDF file', async (name) => {
    expect(await read(name)).toEqual(netcdf[name])
  })

  test('every cell has the value of the netCDF file, and no data where that has none', async () => {
    const rates = await read('rain_rate')
    expect(rates).toHaveLength(netcdf.rain_rate.length)
    expect(rates.filter(Number.isNaN)).toHaveLength(STEPS * STEPS + 3 * STEPS)
    expect(rates).toEqual(netcdf.rain_rate.map((value) => (Number.isNaN(value) ? value : Math.fround(value))))
  })

  test('the quality stands beside the rain, where it is known', async () => {
    const found = await read('rain_quality')
    expect(found.filter((value) => !Number.isNaN(value))).toHaveLength(STEPS * (STEPS - 1))
    expect(found).toEqual(netcdf.rain_quality.map((value) => Math.fround(value)))
    expect(found[STEPS * STEPS + 9]).toBeCloseTo(0.09, 6)
    expect(root.attrs).toMatchObject({ Qualité: expect.stringMatching(/^0,50 .*20 % du temps/) })
  })

  test('units and names are those of the CF conventions', async () => {
    expect(root.attrs).toMatchObject({
      Conventions: 'CF-1.11',
      title: 'Intensité de pluie',
      Logiciel: expect.stringMatching(/^RadX/),
    })
    expect((await open('rain_rate')).attrs).toMatchObject({ standard_name: 'rainfall_rate', units: 'mm h-1' })
    expect((await open('time')).attrs).toMatchObject({
      standard_name: 'time',
      units: 'seconds since 1970-01-01T00:00:00Z',
      calendar: 'standard',
    })
    expect((await open('lat')).attrs).toMatchObject({ standard_name: 'latitude', units: 'degrees_north' })
    expect((await open('lon')).attrs).toMatchObject({ standard_name: 'longitude', units: 'degrees_east' })
  })

  test('what the group tells of its arrays is what they say themselves, and nothing asks xarray for more', () => {
    const json = (name: string) => JSON.parse(Buffer.from(files[name]).toString())
    const { consolidated_metadata: told } = json('zarr.json')
    expect(told).toMatchObject({ kind: 'inline', must_understand: false })
    const names = Object.keys(files).filter((name) => name.endsWith('/zarr.json'))
    expect(Object.keys(told.metadata).sort()).toEqual(names.map((name) => name.split('/')[0]).sort())
    for (const name of names) {
      const array = json(name)
      expect(told.metadata[name.split('/')[0]]).toEqual(array)
      expect(array.fill_value).toBe('NaN')
      // Version 3 has its own field for the first; the second is read as base64 there.
      expect(array.attributes).not.toHaveProperty('_ARRAY_DIMENSIONS')
      expect(array.attributes).not.toHaveProperty('_FillValue')
    }
  })

  test('every chunk tells its unpacked size, which zarr-python asks for', () => {
    const chunks = Object.entries(files).filter(([name]) => name.includes('/c/'))
    expect(chunks).toHaveLength(4 + 4 + 1)
    for (const [name, bytes] of chunks) {
      // RFC 8878, 3.1.1.1: the size is there unless both the flag of its length and that of a single segment are 0.
      expect(bytes[4] & 0b1110_0000, name).not.toBe(0)
    }
  })
})
