import type { GridGeometry } from '@radx/contracts/grid-geometry'
import { MAX_CELLS } from '../limits.ts'
import { LONGLAT, plainDefinition, planeOf } from '../projection.ts'
import { child, type XmlElement } from '../xml.ts'
import { decodeTable, decodeValues, type FlagBits, fillFlagged } from './coding.ts'
import { openRainbow5, type Rainbow5Container, readBlob, refuse } from './container.ts'
import {
  field,
  findElement,
  missing,
  type Rainbow5Sensor,
  readInstant,
  readSensor,
  requiredInteger,
  requiredNumber,
} from './header.ts'

export type { Rainbow5Sensor } from './header.ts'
export { type RainbowProductInput, writeRainbowProduct } from './product-writer.ts'

/** How codes stand for rain: `dBR` is 10 log10 of mm/h, `linear` is mm/h. */
export type RainUnit = 'dBR' | 'linear'

/** Outer corners of the picture, WGS84 degrees. */
export interface ProductCorners {
  latUl: number
  lonUl: number
  latLr: number
  lonLr: number
}

export interface RainbowProduct {
  kind: 'rainbow5-product'
  /** Software version of the file, such as `5.43.11`. */
  version: string
  /** Name given to the product on the radar; its type where it has none. */
  name: string
  /** Type of the product in lower case, such as `sri` or `dpsri`. */
  type: string
  /** Time of the measurement, ISO 8601 UTC. */
  datetime: string
  sensor: Rainbow5Sensor
  ncols: number
  nrows: number
  corners: ProductCorners
  /** `latlon`: rows and columns are regular in degrees; `aeqd`: regular in an azimuthal equidistant plane. */
  projection: { kind: 'latlon' | 'aeqd'; proj4: string }
  /** The same place as a plane grid, as the regridder takes it. */
  geometry: GridGeometry
  coding: { depth: 8 | 16; unit: RainUnit; min: number; max: number }
  /** mm/h, `[row * ncols + col]`, row 0 north; NaN = no data (flagged), 0 = no echo. */
  rateMmH: Float32Array
}

/** Names of projections, in lower case and without what joins their words. */
const LATLON_TYPES = [
  'latlon',
  'latlong',
  'lonlat',
  'longlat',
  'geographic',
  'wgs84',
  'platecarree',
  'equirectangular',
  'eqc',
]
const AEQD_TYPES = ['', 'aeqd', 'azimuthalequidistant', 'azeqd', 'polar']
const MAX_SIDE = 8192

/** A product whose values are still codes, for who wants them as something else than mm/h. */
export interface RainbowPicture extends Omit<RainbowProduct, 'rateMmH'> {
  /** mm/h of every code; the same array as long as the scale is the same. Not to be written to. */
  rateOfCode: Float32Array
  /**
   * Every cell's code looked up in `table`, `[row * ncols + col]`, row 0 north.
   * @param table `[code]`, as long as `rateOfCode`
   * @param missing for flagged cells
   * @param out nrows x ncols
   */
  lookUp<T extends Float32Array | Uint16Array>(table: T, missing: number, out: T): T
}

/**
 * Reads a Rainbow 5 rain product (`.sri`, `.dpsri` and alike).
 * Values: code 0 = no echo = 0 mm/h, flagged cells = NaN, other codes linear in their unit (see coding.ts).
 * @throws FormatError with a code `rainbow5.*`
 */
export function readRainbowProduct(bytes: Uint8Array): RainbowProduct {
  const { rateOfCode, lookUp, ...about } = readRainbowPicture(bytes)
  const rateMmH = lookUp(rateOfCode, Number.NaN, new Float32Array(about.nrows * about.ncols))
  return { ...about, rateMmH }
}

/**
 * `readRainbowProduct` that leaves the values as they are coded.
 * @throws FormatError with a code `rainbow5.*`
 */
export function readRainbowPicture(bytes: Uint8Array): RainbowPicture {
  const file = openRainbow5(bytes)
  const { root } = file
  if (root.name === 'volume')
    throw refuse(
      'wrongKind',
      'Ce fichier Rainbow 5 est un volume, non un produit. Déposez-le avec son extension .vol ou .azi.',
    )
  if (root.name !== 'product')
    throw refuse('wrongKind', 'Ce fichier Rainbow 5 ne contient pas de produit. Vérifiez le fichier déposé.')
  const data = child(root, 'data')
  const picture = findElement(root, 'radarpicture')
  const datamap = picture && child(picture, 'datamap')
  const projection = picture && child(picture, 'projection')
  if (!picture) throw missing('radarpicture')
  if (!datamap) throw missing('datamap')
  if (!projection) throw missing('projection')

  const { ncols, nrows } = readSize(datamap, projection)
  const sensor = readSensor(root)
  const corners: ProductCorners = {
    latUl: requiredNumber('lat_ul', projection),
    lonUl: requiredNumber('lon_ul', projection),
    latLr: requiredNumber('lat_lr', projection),
    lonLr: requiredNumber('lon_lr', projection),
  }
  const plane = readPlane(projection, sensor)
  const geometry = placeGrid(corners, plane.proj4, ncols, nrows)
  const coding = readCoding(datamap, picture, data)
  const blobId = requiredInteger('blobid', 0, 999_999_999, datamap)
  const codes = readBlob(file, blobId, [nrows * ncols * (coding.depth / 8)])
  const flags = readFlags(file, child(picture, 'flagmap'), nrows, ncols)
  const datetime = readInstant(data) ?? readInstant(root)
  if (!datetime) throw missing('date')
  const type = (field('type', root) ?? field('name', root) ?? '').toLowerCase()
  return {
    kind: 'rainbow5-product',
    version: field('version', root) ?? '',
    name: field('name', root) ?? field('name', data) ?? type,
    type,
    datetime,
    sensor,
    ncols,
    nrows,
    corners,
    projection: plane,
    geometry,
    coding,
    rateOfCode: rateTable(coding),
    lookUp: (table, missing, out) => {
      decodeValues(codes, coding.depth, table, out)
      if (flags) fillFlagged(flags, missing, out)
      return out
    },
  }
}

function readSize(datamap: XmlElement, projection: XmlElement): { ncols: number; nrows: number } {
  const ncols = requiredInteger('columns', 1, MAX_SIDE, datamap)
  const nrows = requiredInteger('rows', 1, MAX_SIDE, datamap)
  const sizeX = field('size_x', projection) ? requiredInteger('size_x', 1, MAX_SIDE, projection) : ncols
  const sizeY = field('size_y', projection) ? requiredInteger('size_y', 1, MAX_SIDE, projection) : nrows
  if (sizeX !== ncols || sizeY !== nrows || ncols * nrows > MAX_CELLS)
    throw refuse(
      'badHeader',
      `L'en-tête Rainbow 5 annonce une grille de ${nrows} x ${ncols} et une projection de ${sizeY} x ${sizeX}. Vérifiez la configuration du produit sur le radar.`,
      { ncols, nrows, sizeX, sizeY },
    )
  return { ncols, nrows }
}

function readPlane(projection: XmlElement, sensor: Rainbow5Sensor): RainbowProduct['projection'] {
  const type = projection.attributes.get('type') ?? projection.attributes.get('name') ?? ''
  const name = type.toLowerCase().replace(/[-_ ]/g, '')
  if (LATLON_TYPES.includes(name)) return { kind: 'latlon', proj4: LONGLAT }
  const given = field('proj4string', projection)
  const proj4 = given && (plainDefinition(given) ?? given)
  if (proj4 && /\+proj=(longlat|latlong)\b/.test(proj4)) return { kind: 'latlon', proj4: LONGLAT }
  if (!AEQD_TYPES.includes(name))
    throw refuse(
      'unsupported',
      `La projection « ${type.slice(0, 40)} » du fichier Rainbow 5 n'est pas lue. Réglez le produit en azimutale équidistante ou en latitude-longitude.`,
      { type },
    )
  if (proj4) return { kind: 'aeqd', proj4 }
  const lat0 = field('lat_0', projection) ? requiredNumber('lat_0', projection) : sensor.lat
  const lon0 = field('lon_0', projection) ? requiredNumber('lon_0', projection) : sensor.lon
  return { kind: 'aeqd', proj4: aeqdAround(lat0, lon0) }
}

/** Azimuthal equidistant plane on the sphere that Rainbow 5 uses, metres. */
export function aeqdAround(lat: number, lon: number): string {
  return `+proj=aeqd +lat_0=${lat} +lon_0=${lon} +x_0=0 +y_0=0 +R=6371000 +units=m +no_defs`
}

/** Edges of the grid in its plane, from its outer corners in degrees. */
function placeGrid(corners: ProductCorners, plane: string, ncols: number, nrows: number): GridGeometry {
  const inRange = [corners.latUl, corners.latLr].every((v) => Math.abs(v) <= 90)
  const toPlane = inRange ? planeOf(plane) : undefined
  const edges: number[] = [
    ...(toPlane?.([corners.lonUl, corners.latUl]) ?? []),
    ...(toPlane?.([corners.lonLr, corners.latLr]) ?? []),
  ]
  const [left, top, right, bottom] = edges
  if (!(right > left && top > bottom && edges.every(Number.isFinite)))
    throw refuse(
      'badHeader',
      "Les coins ou la projection du produit Rainbow 5 n'ont pas de sens, le coin supérieur gauche doit être au nord-ouest. Vérifiez la configuration du produit sur le radar.",
      { corners, plane: plane.slice(0, 200) },
    )
  return { proj4: plane, left, top, right, bottom, ncols, nrows }
}

const UNIT_FIELDS = ['type', 'datatype', 'unit', 'units']

/** Names of what codes measure, in lower case and without blanks. */
const LINEAR_UNITS = ['r', 'rr', 'rain', 'rate', 'rainrate', 'linear', 'mm/h', 'mmh', 'mm/hr', 'mmh-1']
/** Quantities of Rainbow that are no rain rate, corrected or not, of either channel; accumulations and heights. */
const OTHER_UNITS = /^(u?db[abz]?u?z?|u?v|u?w|u?zdr|u?rhohv|u?phidp|u?kdp|sqi|snr|mm|k?m|m\/s)[uv]?$/

function readCoding(
  datamap: XmlElement,
  picture: XmlElement,
  data: XmlElement | undefined,
): RainbowProduct['coding'] {
  const depth = requiredInteger('depth', 1, 64, datamap)
  if (depth !== 8 && depth !== 16)
    throw refuse(
      'unsupported',
      `La profondeur de ${depth} bits du produit Rainbow 5 n'est pas lue, seules 8 et 16 le sont. Réglez le produit sur le radar.`,
      { depth },
    )
  const min = requiredNumber('min', datamap, picture, data)
  const max = requiredNumber('max', datamap, picture, data)
  if (!(max > min) || Math.abs(min) > 1e6 || Math.abs(max) > 1e6)
    throw refuse(
      'badHeader',
      `L'échelle du produit Rainbow 5 va de ${min} à ${max}. Vérifiez la configuration du produit sur le radar.`,
      { min, max },
    )
  return { depth, unit: readUnit(datamap, picture, data) ?? (min < 0 ? 'dBR' : 'linear'), min, max }
}

/**
 * What the codes measure. A scale without a name is told by its sign: a rain rate is never negative, and a
 * dBR scale always reaches below 0 (1 mm/h).
 */
function readUnit(...elements: (XmlElement | undefined)[]): RainUnit | undefined {
  let other: string | undefined
  for (const element of elements)
    for (const name of UNIT_FIELDS) {
      const text = field(name, element) ?? ''
      const unit = text.toLowerCase().replaceAll(' ', '')
      if (unit === 'dbr') return 'dBR'
      if (LINEAR_UNITS.includes(unit)) return 'linear'
      if (OTHER_UNITS.test(unit)) other = text
    }
  if (other)
    throw refuse(
      'notRain',
      `Ce produit Rainbow 5 contient « ${other} », non une intensité de pluie. Exportez un produit SRI en dBR ou en mm/h.`,
      { type: other },
    )
  return undefined
}

const tables = new Map<string, Float32Array>()

/** Rates of every code; a radar writes the same scale in every file, so the last few are kept. */
function rateTable(coding: RainbowProduct['coding']): Float32Array {
  const key = `${coding.depth} ${coding.unit} ${coding.min} ${coding.max}`
  let table = tables.get(key)
  if (!table) {
    table = decodeTable(coding, 0, coding.unit === 'dBR' ? (v) => 10 ** (v / 10) : (v) => Math.max(0, v))
    if (tables.size >= 8) tables.clear()
    tables.set(key, table)
  }
  return table
}

function readFlags(
  file: Rainbow5Container,
  flagmap: XmlElement | undefined,
  nrows: number,
  ncols: number,
): FlagBits | undefined {
  if (!flagmap) return undefined
  for (const [name, size] of [
    ['rows', nrows],
    ['columns', ncols],
    ['depth', 1],
  ] as const)
    if (field(name, flagmap)) requiredInteger(name, size, size, flagmap)
  const flat = Math.ceil((nrows * ncols) / 8)
  const rowBytes = Math.ceil(ncols / 8)
  const flagId = requiredInteger('blobid', 0, 999_999_999, flagmap)
  const bits = readBlob(file, flagId, [flat, rowBytes * nrows])
  // Bits run on through the picture; a file whose rows start on whole bytes is longer and told by that.
  return { bits, nrows, ncols, rowBits: bits.length === flat ? ncols : rowBytes * 8 }
}
