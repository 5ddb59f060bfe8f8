import type { CodeOf } from '@radx/contracts/errors'
import { FormatError } from '@radx/contracts/errors'
import {
  type Dataset,
  damaged,
  dataset,
  type Group,
  hdf5Ready,
  numberAttribute,
  readNumbers,
  shapeOf,
  type TypedValues,
  textAttribute,
  withHdf5,
} from '../hdf5/file.ts'

export { type MrrProInput, writeMrrPro } from './writer.ts'

/**
 * Profiles that an MRR-PRO file may hold, by their names in the file:
 * LWC liquid water content (g/m3), RR rain rate (mm/h), Z and Ze reflectivity and equivalent reflectivity
 * corrected for attenuation, Za and Zea the same uncorrected (dBZ), VEL fall velocity (m/s, positive
 * downwards), WIDTH of the Doppler spectrum (m/s), SNR signal to noise (dB), PIA path integrated attenuation
 * (dB), ML melting layer (0 to 1).
 */
export const MRR_VARIABLES = [
  'LWC',
  'RR',
  'Z',
  'Ze',
  'Za',
  'Zea',
  'VEL',
  'WIDTH',
  'SNR',
  'PIA',
  'ML',
] as const
export type MrrVariable = (typeof MRR_VARIABLES)[number]

/** Profiles of a METEK MRR-PRO micro rain radar, as its netCDF4 files hold them. */
export interface MrrProFile {
  kind: 'mrrpro'
  /** As the file has it, with model, identity, serial number and software. */
  instrumentName: string
  /** Software of the instrument, such as `1.2.5`; empty where the file does not say. */
  firmware: string
  siteName: string
  /** WGS84; null where the position was never set. */
  lat: number | null
  lon: number | null
  altitudeM: number | null
  /** Time of each profile, ms since 1970 UTC, in file order. */
  timesMs: Float64Array
  /** Centre of each gate above the instrument, rising. */
  heightsM: Float32Array
  nprofiles: number
  ngates: number
  /** `[profile * ngates + gate]`, gate 0 lowest; NaN = missing. LWC is always there. */
  variables: Partial<Record<MrrVariable, Float32Array>> & { LWC: Float32Array }
}

export interface MrrProOptions {
  /** Variables to read beside LWC; of the others only the shape is checked. @default all */
  only?: readonly MrrVariable[]
}

/** A variable as soon as it is read, and what its rows and columns are. The file may still be refused. */
export interface MrrProVariable extends Pick<MrrProFile, 'timesMs' | 'heightsM'> {
  name: MrrVariable
  values: Float32Array
}

/** netCDF's own mark for a number that was never written (NC_FILL_DOUBLE and NC_FILL_FLOAT). */
const NC_FILL = 9.969209968386869e36
/** What lies beyond is that mark, or an infinity. */
const LIMIT = NC_FILL * 0.99
const MAX_GATES = 1024

function refuse(code: CodeOf<'mrrpro'>, messageFr: string, details?: Record<string, unknown>): FormatError {
  return new FormatError(`mrrpro.${code}`, messageFr, { details })
}

function missing(name: string): FormatError {
  return refuse(
    'badHeader',
    `La variable « ${name} » manque dans le fichier MRR-PRO ou n'a pas la forme attendue. Vérifiez que le fichier vient bien d'un MRR-PRO.`,
    { variable: name },
  )
}

/**
 * Reads a METEK MRR-PRO file, any number and spacing of gates. Spectra are left aside.
 * This runs to its end whatever the file does: bytes from outside go through `Hdf5Reader`.
 * @throws FormatError with a code `mrrpro.*`
 */
export async function readMrrPro(
  bytes: Uint8Array,
  { only = MRR_VARIABLES }: MrrProOptions = {},
  onVariable?: (variable: MrrProVariable) => void,
): Promise<MrrProFile> {
  await hdf5Ready()
  return withHdf5('mrrpro', bytes, (root) => readFile(root, only, onVariable))
}

function readFile(
  root: Group,
  only: readonly MrrVariable[],
  onVariable: (variable: MrrProVariable) => void = () => {},
): MrrProFile {
  const heightsM = readHeights(root)
  const timesMs = readTimes(root)
  const shape: [number, number] = [timesMs.length, heightsM.length]
  const variables: Partial<Record<MrrVariable, Float32Array>> = {}
  for (const name of MRR_VARIABLES) {
    const found = profilesOf(root, name, shape)
    if (!found || (name !== 'LWC' && !only.includes(name))) continue
    const values = readProfiles(found)
    variables[name] = values
    onVariable({ timesMs, heightsM, name, values })
  }
  const { LWC } = variables
  if (!LWC) throw missing('LWC')
  const instrumentName = textAttribute('instrument_name', root) ?? ''
  return {
    kind: 'mrrpro',
    instrumentName,
    firmware: /MRR Pro (\d[\w.]*)/.exec(instrumentName)?.[1] ?? '',
    siteName: textAttribute('site_name', root) ?? '',
    lat: readPosition(root, 'latitude', 90),
    lon: readPosition(root, 'longitude', 180),
    altitudeM: readPosition(root, 'altitude', 10_000),
    timesMs,
    heightsM,
    nprofiles: shape[0],
    ngates: shape[1],
    variables: { ...variables, LWC },
  }
}

/** A position that was set; the instrument leaves the fill value otherwise. */
function readPosition(root: Group, name: string, limit: number): number | null {
  const found = dataset(root, name)
  if (!found || shapeOf(found).reduce((a, b) => a * b, 1) !== 1) return null
  const value = readNumbers('mrrpro', found)[0]
  return Number.isFinite(value) && Math.abs(value) <= limit ? value : null
}

function vector(root: Group, name: string, maxLength: number): TypedValues {
  const found = dataset(root, name)
  const shape = found ? shapeOf(found) : []
  if (!found || shape.length !== 1) throw missing(name)
  if (!(shape[0] >= 1 && shape[0] <= maxLength))
    throw damaged('mrrpro', `${name} annonce ${shape[0]} valeurs`)
  return readNumbers('mrrpro', found)
}

function readHeights(root: Group): Float32Array {
  const heights = Float32Array.from(vector(root, 'range', MAX_GATES))
  for (let gate = 0; gate < heights.length; gate++)
    if (!(heights[gate] >= 0 && heights[gate] < 50_000) || (gate > 0 && !(heights[gate] > heights[gate - 1])))
      throw damaged('mrrpro', 'les hauteurs ne montent pas')
  return heights
}

const UNIT_MS: Record<string, number> = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 }

/** CF time units: a unit, `since`, a date in UTC. */
function readTimes(root: Group): Float64Array {
  const values = vector(root, 'time', 1_000_000)
  const units = textAttribute('units', dataset(root, 'time')) ?? ''
  const match =
    /^(second|minute|hour|day)s? since (\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.0+)?)? ?(?:Z|UTC|\+00:?00)?$/.exec(
      units,
    )
  const origin = match ? Date.parse(`${match[2]}T${match[3] ?? '00:00'}Z`) : Number.NaN
  if (!match || Number.isNaN(origin)) throw missing('time')
  const times = Float64Array.from(values, (value) => Math.round(origin + value * UNIT_MS[match[1]]))
  // Years 1990 to 2200: what lies outside is no time of an instrument.
  if (!times.every((ms) => ms > 6.3e11 && ms < 7.3e12)) throw damaged('mrrpro', 'une date est hors limites')
  return times
}

function profilesOf(
  root: Group,
  name: MrrVariable,
  [nprofiles, ngates]: [number, number],
): Dataset | undefined {
  const found = dataset(root, name)
  if (!found) return undefined
  const shape = shapeOf(found)
  if (shape.length !== 2 || shape[0] !== nprofiles || shape[1] !== ngates)
    throw damaged('mrrpro', `${name} a ${shape.join(' x ')} valeurs au lieu de ${nprofiles} x ${ngates}`)
  return found
}

function readProfiles(found: Dataset): Float32Array {
  const fill = numberAttribute('_FillValue', found) ?? Number.NaN
  const read = readNumbers('mrrpro', found)
  const values = read instanceof Float32Array ? read : new Float32Array(read)
  const single = Math.fround(fill)
  const result = new Float32Array(values.length)
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    // NaN and infinities fail the comparison with the limit, as a fill value of NaN does the one with itself.
    result[i] = value > -LIMIT && value < LIMIT && value !== single ? value : Number.NaN
  }
  return result
}
