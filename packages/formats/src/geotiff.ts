import { deflateSync } from 'node:zlib'
import { escapeXml } from './xml.ts'

/** A plane in which a raster can lie: degrees of WGS84, or metres of a projected system by its EPSG code. */
export type GeoTiffCrs = { kind: 'geographic'; epsg: 4326 } | { kind: 'projected'; epsg: number }

export interface GeoTiffInput {
  ncols: number
  nrows: number
  /** `[row * ncols + col]`, row 0 north; NaN = no data. */
  values: Float32Array
  /** Outer corner north-west, and size of a cell, in the unit of the plane. */
  left: number
  top: number
  cellWidth: number
  cellHeight: number
  crs: GeoTiffCrs
  /** Number written for no data; NaN itself where it is not given. */
  nodata?: number
  /** Named texts, such as product, time and unit; shown by GDAL as metadata of the file. */
  metadata?: Record<string, string>
  /** What the values are, shown by viewers as the band's name, and their unit. */
  band?: { description?: string; unit?: string }
}

const ROWS_PER_STRIP = 64

/** TIFF field types. */
const ASCII = 2
const SHORT = 3
const LONG = 4
const DOUBLE = 12
const TYPE_BYTES: Record<number, number> = { [ASCII]: 1, [SHORT]: 2, [LONG]: 4, [DOUBLE]: 8 }

interface Field {
  tag: number
  type: number
  count: number
  bytes: Buffer
}

function field(tag: number, type: number, values: readonly number[]): Field {
  const bytes = Buffer.alloc(values.length * TYPE_BYTES[type])
  values.forEach((value, i) => {
    if (type === SHORT) bytes.writeUInt16LE(value, i * 2)
    else if (type === LONG) bytes.writeUInt32LE(value, i * 4)
    else bytes.writeDoubleLE(value, i * 8)
  })
  return { tag, type, count: values.length, bytes }
}

function textField(tag: number, text: string): Field {
  const bytes = Buffer.from(`${text}\0`, 'utf8')
  return { tag, type: ASCII, count: bytes.length, bytes }
}

/**
 * Writes a GeoTIFF (OGC 19-008r4): one band of Float32, strips of 64 rows deflated with the floating-point
 * predictor, little-endian. The same input gives the same bytes.
 * @throws RangeError where the values do not fill the raster or the file would pass 4 GB
 */
export function writeGeoTiff(input: GeoTiffInput): Uint8Array {
  const { ncols, nrows, values } = input
  if (values.length !== ncols * nrows || values.length === 0)
    throw new RangeError(`values holds ${values.length} numbers, not ${nrows} x ${ncols}`)
  const strips = Array.from({ length: Math.ceil(nrows / ROWS_PER_STRIP) }, (_, i) =>
    packStrip(input, i * ROWS_PER_STRIP),
  )
  const fields = describe(input, strips)
  const directoryAt = 8
  const directoryBytes = 2 + fields.length * 12 + 4
  let at = directoryAt + directoryBytes
  const placed = fields.map((f) => {
    if (f.bytes.length <= 4) return 0
    const offset = at
    at += f.bytes.length + (f.bytes.length & 1)
    return offset
  })
  const stripsAt = strips.map((strip) => {
    const offset = at
    at += strip.length
    return offset
  })
  if (at > 0xffffffff) throw new RangeError('the raster is too large for a TIFF of 4 GB')
  const offsets = fields.find((f) => f.tag === STRIP_OFFSETS)!
  stripsAt.forEach((offset, i) => {
    offsets.bytes.writeUInt32LE(offset, i * 4)
  })
  const file = Buffer.alloc(at)
  file.write('II', 0, 'latin1')
  file.writeUInt16LE(42, 2)
  file.writeUInt32LE(directoryAt, 4)
  file.writeUInt16LE(fields.length, directoryAt)
  fields.forEach((f, i) => {
    const entry = directoryAt + 2 + i * 12
    file.writeUInt16LE(f.tag, entry)
    file.writeUInt16LE(f.type, entry + 2)
    file.writeUInt32LE(f.count, entry + 4)
    if (placed[i] === 0) f.bytes.copy(file, entry + 8)
    else {
      file.writeUInt32LE(placed[i], entry + 8)
      f.bytes.copy(file, placed[i])
    }
  })
  strips.forEach((strip, i) => {
    strip.copy(file, stripsAt[i])
  })
  return file
}

const STRIP_OFFSETS = 273

/** Fields of the image, in rising order of their tags as TIFF wants them. */
function describe(input: GeoTiffInput, strips: readonly Buffer[]): Field[] {
  const { ncols, nrows, left, top, cellWidth, cellHeight } = input
  const nodata = input.nodata ?? Number.NaN
  const fields = [
    field(256, LONG, [ncols]),
    field(257, LONG, [nrows]),
    field(258, SHORT, [32]),
    // 8: deflate, as Adobe has it.
    field(259, SHORT, [8]),
    field(262, SHORT, [1]),
    field(
      STRIP_OFFSETS,
      LONG,
      strips.map(() => 0),
    ),
    field(277, SHORT, [1]),
    field(278, LONG, [ROWS_PER_STRIP]),
    field(
      279,
      LONG,
      strips.map((strip) => strip.length),
    ),
    field(284, SHORT, [1]),
    // 3: floating-point predictor (Adobe Photoshop TIFF Technical Note 3).
    field(317, SHORT, [3]),
    field(339, SHORT, [3]),
    field(33550, DOUBLE, [cellWidth, cellHeight, 0]),
    field(33922, DOUBLE, [0, 0, 0, left, top, 0]),
    field(34735, SHORT, geoKeys(input.crs)),
    textField(42113, Number.isNaN(nodata) ? 'nan' : String(nodata)),
  ]
  const metadata = gdalMetadata(input)
  if (metadata) fields.push(textField(42112, metadata))
  return fields.sort((a, b) => a.tag - b.tag)
}

/** GeoKey directory 1.1.0: model, raster as areas, and the system by its EPSG code; metres for a projected one. */
function geoKeys(crs: GeoTiffCrs): number[] {
  const keys =
    crs.kind === 'geographic'
      ? [
          [1024, 2],
          [1025, 1],
          [2048, crs.epsg],
        ]
      : [
          [1024, 1],
          [1025, 1],
          [3072, crs.epsg],
          [3076, 9001],
        ]
  return [1, 1, 0, keys.length, ...keys.flatMap(([key, value]) => [key, 0, 1, value])]
}

function gdalMetadata({ metadata = {}, band = {} }: GeoTiffInput): string | undefined {
  const items = Object.entries(metadata).map(
    ([name, text]) => `  <Item name="${escapeXml(name)}">${escapeXml(text)}</Item>`,
  )
  const { description, unit } = band
  if (description)
    items.push(`  <Item name="DESCRIPTION" sample="0" role="description">${escapeXml(description)}</Item>`)
  if (unit) items.push(`  <Item name="UNITTYPE" sample="0" role="unittype">${escapeXml(unit)}</Item>`)
  return items.length > 0 ? `<GDALMetadata>\n${items.join('\n')}\n</GDALMetadata>\n` : undefined
}

/**
 * Rows from `first` on, deflated. The predictor splits each row into its most to least significant bytes and
 * keeps the differences of neighbours, which packs smooth fields to about half.
 */
function packStrip({ ncols, nrows, values, nodata = Number.NaN }: GeoTiffInput, first: number): Buffer {
  const rows = Math.min(ROWS_PER_STRIP, nrows - first)
  const bytes = Buffer.allocUnsafe(rows * ncols * 4)
  const strip = values.slice(first * ncols, (first + rows) * ncols)
  for (let i = 0; i < strip.length; i++) if (Number.isNaN(strip[i])) strip[i] = nodata
  const words = new Uint32Array(strip.buffer)
  for (let row = 0; row < rows; row++) {
    let at = row * ncols * 4
    let before = 0
    for (let shift = 24; shift >= 0; shift -= 8)
      for (let col = 0; col < ncols; col++) {
        const byte = (words[row * ncols + col] >>> shift) & 255
        bytes[at++] = byte - before
        before = byte
      }
  }
  return deflateSync(bytes)
}
