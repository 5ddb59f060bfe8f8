import type { GridGeometry } from '@radx/contracts/grid-geometry'
import type { File } from 'h5wasm'
import { type CfAxis, cfScale } from './cf-forecast.ts'
import { writeGridMapping } from './cf-grid-mapping.ts'
import { newHdf5, writeText } from './hdf5/write.ts'

/** A map of a whole run. */
export interface CfFloodMap {
  name: string
  attributes: Record<string, string>
  /** Depth that is looked at, m, written as a coordinate of the map. */
  thresholdM?: number
  /** Names of the classes 1, 2, ... of a map of classes, without spaces. */
  classes?: readonly string[]
  /** `[row * ncols + col]`, row 0 north; NaN is missing. */
  values: ArrayLike<number>
}

/** What a run of a surface left behind. */
export interface CfFlood {
  geometry: GridGeometry
  /** Code of the grid's system in a register, such as EPSG:2154. */
  crsCode: string
  /** Beginning of the run, ms since 1970 UTC; null where nobody knows. */
  startMs: number | null
  maps: readonly CfFloodMap[]
  /** Moments of the depths, s since the beginning. */
  timesS: readonly number[]
  /** Global attributes; `Conventions` is set. */
  attributes: Record<string, string>
}

/** Depths over time are kept in these steps, m; 65535 is missing. */
const DEPTH_STEP_M = 0.001
const NO_DEPTH = 65535

/**
 * Writes a run as CF-1.11 netCDF4: its maps `(y, x)` in float32, classes in int8 with their meanings, and
 * `water_depth(time, y, x)` in uint16 steps of 1 mm, a deflated chunk a moment. Depths come one after another, so that only
 * the compressed file is held in memory.
 * @param depths mm, `[row * ncols + col]`, row 0 north, 65535 outside, one a moment
 * @throws RangeError when a grid has another size or their number is not that of `timesS`
 */
export function writeCfFlood(flood: CfFlood, depths: AsyncIterable<Uint16Array>): Promise<Uint8Array> {
  return newHdf5(async (file) => {
    writeText(file, 'Conventions', 'CF-1.11')
    for (const [name, value] of Object.entries(flood.attributes)) writeText(file, name, value)
    const axes: CfAxis[] = []
    const { startMs, geometry } = flood
    cfScale(file, axes, 'time', Float64Array.from(flood.timesS), {
      long_name: 'time since the beginning of the rain',
      ...(startMs === null
        ? { units: 's' }
        : {
            standard_name: 'time',
            units: `seconds since ${new Date(startMs).toISOString()}`,
            calendar: 'standard',
          }),
    })
    writePlane(file, axes, geometry)
    const crs = file.create_dataset({ name: 'crs', data: Int32Array.of(0), shape: [], dtype: '<i' })
    writeGridMapping(crs, geometry.proj4, flood.crsCode)
    for (const map of flood.maps) writeMap(file, geometry, map)
    await writeDepths(file, axes, flood, depths)
  })
}

function writePlane(
  file: File,
  axes: CfAxis[],
  { nrows, ncols, left, top, right, bottom }: GridGeometry,
): void {
  const metres = (axis: string) => ({
    standard_name: `projection_${axis}_coordinate`,
    axis: axis.toUpperCase(),
    units: 'm',
  })
  const y = (_: unknown, row: number) => top - ((row + 0.5) * (top - bottom)) / nrows
  const x = (_: unknown, col: number) => left + ((col + 0.5) * (right - left)) / ncols
  cfScale(file, axes, 'y', Float64Array.from({ length: nrows }, y), metres('y'))
  cfScale(file, axes, 'x', Float64Array.from({ length: ncols }, x), metres('x'))
}

function writeMap(file: File, { nrows, ncols }: GridGeometry, map: CfFloodMap): void {
  const { name, values, classes, thresholdM, attributes } = map
  if (values.length !== nrows * ncols) throw new RangeError(`${name} does not fit ${nrows} x ${ncols}`)
  const layout = {
    name,
    shape: [nrows, ncols],
    chunks: [nrows, ncols],
    compression: 'gzip' as const,
    compression_opts: 4,
  }
  const data = classes
    ? file.create_dataset({ ...layout, data: Int8Array.from(values, (v) => v || 0), dtype: '<b' })
    : file.create_dataset({ ...layout, data: Float32Array.from(values), dtype: '<f' })
  if (classes) {
    const flags = Int8Array.from(classes, (_, k) => k + 1)
    data.create_attribute('_FillValue', Int8Array.of(0), [1], '<b')
    data.create_attribute('flag_values', flags, [flags.length], '<b')
    writeText(data, 'flag_meanings', classes.join(' '))
  } else data.create_attribute('_FillValue', Float32Array.of(Number.NaN), [1], '<f')
  for (const [key, text] of Object.entries(attributes)) writeText(data, key, text)
  writeText(data, 'grid_mapping', 'crs')
  if (thresholdM !== undefined) {
    const threshold = `threshold_${Math.round(100 * thresholdM)}cm`
    if (!file.get(threshold)) {
      const made = file.create_dataset({
        name: threshold,
        data: Float64Array.of(thresholdM),
        shape: [],
        dtype: '<d',
      })
      writeText(made, 'standard_name', 'flood_water_thickness')
      writeText(made, 'units', 'm')
    }
    writeText(data, 'coordinates', threshold)
  }
  data.attach_scale(0, '/y')
  data.attach_scale(1, '/x')
}

async function writeDepths(
  file: File,
  axes: readonly CfAxis[],
  { geometry: { nrows, ncols }, timesS }: CfFlood,
  depths: AsyncIterable<Uint16Array>,
): Promise<void> {
  const shape = [timesS.length, nrows, ncols]
  const data = file.create_dataset({
    name: 'water_depth',
    data: new Uint16Array(nrows * ncols),
    shape: [1, nrows, ncols],
    maxshape: shape,
    chunks: [1, nrows, ncols],
    compression: 'gzip',
    compression_opts: 1,
    dtype: '<H',
  })
  data.resize(shape)
  let k = 0
  for await (const grid of depths) {
    if (k >= timesS.length || grid.length !== nrows * ncols)
      throw new RangeError(`depth ${k} does not fit ${shape.join(' x ')}`)
    const slice = [
      [k, k + 1],
      [0, nrows],
      [0, ncols],
    ] as Parameters<typeof data.write_slice>[0]
    data.write_slice(slice, grid)
    k++
  }
  if (k !== timesS.length) throw new RangeError(`${k} depths for ${timesS.length} moments`)
  data.create_attribute('_FillValue', Uint16Array.of(NO_DEPTH), [1], '<H')
  data.create_attribute('scale_factor', Float64Array.of(DEPTH_STEP_M), [1], '<d')
  data.create_attribute('add_offset', Float64Array.of(0), [1], '<d')
  writeText(data, 'standard_name', 'flood_water_thickness')
  writeText(data, 'long_name', 'water depth')
  writeText(data, 'units', 'm')
  writeText(data, 'cell_methods', 'time: point')
  writeText(data, 'grid_mapping', 'crs')
  for (const [axis, { name }] of axes.entries()) data.attach_scale(axis, `/${name}`)
}
