import type { RadarSweep, RadarVolume } from '@radx/contracts/radar-volume'
import { newHdf5, writeText } from './hdf5/write.ts'

/** One field on the gates of a sweep. */
export interface SweepField {
  name: string
  unit: string
  longName: string
  /** `[ray * nbins + bin]`; what is not finite is written as missing. */
  values: ArrayLike<number>
}

const FILL = Float32Array.of(-9999)

/** Writes fields of one sweep as CF-1.11 netCDF4 on `azimuth` (degrees) and `range` (m, middles of the gates). */
export function writeCfSweep(
  { site }: RadarVolume,
  sweep: RadarSweep,
  fields: readonly SweepField[],
): Promise<Uint8Array> {
  const { nrays, nbins, azimuthDeg, rangeStartM, rangeStepM } = sweep
  return newHdf5((file) => {
    writeText(file, 'Conventions', 'CF-1.11')
    writeText(file, 'title', `Radar sweep at ${sweep.elevationDeg} degrees`)
    writeText(file, 'instrument_name', site.name || 'radar')
    writeText(file, 'time_coverage_start', sweep.datetime)
    for (const [name, value] of [
      ['elevation_deg', sweep.elevationDeg],
      ['latitude_deg', site.lat],
      ['longitude_deg', site.lon],
      ['altitude_m', site.altitudeM],
    ] as const)
      if (value !== null) file.create_attribute(name, Float64Array.of(value), [1], '<d')
    const range = Float64Array.from({ length: nbins }, (_, bin) => rangeStartM + (bin + 0.5) * rangeStepM)
    for (const [id, name, data, standard, units] of [
      [0, 'azimuth', azimuthDeg, 'ray_azimuth_angle', 'degree'],
      [1, 'range', range, 'projection_range_coordinate', 'm'],
    ] as const) {
      const axis = file.create_dataset({ name, data, dtype: '<d' })
      axis.make_scale(name)
      axis.create_attribute('_Netcdf4Dimid', Int32Array.of(id), [], '<i')
      writeText(axis, name === 'azimuth' ? 'standard_name' : 'long_name', standard)
      writeText(axis, 'units', units)
    }
    for (const { name, unit, longName, values } of fields) {
      if (values.length !== nrays * nbins) throw new RangeError(`${name} does not fit ${nrays} x ${nbins}`)
      const made = file.create_dataset({
        name,
        data: Float32Array.from(values, (value) => (Number.isFinite(value) ? value : FILL[0])),
        shape: [nrays, nbins],
        chunks: [nrays, nbins],
        compression: 'gzip',
        compression_opts: 1,
        dtype: '<f',
      })
      made.attach_scale(0, '/azimuth')
      made.attach_scale(1, '/range')
      made.create_attribute('_FillValue', FILL, [1], '<f')
      writeText(made, 'long_name', longName)
      writeText(made, 'units', unit)
    }
  })
}
