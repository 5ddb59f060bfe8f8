import type { RadarSweep, RadarVolume } from '@radx/contracts/radar-volume'
import {
  type Dataset,
  dataset,
  type Group,
  group,
  numberAttribute,
  numbersAttribute,
  readNumbers,
  shapeOf,
  textAttribute,
} from '../hdf5/file.ts'
import { gateDifference } from './join.ts'
import { isReflectivity, momentNames, unitOf } from './moments.ts'
import { middle } from './rainbow.ts'
import { inOrder } from './rays.ts'
import { assertPolar, isoTime, missingIn } from './refuse.ts'

const MAX_SETS = 100

/** ODIM H5 `PVOL` and `SCAN` (OPERA 2.x): `datasetN/dataM`, value = gain code + offset. */
export function readOdimPolar(root: Group): RadarVolume {
  const notes: string[] = []
  const sweeps: RadarSweep[] = []
  for (let d = 1; d <= MAX_SETS; d++) {
    const set = group(root, `dataset${d}`)
    if (!set) break
    addSweep(sweeps, inOrder(readSweep(root, set), notes))
  }
  if (sweeps.length === 0) throw missingIn('dataset1')
  const where = group(root, 'where')
  const wavelengthCm = numberAttribute(
    'wavelength',
    group(root, 'how'),
    group(group(root, 'dataset1')!, 'how'),
  )
  const beamWidthDeg =
    numberAttribute('beamwidth', group(root, 'how'), group(group(root, 'dataset1')!, 'how')) ?? null
  return {
    format: 'odim',
    site: {
      name: textAttribute('source', group(root, 'what')) ?? '',
      lat: numberAttribute('lat', where) ?? null,
      lon: numberAttribute('lon', where) ?? null,
      altitudeM: numberAttribute('height', where) ?? null,
    },
    wavelengthM: wavelengthCm === undefined ? null : wavelengthCm / 100,
    ...(beamWidthDeg !== null && beamWidthDeg > 0 && beamWidthDeg < 20 && { beamWidthDeg }),
    sweeps,
    notes,
  }
}

/** Some producers write a quantity a dataset: those of one turn of the antenna become one sweep. */
function addSweep(sweeps: RadarSweep[], sweep: RadarSweep): void {
  const mine = sweeps.find(
    (one) =>
      Math.abs(one.elevationDeg - sweep.elevationDeg) < 0.01 &&
      Object.keys(sweep.moments).every((name) => !one.moments[name]) &&
      gateDifference(one, sweep) === null,
  )
  if (mine) Object.assign(mine.moments, sweep.moments)
  else sweeps.push(sweep)
}

interface Layer {
  name: string
  data: Dataset
  what: (Group | undefined)[]
}

function readSweep(root: Group, set: Group): RadarSweep {
  const where = [group(set, 'where'), group(root, 'where')]
  const layers: Layer[] = []
  for (let i = 1; i <= MAX_SETS; i++) {
    const layer = group(set, `data${i}`)
    if (!layer) break
    const what = [group(layer, 'what'), group(set, 'what')]
    const data = dataset(layer, 'data')
    const name = textAttribute('quantity', ...what)
    if (!data || !name) throw missingIn(`data${i} quantity`)
    layers.push({ name, data, what })
  }
  if (layers.length === 0) throw missingIn('data1')
  const [nrays, nbins] = shapeOf(layers[0].data)
  const shape = {
    nrays,
    nbins,
    // Written in km, the gates in m (OPERA 2.x, table 5).
    rangeStartM: (numberAttribute('rstart', ...where) ?? 0) * 1000,
    rangeStepM: numberAttribute('rscale', ...where) ?? Number.NaN,
    elevationDeg: numberAttribute('elangle', ...where) ?? Number.NaN,
  }
  assertPolar(shape)
  const names = momentNames(layers.map(({ name }) => name))
  const moments: RadarSweep['moments'] = {}
  for (const layer of layers) {
    const [rays, bins] = shapeOf(layer.data)
    if (rays !== nrays || bins !== nbins) throw missingIn(`${layer.name} : ${rays} x ${bins}`)
    const moment = names.get(layer.name)!
    moments[moment] = { unit: unitOf(moment), values: decode(layer, moment) }
  }
  const what = [group(set, 'what'), group(root, 'what')]
  const noiseDbz = numberAttribute('NEZH', group(set, 'how')) ?? numberAttribute('NEZ', group(set, 'how'))
  return {
    ...shape,
    ...(noiseDbz !== undefined && { noiseDbz }),
    datetime: timeOf(textAttribute('startdate', ...what), textAttribute('starttime', ...what), root),
    azimuthDeg: readAzimuths(set, nrays),
    moments,
  }
}

function timeOf(date: string | undefined, time: string | undefined, root: Group): string {
  const day = date ?? textAttribute('date', group(root, 'what')) ?? ''
  const clock = time ?? textAttribute('time', group(root, 'what')) ?? ''
  return isoTime(
    `${day.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')}T${clock.replace(/^(\d\d)(\d\d)(\d\d)$/, '$1:$2:$3')}`,
  )
}

/** `nodata` was not measured; `undetect` was, and has no echo. */
function decode({ data, what, name }: Layer, moment: string): Float32Array {
  const gain = numberAttribute('gain', ...what) ?? 1
  const offset = numberAttribute('offset', ...what) ?? 0
  const nodata = numberAttribute('nodata', ...what)
  const undetect = numberAttribute('undetect', ...what)
  if (gain === 0) throw missingIn(`${name} gain`)
  const none = isReflectivity(moment) ? Number.NEGATIVE_INFINITY : Number.NaN
  const codes = readNumbers('odim', data)
  const out = new Float32Array(codes.length)
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]
    out[i] = code === nodata ? Number.NaN : code === undetect ? none : gain * code + offset
  }
  return out
}

/** From the angles of `how` where the file has them, else an even turn from north. */
function readAzimuths(set: Group, nrays: number): Float64Array {
  const how = group(set, 'how')
  const starts = numbersAttribute('startazA', how)
  const stops = numbersAttribute('stopazA', how)
  if (starts?.length === nrays)
    return Float64Array.from(starts, (start, ray) =>
      middle(start, stops?.length === nrays ? stops[ray] : start + 360 / nrays),
    )
  return Float64Array.from({ length: nrays }, (_, ray) => ((ray + 0.5) * 360) / nrays)
}
