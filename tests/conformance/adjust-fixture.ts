import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataset, hdf5Ready, numberAttribute, readNumbers, withHdf5 } from '@radx/formats/hdf5/file'
import { writeOdimComposite } from '@radx/formats/odim/composite-writer'
import { expect } from 'vitest'
import { main } from '../../apps/server/src/cli/main.ts'
import { REFERENCE_DATA } from './reference-data.ts'

export const GAUGES = join(REFERENCE_DATA, 'radar-science/gauges')
export const dir = mkdtempSync(join(tmpdir(), 'radx-adjust-'))

/** Runs `radx adjust` and returns its scores. */
export async function adjusted(name: string, radar: string[], gauges: string, args: string[], exit = 0) {
  const out = join(dir, name)
  expect(await main(['adjust', '--radar', ...radar, '--gauges', gauges, '--out', out, ...args])).toBe(exit)
  return { out, scores: JSON.parse(readFileSync(join(out, 'scores.json'), 'utf8')) }
}

/** Numbers of a variable of a netCDF file, with its scale; missing values NaN. */
export async function variable(path: string, name: string): Promise<Float64Array> {
  await hdf5Ready()
  return withHdf5('odim', readFileSync(path), (root) => {
    const data = dataset(root, name)!
    const scale = numberAttribute('scale_factor', data) ?? 1
    const fill = numberAttribute('_FillValue', data)
    return Float64Array.from(readNumbers('odim', data) as Float32Array, (v) =>
      v === fill ? Number.NaN : Number(v) * scale,
    )
  })
}

/** Sums of five minutes as ODIM frames, rows from the south as the netCDF files have them or from the north. */
export async function frames(
  name: string,
  sums: Float64Array,
  [proj4, left, bottom, cell]: [string, number, number, number],
  [nrows, ncols]: [number, number],
  rowsFromSouth: boolean,
  startMs: number,
): Promise<string[]> {
  mkdirSync(join(dir, name), { recursive: true })
  const cells = nrows * ncols
  return Promise.all(
    Array.from({ length: sums.length / cells }, async (_, t) => {
      const rateMmH = new Float32Array(cells)
      for (let row = 0; row < nrows; row++)
        for (let col = 0; col < ncols; col++)
          rateMmH[row * ncols + col] =
            12 * sums[t * cells + (rowsFromSouth ? nrows - 1 - row : row) * ncols + col]
      const geometry = {
        proj4,
        left,
        bottom,
        right: left + ncols * cell,
        top: bottom + nrows * cell,
        nrows,
        ncols,
      }
      const datetime = new Date(startMs + t * 300_000).toISOString()
      const path = join(dir, name, `${datetime.replaceAll(':', '')}.h5`)
      writeFileSync(
        path,
        await writeOdimComposite({
          geometry,
          datetime,
          source: 'ORG:test',
          product: 'SURF',
          rateMmH,
          how: {},
        }),
      )
      return path
    }),
  )
}

/** Twelve sums of five minutes over Germany as ODIM frames, and the file and the gauges beside them. */
export async function german(): Promise<{ file: string; radar: string[]; gauges: string }> {
  const file = join(GAUGES, 'radolan_ry_data_compressed.nc')
  const [sums, x, y] = await Promise.all(['RY', 'x', 'y'].map((name) => variable(file, name)))
  const plane = '+proj=stere +lat_0=90 +lat_ts=60 +lon_0=10 +a=6370040 +b=6370040 +units=m'
  const edge = (values: Float64Array) => (Math.min(...values) - 0.5) * 1000
  const radar = await frames(
    'ry',
    sums,
    [plane, edge(x), edge(y), 1000],
    [900, 900],
    y[1] > y[0],
    Date.UTC(2021, 7, 23, 8, 50),
  )
  return { file, radar, gauges: join(GAUGES, 'radolan_rain_gauge_data.csv') }
}

/** Frames of Göteborg, whose radar reads a third, and the table of its ten gauges. */
export async function goteborg(): Promise<{ file: string; radar: string[]; gauges: string }> {
  const file = join(GAUGES, 'openmrg_rad.nc')
  const [sums, x, y, lat2d] = await Promise.all(
    ['rainfall_amount', 'x', 'y', 'latitudes'].map((name) => variable(file, name)),
  )
  // The file's y falls with the row while its latitudes rise: the latitudes are right.
  const fromSouth = lat2d[0] < lat2d[lat2d.length - 1]
  const plane = '+proj=stere +lat_ts=60 +ellps=bessel +lon_0=14 +lat_0=90'
  const edge = (values: Float64Array) => Math.min(...values) - 1000
  const radar = await frames(
    'goteborg',
    sums,
    [plane, edge(x), edge(y), 2000],
    [48, 37],
    fromSouth,
    Date.UTC(2015, 6, 25, 12, 30),
  )
  const gauge = join(GAUGES, 'openmrg_municp_gauge.nc')
  const [amounts, lon, lat] = await Promise.all(
    ['rainfall_amount', 'lon', 'lat'].map((name) => variable(gauge, name)),
  )
  const rows = Array.from(amounts, (v, i) => {
    const time = new Date(Date.UTC(2015, 6, 25, 12, 30) + Math.floor(i / 10) * 300_000).toISOString()
    return `${time},G${i % 10},${lon[i % 10]},${lat[i % 10]},${v}`
  })
  const table = join(dir, 'goteborg.csv')
  writeFileSync(table, `time,station,longitude,latitude,mm\n${rows.join('\n')}\n`)
  return { file, radar, gauges: table }
}
