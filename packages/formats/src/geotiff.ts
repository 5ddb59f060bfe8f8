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
  band?: GeoTiffBand
  /** A band more on the same cells. */
  second?: GeoTiffBand & { values: Float32Array }
}

export interface GeoTiffBand {
  description?: string
  unit?: string
}

/** Largest side of a tile; of a raster that is smaller, its own side. Overviews end where one tile holds them. */
const TILE = 512
/** Sides of tiles are multiples of it (TIFF 6.0, section 15). */
const TILE_STEP = 16

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

/** An image of the file: the raster itself, or an overview of it. */
interface Level {
  ncols: number
  nrows: number
  planes: Float32Array[]
}

/**
 * Writes a cloud optimised GeoTIFF (OGC 21-026, 19-008r4): one or two bands of Float32 in planes, tiles deflated with the
 * floating-point predictor, little-endian. Overviews of half the size each, with the north-western of every four cells, so
 * that classes stay classes. All directories stand before all tiles, the largest image first; tiles of the smallest come
 * first. The same input gives the same bytes.
 * @throws RangeError where the values do not fill the raster or the file would pass 4 GB
 */
export function writeGeoTiff(input: GeoTiffInput): Uint8Array {
  const { ncols, nrows, nodata = Number.NaN } = input
  const planes = [input.values, ...(input.second ? [input.second.values] : [])]
  for (const { length } of planes)
    if (length !== ncols * nrows || length === 0)
      throw new RangeError(`values holds ${length} numbers, not ${nrows} x ${ncols}`)
  const images = levelsOf({ ncols, nrows, planes }).map((level, k) => {
    const tiles = tilesOf(level, nodata)
    return { tiles, fields: describe(input, level, tiles, k === 0) }
  })
  let at = 8
  const directories = images.map(({ fields }) => {
    const start = at
    at += 2 + fields.length * 12 + 4
    const placed = fields.map((f) => {
      if (f.bytes.length <= 4) return 0
      const offset = at
      at += f.bytes.length + (f.bytes.length & 1)
      return offset
    })
    return { start, fields, placed }
  })
  const pieces = images.toReversed().flatMap(({ tiles, fields }) => {
    const offsets = fields.find((f) => f.tag === TILE_OFFSETS)!
    return tiles.map((tile, i) => {
      const piece = { tile, offset: at }
      if (at <= 0xffffffff) offsets.bytes.writeUInt32LE(at, i * 4)
      at += tile.length
      return piece
    })
  })
  if (at > 0xffffffff) throw new RangeError('the raster is too large for a TIFF of 4 GB')
  const file = Buffer.alloc(at)
  file.write('II', 0, 'latin1')
  file.writeUInt16LE(42, 2)
  file.writeUInt32LE(directories[0].start, 4)
  directories.forEach((directory, k) => {
    writeDirectory(file, directory, directories[k + 1]?.start ?? 0)
  })
  for (const { tile, offset } of pieces) tile.copy(file, offset)
  return file
}

/** @param placed where the values of each field stand, 0 for those that stand in the directory */
function writeDirectory(
  file: Buffer,
  { start, fields, placed }: { start: number; fields: readonly Field[]; placed: readonly number[] },
  next: number,
): void {
  file.writeUInt16LE(fields.length, start)
  fields.forEach((f, i) => {
    const entry = start + 2 + i * 12
    file.writeUInt16LE(f.tag, entry)
    file.writeUInt16LE(f.type, entry + 2)
    file.writeUInt32LE(f.count, entry + 4)
    if (placed[i] === 0) f.bytes.copy(file, entry + 8)
    else {
      file.writeUInt32LE(placed[i], entry + 8)
      f.bytes.copy(file, placed[i])
    }
  })
  file.writeUInt32LE(next, start + 2 + fields.length * 12)
}

/** The raster and its overviews, the largest first. */
function levelsOf(whole: Level): Level[] {
  const levels = [whole]
  for (let level = whole; Math.max(level.ncols, level.nrows) > TILE; ) {
    level = halved(level)
    levels.push(level)
  }
  return levels
}

function halved({ ncols, nrows, planes }: Level): Level {
  const [cols, rows] = [Math.ceil(ncols / 2), Math.ceil(nrows / 2)]
  const smaller = planes.map((plane) => {
    const half = new Float32Array(cols * rows)
    for (let row = 0; row < rows; row++)
      for (let col = 0; col < cols; col++) half[row * cols + col] = plane[2 * row * ncols + 2 * col]
    return half
  })
  return { ncols: cols, nrows: rows, planes: smaller }
}

/** Side of the tiles of an image. */
const tileSide = (cells: number): number => Math.min(TILE, Math.ceil(cells / TILE_STEP) * TILE_STEP)

const TILE_OFFSETS = 324

/** Fields of an image, in rising order of their tags as TIFF wants them. @param isWhole the raster itself, which says where it lies */
function describe(
  input: GeoTiffInput,
  { ncols, nrows, planes }: Level,
  tiles: readonly Buffer[],
  isWhole: boolean,
): Field[] {
  const { left, top, cellWidth, cellHeight } = input
  const nodata = input.nodata ?? Number.NaN
  const bands = planes.length
  const each = (value: number) => new Array<number>(bands).fill(value)
  const fields = [
    // 1: a smaller form of another image.
    ...(isWhole ? [] : [field(254, LONG, [1])]),
    field(256, LONG, [ncols]),
    field(257, LONG, [nrows]),
    field(258, SHORT, each(32)),
    // 8: deflate, as Adobe has it.
    field(259, SHORT, [8]),
    field(262, SHORT, [1]),
    field(277, SHORT, [bands]),
    // 2: bands one after another.
    field(284, SHORT, [bands]),
    // 3: floating-point predictor (Adobe Photoshop TIFF Technical Note 3).
    field(317, SHORT, [3]),
    field(322, SHORT, [tileSide(ncols)]),
    field(323, SHORT, [tileSide(nrows)]),
    field(
      TILE_OFFSETS,
      LONG,
      tiles.map(() => 0),
    ),
    field(
      325,
      LONG,
      tiles.map((tile) => tile.length),
    ),
    field(339, SHORT, each(3)),
    // 0: the second band is no colour and no opacity.
    ...(bands > 1 ? [field(338, SHORT, [0])] : []),
    textField(42113, Number.isNaN(nodata) ? 'nan' : String(nodata)),
  ]
  if (isWhole) {
    fields.push(
      field(33550, DOUBLE, [cellWidth, cellHeight, 0]),
      field(33922, DOUBLE, [0, 0, 0, left, top, 0]),
      field(34735, SHORT, geoKeys(input.crs)),
    )
    const metadata = gdalMetadata(input)
    if (metadata) fields.push(textField(42112, metadata))
  }
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

function gdalMetadata({ metadata = {}, band = {}, second }: GeoTiffInput): string | undefined {
  const items = Object.entries(metadata).map(
    ([name, text]) => `  <Item name="${escapeXml(name)}">${escapeXml(text)}</Item>`,
  )
  const bands: GeoTiffBand[] = [band, second ?? {}]
  for (const [sample, { description, unit }] of bands.entries()) {
    const item = (name: string, role: string, text: string) =>
      items.push(`  <Item name="${name}" sample="${sample}" role="${role}">${escapeXml(text)}</Item>`)
    if (description) item('DESCRIPTION', 'description', description)
    if (unit) item('UNITTYPE', 'unittype', unit)
  }
  return items.length > 0 ? `<GDALMetadata>\n${items.join('\n')}\n</GDALMetadata>\n` : undefined
}

/** Tiles of an image, band after band, row after row. */
function tilesOf({ ncols, nrows, planes }: Level, nodata: number): Buffer[] {
  const [width, height] = [tileSide(ncols), tileSide(nrows)]
  const tiles: Buffer[] = []
  for (const plane of planes)
    for (let top = 0; top < nrows; top += height)
      for (let left = 0; left < ncols; left += width) {
        // What lies beside the raster has no data.
        const cells = new Float32Array(width * height).fill(nodata)
        const cols = Math.min(width, ncols - left)
        for (let row = 0; row < Math.min(height, nrows - top); row++) {
          const from = (top + row) * ncols + left
          cells.set(plane.subarray(from, from + cols), row * width)
        }
        tiles.push(packTile(cells, width, nodata))
      }
  return tiles
}

/**
 * A tile, deflated. The predictor splits each row into its most to least significant bytes and keeps the differences of
 * neighbours, which packs smooth fields to about half.
 */
function packTile(cells: Float32Array, width: number, nodata: number): Buffer {
  const bytes = Buffer.allocUnsafe(cells.length * 4)
  for (let i = 0; i < cells.length; i++) if (Number.isNaN(cells[i])) cells[i] = nodata
  const words = new Uint32Array(cells.buffer)
  for (let start = 0; start < cells.length; start += width) {
    let at = start * 4
    let before = 0
    for (let shift = 24; shift >= 0; shift -= 8)
      for (let col = 0; col < width; col++) {
        const byte = (words[start + col] >>> shift) & 255
        bytes[at++] = byte - before
        before = byte
      }
  }
  return deflateSync(bytes)
}
