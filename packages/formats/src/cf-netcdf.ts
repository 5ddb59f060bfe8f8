import type { File } from 'h5wasm'
import { newHdf5, writeText } from './hdf5/write.ts'

/** A series of rain grids on a latitude-longitude grid. */
export interface CfRainGrids {
  nrows: number
  ncols: number
  /** Cell centres, degrees; row 0 north. */
  lats: Float64Array
  lons: Float64Array
  /** Instants, ms since 1970 UTC. */
  timesMs: readonly number[]
  /** s that each grid stands for. */
  representedS: Float64Array
  /** Global attributes; `Conventions` is set. */
  attributes: Record<string, string>
}

/** Rates are kept in these steps, mm/h; 65535 is no data. */
export const CF_RATE_STEP_MM_H = 0.01
const NO_DATA = 65535
const DIMENSIONS = ['time', 'lat', 'lon'] as const

/**
 * Writes grids of rain rates as CF-1.11 netCDF4: `rain_rate(time, lat, lon)` in uint16 steps of 0.01 mm/h
 * (scale_factor, _FillValue), one deflated chunk a grid, with its coordinates. Grids come one after another,
 * so that only the compressed file is held in memory.
 * @param grids uint16 codes `[row * ncols + col]`, row 0 north, 65535 no data; null is a grid without data (the frame store means a dry one by it: give zeros for that)
 * @param qualities of the same grids in hundredths, 255 unknown, as `rain_quality`; null for a grid that says nothing
 * @throws RangeError when a grid has another size or their number is not that of `timesMs`
 */
export async function writeCfNetcdf(
  about: CfRainGrids,
  grids: AsyncIterable<Uint16Array | null>,
  qualities: AsyncIterable<Uint8Array | null> | null = null,
): Promise<Uint8Array> {
  return newHdf5(async (file) => {
    writeCoordinates(file, about)
    const shape: [number, number, number] = [about.timesMs.length, about.nrows, about.ncols]
    await writeGrids(file, RATE, shape, grids)
    if (qualities) await writeGrids(file, QUALITY, shape, qualities)
  })
}

function writeCoordinates(file: File, about: CfRainGrids): void {
  writeText(file, 'Conventions', 'CF-1.11')
  for (const [name, value] of Object.entries(about.attributes)) writeText(file, name, value)
  const scale = (name: (typeof DIMENSIONS)[number], data: Float64Array, standard: string, units: string) => {
    const made = file.create_dataset({ name, data, dtype: '<d' })
    made.make_scale(name)
    made.create_attribute('_Netcdf4Dimid', Int32Array.of(DIMENSIONS.indexOf(name)), [], '<i')
    writeText(made, 'standard_name', standard)
    writeText(made, 'units', units)
    return made
  }
  const time = scale(
    'time',
    Float64Array.from(about.timesMs, (ms) => ms / 1000),
    'time',
    'seconds since 1970-01-01T00:00:00Z',
  )
  writeText(time, 'calendar', 'standard')
  scale('lat', about.lats, 'latitude', 'degrees_north')
  scale('lon', about.lons, 'longitude', 'degrees_east')
  const represented = file.create_dataset({
    name: 'represented_seconds',
    data: about.representedS,
    dtype: '<d',
  })
  represented.attach_scale(0, '/time')
  writeText(represented, 'long_name', 'time that the grid stands for within the selection')
  writeText(represented, 'units', 's')
}

/** What cells of grids are written as. */
interface Variable {
  name: string
  dtype: '<H' | '<B'
  noData: number
  step: number
  texts: Record<string, string>
}

const RATE: Variable = {
  name: 'rain_rate',
  dtype: '<H',
  noData: NO_DATA,
  step: CF_RATE_STEP_MM_H,
  texts: {
    standard_name: 'rainfall_rate',
    long_name: 'rain rate from weather radar',
    units: 'mm h-1',
  },
}
const QUALITY: Variable = {
  name: 'rain_quality',
  dtype: '<B',
  noData: 255,
  step: 0.01,
  texts: { long_name: 'quality of the radar rain, 0 to 1; missing where nobody knows', units: '1' },
}

async function writeGrids<T extends Uint16Array | Uint8Array>(
  file: File,
  { name, dtype, noData, step, texts }: Variable,
  [count, nrows, ncols]: [number, number, number],
  grids: AsyncIterable<T | null>,
): Promise<void> {
  const cells = nrows * ncols
  const empty = () => (dtype === '<H' ? new Uint16Array(cells) : new Uint8Array(cells)).fill(noData)
  const data = file.create_dataset({
    name,
    data: empty(),
    shape: [1, nrows, ncols],
    maxshape: [count, nrows, ncols],
    chunks: [1, nrows, ncols],
    compression: 'gzip',
    compression_opts: 4,
    dtype,
  })
  data.create_attribute(
    '_FillValue',
    dtype === '<H' ? Uint16Array.of(noData) : Uint8Array.of(noData),
    [1],
    dtype,
  )
  data.create_attribute('scale_factor', Float64Array.of(step), [1], '<d')
  data.create_attribute('add_offset', Float64Array.of(0), [1], '<d')
  for (const [key, text] of Object.entries(texts)) writeText(data, key, text)
  data.resize([count, nrows, ncols])
  let k = 0
  for await (const grid of grids) {
    if (k >= count || (grid && grid.length !== cells))
      throw new RangeError(`grid ${k} does not fit ${count} x ${nrows} x ${ncols}`)
    data.write_slice(
      [
        [k, k + 1],
        [0, nrows],
        [0, ncols],
      ],
      grid ?? empty(),
    )
    k++
  }
  if (k !== count) throw new RangeError(`${k} grids for ${count} instants`)
  DIMENSIONS.forEach((dimension, axis) => {
    data.attach_scale(axis, `/${dimension}`)
  })
}
