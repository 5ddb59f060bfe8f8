import { FormatError } from '@radx/contracts/errors'
import type { GridGeometry } from '@radx/contracts/grid-geometry'
import { File, FS } from 'h5wasm'
import { hdf5Ready } from '../hdf5/file.ts'
import { Hdf5Reader } from '../hdf5/reader.ts'
import { writeMrrPro } from '../mrrpro/mrrpro.ts'
import { readRainbowProduct, writeRainbowProduct } from '../rainbow5/product.ts'
import { readRainbowVolume } from '../rainbow5/volume.ts'
import { readToa5, writeToa5 } from '../toa5.ts'
import { esriAsciiTarget, inpTarget } from './fuzz-catchment.ts'
import { applyMutations, type Mutation } from './mutate.ts'
import { cfRadialBytes, classicCfRadialBytes, gamicBytes, odimVolumeBytes } from './polar-file.ts'
import { volumeBytes } from './rainbow-bytes.ts'

/** A reader under attack: sound files to start from, the reading, and what every answer must hold to. */
export interface FuzzTarget {
  name: 'product' | 'volume' | 'odim' | 'polar' | 'mrrpro' | 'toa5' | 'inp' | 'esriascii'
  /** First part of the error codes. */
  format: string
  /** Folder and names of real files below the reference data; null where there are none. */
  real: { folder: string; pattern: RegExp } | null
  seeds(): Promise<Uint8Array[]>
  read(bytes: Uint8Array): unknown
  /** Throws when the answer is no sound one. */
  check(answer: never): void
  close?(): Promise<void>
}

export type FuzzOutcome = { kind: 'read' } | { kind: 'refused'; code: string }

/**
 * Reads damaged bytes. Either there is a sound answer, or a FormatError with a code of the format and a
 * message.
 * @throws Error for anything else: that is what the fuzzing is after
 */
export async function attack(target: FuzzTarget, bytes: Uint8Array): Promise<FuzzOutcome> {
  try {
    target.check((await target.read(bytes)) as never)
    return { kind: 'read' }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    if (!error.code.startsWith(`${target.format}.`) || error.message.length < 20)
      throw new Error(`refused with the code ${error.code} and the message ${error.message}`)
    return { kind: 'refused', code: error.code }
  }
}

function must(condition: boolean, what: string): void {
  if (!condition) throw new Error(`unsound answer: ${what}`)
}

function checkRates(rates: Float32Array, { nrows, ncols, left, right, top, bottom }: GridGeometry): void {
  must(rates.length === nrows * ncols, 'size of the grid')
  must(
    rates.every((v) => Number.isNaN(v) || v >= 0),
    'a negative rate',
  )
  must(right > left && top > bottom, 'edges of the grid')
}

const checkDate = (iso: string): void => must(!Number.isNaN(Date.parse(iso)), 'date')

const RATES = Float32Array.from({ length: 12 * 10 }, (_, i) => (i % 5 === 0 ? Number.NaN : (i % 40) / 3))
const PLACE = {
  name: 'essai',
  type: 'sri',
  datetime: '2024-01-01T00:00:00Z',
  sensor: { id: 'X', name: 'X', lat: 48.8, lon: 2.5, altitudeM: 90, wavelengthM: 0.03, beamwidthDeg: 1 },
  ncols: 12,
  nrows: 10,
  corners: { latUl: 49.29, lonUl: 1.9, latLr: 48.39, lonLr: 3.27 },
  rateMmH: RATES,
}

function productTarget(): FuzzTarget {
  return {
    name: 'product',
    format: 'rainbow5',
    real: null,
    seeds: async () => [
      writeRainbowProduct({ ...PLACE, projection: { kind: 'aeqd' }, coding: { depth: 8, unit: 'dBR' } }),
      writeRainbowProduct({
        ...PLACE,
        projection: { kind: 'latlon' },
        coding: { depth: 16, unit: 'linear' },
      }),
    ],
    read: readRainbowProduct,
    check: (product: ReturnType<typeof readRainbowProduct>) => {
      checkRates(product.rateMmH, product.geometry)
      checkDate(product.datetime)
    },
  }
}

function volumeTarget(): FuzzTarget {
  return {
    name: 'volume',
    format: 'rainbow5',
    real: { folder: 'rainbow5', pattern: /\.(azi|vol)$/ },
    seeds: async () => [volumeBytes()],
    read: readRainbowVolume,
    check: (volume: ReturnType<typeof readRainbowVolume>) => {
      checkDate(volume.datetime)
      must(volume.sweeps.length > 0, 'no sweep')
      for (const sweep of volume.sweeps) {
        must(sweep.values.length === sweep.nrays * sweep.nbins, 'size of a sweep')
        must(
          sweep.azimuthStartDeg.every((a) => a >= 0 && a < 360),
          'azimuth',
        )
        must(sweep.azimuthStopDeg.length === sweep.nrays, 'stop angles')
        must(sweep.rangeStepM > 0, 'range step')
      }
    },
  }
}

function toa5Target(): FuzzTarget {
  return {
    name: 'toa5',
    format: 'toa5',
    real: { folder: 'station', pattern: /\.dat$/ },
    seeds: async () => {
      const column = (name: string, unit: string) => ({
        name,
        unit,
        processing: 'Avg',
        values: Float64Array.of(1, 2.5, Number.NaN),
      })
      return [
        writeToa5({
          station: 'X',
          model: 'CR1000X',
          serialNumber: '1',
          operatingSystem: 'os',
          program: 'p',
          signature: '2',
          table: 'meteo',
          localMs: Float64Array.of(1.7e12, 1.7e12 + 60_000, 1.7e12 + 120_000),
          columns: [column('RECORD', 'RN'), column('AirTC', '°C'), column('"quoted", name', '')],
        }),
      ]
    },
    read: readToa5,
    check: (table: ReturnType<typeof readToa5>) => {
      must(table.columns.length > 0, 'no column')
      must(
        table.columns.every((c) => c.values.length === table.localMs.length),
        'length of a column',
      )
      must(table.localMs.every(Number.isFinite), 'a time stamp')
    },
  }
}

/** A small composite as producers write it: codes of 8 bits with gain, offset, nodata and undetect. */
export async function odimBytes(): Promise<Uint8Array> {
  await hdf5Ready()
  const path = '/seed-odim.h5'
  const file = new File(path, 'w')
  file.create_attribute('Conventions', 'ODIM_H5/V2_2')
  const attributes = (
    name: string,
    values: Record<string, string | number>,
    parent: import('h5wasm').Group = file,
  ) => {
    const made = parent.create_group(name)
    for (const [key, value] of Object.entries(values)) made.create_attribute(key, value)
    return made
  }
  attributes('what', {
    object: 'COMP',
    version: 'H5rad 2.2',
    date: '20240101',
    time: '120000',
    source: 'ORG:247',
  })
  attributes('where', {
    projdef: '+proj=stere +lat_0=90 +lon_0=10 +lat_ts=60 +a=6378137 +b=6356752.3142451802 +no_defs',
    xsize: 12,
    ysize: 10,
    xscale: 2000,
    yscale: 2000,
    LL_lon: 2,
    LL_lat: 48.5,
  })
  const set = file.create_group('dataset1')
  attributes('what', { quantity: 'DBZH', gain: 0.5, offset: -32, nodata: 255, undetect: 0 }, set)
  const data = Uint8Array.from({ length: 120 }, (_, i) => (i * 7) % 256)
  set
    .create_group('data1')
    .create_dataset({ name: 'data', data, shape: [10, 12], chunks: [5, 6], compression: 'gzip' })
  file.close()
  const bytes = (FS as unknown as { readFile(path: string): Uint8Array }).readFile(path)
  FS!.unlink(path)
  return bytes
}

/**
 * That composite with one bit or two turned over, by what it does to the HDF5 library: it never comes back
 * from an attribute, or it asks for gigabytes.
 */
export async function hostileOdimBytes(kind: 'endless' | 'memory'): Promise<Buffer> {
  const damage: Mutation =
    kind === 'endless'
      ? { kind: 'flip', at: 0.254006, size: 1, value: 0 }
      : { kind: 'word32', at: 0.7143957971129566, size: 1, value: 3866576164 }
  return applyMutations(await odimBytes(), [damage])
}

function odimTarget(timeoutMs?: number): FuzzTarget {
  const reader = new Hdf5Reader({ timeoutMs })
  return {
    name: 'odim',
    format: 'odim',
    real: { folder: 'odim/rmi-20210704', pattern: /1900|1830/ },
    seeds: async () => [await odimBytes()],
    read: (bytes) => reader.readOdim(bytes),
    check: (image: Awaited<ReturnType<typeof reader.readOdim>>) => {
      checkRates(image.rateMmH, image.geometry)
      checkDate(image.datetime)
    },
    close: () => reader.close(),
  }
}

/** Volumes in HDF5: ODIM, GAMIC and CfRadial. */
function polarTarget(timeoutMs?: number): FuzzTarget {
  const reader = new Hdf5Reader({ timeoutMs })
  return {
    name: 'polar',
    format: 'odim',
    real: null,
    seeds: () => Promise.all([odimVolumeBytes(), gamicBytes(), cfRadialBytes(), classicCfRadialBytes()]),
    read: (bytes) => reader.readVolume(bytes),
    check: ({ sweeps }: Awaited<ReturnType<typeof reader.readVolume>>) => {
      must(sweeps.length > 0, 'no sweep')
      for (const { datetime, nrays, nbins, azimuthDeg, rangeStepM, moments } of sweeps) {
        checkDate(datetime)
        must(azimuthDeg.length === nrays, 'number of azimuths')
        must(
          azimuthDeg.every((a, i) => a >= 0 && a < 360 && (i === 0 || a > azimuthDeg[i - 1])),
          'azimuth',
        )
        must(rangeStepM > 0, 'range step')
        must(
          Object.values(moments).every((moment) => moment!.values.length === nrays * nbins),
          'size of a moment',
        )
      }
    },
    close: () => reader.close(),
  }
}

function mrrproTarget(timeoutMs?: number): FuzzTarget {
  const reader = new Hdf5Reader({ timeoutMs })
  const values = Float32Array.from({ length: 15 }, (_, i) => i / 10)
  return {
    name: 'mrrpro',
    format: 'mrrpro',
    real: { folder: 'mrr', pattern: /cloudnetpy|_0210/ },
    seeds: async () => [
      await writeMrrPro({
        instrumentName: 'METEK MRR Pro 1.2.5',
        siteName: 'X',
        lat: 48,
        lon: 2,
        altitudeM: null,
        timesMs: Float64Array.of(1.7e12, 1.7e12 + 10_000, 1.7e12 + 20_000),
        heightsM: Float32Array.of(50, 100, 150, 200, 250),
        variables: { LWC: values, RR: values, VEL: values },
      }),
    ],
    read: (bytes) => reader.readMrrPro(bytes),
    check: (file: Awaited<ReturnType<typeof reader.readMrrPro>>) => {
      const cells = file.timesMs.length * file.heightsM.length
      must(
        Object.values(file.variables).every((v) => v.length === cells),
        'size of the profiles',
      )
      must(file.timesMs.every(Number.isFinite), 'a time')
      must(
        file.heightsM.every((h, i) => i === 0 || h > file.heightsM[i - 1]),
        'heights',
      )
    },
    close: () => reader.close(),
  }
}

/** HDF5 takes `timeoutMs` for a file, others are never near it. */
export const FUZZ_TARGETS: Record<FuzzTarget['name'], (timeoutMs?: number) => FuzzTarget> = {
  product: productTarget,
  volume: volumeTarget,
  odim: odimTarget,
  polar: polarTarget,
  mrrpro: mrrproTarget,
  toa5: toa5Target,
  inp: inpTarget,
  esriascii: esriAsciiTarget,
}
