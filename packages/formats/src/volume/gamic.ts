import type { RadarMoment, RadarSweep, RadarVolume } from '@radx/contracts/radar-volume'
import {
  type Dataset,
  dataset,
  type Group,
  group,
  numberAttribute,
  readNumbers,
  shapeOf,
  textAttribute,
} from '../hdf5/file.ts'
import { isReflectivity, momentNames, unitOf } from './moments.ts'
import { middle } from './rainbow.ts'
import { inOrder } from './rays.ts'
import { assertPolar, isoTime, missingIn, noTurn } from './refuse.ts'

const MAX_SCANS = 100
const MAX_MOMENTS = 64

/** GAMIC (Enigma, MURAN): `scanN/moment_M` of 8 or 16 bits, directions of the rays in the table `ray_header`. */
export function readGamic(root: Group): RadarVolume {
  const where = group(root, 'where')
  const notes: string[] = []
  const sweeps: RadarSweep[] = []
  let wavelengthM: number | null = null
  for (let s = 0; s < MAX_SCANS; s++) {
    const scan = group(root, `scan${s}`)
    if (!scan) break
    const type = textAttribute('scan_type', group(scan, 'what')) ?? 'PPI'
    if (!/^(ppi|sector)/i.test(type)) {
      notes.push(`balayage ${s + 1} : ${type.slice(0, 20)} et non en azimut, laissé de côté.`)
      continue
    }
    sweeps.push(inOrder(readScan(scan), notes))
    wavelengthM ??= numberAttribute('radar_wave_length', group(scan, 'how')) ?? null
  }
  if (sweeps.length === 0) throw noTurn()
  return {
    format: 'gamic',
    site: {
      name: textAttribute('site_name', group(root, 'how')) ?? '',
      lat: numberAttribute('lat', where) ?? null,
      lon: numberAttribute('lon', where) ?? null,
      altitudeM: numberAttribute('height', where) ?? null,
    },
    wavelengthM,
    sweeps,
    notes,
  }
}

function readScan(scan: Group): RadarSweep {
  const how = group(scan, 'how')
  const raws: { name: string; data: Dataset }[] = []
  for (let m = 0; m < MAX_MOMENTS; m++) {
    const data = dataset(scan, `moment_${m}`)
    if (!data) break
    raws.push({ name: textAttribute('moment', data) ?? `moment_${m}`, data })
  }
  if (raws.length === 0) throw missingIn('moment_0')
  const [nrays, nbins] = shapeOf(raws[0].data)
  const rangeStepM =
    (numberAttribute('range_step', how) ?? Number.NaN) * (numberAttribute('range_samples', how) ?? 1)
  const rangeStartM = numberAttribute('range_start', how) ?? 0
  const elevationDeg = numberAttribute('elevation', how) ?? Number.NaN
  assertPolar({ nrays, nbins, rangeStartM, rangeStepM, elevationDeg })
  const names = momentNames(raws.map(({ name }) => name))
  const moments: RadarSweep['moments'] = {}
  for (const { name, data } of raws) {
    const [rays, bins] = shapeOf(data)
    if (rays !== nrays || bins !== nbins) throw missingIn(`${name} : ${rays} x ${bins}`)
    const moment = names.get(name)!
    moments[moment] = decode(data, moment)
  }
  return {
    datetime: isoTime(textAttribute('timestamp', how)),
    elevationDeg,
    nrays,
    nbins,
    azimuthDeg: readAzimuths(scan, nrays),
    rangeStartM,
    rangeStepM,
    moments,
  }
}

/** Code 0 has no value; code c is min + (c - 1) (max - min) / (2^n - 2). */
function decode(data: Dataset, moment: string): RadarMoment {
  const min = numberAttribute('dyn_range_min', data)
  const max = numberAttribute('dyn_range_max', data)
  if (min === undefined || max === undefined || !(max > min)) throw missingIn(`${moment} dyn_range`)
  const codes = readNumbers('odim', data)
  const none = isReflectivity(moment) ? Number.NEGATIVE_INFINITY : Number.NaN
  if (codes instanceof Float32Array || codes instanceof Float64Array)
    return { unit: unitOf(moment), values: Float32Array.from(codes) }
  const step = (max - min) / (2 ** (8 * codes.BYTES_PER_ELEMENT) - 2)
  const values = new Float32Array(codes.length)
  for (let i = 0; i < codes.length; i++) values[i] = codes[i] === 0 ? none : min + (codes[i] - 1) * step
  return { unit: unitOf(moment), values }
}

function readAzimuths(scan: Group, nrays: number): Float64Array {
  const table = dataset(scan, 'ray_header')
  const rows = table?.value
  if (!table || !Array.isArray(rows) || rows.length !== nrays) throw missingIn('ray_header')
  const columns = table.dtype as unknown
  const names = Array.isArray(columns) ? columns.map(([name]: [string]) => name) : []
  const start = names.indexOf('azimuth_start')
  const stop = names.indexOf('azimuth_stop')
  if (start < 0) throw missingIn('ray_header azimuth_start')
  return Float64Array.from(rows as unknown as number[][], (row) =>
    middle(Number(row[start]), Number(row[stop < 0 ? start : stop])),
  )
}
