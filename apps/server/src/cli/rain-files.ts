import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { FormatError } from '@radx/contracts/errors'
import type { GridGeometry } from '@radx/contracts/grid-geometry'
import { readEsriAscii } from '@radx/formats/esri-ascii'
import { Hdf5Reader } from '@radx/formats/hdf5/reader'
import type { NetcdfRain } from '@radx/formats/netcdf/rain-grids'
import { readRainbowProduct } from '@radx/formats/rainbow5/product'
import { UsageError } from './command.ts'

/** A rain picture of a file, on the file's own grid. */
export interface RainFile {
  path: string
  /** Nominal time, ms UTC; null where the format has none. */
  timeMs: number | null
  nrows: number
  ncols: number
  /** null where the format does not say in which plane its coordinates are. */
  geometry: GridGeometry | null
  /** Side of a cell, m; null where it is not known. */
  cellM: number | null
  /** Factor by which the file says that it was adjusted to gauges; null where it says nothing. */
  bias: number | null
  /** mm/h, `[row * ncols + col]`, row 0 north; NaN = no data, 0 = no echo. */
  rateMmH: Float32Array
}

/** Pictures of one grid in the order of their times (of the names where the format has no time). */
export interface RainSeries {
  frames: RainFile[]
  nrows: number
  ncols: number
  geometry: GridGeometry | null
  cellM: number | null
}

const HDF5 = [0x89, 0x48, 0x44, 0x46]

/**
 * Reads rain pictures for a command, as they are, without the grid of a site's product: ODIM HDF5, Rainbow 5 products,
 * netCDF-4 (several times a file), ESRI ASCII grids of mm/h.
 * @throws UsageError for a file that cannot be read, is no rain picture, has another grid, or a time that is there twice
 */
export async function readRainSeries(
  paths: readonly string[],
  onProgress: (done: number) => void = () => {},
): Promise<RainSeries> {
  const hdf5 = new Hdf5Reader()
  try {
    const frames: RainFile[] = []
    let done = 0
    for (const path of paths) {
      frames.push(...(await readRainFile(path, hdf5)))
      onProgress(++done)
    }
    return inOrder(frames)
  } finally {
    await hdf5.close()
  }
}

/** One picture, or those of a netCDF file. */
async function readRainFile(path: string, hdf5: Hdf5Reader): Promise<RainFile[]> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      error.code === 'ENOENT' ? `${path} n’existe pas.` : `${path} ne peut pas être lu (${error.code}).`,
    )
  })
  try {
    if (HDF5.every((byte, i) => bytes[i] === byte)) {
      if (isNetcdf(bytes)) return picturesOf(path, await hdf5.readNetcdfRain(bytes))
      const image = await hdf5.readOdim(bytes)
      const { geometry, datetime, bias, rateMmH } = image
      return [{ path, timeMs: Date.parse(datetime), ...placed(geometry), bias, rateMmH }]
    }
    if (/^\s*<(\?xml|product|volume)/i.test(bytes.subarray(0, 200).toString('latin1'))) {
      const { geometry, datetime, rateMmH } = readRainbowProduct(bytes)
      return [{ path, timeMs: Date.parse(datetime), ...placed(geometry), bias: null, rateMmH }]
    }
    if (bytes.subarray(0, 3).toString('latin1') === 'CDF')
      throw new UsageError(
        `${path} est un netCDF classique : le convertir en netCDF-4 (nccopy -k nc4 ANCIEN NOUVEAU).`,
      )
    const { nrows, ncols, cellSize, data } = readEsriAscii(bytes.toString('latin1'), basename(path))
    const rateMmH = Float32Array.from(data, (v) => (v >= 0 ? v : Number.NaN))
    return [{ path, timeMs: null, nrows, ncols, geometry: null, cellM: cellSize, bias: null, rateMmH }]
  } catch (error) {
    if (error instanceof FormatError) throw new UsageError(`${path} : ${error.message}`)
    throw error
  }
}

/** netCDF-4 is HDF5 with scales of its dimensions; ODIM says its name. */
const isNetcdf = (bytes: Buffer): boolean =>
  !bytes.includes('ODIM_H5') && (bytes.includes('DIMENSION_SCALE') || bytes.includes('_NCProperties'))

function picturesOf(
  path: string,
  { nrows, ncols, geometry, cellM, timesMs, rateMmH, bias }: NetcdfRain,
): RainFile[] {
  return rateMmH.map((rates, k) => ({
    path,
    timeMs: timesMs?.[k] ?? null,
    nrows,
    ncols,
    geometry,
    cellM,
    bias,
    rateMmH: rates,
  }))
}

function placed(geometry: GridGeometry): Pick<RainFile, 'geometry' | 'nrows' | 'ncols' | 'cellM'> {
  const { nrows, ncols, left, right } = geometry
  const cellM = /\+proj=longlat/.test(geometry.proj4) ? null : (right - left) / ncols
  return { geometry, nrows, ncols, cellM }
}

/** Pictures of one file stay in its order. */
const byName = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

function inOrder(frames: RainFile[]): RainSeries {
  const [first] = frames
  for (const frame of frames) {
    if (
      frame.nrows !== first.nrows ||
      frame.ncols !== first.ncols ||
      !samePlace(frame.geometry, first.geometry)
    )
      throw new UsageError(
        `${frame.path} a une autre grille (${frame.nrows} x ${frame.ncols}) que ${first.path} (${first.nrows} x ${first.ncols}). Donnez des images d’un seul produit.`,
      )
    if ((frame.timeMs === null) !== (first.timeMs === null))
      throw new UsageError(`${frame.path} et ${first.path} ne sont pas du même format.`)
  }
  const sorted = frames.toSorted((a, b) =>
    a.timeMs === null || b.timeMs === null ? byName(a.path, b.path) : a.timeMs - b.timeMs,
  )
  for (let i = 1; i < sorted.length; i++)
    if (sorted[i].timeMs !== null && sorted[i].timeMs === sorted[i - 1].timeMs)
      throw new UsageError(
        `${sorted[i - 1].path} et ${sorted[i].path} sont de la même heure (${new Date(sorted[i].timeMs!).toISOString()}). N’en donnez qu’un.`,
      )
  const { nrows, ncols, geometry, cellM } = first
  return { frames: sorted, nrows, ncols, geometry, cellM }
}

/** Whether two grids are the same to a hundredth of a cell. */
function samePlace(a: GridGeometry | null, b: GridGeometry | null): boolean {
  if (a === null || b === null) return a === b
  const near = Math.abs(a.right - a.left) / a.ncols / 100
  return (
    a.proj4 === b.proj4 &&
    (['left', 'right', 'top', 'bottom'] as const).every((edge) => Math.abs(a[edge] - b[edge]) <= near)
  )
}
