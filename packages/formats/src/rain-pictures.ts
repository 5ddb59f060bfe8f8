import { FormatError } from '@radx/contracts/errors'
import type { GridGeometry } from '@radx/contracts/grid-geometry'
import { readEsriAscii } from './esri-ascii.ts'
import type { Hdf5Reader } from './hdf5/reader.ts'
import { isClassicNetcdf } from './netcdf/classic.ts'
import { readRainbowProduct } from './rainbow5/product.ts'

/** A rain picture of a file, on the file's own grid. */
export interface RainPicture {
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
  /** Time that a depth fell in, of which the rate is the mean; null of what is a rate or a reflectivity. */
  accumulation: { hours: number /** null where the file does not say. */; endMs: number | null } | null
  /** Time that the file says the picture to be of, ms UTC; null where it says none. */
  interval: { startMs: number; endMs: number } | null
  /** The file says that this is a forecast. */
  forecast: boolean
  /** mm/h, `[row * ncols + col]`, row 0 north; NaN = no data, 0 = no echo. */
  rateMmH: Float32Array
}

const HDF5 = [0x89, 0x48, 0x44, 0x46]

/** netCDF-4 is HDF5 with scales of its dimensions; ODIM says its name. */
const isNetcdf = (bytes: Buffer): boolean =>
  !bytes.includes('ODIM_H5') && (bytes.includes('DIMENSION_SCALE') || bytes.includes('_NCProperties'))

/**
 * The rain pictures of a file, in its order: one of ODIM HDF5, a Rainbow 5 product or an ESRI ASCII grid of mm/h, all
 * of a netCDF file, 4 or classic.
 * @param name of the file, for messages
 * @throws FormatError when the file cannot be read or is no rain picture
 */
export async function readRainPictures(
  bytes: Buffer,
  name: string,
  hdf5: Hdf5Reader,
): Promise<RainPicture[]> {
  if (HDF5.every((byte, i) => bytes[i] === byte)) {
    if (isNetcdf(bytes)) return netcdfPictures(bytes, hdf5)
    const image = await hdf5.readOdim(bytes)
    const { geometry, datetime, bias, rateMmH, accumulationHours, accumulationEnd } = image
    const accumulation =
      accumulationHours === null || accumulationEnd === null
        ? null
        : { hours: accumulationHours, endMs: Date.parse(accumulationEnd) }
    const interval = image.interval && {
      startMs: Date.parse(image.interval.start),
      endMs: Date.parse(image.interval.end),
    }
    const timeMs = Date.parse(datetime)
    return [{ timeMs, ...placed(geometry), bias, accumulation, interval, forecast: false, rateMmH }]
  }
  if (/^\s*<(\?xml|product|volume)/i.test(bytes.subarray(0, 200).toString('latin1'))) {
    const { geometry, datetime, rateMmH } = readRainbowProduct(bytes)
    return [
      {
        timeMs: Date.parse(datetime),
        ...placed(geometry),
        bias: null,
        accumulation: null,
        interval: null,
        forecast: false,
        rateMmH,
      },
    ]
  }
  if (isClassicNetcdf(bytes)) return netcdfPictures(bytes, hdf5)
  if (bytes.length === 0) throw new FormatError('rain.empty', 'Le fichier est vide.')
  if (/\.(nc4?|hdf5?|h5)$/i.test(name) || bytes.subarray(0, 200).includes(0))
    throw new FormatError(
      'rain.unknown',
      'Ce n’est ni du HDF5 ni du netCDF-4 : le fichier est abîmé, incomplet ou d’un autre format.',
    )
  const { nrows, ncols, cellSize, data } = readEsriAscii(bytes.toString('latin1'), name)
  const rateMmH = Float32Array.from(data, (v) => (v >= 0 ? v : Number.NaN))
  return [
    {
      timeMs: null,
      nrows,
      ncols,
      geometry: null,
      cellM: cellSize,
      bias: null,
      accumulation: null,
      interval: null,
      forecast: false,
      rateMmH,
    },
  ]
}

async function netcdfPictures(bytes: Buffer, hdf5: Hdf5Reader): Promise<RainPicture[]> {
  const found = await hdf5.readNetcdfRain(bytes)
  const { timesMs, rateMmH, depthHours, nrows, ncols, geometry, cellM, bias, forecast } = found
  const accumulation = depthHours === null ? null : { hours: depthHours, endMs: null }
  const common = { nrows, ncols, geometry, cellM, bias, accumulation, interval: null, forecast }
  return rateMmH.map((rates, k) => ({ timeMs: timesMs?.[k] ?? null, ...common, rateMmH: rates }))
}

function placed(geometry: GridGeometry): Pick<RainPicture, 'geometry' | 'nrows' | 'ncols' | 'cellM'> {
  const { nrows, ncols, left, right } = geometry
  const cellM = /\+proj=longlat/.test(geometry.proj4) ? null : (right - left) / ncols
  return { geometry, nrows, ncols, cellM }
}
