import { extname } from 'node:path'
import { BUILDER_ENDINGS, BUILDER_VALUES_MAX, type BuilderSource } from '@radx/contracts'
import { readTable } from '../../simulation/api.ts'
import { SourceRefused } from '../findings.ts'
import { boxAround, type Place } from '../grid.ts'
import { readNetwork } from '../sewer/placed-inp.ts'
import { RecipeFolder } from '../sources/files.ts'
import { layersOf } from '../sources/geopackage.ts'
import { type RawFeature, type RawLayer, readFileLayer } from '../sources/layer.ts'
import { openRaster, type Raster } from '../sources/raster.ts'

/** Cells that are looked at for classes, at once and in all. */
const BAND_CELLS = 2e6
const MOST_CELLS = 60e6
const MOST_LAYERS = 100
/** A GeoPackage may have thousands of columns; a mapping has a few. */
const MOST_COLUMNS = 100

type Layer = NonNullable<BuilderSource['layers']>[number]
type Counted = { value: string; count: number }

/** What a file of a draft holds. @throws SourceRefused, FormatError, with what is wrong and what to do */
export async function inspectSource(dir: string, name: string): Promise<BuilderSource> {
  const folder = new RecipeFolder(dir, { root: dir })
  const ending = extname(name).slice(1).toLowerCase()
  switch (ending) {
    case 'tif':
    case 'tiff':
    case 'asc':
      return { raster: await rasterOf(folder.path(name), name) }
    case 'gpkg':
      return { layers: await packedLayers(folder, name) }
    case 'geojson':
    case 'json':
    case 'zip':
      return { layers: [layerOf(await readFileLayer(folder, name, undefined), null)] }
    case 'inp': {
      const { nodes, links } = readNetwork(await folder.text(name), name)
      const places = nodes.flatMap(({ x, y }): Place[] =>
        x === undefined || y === undefined ? [] : [[x, y]],
      )
      const box = boxAround(places)
      return { network: { nodes: nodes.length, links: links.length, box: box && [...box] } }
    }
    case 'csv': {
      const { header, rows } = readTable(await folder.text(name), name)
      if (header.length < 2)
        throw new SourceRefused(
          `${name} n’a pas de colonnes : la première ligne doit les nommer, séparées par des virgules ou des points-virgules.`,
        )
      return { table: { columns: header.slice(0, MOST_COLUMNS), rows: rows.length } }
    }
    default:
      throw new SourceRefused(
        `${name} : ce genre de fichier n’est pas pris. Donnez ${BUILDER_ENDINGS.map((one) => `.${one}`).join(', ')} (un shapefile en .zip).`,
      )
  }
}

async function rasterOf(path: string, name: string): Promise<NonNullable<BuilderSource['raster']>> {
  // Which way up it lies is asked where it is used.
  const raster = await openRaster(path, name, { southUp: true })
  try {
    const { ncols, nrows, left, top, cellWidth, cellHeight, crs } = raster
    return {
      ncols,
      nrows,
      cellSize: cellWidth,
      crs,
      box: [left, top - nrows * cellHeight, left + ncols * cellWidth, top],
      values: await classesOf(raster),
    }
  } finally {
    await raster.close()
  }
}

/** Values of a raster of classes; null for heights and other measures. */
async function classesOf(raster: Raster): Promise<Counted[] | null> {
  const { ncols, nrows } = raster
  const counts = new Map<number, number>()
  const rows = Math.max(1, Math.floor(BAND_CELLS / ncols))
  for (let row0 = 0; row0 < nrows && row0 * ncols < MOST_CELLS; row0 += rows) {
    const values = await raster.read({ col0: 0, row0, col1: ncols, row1: Math.min(nrows, row0 + rows) })
    for (const value of values) {
      if (Number.isNaN(value)) continue
      if (!Number.isInteger(value)) return null
      counts.set(value, (counts.get(value) ?? 0) + 1)
      if (counts.size > BUILDER_VALUES_MAX) return null
    }
  }
  return ranked([...counts].map(([value, count]) => [String(value), count]))
}

const ranked = (counts: [string, number][]): Counted[] =>
  counts.sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([value, count]) => ({ value, count }))

async function packedLayers(folder: RecipeFolder, name: string): Promise<Layer[]> {
  const layers: Layer[] = []
  for (const layer of layersOf(folder.path(name), name).slice(0, MOST_LAYERS))
    layers.push(layerOf(await readFileLayer(folder, name, layer), layer))
  return layers
}

function layerOf({ features, crs }: RawLayer, name: string | null): Layer {
  return {
    name,
    geometry: geometryOf(features),
    features: features.length,
    crs: named(crs),
    box: boxOfFeatures(features),
    columns: columnsOf(features),
  }
}

/** A system that is not known here is told where the layer is used, unless the recipe names another. */
function named(crs: RawLayer['crs']): string | null {
  try {
    return crs()?.name ?? null
  } catch (error) {
    if (error instanceof SourceRefused) return null
    throw error
  }
}

const GEOMETRIES: Record<string, Layer['geometry']> = {
  Point: 'points',
  MultiPoint: 'points',
  LineString: 'lines',
  MultiLineString: 'lines',
  Polygon: 'polygons',
  MultiPolygon: 'polygons',
}

function geometryOf(features: readonly RawFeature[]): Layer['geometry'] {
  for (const { geometry } of features) {
    const kind = geometry && GEOMETRIES[geometry.type]
    if (kind) return kind
  }
  return 'none'
}

function boxOfFeatures(features: readonly RawFeature[]): [number, number, number, number] | null {
  const box = boxAround(placesOf(features.map(({ geometry }) => geometry?.coordinates)))
  return box && [...box]
}

function* placesOf(coordinates: unknown): Generator<Place> {
  if (!Array.isArray(coordinates)) return
  const [x, y] = coordinates
  if (typeof x === 'number' && typeof y === 'number') {
    if (Number.isFinite(x) && Number.isFinite(y)) yield [x, y]
  } else for (const part of coordinates) yield* placesOf(part)
}

function columnsOf(features: readonly RawFeature[]): Layer['columns'] {
  const columns = new Map<string, Map<string, number> | null>()
  for (const { properties } of features)
    for (const [name, value] of Object.entries(properties)) {
      if (!columns.has(name)) {
        if (columns.size >= MOST_COLUMNS) continue
        columns.set(name, new Map())
      }
      const counts = columns.get(name)
      // As the mapping reads them: a value that is missing is an empty text.
      const text = value === null || value === undefined ? '' : String(value).trim()
      if (!counts || text.length > 200) continue
      counts.set(text, (counts.get(text) ?? 0) + 1)
      if (counts.size > BUILDER_VALUES_MAX) columns.set(name, null)
    }
  return [...columns].map(([name, counts]) => ({
    name: name.slice(0, 200),
    values: counts === null ? null : ranked([...counts]),
  }))
}
