import type { Dataset, File } from 'h5wasm'
import { atFixedTime, newHdf5, writeText } from '../hdf5/write.ts'
import type { MrrProFile, MrrVariable } from './mrrpro.ts'

/** What an MRR-PRO file is written from; a file that was read fits. */
export type MrrProInput = Omit<MrrProFile, 'kind' | 'firmware' | 'nprofiles' | 'ngates'>

/** How the instrument describes each profile: type, standard name, unit, fold limits. */
const PROFILES: Record<MrrVariable, { type: '<f' | '<d'; name: string; unit: string; folds?: number }> = {
  Za: { type: '<f', name: 'log_attenuated_reflectivity', unit: 'dBZ' },
  Z: { type: '<d', name: 'log_reflectivity', unit: 'dBZ' },
  Zea: { type: '<d', name: 'attenuated_equivalent_reflectivity_factor', unit: 'dBZ' },
  Ze: { type: '<d', name: 'equivalent_reflectivity_factor', unit: 'dBZ' },
  RR: { type: '<d', name: 'rainfall_rate', unit: 'mm h-1' },
  LWC: { type: '<d', name: 'mass_concentration_of_liquid_water_in_air', unit: 'g m-3' },
  PIA: { type: '<d', name: 'path_integrated_rain_attenuation', unit: 'dB' },
  VEL: {
    type: '<f',
    name: 'radial_velocity_of_scatterers_towards_instrument',
    unit: 'm s-1',
    folds: 11.890331,
  },
  WIDTH: { type: '<d', name: 'doppler_spectrum_width', unit: 'm/s' },
  ML: { type: '<d', name: 'melting_layer', unit: '' },
  SNR: { type: '<f', name: 'signal_to_noise_ratio', unit: 'dB' },
}

const NC_FILL_DOUBLE = 9.969209968386869e36
const STRING_LENGTH = 128
const DIMENSIONS = ['time', 'range', 'sweep', 'string_length'] as const
type Dimension = (typeof DIMENSIONS)[number]

const iso = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`

/**
 * Writes a METEK MRR-PRO netCDF4 file with the dimensions, variables, attributes, units and fill values of
 * the instrument's own (firmware 1.2.5), without the raw spectra and their two dimensions. Values of NaN are written as
 * the instrument does, as the fill value NaN.
 * @returns the bytes; the same input gives the same bytes
 * @throws RangeError where a variable does not hold a value for every profile and gate
 */
export async function writeMrrPro(input: MrrProInput): Promise<Uint8Array> {
  const { timesMs, heightsM, variables } = input
  const [nprofiles, ngates] = [timesMs.length, heightsM.length]
  if (nprofiles === 0 || ngates < 2)
    throw new RangeError('an MRR-PRO file has a profile and two gates at least')
  for (const [name, values] of Object.entries(variables))
    if (values.length !== nprofiles * ngates)
      throw new RangeError(`${name} holds ${values.length} values, not ${nprofiles} x ${ngates}`)
  return newHdf5((file) => atFixedTime(() => writeFile(file, input)))
}

function writeFile(file: File, input: MrrProInput): void {
  const { timesMs, heightsM } = input
  const names = (Object.keys(PROFILES) as MrrVariable[]).filter((name) => input.variables[name])
  writeGlobals(file, input, names)
  const time = file.create_dataset({ name: 'time', data: timesMs.map((ms) => ms / 1000), dtype: '<d' })
  const range = file.create_dataset({ name: 'range', data: heightsM, dtype: '<f' })
  time.make_scale('time')
  range.make_scale('range')
  for (const [name, length] of [
    ['sweep', 1],
    ['string_length', STRING_LENGTH],
  ] as const) {
    const scale = file.create_dataset({ name, data: new Float32Array(length), dtype: '<f' })
    scale.make_scale(`This is a netCDF dimension but not a netCDF variable.${String(length).padStart(10)}`)
  }
  for (const [id, name] of DIMENSIONS.entries())
    (file.get(name) as Dataset).create_attribute('_Netcdf4Dimid', Int32Array.of(id), [], '<i')
  describeTime(time)
  describeRange(range, heightsM)
  writeScalars(file, input)
  writeStrings(file, timesMs)
  writeSweep(file)
  writePointing(file, timesMs.length)
  for (const name of names) writeProfiles(file, name, input.variables[name]!, timesMs.length, heightsM.length)
  writeIndex(file, timesMs.length, heightsM.length)
}

function writeGlobals(file: File, input: MrrProInput, names: MrrVariable[]): void {
  writeText(file, 'Conventions', 'CF/Radial')
  writeText(file, 'version', '1.3')
  writeText(file, 'title', 'METEK MRR Pro 1.2.5 Data')
  for (const name of ['institution', 'references', 'source', 'history', 'comment']) writeText(file, name, '')
  writeText(file, 'instrument_name', input.instrumentName)
  writeText(file, 'site_name', input.siteName)
  writeText(file, 'field_names', names.filter((name) => name !== 'ML').join(','))
}

/** Links a variable to its dimensions as netCDF4 does. */
function onDimensions(data: Dataset, ...dimensions: Dimension[]): Dataset {
  for (const [axis, name] of dimensions.entries()) data.attach_scale(axis, `/${name}`)
  data.create_attribute('_Netcdf4Dimid', Int32Array.of(DIMENSIONS.indexOf(dimensions[0])), [], '<i')
  return data
}

function describeTime(time: Dataset): void {
  writeText(time, 'standard name', 'time')
  writeText(time, 'long_name', 'time_in_seconds_since_volume_start')
  writeText(time, 'units', 'seconds since 1970-01-01T00:00:00Z')
  writeText(time, 'calendar', 'standard')
}

function describeRange(range: Dataset, heightsM: Float32Array): void {
  const spacing = (heightsM[heightsM.length - 1] - heightsM[0]) / (heightsM.length - 1)
  const constant = heightsM.every((h, i) => Math.abs(h - heightsM[0] - i * spacing) < 0.01 * spacing)
  writeText(range, 'standard name', 'projection_range_coordinate')
  writeText(range, 'long_name', 'range_to_measurement_volume')
  writeText(range, 'units', 'meters')
  writeText(range, 'spacing_is_constant', String(constant))
  range.create_attribute('meters_to_center_of_first_gate', Float32Array.of(heightsM[0]), [1], '<f')
  range.create_attribute('meters_between_gates', Float32Array.of(spacing), [1], '<f')
  writeText(range, 'axis', 'radial_range_coordinate')
}

function writeScalars(file: File, input: MrrProInput): void {
  const scalar = (name: string, value: number, unit?: string): void => {
    const data = file.create_dataset({ name, data: Float64Array.of(value), shape: [], dtype: '<d' })
    if (unit) writeText(data, 'units', unit)
  }
  file.create_dataset({ name: 'volume_number', data: Int32Array.of(0), shape: [], dtype: '<i' })
  scalar('latitude', input.lat ?? NC_FILL_DOUBLE, 'degrees_north')
  scalar('longitude', input.lon ?? NC_FILL_DOUBLE, 'degrees_east')
  scalar('altitude', input.altitudeM ?? NC_FILL_DOUBLE, 'meters')
  scalar('doppler_shift_spectrum', 0)
  // Constants of a single instrument, which profiles do not carry: written as never set.
  scalar('calibration_constant', NC_FILL_DOUBLE)
  const transfer = new Float64Array(input.heightsM.length).fill(NC_FILL_DOUBLE)
  onDimensions(file.create_dataset({ name: 'transfer_function', data: transfer, dtype: '<d' }), 'range')
}

/** Texts are rows of 128 single characters. */
function characters(value: string): string[] {
  return Array.from({ length: STRING_LENGTH }, (_, i) => value[i] ?? '')
}

function writeStrings(file: File, timesMs: Float64Array): void {
  for (const [name, value] of [
    ['time_coverage_start', iso(timesMs[0])],
    ['time_coverage_end', iso(timesMs[timesMs.length - 1])],
    ['time_reference', '1970-01-01T00:00:00Z'],
    ['instrument_type', 'radar'],
  ]) {
    const data = file.create_dataset({ name, data: characters(value), shape: [STRING_LENGTH], dtype: 'A1' })
    onDimensions(data, 'string_length')
  }
}

function writeSweep(file: File): void {
  for (const name of ['sweep_number', 'sweep_start_ray_index', 'sweep_end_ray_index'])
    onDimensions(file.create_dataset({ name, data: Int32Array.of(0), dtype: '<i' }), 'sweep')
  onDimensions(file.create_dataset({ name: 'fixed_angle', data: Float32Array.of(90), dtype: '<f' }), 'sweep')
  const mode = characters('')
  onDimensions(
    file.create_dataset({ name: 'sweep_mode', data: mode, shape: [1, STRING_LENGTH], dtype: 'A1' }),
    'sweep',
    'string_length',
  )
}

/** The beam points straight up. */
function writePointing(file: File, nprofiles: number): void {
  for (const [name, degrees, long] of [
    ['elevation', 90, 'elevation_angle_from_horizontal_plane'],
    ['azimuth', 0, 'azimuth_angle_from_true_north'],
  ] as const) {
    const data = file.create_dataset({ name, data: new Float32Array(nprofiles).fill(degrees), dtype: '<f' })
    writeText(data, 'standard name', `ray_${name}_angle`)
    writeText(data, 'long_name', long)
    writeText(data, 'units', 'degrees')
    writeText(data, 'axis', `radial_${name}_coordinate`)
    onDimensions(data, 'time')
  }
}

function describeProfiles(
  data: Dataset,
  standardName: string,
  unit: string,
  folds: number | undefined,
  whole: boolean,
): void {
  writeText(data, 'standard_name', standardName)
  writeText(data, 'long_name', '')
  writeText(data, 'units', unit)
  writeText(data, 'coordinates', 'elevation azimuth range')
  writeText(data, 'field_folds', String(folds !== undefined))
  data.create_attribute('fold_limit_lower', Float32Array.of(0), [1], '<f')
  data.create_attribute('fold_limit_upper', Float32Array.of(folds ?? 0), [1], '<f')
  writeText(data, 'thresholding_xml', '')
  writeText(data, 'legend_xml', '')
  writeText(data, 'is_discreet', String(whole))
  onDimensions(data, 'time', 'range')
}

function writeProfiles(
  file: File,
  name: MrrVariable,
  values: Float32Array,
  nprofiles: number,
  ngates: number,
): void {
  const { type, name: standardName, unit, folds } = PROFILES[name]
  const shape = [nprofiles, ngates]
  const data = file.create_dataset({
    name,
    data: values,
    shape,
    dtype: type,
    chunks: [Math.min(nprofiles, 360), ngates],
    compression: 'gzip',
    compression_opts: [1],
  })
  data.create_attribute('_FillValue', Float32Array.of(Number.NaN), [1], type)
  describeProfiles(data, standardName, unit, folds, false)
}

/** Which spectrum belongs to which gate: every gate its own. */
function writeIndex(file: File, nprofiles: number, ngates: number): void {
  const data = file.create_dataset({
    name: 'index_spectra',
    data: Int32Array.from({ length: nprofiles * ngates }, (_, i) => i % ngates),
    shape: [nprofiles, ngates],
    dtype: '<i',
    chunks: [Math.min(nprofiles, 360), ngates],
    compression: 'gzip',
    compression_opts: [1],
  })
  data.create_attribute('_FillValue', Int32Array.of(-2_147_483_648), [1], '<i')
  describeProfiles(data, 'index variable spectra', '', undefined, true)
}
