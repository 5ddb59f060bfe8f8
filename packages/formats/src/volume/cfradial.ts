import type { RadarSweep, RadarVolume } from '@radx/contracts/radar-volume'
import {
  type Dataset,
  dataset,
  type Group,
  group,
  numberAttribute,
  readNumbers,
  shapeOf,
  type TypedValues,
  textAttribute,
} from '../hdf5/file.ts'
import { MAX_CELLS } from '../limits.ts'
import { isMomentName, isReflectivity, momentNames, unitOf } from './moments.ts'
import { inOrder } from './rays.ts'
import { assertPolar, isoTime, missingIn, noTurn, refuseVolume } from './refuse.ts'

/** Speed of light, m/s. */
const LIGHT = 299_792_458

/**
 * CfRadial 1.x: all rays of all sweeps in one table a moment, `[time, range]`, or in one list where the number of gates goes
 * from ray to ray. Sweeps that do not turn are left out and named.
 */
export function readCfRadial(root: Group): RadarVolume {
  if (group(root, 'sweep_0001'))
    throw refuseVolume(
      'unsupported',
      'Ce fichier CfRadial est de version 2 : il n’est pas lu. Convertissez-le en CfRadial 1.',
    )
  const notes: string[] = []
  const one = (name: string): number | null => numbers(root, name)?.[0] ?? null
  const azimuth = required(root, 'azimuth')
  const range = required(root, 'range')
  const starts = numbers(root, 'sweep_start_ray_index') ?? [0]
  const ends = numbers(root, 'sweep_end_ray_index') ?? [azimuth.length - 1]
  const fields = fieldsOf(root, azimuth.length, range.length)
  const names = momentNames(fields.map(({ name }) => name))
  const decoded = fields.map(({ name, data, table }) => {
    const moment = names.get(name)!
    return { moment, values: table(decode(data, moment)) }
  })
  const modes = sweepModes(root, starts.length)
  const sweeps = Array.from(starts, (start, s): RadarSweep | null => {
    if (/rhi|elevation_surveillance|vertical_pointing|pointing|calibration/.test(modes[s])) {
      notes.push(`balayage ${s + 1} : ${modes[s].slice(0, 30)} et non en azimut, laissé de côté.`)
      return null
    }
    const nrays = ends[s] - start + 1
    const shape = { nrays, nbins: range.length, ...gates(range), elevationDeg: elevationOf(root, s, start) }
    assertPolar(shape)
    if (start < 0 || ends[s] >= azimuth.length) throw missingIn('sweep_end_ray_index')
    const cut = (values: Float32Array): Float32Array =>
      values.slice(start * range.length, (ends[s] + 1) * range.length)
    return inOrder(
      {
        ...shape,
        datetime: timeOf(root, start),
        azimuthDeg: Float64Array.from(azimuth.slice(start, ends[s] + 1), (a) => ((a % 360) + 360) % 360),
        moments: Object.fromEntries(
          decoded.map(({ moment, values }) => [moment, { unit: unitOf(moment), values: cut(values) }]),
        ),
      },
      notes,
    )
  }).filter((sweep) => sweep !== null)
  if (sweeps.length === 0) throw noTurn()
  const frequency = one('frequency')
  return {
    format: 'cfradial',
    site: {
      name: textAttribute('instrument_name', root) ?? '',
      lat: one('latitude'),
      lon: one('longitude'),
      altitudeM: one('altitude'),
    },
    wavelengthM: frequency && frequency > 1e8 ? LIGHT / frequency : null,
    sweeps,
    notes,
  }
}

function numbers(root: Group, name: string): TypedValues | undefined {
  const data = dataset(root, name)
  return data && readNumbers('odim', data)
}

function required(root: Group, name: string): TypedValues {
  const found = numbers(root, name)
  if (!found || found.length === 0) throw missingIn(name)
  return found
}

interface Field {
  /** Its own where that stands for a moment, else its `standard_name` where that does. */
  name: string
  data: Dataset
  /** Its values as `[time, range]`. */
  table(values: Float32Array): Float32Array
}

function fieldsOf(root: Group, nrays: number, nbins: number): Field[] {
  const gates = numbers(root, 'ray_n_gates')
  const starts = numbers(root, 'ray_start_index')
  const points = gates && starts && assertPoints(gates, starts, nrays, nbins)
  const spread = (values: Float32Array): Float32Array => {
    const out = new Float32Array(nrays * nbins).fill(Number.NaN)
    for (let ray = 0; ray < nrays; ray++)
      out.set(values.subarray(starts![ray], starts![ray] + gates![ray]), ray * nbins)
    return out
  }
  const taken = new Set<string>()
  return root.keys().flatMap((key): Field[] => {
    const data = dataset(root, key)
    // The list's own dimension holds nothing.
    if (!data || data.metadata.type > 1 || key === 'n_points') return []
    const [rays, bins, more] = shapeOf(data)
    const isTable = rays === nrays && bins === nbins && more === undefined
    const isList = points !== undefined && points > 0 && rays >= points && bins === undefined
    if (!isTable && !(isList && rays !== nrays && rays !== nbins)) return []
    const standard = textAttribute('standard_name', data) ?? ''
    const name = isMomentName(key) || !isMomentName(standard) || taken.has(standard) ? key : standard
    taken.add(name)
    return [{ name, data, table: isTable ? (values) => values : spread }]
  })
}

/** How many points the rays of `ray_n_gates` reach over. */
function assertPoints(gates: TypedValues, starts: TypedValues, nrays: number, nbins: number): number {
  if (gates.length !== nrays || starts.length !== nrays || nrays * nbins > MAX_CELLS)
    throw missingIn('ray_n_gates')
  let most = 0
  for (let ray = 0; ray < nrays; ray++) {
    if (!(gates[ray] >= 0 && gates[ray] <= nbins && starts[ray] >= 0)) throw missingIn('ray_n_gates')
    most = Math.max(most, starts[ray] + gates[ray])
  }
  return most
}

/** Text of `sweep_mode` by sweep, in lower case, empty where it is not said. */
function sweepModes(root: Group, sweeps: number): string[] {
  const data = dataset(root, 'sweep_mode')
  const shape = data ? shapeOf(data) : []
  const none = Array.from({ length: sweeps }, () => '')
  if (!data || shape[0] !== sweeps || shape.reduce((product, n) => product * n, 1) > 100_000) return none
  const value = data.value as unknown
  const parts: string[] = ArrayBuffer.isView(value)
    ? Array.from(value as Uint8Array, (code) => String.fromCharCode(code))
    : Array.isArray(value)
      ? value.flat(2).map(String)
      : [String(value)]
  const each = parts.length / sweeps
  if (!Number.isInteger(each)) return none
  return none.map((_, s) =>
    parts
      .slice(s * each, (s + 1) * each)
      .join('')
      .replaceAll('\0', '')
      .trim()
      .toLowerCase(),
  )
}

/** Ranges are of the gates' middles. */
function gates(range: TypedValues): { rangeStartM: number; rangeStepM: number } {
  const rangeStepM = range.length > 1 ? (range[range.length - 1] - range[0]) / (range.length - 1) : Number.NaN
  return { rangeStepM, rangeStartM: range[0] - rangeStepM / 2 }
}

function elevationOf(root: Group, sweep: number, ray: number): number {
  return numbers(root, 'fixed_angle')?.[sweep] ?? numbers(root, 'elevation')?.[ray] ?? Number.NaN
}

function timeOf(root: Group, ray: number): string {
  const time = dataset(root, 'time')
  const since = /seconds since (.+)/.exec(textAttribute('units', time) ?? '')?.[1]
  const start = Date.parse(isoTime(since))
  const seconds = numbers(root, 'time')?.[ray] ?? 0
  return isoTime(new Date(start + 1000 * (Number.isFinite(seconds) ? seconds : 0)).toISOString())
}

/** `_Undetect` (of later versions) was measured and has no echo. */
function decode(data: Dataset, moment: string): Float32Array {
  const none = isReflectivity(moment) ? Number.NEGATIVE_INFINITY : Number.NaN
  const stored = (value: number | undefined) =>
    value !== undefined && data.metadata.type === 1 && data.metadata.size === 4 ? Math.fround(value) : value
  const fill = stored(numberAttribute('_FillValue', data) ?? numberAttribute('missing_value', data))
  const undetect = stored(numberAttribute('_Undetect', data))
  const factor = numberAttribute('scale_factor', data) ?? 1
  const offset = numberAttribute('add_offset', data) ?? 0
  const codes = readNumbers('odim', data)
  const out = new Float32Array(codes.length)
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]
    out[i] = code === fill ? Number.NaN : code === undetect ? none : code * factor + offset
  }
  return out
}
