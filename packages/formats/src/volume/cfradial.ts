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
import { momentNames, unitOf } from './moments.ts'
import { inOrder } from './rays.ts'
import { assertPolar, isoTime, missingIn, refuseVolume } from './refuse.ts'

/** Speed of light, m/s. */
const LIGHT = 299_792_458

/** CfRadial 1.x in netCDF 4: all rays of all sweeps in one table a moment, `[time, range]`. */
export function readCfRadial(root: Group): RadarVolume {
  if (group(root, 'sweep_0001') || dataset(root, 'ray_n_gates'))
    throw refuseVolume(
      'unsupported',
      'Ce fichier CfRadial est de version 2 ou ses rayons n’ont pas le même nombre de portes : il n’est pas lu. Convertissez-le en CfRadial 1 à nombre de portes constant.',
    )
  const notes: string[] = []
  const one = (name: string): number | null => numbers(root, name)?.[0] ?? null
  const azimuth = required(root, 'azimuth')
  const range = required(root, 'range')
  const starts = numbers(root, 'sweep_start_ray_index') ?? [0]
  const ends = numbers(root, 'sweep_end_ray_index') ?? [azimuth.length - 1]
  const fields = fieldsOf(root, azimuth.length, range.length)
  const names = momentNames(fields.map(({ name }) => name))
  const decoded = fields.map(({ name, data }) => ({ moment: names.get(name)!, values: decode(data) }))
  const sweeps = Array.from(starts, (start, s): RadarSweep => {
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
  })
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

function fieldsOf(root: Group, nrays: number, nbins: number): { name: string; data: Dataset }[] {
  return root.keys().flatMap((name) => {
    const data = dataset(root, name)
    const [rays, bins, more] = data ? shapeOf(data) : []
    return data && rays === nrays && bins === nbins && more === undefined ? [{ name, data }] : []
  })
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

function decode(data: Dataset): Float32Array {
  const fill = numberAttribute('_FillValue', data) ?? numberAttribute('missing_value', data)
  const factor = numberAttribute('scale_factor', data) ?? 1
  const offset = numberAttribute('add_offset', data) ?? 0
  const codes = readNumbers('odim', data)
  const out = new Float32Array(codes.length)
  for (let i = 0; i < codes.length; i++) out[i] = codes[i] === fill ? Number.NaN : codes[i] * factor + offset
  return out
}
