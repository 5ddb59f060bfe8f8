import { open, readFile, stat } from 'node:fs/promises'
import { decodeText } from '@radx/formats/decode-text'
import { type EsriGrid, readEsriAscii } from '@radx/formats/esri-ascii'
import { formatNumberFr } from '@radx/locale/format-fr'
import { fromFile, type GeoTIFF, type GeoTIFFImage } from 'geotiff'
import { SourceRefused } from '../findings.ts'

/** Rows and columns of a raster, the last ones left out. */
export interface Window {
  col0: number
  row0: number
  col1: number
  row1: number
}

/** A raster, the first row in the north, whose values are read piece by piece. */
export interface Raster {
  name: string
  ncols: number
  nrows: number
  /** Outer corner north-west, and size of a cell, in the unit of its system. */
  left: number
  top: number
  cellWidth: number
  cellHeight: number
  /** As the file says it, such as `EPSG:2154`; null where it says nothing that is known. */
  crs: string | null
  /** Of the values, as the file says it. */
  unit: 'm' | 'ft' | null
  /** Commas of the file that stood for decimal points. */
  commas: number
  /** `[row * width + col]` of the window; NaN for no data. */
  read(window: Window): Promise<Float64Array>
  close(): Promise<void>
}

export interface RasterOptions {
  nodata?: number
  southUp?: boolean
}

/** Larger rasters are refused before they are read. */
export const RASTER_MAX_CELLS = 400e6
const ASCII_MAX_CELLS = 64e6
const ASCII_MAX_BYTES = 480 * 2 ** 20
const HEADER_BYTES = 1_024

/** Opens a GeoTIFF or an ESRI ASCII grid. @throws SourceRefused, FormatError, with what is wrong and what to do */
export async function openRaster(path: string, name: string, options: RasterOptions = {}): Promise<Raster> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new SourceRefused(
      error.code === 'ENOENT'
        ? `${name} n’existe pas. Les chemins de la recette partent de son dossier.`
        : `${name} ne peut être lu (${error.code}).`,
    )
  })
  if (!found.isFile()) throw new SourceRefused(`${name} n’est pas un fichier. Donnez les fichiers un à un.`)
  const head = await firstBytes(path, name, HEADER_BYTES)
  const magic = head.toString('latin1', 0, 2)
  if (magic === 'II' || magic === 'MM') return openGeoTiff(path, name, found.size, options)
  if (/^\uFEFF?\s*(ncols|nrows)\b/i.test(decodeText(head)))
    return openAscii(path, name, head, found.size, options)
  throw new SourceRefused(
    `${name} n’est ni un GeoTIFF ni une grille ESRI ASCII. Exportez le raster dans l’un de ces formats (gdal_translate -of GTiff).`,
  )
}

async function firstBytes(path: string, name: string, count: number): Promise<Buffer> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new SourceRefused(`${name} ne peut être lu (${error.code}).`)
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, 0)
    return buffer.subarray(0, bytesRead)
  } catch (error) {
    throw new SourceRefused(`${name} ne peut être lu (${(error as NodeJS.ErrnoException).code}).`)
  } finally {
    await file.close()
  }
}

function tooLarge(name: string, ncols: number, nrows: number, limit: number): SourceRefused {
  return new SourceRefused(
    `${name} a ${formatNumberFr(ncols)} x ${formatNumberFr(nrows)} mailles, plus que les ${formatNumberFr(limit / 1e6)} millions acceptés ; il n’a pas été lu. Découpez-le au contour du bassin (gdal_translate -projwin) ou donnez ses dalles une à une.`,
  )
}

async function openGeoTiff(
  path: string,
  name: string,
  size: number,
  options: RasterOptions,
): Promise<Raster> {
  const tiff = await fromFile(path).catch(() => {
    throw new SourceRefused(
      `${name} : ce GeoTIFF est endommagé ou tronqué. Copiez-le ou exportez-le de nouveau.`,
    )
  })
  try {
    await checkWhole(await tiff.getImage(0), name, size)
    return await describe(tiff, name, options)
  } catch (error) {
    await tiff.close()
    if (error instanceof SourceRefused) throw error
    throw new SourceRefused(
      `${name} : ce GeoTIFF ne peut être lu (${(error as Error).message}). Exportez-le de nouveau, sans rotation (gdalwarp).`,
    )
  }
}

/** Pieces without compression that lie behind the end of a file that was cut off would be read as zeros. */
async function checkWhole({ fileDirectory }: GeoTIFFImage, name: string, size: number): Promise<void> {
  const tiled = fileDirectory.hasTag('TileOffsets')
  const [offsets, counts] = await Promise.all([
    fileDirectory.loadValue(tiled ? 'TileOffsets' : 'StripOffsets'),
    fileDirectory.loadValue(tiled ? 'TileByteCounts' : 'StripByteCounts'),
  ])
  // Of a raster in one piece a number, else a list or a typed array.
  const listOf = (value: unknown) => (typeof value === 'object' ? value : [value]) as ArrayLike<number>
  const [begins, ends] = [listOf(offsets), listOf(counts)]
  for (let k = 0; k < begins.length; k++)
    if (Number(begins[k]) + Number(ends[k] ?? 0) > size)
      throw new SourceRefused(
        `${name} est tronqué : il pèse ${formatNumberFr(size)} octets, ses mailles vont plus loin. Copiez-le de nouveau.`,
      )
}

async function describe(tiff: GeoTIFF, name: string, { nodata, southUp }: RasterOptions): Promise<Raster> {
  const image = await tiff.getImage(0)
  const [ncols, nrows] = [image.getWidth(), image.getHeight()]
  if (ncols * nrows > RASTER_MAX_CELLS) throw tooLarge(name, ncols, nrows, RASTER_MAX_CELLS)
  const turned = image.fileDirectory.getValue('ModelTransformation') as number[] | undefined
  if (turned && (turned[1] !== 0 || turned[4] !== 0))
    throw new SourceRefused(`${name} : la grille est tournée. Redressez-la (gdalwarp) avant de la donner.`)
  if (!turned && !image.fileDirectory.hasTag('ModelPixelScale'))
    throw new SourceRefused(
      `${name} : ce TIFF n’est pas géoréférencé. Exportez-le comme GeoTIFF, avec sa position et son système de coordonnées.`,
    )
  const [x, y] = image.getOrigin()
  const [cellWidth, down] = image.getResolution()
  if (!(cellWidth > 0) || !(Math.abs(down) > 0) || !Number.isFinite(x + y))
    throw new SourceRefused(
      `${name} : la position ou la taille de maille du GeoTIFF est impossible. Exportez-le de nouveau.`,
    )
  if (down > 0) askSouthUp(name, southUp)
  const cellHeight = Math.abs(down)
  const keys = image.getGeoKeys() ?? {}
  // Tie points of "pixel is point" stand in the middle of the first cell (OGC 19-008r4, 7.1.2).
  const half = keys.GTRasterTypeGeoKey === 2 ? 0.5 : 0
  const north = down > 0 ? y + nrows * cellHeight : y
  return {
    name,
    ncols,
    nrows,
    left: x - half * cellWidth,
    top: north + (down > 0 ? -half : half) * cellHeight,
    cellWidth,
    cellHeight,
    crs: crsOfKeys(keys),
    unit: await unitOf(image, keys),
    commas: 0,
    read: (window) =>
      readWindow(image, name, window, nodata ?? image.getGDALNoData(), down > 0 ? nrows : null),
    close: async () => void (await tiff.close()),
  }
}

function askSouthUp(name: string, southUp: boolean | undefined): void {
  if (southUp === true) return
  throw new SourceRefused(
    `${name} est à l’envers : sa première ligne est au sud (pas en y positif). Retournez-le (gdalwarp), ou ajoutez "southUp": true à ce fichier de la recette s’il est bien rangé ainsi.`,
  )
}

function crsOfKeys(keys: Partial<Record<string, unknown>>): string | null {
  const code = Number(keys.ProjectedCSTypeGeoKey ?? keys.GeographicTypeGeoKey)
  return Number.isInteger(code) && code >= 1024 && code < 32767 ? `EPSG:${code}` : null
}

/** Units of heights: 9001 metre, 9002 and 9003 feet (EPSG); else as GDAL writes the band's unit. */
async function unitOf(image: GeoTIFFImage, keys: Partial<Record<string, unknown>>): Promise<Raster['unit']> {
  const code = Number(keys.VerticalUnitsGeoKey)
  if (code === 9001) return 'm'
  if (code === 9002 || code === 9003) return 'ft'
  const metadata = await image.getGDALMetadata(0).catch(() => null)
  const text = String(metadata?.UNITTYPE ?? '').trim()
  if (/^(m|metre|meter|mètre)s?$/i.test(text)) return 'm'
  return /^(ft|foot|feet|us survey foot|us-ft)$/i.test(text) ? 'ft' : null
}

async function readWindow(
  image: GeoTIFFImage,
  name: string,
  { col0, row0, col1, row1 }: Window,
  nodata: number | null,
  /** Of a raster whose first row lies in the south: how many rows it has. */
  turnedRows: number | null,
): Promise<Float64Array> {
  const rows = turnedRows === null ? [row0, row1] : [turnedRows - row1, turnedRows - row0]
  const read = await image
    .readRasters({ window: [col0, rows[0], col1, rows[1]], samples: [0], interleave: true })
    .catch(() => {
      throw new SourceRefused(
        `${name} : les mailles de ce GeoTIFF sont illisibles. Le fichier est tronqué ou d’une compression rare : réexportez-le (gdal_translate -co COMPRESS=DEFLATE).`,
      )
    })
  const width = col1 - col0
  const height = row1 - row0
  const values = new Float64Array(width * height)
  for (let row = 0; row < height; row++) {
    const from = (turnedRows === null ? row : height - 1 - row) * width
    for (let col = 0; col < width; col++) {
      const value = Number(read[from + col])
      // A float raster may hold its no data as the nearest 32-bit number.
      const none = value === nodata || (nodata !== null && value === Math.fround(nodata))
      values[row * width + col] = none || !Number.isFinite(value) ? Number.NaN : value
    }
  }
  return values
}

async function openAscii(
  path: string,
  name: string,
  head: Buffer,
  size: number,
  { nodata, southUp }: RasterOptions,
): Promise<Raster> {
  const header = decodeText(head)
  const count = (key: string) => Number(new RegExp(`\\b${key}\\s+(\\d+)`, 'i').exec(header)?.[1] ?? 0)
  const [ncols, nrows] = [count('ncols'), count('nrows')]
  if (ncols * nrows > ASCII_MAX_CELLS || size > ASCII_MAX_BYTES)
    throw tooLarge(name, ncols, nrows, ASCII_MAX_CELLS)
  const text = decodeText(await readFile(path)).replace(/^\uFEFF/, '')
  const { plain, commas } = withPoints(text.replace(/\r\n?/g, '\n'))
  const grid = readEsriAscii(plain, name)
  if (nodata !== undefined)
    grid.data.forEach((value, k) => {
      if (value === nodata) grid.data[k] = Number.NaN
    })
  if (southUp === true) turn(grid)
  return {
    name,
    ncols: grid.ncols,
    nrows: grid.nrows,
    left: grid.xll,
    top: grid.yll + grid.nrows * grid.cellSize,
    cellWidth: grid.cellSize,
    cellHeight: grid.cellSize,
    crs: null,
    unit: null,
    commas,
    read: async ({ col0, row0, col1, row1 }) => {
      const width = col1 - col0
      const values = new Float64Array(width * (row1 - row0))
      for (let row = row0; row < row1; row++)
        values.set(grid.data.subarray(row * grid.ncols + col0, row * grid.ncols + col1), (row - row0) * width)
      return values
    },
    close: async () => undefined,
  }
}

/** Values are parted by blanks, so that a comma between digits can only be a decimal one. */
function withPoints(text: string): { plain: string; commas: number } {
  let commas = 0
  const plain = text.includes(',')
    ? text.replace(/(?<=\d),(?=\d)/g, () => {
        commas++
        return '.'
      })
    : text
  return { plain, commas }
}

function turn(grid: EsriGrid): void {
  const { ncols, nrows, data } = grid
  const turned = new Float64Array(data.length)
  for (let row = 0; row < nrows; row++)
    turned.set(data.subarray((nrows - 1 - row) * ncols, (nrows - row) * ncols), row * ncols)
  grid.data = turned
}
