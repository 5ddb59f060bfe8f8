import type { RadarSweep, RadarVolume } from '@radx/contracts/radar-volume'
import type { Group } from 'h5wasm'
import { newHdf5, writeText } from '../hdf5/write.ts'

const NO_DATA = -9999
const UNDETECT = -8888

/**
 * Writes a polar volume as ODIM_H5/V2_4 `PVOL` (OPERA 2021): 32-bit values, `nodata` -9999 (NaN), `undetect` -8888
 * (-Infinity, no echo). A place or wavelength that is not known is left out.
 */
export function writeOdimVolume({
  site,
  wavelengthM,
  beamWidthDeg,
  sweeps,
}: RadarVolume): Promise<Uint8Array> {
  return newHdf5((file) => {
    writeText(file, 'Conventions', 'ODIM_H5/V2_4')
    texts(file.create_group('what'), {
      object: 'PVOL',
      version: 'H5rad 2.4',
      ...timeOf(sweeps[0], ''),
      source: site.name || 'NOD:radx',
    })
    numbers(file.create_group('where'), { lon: site.lon, lat: site.lat, height: site.altitudeM })
    numbers(file.create_group('how'), {
      wavelength: wavelengthM === null ? null : wavelengthM * 100,
      beamwidth: beamWidthDeg ?? null,
    })
    sweeps.forEach((sweep, i) => {
      writeSweep(file.create_group(`dataset${i + 1}`), sweep)
    })
  })
}

function writeSweep(set: Group, sweep: RadarSweep): void {
  const { nrays, nbins, azimuthDeg, elevationDeg, rangeStartM, rangeStepM, moments } = sweep
  texts(set.create_group('what'), {
    product: 'SCAN',
    ...timeOf(sweep, 'start'),
    ...timeOf(sweep, 'end'),
  })
  const where = set.create_group('where')
  numbers(where, { elangle: elevationDeg, rstart: rangeStartM / 1000, rscale: rangeStepM })
  for (const [name, value] of Object.entries({ nbins, nrays, a1gate: 0 }))
    where.create_attribute(name, value, null, '<q')
  const half = 180 / nrays
  const how = set.create_group('how')
  for (const [name, turn] of [
    ['startazA', 360 - half],
    ['stopazA', half],
  ] as const)
    how.create_attribute(
      name,
      azimuthDeg.map((azimuth) => (azimuth + turn) % 360),
      [nrays],
      '<d',
    )
  Object.entries(moments).forEach(([quantity, moment], i) => {
    const layer = set.create_group(`data${i + 1}`)
    const what = layer.create_group('what')
    writeText(what, 'quantity', quantity)
    numbers(what, { gain: 1, offset: 0, nodata: NO_DATA, undetect: UNDETECT })
    layer.create_dataset({
      name: 'data',
      data: moment!.values.map((value) =>
        Number.isFinite(value) ? value : value === Number.NEGATIVE_INFINITY ? UNDETECT : NO_DATA,
      ),
      shape: [nrays, nbins],
      chunks: [nrays, nbins],
      compression: 'gzip',
      compression_opts: 4,
      dtype: '<f',
    })
  })
}

function timeOf({ datetime }: RadarSweep, prefix: string): Record<string, string> {
  return {
    [`${prefix}date`]: datetime.slice(0, 10).replaceAll('-', ''),
    [`${prefix}time`]: datetime.slice(11, 19).replaceAll(':', ''),
  }
}

function texts(node: Group, values: Record<string, string>): void {
  for (const [name, value] of Object.entries(values)) writeText(node, name, value)
}

function numbers(node: Group, values: Record<string, number | null>): void {
  for (const [name, value] of Object.entries(values))
    if (value !== null) node.create_attribute(name, value, null, '<d')
}
