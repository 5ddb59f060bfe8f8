import type { GridGeometry } from '@radx/contracts/grid-geometry'
import { type CfAxis, cfScale, mappingName } from './cf-forecast.ts'
import { newHdf5, writeText } from './hdf5/write.ts'

/** A series of rain grids in full precision. */
export interface CfRain {
  /** Where the grid lies; null where nobody knows, and cells then have places in metres from the north-west. */
  geometry: GridGeometry | null
  nrows: number
  ncols: number
  /** Side of a cell, m, for a grid without a place; null where it is not known either. */
  cellM: number | null
  /** Beginnings of the intervals, ms since 1970 UTC, or since the first one where `dated` is false. */
  timesMs: readonly number[]
  dated: boolean
  /** Length of an interval, s. */
  stepS: number
  /** mm/h, one an interval, `[row * ncols + col]`, row 0 north; NaN is missing. */
  rates: readonly Float32Array[]
  /** Global attributes; `Conventions` is set. */
  attributes: Record<string, string>
}

/**
 * Writes rain as CF-1.11 netCDF4: `rain_rate(time, y, x)` in float32 mm/h, a deflated chunk a grid, each rate holding
 * from its time for `interval`.
 * @throws RangeError when a grid has another size
 */
export function writeCfRain(rain: CfRain): Promise<Uint8Array> {
  return newHdf5((file) => {
    const { geometry, nrows, ncols, timesMs, rates } = rain
    writeText(file, 'Conventions', 'CF-1.11')
    for (const [name, value] of Object.entries(rain.attributes)) writeText(file, name, value)
    const axes: CfAxis[] = []
    const seconds = Float64Array.from(timesMs, (ms) => ms / 1000)
    cfScale(file, axes, 'time', seconds, {
      long_name: 'beginning of the interval',
      ...(rain.dated
        ? { standard_name: 'time', units: 'seconds since 1970-01-01T00:00:00Z', calendar: 'standard' }
        : { units: 's' }),
    })
    writePlane(file, axes, rain)
    const data = file.create_dataset({
      name: 'rain_rate',
      data: new Float32Array(nrows * ncols),
      shape: [1, nrows, ncols],
      maxshape: [rates.length, nrows, ncols],
      chunks: [1, nrows, ncols],
      compression: 'gzip',
      compression_opts: 1,
      dtype: '<f',
    })
    data.resize([rates.length, nrows, ncols])
    rates.forEach((grid, k) => {
      if (grid.length !== nrows * ncols) throw new RangeError(`grid ${k} does not fit ${nrows} x ${ncols}`)
      const ranges = [
        [k, k + 1],
        [0, nrows],
        [0, ncols],
      ] as Parameters<typeof data.write_slice>[0]
      data.write_slice(ranges, grid)
    })
    data.create_attribute('_FillValue', Float32Array.of(Number.NaN), [1], '<f')
    data.create_attribute('interval', Float64Array.of(rain.stepS), [1], '<d')
    writeText(data, 'standard_name', 'rainfall_rate')
    writeText(data, 'units', 'mm h-1')
    if (geometry) writeText(data, 'grid_mapping', 'crs')
    axes.forEach((axis, k) => {
      data.attach_scale(k, `/${axis.name}`)
    })
  })
}

function writePlane(file: Parameters<typeof cfScale>[0], axes: CfAxis[], rain: CfRain): void {
  const { geometry, nrows, ncols, cellM } = rain
  const degrees = geometry?.proj4.includes('+proj=longlat') ?? false
  const cell = cellM ?? 1
  const { left, top, right, bottom } = geometry ?? {
    left: 0,
    top: 0,
    right: ncols * cell,
    bottom: -nrows * cell,
  }
  const plane = (axis: 'x' | 'y', data: Float64Array) =>
    cfScale(file, axes, axis, data, {
      ...(geometry && {
        standard_name: degrees ? (axis === 'x' ? 'longitude' : 'latitude') : `projection_${axis}_coordinate`,
      }),
      units: degrees ? (axis === 'x' ? 'degrees_east' : 'degrees_north') : geometry || cellM ? 'm' : '1',
    })
  plane(
    'y',
    Float64Array.from({ length: nrows }, (_, row) => top - ((row + 0.5) * (top - bottom)) / nrows),
  )
  plane(
    'x',
    Float64Array.from({ length: ncols }, (_, col) => left + ((col + 0.5) * (right - left)) / ncols),
  )
  if (!geometry) return
  const crs = file.create_dataset({ name: 'crs', data: Int32Array.of(0), shape: [], dtype: '<i' })
  writeText(crs, 'grid_mapping_name', mappingName(geometry.proj4))
  writeText(crs, 'proj4', geometry.proj4)
}
