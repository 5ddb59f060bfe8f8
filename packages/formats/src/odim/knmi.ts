import type { CodeOf } from '@radx/contracts/errors'
import { FormatError } from '@radx/contracts/errors'
import type { GridGeometry } from '@radx/contracts/grid-geometry'
import {
  dataset,
  type Group,
  group,
  numberAttribute,
  numbersAttribute,
  readNumbers,
  shapeOf,
  type TypedValues,
  textAttribute,
} from '../hdf5/file.ts'
import { MAX_CELLS } from '../limits.ts'
import { plainDefinition, planeOf } from '../projection.ts'
import type { OdimImage, OdimQuantity } from './odim.ts'

/** Whether a file is one of the Dutch weather service's own HDF5 (KNMI HDF5 Data Format Specification 3.6). */
export const isKnmi = (root: Group): boolean =>
  group(root, 'image1') !== undefined && group(root, 'geographic') !== undefined

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

function refuse(code: CodeOf<'odim'>, messageFr: string): FormatError {
  return new FormatError(`odim.${code}`, messageFr)
}

function missing(name: string): FormatError {
  return refuse(
    'badHeader',
    `L’attribut « ${name} » manque dans le fichier HDF5 du KNMI ou n’a pas de sens. Demandez au fournisseur un fichier complet.`,
  )
}

/** Stored codes of `image1`, what they mean and where they lie. */
export interface KnmiImage extends Omit<OdimImage, 'rateMmH'> {
  /** Value in the unit of the quantity of each code: gain x code + offset. */
  gain: number
  offset: number
  /** Codes of a cell that no radar sees. */
  nodata: number[]
  codes: TypedValues
}

/** The first image of a KNMI file. @throws FormatError `odim.badHeader`, `.notRain`, `.damaged` */
export function readKnmi(root: Group): KnmiImage {
  const image = group(root, 'image1')
  const data = image && dataset(image, 'image_data')
  if (!data) throw missing('image1/image_data')
  const [nrows, ncols, more] = shapeOf(data)
  if (more !== undefined || !(nrows >= 1 && ncols >= 1 && nrows * ncols <= MAX_CELLS))
    throw missing('image1/image_data')
  const calibration = group(image, 'calibration')
  const number = String.raw`([-+]?[\d.]+(?:e[-+]?\d+)?)`
  const formula = new RegExp(String.raw`^GEO\s*=\s*${number}\s*\*\s*PV\s*\+?\s*${number}`, 'i').exec(
    textAttribute('calibration_formulas', calibration) ?? '',
  )
  const [gain, offset] = [Number(formula?.[1]), Number(formula?.[2])]
  if (!formula || !Number.isFinite(gain) || !Number.isFinite(offset) || gain === 0)
    throw missing('calibration_formulas')
  const quantity = quantityOf(textAttribute('image_geo_parameter', image) ?? '')
  const overview = group(root, 'overview')
  const end = timeOf('product_datetime_end', overview) ?? timeOf('product_datetime_start', overview)
  if (end === null) throw missing('product_datetime_end')
  const start = timeOf('product_datetime_start', overview)
  const interval = start !== null && start < end ? { start, end } : null
  const hours = interval ? (Date.parse(interval.end) - Date.parse(interval.start)) / 3_600_000 : 0
  if (quantity === 'ACRR' && !(hours > 0 && hours <= 24 * 31)) throw missing('product_datetime_start')
  // Code 0 of a picture of rain is no rain, whatever the file calls it.
  const nodata = ['calibration_out_of_image', 'calibration_missing_data'].flatMap(
    (name) => numberAttribute(name, calibration) || [],
  )
  return {
    kind: 'odim',
    conventions: textAttribute('hdftag_version_number', overview) ?? '',
    object: 'KNMI',
    source: textAttribute('product_group_name', overview) ?? '',
    datetime: end,
    quantity,
    accumulationHours: quantity === 'ACRR' ? hours : null,
    accumulationEnd: quantity === 'ACRR' ? end : null,
    interval,
    bias: null,
    geometry: geometryOf(group(root, 'geographic'), nrows, ncols),
    nrows,
    ncols,
    gain,
    offset,
    nodata,
    codes: readNumbers('odim', data),
  }
}

function quantityOf(parameter: string): OdimQuantity {
  if (/dbz/i.test(parameter)) return 'DBZH'
  if (/mm\s*\/\s*h/i.test(parameter)) return 'RATE'
  if (/mm/i.test(parameter)) return 'ACRR'
  throw refuse(
    'notRain',
    `Le fichier HDF5 du KNMI contient « ${parameter.slice(0, 30)} », ni intensité, ni cumul, ni réflectivité. Déposez un produit de pluie.`,
  )
}

/** `31-AUG-2010 00:05:00.000` as ISO 8601 UTC; null where it is not there. */
function timeOf(name: string, overview: Group | undefined): string | null {
  const found = /^(\d{1,2})-([A-Z]{3})-(\d{4})[ ;T](\d\d):(\d\d):(\d\d)/i.exec(
    textAttribute(name, overview) ?? '',
  )
  if (!found) return null
  const month = MONTHS.indexOf(found[2].toUpperCase())
  const [day, year, hour, minute, second] = [1, 3, 4, 5, 6].map((k) => Number(found[k]))
  if (month < 0 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) throw missing(name)
  return new Date(Date.UTC(year, month, day, hour, minute, second)).toISOString()
}

/** Offsets are in pixels from the origin of the plane to the upper left corner; the plane is in km or m. */
function geometryOf(place: Group | undefined, nrows: number, ncols: number): GridGeometry {
  const need = (name: string): number => {
    const value = numberAttribute(name, place)
    if (value === undefined) throw missing(name)
    return value
  }
  const [stepX, stepY] = [need('geo_pixel_size_x'), need('geo_pixel_size_y')]
  const [column, row] = [need('geo_column_offset'), need('geo_row_offset')]
  const unit = /km/i.test(textAttribute('geo_dim_pixel', place) ?? 'KM') ? 1000 : 1
  if (!(stepX > 0 && stepY < 0)) throw missing('geo_pixel_size_y')
  const left = column * stepX * unit
  const top = row * stepY * unit
  const written = textAttribute('projection_proj4_params', place && group(place, 'map_projection')) ?? ''
  const proj4 = plainDefinition(inMetres(written))
  const toPlane = proj4 && planeOf(proj4)
  if (!proj4 || !toPlane || /proj=(long?lat|latlong?)\b/.test(proj4)) throw missing('projection_proj4_params')
  const right = left + ncols * stepX * unit
  const bottom = top + nrows * stepY * unit
  // The corners in degrees (lower left, upper left, upper right, lower right) say the same once more.
  const corners = numbersAttribute('geo_product_corners', place)
  if (corners?.length === 8) {
    const [lowerLeft, upperRight] = [toPlane([corners[0], corners[1]]), toPlane([corners[4], corners[5]])]
    const far = (a: number, b: number, size: number): boolean => Math.abs(a - b) > 0.02 * size
    if (
      far(lowerLeft[0], left, right - left) ||
      far(lowerLeft[1], bottom, top - bottom) ||
      far(upperRight[0], right, right - left) ||
      far(upperRight[1], top, top - bottom)
    )
      throw missing('geo_product_corners')
  }
  return { proj4, left, right, top, bottom, ncols, nrows }
}

/** Radii of the Earth are written in km there. */
const inMetres = (proj4: string): string =>
  proj4
    .trim()
    .replace(/\+(a|b|R)=([\d.]+)/g, (text, name: string, value: string) =>
      Number(value) < 10_000 ? `+${name}=${Number(value) * 1000}` : text,
    )
