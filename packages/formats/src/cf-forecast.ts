import type { GridGeometry } from '@radx/contracts/grid-geometry'
import type { Dataset, File } from 'h5wasm'
import { CF_RATE_STEP_MM_H } from './cf-netcdf.ts'
import { newHdf5, writeText } from './hdf5/write.ts'
import { lonLatOf } from './projection.ts'

/** A rain forecast on a plane grid. */
export interface CfForecast {
  geometry: GridGeometry
  /** Moment of the last frame that it knows, ms since 1970 UTC. */
  issueMs: number
  /** Minutes after the issue, rising. */
  leadsMin: readonly number[]
  /** mm/h, one a lead, `[row * ncols + col]`, row 0 north; NaN is missing. For an ensemble its mean. */
  rates: readonly Float32Array[]
  /** Of an ensemble also what its members say, asked for a lead at a time, so that no more than that is held. */
  ensemble?: {
    thresholdsMmH: readonly number[]
    /** How many members are written, 0 for none. */
    members: number
    lead(k: number): CfEnsembleLead
  }
  /** Global attributes; `Conventions` is set. */
  attributes: Record<string, string>
}

export interface CfEnsembleLead {
  /** Members at or above each threshold, whole %; `NO_SHARE` is missing. */
  percent: readonly Uint8Array[]
  /** Those that are written, mm/h. */
  members: readonly Float32Array[]
}

const NO_RATE = 65535
export const NO_SHARE = 255

/** A dimension of a netCDF file, in the order in which they were made. */
export interface CfAxis {
  name: string
  length: number
}

/**
 * Writes a forecast as CF-1.11 netCDF4: `rain_rate(time, y, x)` in steps of 0.01 mm/h, with the time of the issue
 * (`forecast_reference_time`), leads (`forecast_period`), the grid's projection and the cells' latitudes and longitudes;
 * for an ensemble `rain_probability(threshold, time, y, x)` in per cent, and the members when they are given.
 * @throws RangeError when a field has another size than the grid
 */
export function writeCfForecast(forecast: CfForecast): Promise<Uint8Array> {
  return newHdf5((file) => {
    writeText(file, 'Conventions', 'CF-1.11')
    for (const [name, value] of Object.entries(forecast.attributes)) writeText(file, name, value)
    const { geometry, leadsMin, rates, ensemble } = forecast
    if (leadsMin.length !== rates.length)
      throw new RangeError(`${rates.length} fields for ${leadsMin.length} leads`)
    const axes: CfAxis[] = []
    const [time, y, x] = writeCoordinates(file, forecast, axes)
    const own = { file, axes, geometry }
    const rate = gridsOf(own, 'rain_rate', [time, y, x], RATE)
    rates.forEach((field, k) => {
      rate.write([k], rateCodes(field))
    })
    rate.end()
    if (ensemble) writeEnsemble(own, [time, y, x], ensemble)
  })
}

interface Written {
  file: File
  axes: CfAxis[]
  geometry: GridGeometry
}

function writeEnsemble(
  own: Written,
  [time, y, x]: CfAxis[],
  { thresholdsMmH, members, lead }: NonNullable<CfForecast['ensemble']>,
): void {
  const { file, axes } = own
  const threshold = cfScale(file, axes, 'threshold', Float64Array.from(thresholdsMmH), {
    standard_name: 'rainfall_rate',
    units: 'mm h-1',
  })
  const share = gridsOf(own, 'rain_probability', [threshold, time, y, x], SHARE)
  const each = members > 0 ? memberGrids(own, [time, y, x], members) : null
  for (let k = 0; k < time.length; k++) {
    const found = lead(k)
    for (const [t, percent] of found.percent.entries()) share.write([t, k], percent)
    if (each) for (const [m, field] of found.members.entries()) each.write([m, k], rateCodes(field))
  }
  share.end()
  each?.end()
}

function memberGrids(own: Written, plane: CfAxis[], members: number) {
  const numbers = Float64Array.from({ length: members }, (_, k) => k + 1)
  const member = cfScale(own.file, own.axes, 'realization', numbers, {
    standard_name: 'realization',
    units: '1',
  })
  return gridsOf(own, 'rain_rate_member', [member, ...plane], RATE)
}

interface Kind {
  fill: Uint16Array | Uint8Array
  dtype: '<H' | '<B'
  factor: number
  attributes: Record<string, string>
}

const RATE: Kind = {
  fill: Uint16Array.of(NO_RATE),
  dtype: '<H',
  factor: CF_RATE_STEP_MM_H,
  attributes: { standard_name: 'rainfall_rate', long_name: 'forecast rain rate', units: 'mm h-1' },
}
const SHARE: Kind = {
  fill: Uint8Array.of(NO_SHARE),
  dtype: '<B',
  factor: 1,
  attributes: {
    standard_name: 'probability_of_occurrence_of_rainfall_rate_above_threshold',
    long_name: 'share of members at or above the threshold',
    units: '%',
  },
}

/** A wet cell stays wet: the smallest code is for all that is above 0. */
function rateCodes(field: Float32Array): Uint16Array {
  const codes = new Uint16Array(field.length)
  for (let i = 0; i < codes.length; i++) {
    const rate = field[i]
    if (rate > 0) codes[i] = Math.min(NO_RATE - 1, Math.max(1, Math.round(rate / CF_RATE_STEP_MM_H)))
    else if (rate !== 0) codes[i] = NO_RATE
  }
  return codes
}

/** Makes a dimension with its coordinates. */
export function cfScale(
  file: File,
  axes: CfAxis[],
  name: string,
  data: Float64Array,
  attributes: Record<string, string>,
): CfAxis {
  const made = file.create_dataset({ name, data, dtype: '<d' })
  made.make_scale(name)
  made.create_attribute('_Netcdf4Dimid', Int32Array.of(axes.length), [], '<i')
  for (const [key, value] of Object.entries(attributes)) writeText(made, key, value)
  const axis = { name, length: data.length }
  axes.push(axis)
  return axis
}

function writeCoordinates(
  file: File,
  { geometry, issueMs, leadsMin }: CfForecast,
  axes: CfAxis[],
): [CfAxis, CfAxis, CfAxis] {
  const seconds = Float64Array.from(leadsMin, (lead) => issueMs / 1000 + lead * 60)
  const time = cfScale(file, axes, 'time', seconds, {
    standard_name: 'time',
    units: 'seconds since 1970-01-01T00:00:00Z',
    calendar: 'standard',
  })
  const { nrows, ncols, left, top, right, bottom } = geometry
  const degrees = geometry.proj4.includes('+proj=longlat')
  const plane = (axis: 'x' | 'y', data: Float64Array) =>
    cfScale(file, axes, axis, data, {
      standard_name: degrees ? (axis === 'x' ? 'longitude' : 'latitude') : `projection_${axis}_coordinate`,
      units: degrees ? (axis === 'x' ? 'degrees_east' : 'degrees_north') : 'm',
    })
  const y = plane(
    'y',
    Float64Array.from({ length: nrows }, (_, row) => top - ((row + 0.5) * (top - bottom)) / nrows),
  )
  const x = plane(
    'x',
    Float64Array.from({ length: ncols }, (_, col) => left + ((col + 0.5) * (right - left)) / ncols),
  )
  const issue = file.create_dataset({
    name: 'forecast_reference_time',
    data: Float64Array.of(issueMs / 1000),
    shape: [],
    dtype: '<d',
  })
  writeText(issue, 'standard_name', 'forecast_reference_time')
  writeText(issue, 'units', 'seconds since 1970-01-01T00:00:00Z')
  const period = file.create_dataset({
    name: 'forecast_period',
    data: Float64Array.from(leadsMin, (lead) => lead * 60),
    dtype: '<d',
  })
  period.attach_scale(0, '/time')
  writeText(period, 'standard_name', 'forecast_period')
  writeText(period, 'units', 's')
  const crs = file.create_dataset({ name: 'crs', data: Int32Array.of(0), shape: [], dtype: '<i' })
  writeText(crs, 'grid_mapping_name', mappingName(geometry.proj4))
  writeText(crs, 'proj4', geometry.proj4)
  if (!degrees) writeDegrees(file, geometry)
  return [time, y, x]
}

/** CF's name of a projection; its numbers stand in `proj4`. */
export function mappingName(proj4: string): string {
  const names: Record<string, string> = {
    longlat: 'latitude_longitude',
    lcc: 'lambert_conformal_conic',
    aeqd: 'azimuthal_equidistant',
    laea: 'lambert_azimuthal_equal_area',
    stere: 'polar_stereographic',
    merc: 'mercator',
    tmerc: 'transverse_mercator',
    utm: 'transverse_mercator',
  }
  return names[/\+proj=(\w+)/.exec(proj4)?.[1] ?? ''] ?? 'unknown'
}

/** Latitude and longitude of each cell's centre. */
function writeDegrees(file: File, { proj4, nrows, ncols, left, top, right, bottom }: GridGeometry): void {
  const lonLat = lonLatOf(proj4)
  if (!lonLat) return
  const lats = new Float32Array(nrows * ncols)
  const lons = new Float32Array(nrows * ncols)
  for (let row = 0; row < nrows; row++)
    for (let col = 0; col < ncols; col++) {
      const [lon, lat] = lonLat([
        left + ((col + 0.5) * (right - left)) / ncols,
        top - ((row + 0.5) * (top - bottom)) / nrows,
      ])
      lats[row * ncols + col] = lat
      lons[row * ncols + col] = lon
    }
  for (const [name, data, standard, units] of [
    ['lat', lats, 'latitude', 'degrees_north'],
    ['lon', lons, 'longitude', 'degrees_east'],
  ] as const) {
    const made = file.create_dataset({
      name,
      data,
      shape: [nrows, ncols],
      chunks: [nrows, ncols],
      compression: 'gzip',
      compression_opts: 4,
      dtype: '<f',
    })
    made.attach_scale(0, '/y')
    made.attach_scale(1, '/x')
    writeText(made, 'standard_name', standard)
    writeText(made, 'units', units)
  }
}

/** A variable of grids that are written one by one, at their places on the axes before those of the plane. */
function gridsOf(
  { file, geometry: { nrows, ncols } }: Written,
  name: string,
  axes: CfAxis[],
  { fill, dtype, factor, attributes }: Kind,
): { write(place: readonly number[], grid: Uint16Array | Uint8Array): void; end(): void } {
  const shape = axes.map((axis) => axis.length)
  const first = [...shape.slice(0, -2).map(() => 1), nrows, ncols]
  const data: Dataset = file.create_dataset({
    name,
    data: new (fill.constructor as Uint16ArrayConstructor)(nrows * ncols),
    shape: first,
    maxshape: shape,
    chunks: first,
    compression: 'gzip',
    compression_opts: 1,
    dtype,
  })
  data.resize(shape)
  return {
    write(place, grid) {
      if (grid.length !== nrows * ncols)
        throw new RangeError(`field ${place} of ${name} does not fit ${nrows} x ${ncols}`)
      const slice = [...place.map((at) => [at, at + 1]), [0, nrows], [0, ncols]]
      data.write_slice(slice as Parameters<Dataset['write_slice']>[0], grid)
    },
    end() {
      data.create_attribute('_FillValue', fill, [1], dtype)
      if (factor !== 1) {
        data.create_attribute('scale_factor', Float64Array.of(factor), [1], '<d')
        data.create_attribute('add_offset', Float64Array.of(0), [1], '<d')
      }
      for (const [key, value] of Object.entries(attributes)) writeText(data, key, value)
      writeText(data, 'grid_mapping', 'crs')
      if (file.get('lat')) writeText(data, 'coordinates', 'lat lon')
      for (const [k, axis] of axes.entries()) data.attach_scale(k, `/${axis.name}`)
    },
  }
}
