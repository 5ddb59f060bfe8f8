import type { Dataset } from 'h5wasm'
import { mappingName } from './cf-forecast.ts'
import { writeText } from './hdf5/write.ts'

/** Names of CF 1.11, appendix F, for what proj4 calls otherwise, by projection; `lat_1` and `lat_2` are one list there. */
const PARAMETERS: Record<string, Record<string, string>> = {
  lcc: {
    lon_0: 'longitude_of_central_meridian',
    lat_0: 'latitude_of_projection_origin',
    x_0: 'false_easting',
    y_0: 'false_northing',
  },
  tmerc: {
    lon_0: 'longitude_of_central_meridian',
    lat_0: 'latitude_of_projection_origin',
    k: 'scale_factor_at_central_meridian',
    k_0: 'scale_factor_at_central_meridian',
    x_0: 'false_easting',
    y_0: 'false_northing',
  },
  laea: {
    lon_0: 'longitude_of_projection_origin',
    lat_0: 'latitude_of_projection_origin',
    x_0: 'false_easting',
    y_0: 'false_northing',
  },
}
PARAMETERS.aeqd = PARAMETERS.laea

/** Semi-major axis, m, and inverse flattening. */
const ELLIPSOIDS: Record<string, [number, number]> = {
  GRS80: [6378137, 298.257222101],
  WGS84: [6378137, 298.257223563],
  intl: [6378388, 297],
  bessel: [6377397.155, 299.1528128],
  clrk66: [6378206.4, 294.9786982138982],
}

/**
 * Tells a projection as a CF grid mapping: its name, its numbers where they are known, and always `proj4` and the code of
 * the register, such as EPSG:2154.
 */
export function writeGridMapping(crs: Dataset, proj4: string, code: string): void {
  const given = new Map(
    proj4.split(/\s+/).map((part) => part.replace(/^\+/, '').split('=') as [string, string | undefined]),
  )
  const numberOf = (name: string) => {
    const text = given.get(name)
    return text === undefined ? undefined : Number(text)
  }
  const write = (name: string, ...values: number[]) =>
    crs.create_attribute(name, Float64Array.from(values), [values.length], '<d')
  writeText(crs, 'grid_mapping_name', mappingName(proj4))
  let kind = given.get('proj') ?? ''
  if (kind === 'utm') {
    kind = 'tmerc'
    const zone = numberOf('zone') ?? 31
    for (const [name, value] of [
      ['lat_0', 0],
      ['lon_0', 6 * zone - 183],
      ['k', 0.9996],
      ['x_0', 500_000],
      ['y_0', given.has('south') ? 10_000_000 : 0],
    ] as const)
      given.set(name, String(value))
  }
  const parameters = PARAMETERS[kind]
  if (parameters) {
    if (kind === 'lcc') {
      const first = numberOf('lat_1') ?? numberOf('lat_0') ?? 0
      const second = numberOf('lat_2')
      if (second === undefined || second === first) write('standard_parallel', first)
      else write('standard_parallel', first, second)
    }
    const told = new Set<string>()
    for (const [name, cf] of Object.entries(parameters)) {
      const value = numberOf(name)
      if (value !== undefined && !told.has(cf)) {
        told.add(cf)
        write(cf, value)
      }
    }
    if (kind === 'tmerc' && !told.has('scale_factor_at_central_meridian'))
      write('scale_factor_at_central_meridian', 1)
  }
  const [a, inverse] = ellipsoidOf(given)
  write('semi_major_axis', a)
  write('inverse_flattening', inverse)
  writeText(crs, 'proj4', proj4)
  writeText(crs, 'crs_name', code)
}

function ellipsoidOf(given: ReadonlyMap<string, string | undefined>): [number, number] {
  const radius = given.get('R')
  if (radius !== undefined) return [Number(radius), 0]
  const [a, b, inverse] = ['a', 'b', 'rf'].map((name) => Number(given.get(name) ?? Number.NaN))
  if (a > 0) return [a, inverse > 0 ? inverse : b > 0 && b < a ? a / (a - b) : 0]
  return ELLIPSOIDS[given.get('ellps') ?? given.get('datum') ?? 'WGS84'] ?? ELLIPSOIDS.WGS84
}
