import { Dataset, File, FS, type Group } from 'h5wasm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type MrrProInput, writeMrrPro } from './writer.ts'

const VARIABLES = ['Za', 'Z', 'Zea', 'Ze', 'RR', 'LWC', 'PIA', 'VEL', 'WIDTH', 'ML', 'SNR'] as const
const INPUT: MrrProInput = {
  instrumentName: 'METEK MRR Pro 1.2.5',
  siteName: 'École',
  lat: 48.841,
  lon: 2.587,
  altitudeM: 97,
  timesMs: Float64Array.from({ length: 361 }, (_, i) => Date.UTC(2023, 2, 22, 1, 40) + 10_000 * i),
  heightsM: Float32Array.of(50, 100, 150),
  variables: Object.fromEntries(
    VARIABLES.map((name) => [
      name,
      Float32Array.from({ length: 361 * 3 }, (_, i) => (i % 5 ? i / 4 : Number.NaN)),
    ]),
  ) as MrrProInput['variables'],
}

let file: File
const open = async (input: MrrProInput): Promise<void> => {
  // First: the library's file system is there only once it is loaded.
  const bytes = await writeMrrPro(input)
  FS!.writeFile('/w.nc', bytes)
  file = new File('/w.nc', 'r')
}
const close = (): void => {
  file.close()
  FS!.unlink('/w.nc')
}
const get = (name: string): Dataset => {
  const found = file.get(name)
  if (!(found instanceof Dataset)) throw new Error(`no dataset ${name}`)
  return found
}
/** All values of a dataset; those of a text of single characters joined. */
const values = (name: string): unknown => {
  const { value } = get(name)
  if (ArrayBuffer.isView(value)) return [...(value as Float64Array)]
  return Array.isArray(value) ? value.map((c) => c ?? '').join('') : value
}
/** Attributes by name, those aside that link datasets to their dimensions. */
const attributes = (node: Group | Dataset): Record<string, string> =>
  Object.fromEntries(
    Object.keys(node.attrs)
      .filter((name) => !/^(DIMENSION_LIST|REFERENCE_LIST|CLASS|NAME)$/.test(name))
      .map((name) => {
        const { dtype, shape, value } = node.attrs[name]
        const list = shape?.length ? `[${shape}]` : ''
        const text = ArrayBuffer.isView(value) ? [...(value as Float32Array)] : (value ?? '')
        return [name, `${dtype}${list} ${text}`]
      }),
  )
const text = (value: string): string => `A${Math.max(1, value.length)} ${value}`

// Types, dimensions, attributes and their order below are those of the instrument's own files (firmware 1.2.5).
describe('a file as the instrument writes it', () => {
  beforeAll(() => open(INPUT))
  afterAll(close)

  test('the whole', () => {
    expect(attributes(file)).toEqual({
      Conventions: text('CF/Radial'),
      version: text('1.3'),
      title: text('METEK MRR Pro 1.2.5 Data'),
      institution: text(''),
      references: text(''),
      source: text(''),
      history: text(''),
      comment: text(''),
      instrument_name: text('METEK MRR Pro 1.2.5'),
      site_name: 'S6 École',
      field_names: text('Za,Z,Zea,Ze,RR,LWC,PIA,VEL,WIDTH,SNR'),
    })
    expect(file.keys().sort()).toEqual(
      [
        ...VARIABLES,
        ...['time', 'range', 'sweep', 'string_length', 'volume_number', 'latitude', 'longitude', 'altitude'],
        ...['doppler_shift_spectrum', 'calibration_constant', 'transfer_function', 'index_spectra'],
        ...['time_coverage_start', 'time_coverage_end', 'time_reference', 'instrument_type'],
        ...['sweep_number', 'sweep_start_ray_index', 'sweep_end_ray_index', 'fixed_angle', 'sweep_mode'],
        ...['elevation', 'azimuth'],
      ].sort(),
    )
  })

  test.each([
    ['time', '<d', [361], '<i 0'],
    ['range', '<f', [3], '<i 1'],
    ['sweep', '<f', [1], '<i 2'],
    ['string_length', '<f', [128], '<i 3'],
  ])('the dimension %s', (name, dtype, shape, id) => {
    const data = get(name)
    expect([data.dtype, data.shape, attributes(data)._Netcdf4Dimid]).toEqual([dtype, shape, id])
    const unnamed = `This is a netCDF dimension but not a netCDF variable.${String(shape[0]).padStart(10)}`
    expect(data.get_scale_name()).toBe(name === 'time' || name === 'range' ? name : unnamed)
  })

  test('times and heights', () => {
    expect(values('time')).toEqual([...INPUT.timesMs].map((ms) => ms / 1000))
    expect(attributes(get('time'))).toEqual({
      _Netcdf4Dimid: '<i 0',
      'standard name': text('time'),
      long_name: text('time_in_seconds_since_volume_start'),
      units: text('seconds since 1970-01-01T00:00:00Z'),
      calendar: text('standard'),
    })
    expect(values('range')).toEqual([50, 100, 150])
    expect(attributes(get('range'))).toEqual({
      _Netcdf4Dimid: '<i 1',
      'standard name': text('projection_range_coordinate'),
      long_name: text('range_to_measurement_volume'),
      units: text('meters'),
      spacing_is_constant: text('true'),
      meters_to_center_of_first_gate: '<f[1] 50',
      meters_between_gates: '<f[1] 50',
      axis: text('radial_range_coordinate'),
    })
  })

  const of = (name: string) => {
    const data = get(name)
    const scales = data.shape!.map((_, axis) => data.get_attached_scales(axis).join())
    return [data.dtype, values(name), scales, attributes(data)]
  }
  // Never set, in netCDF.
  const FILL = 9.969209968386869e36

  test('single values', () => {
    expect(of('volume_number')).toEqual(['<i', 0, [], {}])
    expect(of('latitude')).toEqual(['<d', 48.841, [], { units: text('degrees_north') }])
    expect(of('longitude')).toEqual(['<d', 2.587, [], { units: text('degrees_east') }])
    expect(of('altitude')).toEqual(['<d', 97, [], { units: text('meters') }])
    expect(of('doppler_shift_spectrum')).toEqual(['<d', 0, [], {}])
    expect(of('calibration_constant')).toEqual(['<d', FILL, [], {}])
    expect(of('transfer_function')).toEqual(['<d', [FILL, FILL, FILL], ['/range'], { _Netcdf4Dimid: '<i 1' }])
  })

  test.each([
    ['time_coverage_start', '2023-03-22T01:40:00Z'],
    ['time_coverage_end', '2023-03-22T02:40:00Z'],
    ['time_reference', '1970-01-01T00:00:00Z'],
    ['instrument_type', 'radar'],
  ])('the text %s', (name, value) => {
    expect(get(name).shape).toEqual([128])
    expect(of(name)).toEqual(['A1', value, ['/string_length'], { _Netcdf4Dimid: '<i 3' }])
  })

  test('the sweep, straight up', () => {
    for (const name of ['sweep_number', 'sweep_start_ray_index', 'sweep_end_ray_index'])
      expect(of(name)).toEqual(['<i', [0], ['/sweep'], { _Netcdf4Dimid: '<i 2' }])
    expect(of('fixed_angle')).toEqual(['<f', [90], ['/sweep'], { _Netcdf4Dimid: '<i 2' }])
    expect(get('sweep_mode').shape).toEqual([1, 128])
    expect(of('sweep_mode')).toEqual(['A1', '', ['/sweep', '/string_length'], { _Netcdf4Dimid: '<i 2' }])
  })

  test.each([
    ['elevation', 90, 'elevation_angle_from_horizontal_plane'],
    ['azimuth', 0, 'azimuth_angle_from_true_north'],
  ])('the %s of the beam', (name, degrees, long) => {
    expect(of(name)).toEqual([
      '<f',
      new Array(361).fill(degrees),
      ['/time'],
      {
        'standard name': text(`ray_${name}_angle`),
        long_name: text(long),
        units: text('degrees'),
        axis: text(`radial_${name}_coordinate`),
        _Netcdf4Dimid: '<i 0',
      },
    ])
  })

  test.each([
    ['Za', '<f', 'log_attenuated_reflectivity', 'dBZ'],
    ['Z', '<d', 'log_reflectivity', 'dBZ'],
    ['Zea', '<d', 'attenuated_equivalent_reflectivity_factor', 'dBZ'],
    ['Ze', '<d', 'equivalent_reflectivity_factor', 'dBZ'],
    ['RR', '<d', 'rainfall_rate', 'mm h-1'],
    ['LWC', '<d', 'mass_concentration_of_liquid_water_in_air', 'g m-3'],
    ['PIA', '<d', 'path_integrated_rain_attenuation', 'dB'],
    ['VEL', '<f', 'radial_velocity_of_scatterers_towards_instrument', 'm s-1'],
    ['WIDTH', '<d', 'doppler_spectrum_width', 'm/s'],
    ['ML', '<d', 'melting_layer', ''],
    ['SNR', '<f', 'signal_to_noise_ratio', 'dB'],
    ['index_spectra', '<i', 'index variable spectra', ''],
  ])('the profiles %s', (name, type, standardName, unit) => {
    const data = get(name)
    const index = name === 'index_spectra'
    expect([data.dtype, data.shape, data.metadata.chunks]).toEqual([type, [361, 3], [360, 3]])
    expect(data.filters).toMatchObject([{ id: 1, cd_values: [1] }])
    expect([0, 1].map((axis) => data.get_attached_scales(axis))).toEqual([['/time'], ['/range']])
    expect(attributes(data)).toEqual({
      standard_name: text(standardName),
      long_name: text(''),
      units: text(unit),
      _FillValue: `${type}[1] ${index ? -2_147_483_648 : 'NaN'}`,
      coordinates: text('elevation azimuth range'),
      field_folds: text(String(name === 'VEL')),
      fold_limit_lower: '<f[1] 0',
      fold_limit_upper: `<f[1] ${name === 'VEL' ? Math.fround(11.890331) : 0}`,
      thresholding_xml: text(''),
      legend_xml: text(''),
      is_discreet: text(String(index)),
      _Netcdf4Dimid: '<i 0',
    })
    expect(values(name)).toEqual(
      Array.from({ length: 361 * 3 }, (_, i) => (index ? i % 3 : i % 5 ? i / 4 : Number.NaN)),
    )
  })
})

describe('another file', () => {
  afterEach(close)
  test('heights that are not evenly spaced are told so, from a hundredth of the spacing on', async () => {
    const spacing = async (...heights: number[]) => {
      const { LWC } = INPUT.variables
      const variables = { LWC: LWC.subarray(0, 361 * heights.length) }
      const bytes = await writeMrrPro({ ...INPUT, heightsM: Float32Array.from(heights), variables })
      FS!.writeFile('/w.nc', bytes)
      const made = new File('/w.nc', 'r')
      const { spacing_is_constant, meters_between_gates } = attributes(made.get('range') as Dataset)
      made.close()
      return [spacing_is_constant, meters_between_gates]
    }
    expect(await spacing(100, 110.05, 120)).toEqual([text('true'), '<f[1] 10'])
    expect(await spacing(0, 101, 200)).toEqual([text('false'), '<f[1] 100'])
    expect(await spacing(100, 110.2, 120)).toEqual([text('false'), '<f[1] 10'])
    expect(await spacing(100, 109.8, 120)).toEqual([text('false'), '<f[1] 10'])
    await open(INPUT)
  })

  test('what was never set is the fill value, and only variables that there are are named', async () => {
    const { LWC, ML } = INPUT.variables
    await open({ ...INPUT, lat: null, lon: null, altitudeM: null, variables: { LWC, ML } })
    expect(['latitude', 'longitude', 'altitude'].map(values)).toEqual(new Array(3).fill(9.969209968386869e36))
    expect(attributes(file).field_names).toBe(text('LWC'))
    expect(file.get('RR')).toBeNull()
  })

  test('two gates are enough', async () => {
    const { LWC } = INPUT.variables
    const two = { heightsM: Float32Array.of(50, 100), variables: { LWC: LWC.subarray(0, 361 * 2) } }
    await open({ ...INPUT, ...two })
    expect(get('LWC').shape).toEqual([361, 2])
  })

  test('few profiles are one piece', async () => {
    const { LWC } = INPUT.variables
    await open({ ...INPUT, timesMs: INPUT.timesMs.subarray(0, 2), variables: { LWC: LWC.subarray(0, 6) } })
    expect(get('LWC').metadata.chunks).toEqual([2, 3])
    expect(get('index_spectra').metadata.chunks).toEqual([2, 3])
  })
})

test.each<[string, Partial<MrrProInput>, string]>([
  ['no profile', { timesMs: new Float64Array(0) }, 'an MRR-PRO file has a profile and two gates at least'],
  ['one gate', { heightsM: Float32Array.of(50) }, 'an MRR-PRO file has a profile and two gates at least'],
  ['a variable too short', { variables: { LWC: new Float32Array(7) } }, 'LWC holds 7 values, not 361 x 3'],
])('%s is an error of the caller', async (_, change, message) => {
  await expect(writeMrrPro({ ...INPUT, ...change })).rejects.toThrow(new RangeError(message))
})
