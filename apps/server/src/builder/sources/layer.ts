import { readFile, stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { RecipeSource } from '@radx/contracts/recipe'
import { countFr, formatNumberFr } from '@radx/locale/format-fr'
import { type Findings, SourceRefused, someOf } from '../findings.ts'
import type { Place } from '../grid.ts'
import { crossingOf } from '../ground/crossing.ts'
import { type Crs, crsOf, isDegrees, moverOf } from './crs.ts'
import type { RecipeFolder } from './files.ts'
import { readGeoJsonLayer } from './geojson.ts'
import { readGeoPackage } from './geopackage.ts'
import { readShapefileLayer } from './shapefile.ts'

/** A feature as its file has it. */
export interface RawFeature {
  geometry: { type: string; coordinates: unknown } | null
  properties: Record<string, unknown>
}

export interface RawLayer {
  features: RawFeature[]
  /** As the file says it; null where it says nothing. Asked only where the recipe does not tell. @throws SourceRefused */
  crs: () => Crs | null
}

export type Kind = 'points' | 'lines' | 'polygons'

/** A feature in the recipe's system. */
export interface Feature {
  /** Counted from 1 in the file. */
  number: number
  /** Points: one place each. Lines: places. Polygons: outline and holes of one part, closed or not. */
  parts: Place[][][]
  properties: Record<string, unknown>
}

export interface Layer {
  name: string
  /** System that its file or the recipe names. */
  crs: string
  features: Feature[]
  /** Columns that any feature has. */
  columns: Set<string>
}

const MAX_BYTES = 400 * 2 ** 20
const MAX_FEATURES = 2_000_000
const MAX_PLACES = 20_000_000

const TYPES: Record<Kind, readonly string[]> = {
  points: ['Point', 'MultiPoint'],
  lines: ['LineString', 'MultiLineString'],
  polygons: ['Polygon', 'MultiPolygon'],
}
const NOUNS: Record<Kind, string> = { points: 'des points', lines: 'des lignes', polygons: 'des polygones' }

/** Reads places from a file or out of the recipe, and moves them into the recipe's system. */
export async function readLayer(
  source: Omit<RecipeSource, 'features'> & { features?: unknown; [key: string]: unknown },
  what: string,
  kind: Kind,
  { folder, crs, findings }: { folder: RecipeFolder; crs: Crs; findings: Findings },
): Promise<Layer> {
  if ((source.file === undefined) === (source.features === undefined))
    throw new SourceRefused(`${what} : donnez "file" ou "features", l’un des deux.`)
  const name = source.file ?? `${what} (dans la recette)`
  const raw =
    source.file === undefined
      ? ownLayer(source.features, name)
      : await readFileLayer(folder, source.file, source.layer)
  const told = source.crs === undefined ? null : crsOf(source.crs)
  const own = told ?? raw.crs() ?? (source.file === undefined ? crs : null)
  if (own === null)
    throw new SourceRefused(
      `${name} ne dit pas son système de coordonnées. Ajoutez "crs" à cette couche de la recette, par exemple "EPSG:2154".`,
    )
  const features = select(raw.features, source.where, name)
  return move(features, own, { name, kind, crs, repair: source.repair === true, findings })
}

/** What stands in the recipe is in the recipe's system, unless its GeoJSON names another. */
function ownLayer(given: unknown, name: string): RawLayer {
  const root = Array.isArray(given) ? { type: 'FeatureCollection', features: given } : given
  const read = readGeoJsonLayer(root, name)
  const named = (root as { crs?: unknown }).crs != null
  return { features: read.features, crs: () => (named ? read.crs() : null) }
}

/** A layer as its file has it. @throws SourceRefused */
export async function readFileLayer(
  folder: RecipeFolder,
  name: string,
  layer: string | undefined,
): Promise<RawLayer> {
  const path = folder.path(name)
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new SourceRefused(
      error.code === 'ENOENT'
        ? `${name} n’existe pas. Les chemins de la recette partent de son dossier.`
        : `${name} ne peut être lu (${error.code}).`,
    )
  })
  if (!found.isFile()) throw new SourceRefused(`${name} n’est pas un fichier. Donnez une couche.`)
  const kind = extname(name).toLowerCase()
  if (kind === '.gpkg') {
    const read = readGeoPackage(path, name, layer)
    return { features: read.features, crs: () => (read.crs === null ? null : crsOf(read.crs)) }
  }
  if (found.size > MAX_BYTES)
    throw new SourceRefused(
      `${name} pèse ${formatNumberFr(found.size / 2 ** 20)} Mio, plus que les ${MAX_BYTES / 2 ** 20} acceptés. Découpez la couche au contour du bassin, ou donnez-la en GeoPackage.`,
    )
  if (kind === '.shp' || kind === '.zip') return readShapefileLayer(folder, name)
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new SourceRefused(`${name} ne peut être lu (${error.code}).`)
  })
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new SourceRefused(
      `${basename(name)} n’est pas une couche lisible : GeoJSON (UTF-8), GeoPackage (.gpkg), shapefile (.shp) ou sa .zip. Exportez-la de nouveau.`,
    )
  }
  return readGeoJsonLayer(json, name)
}

function select(features: RawFeature[], where: RecipeSource['where'], name: string): [number, RawFeature][] {
  const all = features.map((feature, k): [number, RawFeature] => [k + 1, feature])
  if (where === undefined) return all
  const rules = Object.entries(where).map(
    ([column, wanted]) => [column, new Set([wanted].flat().map(String))] as const,
  )
  const missing = rules.filter(
    ([column]) => !features.some(({ properties }) => Object.hasOwn(properties, column)),
  )
  if (missing.length > 0 && features.length > 0)
    throw new SourceRefused(
      `${name} n’a pas de colonne « ${missing[0][0]} » ; elle a : ${someOf(Object.keys(features[0].properties), 20)}.`,
    )
  return all.filter(([, { properties }]) =>
    rules.every(([column, wanted]) => wanted.has(String(properties[column]))),
  )
}

interface Into {
  name: string
  kind: Kind
  crs: Crs
  repair: boolean
  findings: Findings
}

function move(raw: [number, RawFeature][], own: Crs, into: Into): Layer {
  const { name, kind, crs, findings } = into
  if (raw.length > MAX_FEATURES)
    throw new SourceRefused(
      `${name} a ${formatNumberFr(raw.length)} éléments, plus que les ${formatNumberFr(MAX_FEATURES)} acceptés. Découpez la couche au contour du bassin.`,
    )
  const columns = new Set<string>()
  const features: Feature[] = []
  const odd: number[] = []
  let places = 0
  for (const [number, { geometry, properties }] of raw) {
    if (geometry === null || !TYPES[kind].includes(geometry.type)) {
      odd.push(number)
      continue
    }
    for (const column of Object.keys(properties)) columns.add(column)
    const parts = partsOf(geometry, name, number)
    for (const part of parts) for (const line of part) places += line.length
    if (places > MAX_PLACES)
      throw new SourceRefused(
        `${name} a plus de ${formatNumberFr(MAX_PLACES)} sommets. Simplifiez la couche ou découpez-la au contour du bassin.`,
      )
    features.push({ number, parts, properties })
  }
  if (features.length === 0)
    throw new SourceRefused(`${name} n’a aucun élément qui convienne : il y faut ${NOUNS[kind]}.`)
  if (odd.length > 0)
    findings.tell(
      'sources',
      'left',
      `${name} : ${countFr(odd.length, 'élément laissé', 'éléments laissés')} de côté (sans géométrie, ou ce ne sont pas ${NOUNS[kind]}) : n° ${someOf(odd.map(String))}.`,
    )
  place(features, own, crs, name)
  if (kind === 'polygons') checkCrossings(features, into)
  return { name, crs: own.name, features, columns }
}

function partsOf(
  geometry: { type: string; coordinates: unknown },
  name: string,
  number: number,
): Place[][][] {
  const wrong = () =>
    new SourceRefused(`${name}, élément n° ${number} : une position est illisible. Réexportez la couche.`)
  const list = (value: unknown): unknown[] => {
    if (!Array.isArray(value)) throw wrong()
    return value
  }
  const position = (value: unknown): Place => {
    const [x, y] = list(value)
    if (!Number.isFinite(x) || !Number.isFinite(y)) throw wrong()
    return [x as number, y as number]
  }
  const line = (value: unknown) => list(value).map(position)
  const polygon = (value: unknown) => list(value).map(line)
  const { type, coordinates } = geometry
  if (type === 'Point') return [[[position(coordinates)]]]
  if (type === 'MultiPoint') return line(coordinates).map((one) => [[one]])
  if (type === 'LineString') return [[line(coordinates)]]
  if (type === 'MultiLineString') return list(coordinates).map((one) => [line(one)])
  if (type === 'Polygon') return [polygon(coordinates)]
  return list(coordinates).map(polygon)
}

/** Moves all places into the recipe's system, in place. */
function place(features: Feature[], own: Crs, crs: Crs, name: string): void {
  const probes: Place[] = []
  for (const { parts } of [
    features[0],
    features[Math.floor(features.length / 2)],
    features[features.length - 1],
  ])
    if (parts[0]?.[0]?.[0]) probes.push(parts[0][0][0])
  const mover = moverOf(own, crs, probes)
  if (mover === null) return
  const degrees = isDegrees(own)
  for (const { parts, number } of features)
    for (const part of parts)
      for (const line of part)
        line.forEach((one, k) => {
          const onGlobe = !degrees || (Math.abs(one[0]) <= 180 && Math.abs(one[1]) <= 90)
          const moved = onGlobe ? mover(one) : [Number.NaN, Number.NaN]
          if (!Number.isFinite(moved[0]) || !Number.isFinite(moved[1]))
            throw new SourceRefused(
              `${name}, élément n° ${number} : (${one[0]} ; ${one[1]}) n’est aucun lieu en ${own.name}. Le système de coordonnées de la couche est faux : donnez le bon par "crs".`,
            )
          line[k] = [moved[0], moved[1]]
        })
}

function checkCrossings(features: Feature[], { name, repair, findings }: Into): void {
  const wrong: { number: number; at: Place }[] = []
  for (const { number, parts } of features)
    for (const part of parts) {
      const at = crossingOf(part)
      if (at !== null) wrong.push({ number, at })
    }
  if (wrong.length === 0) return
  const numbers = someOf(
    wrong.map(({ number, at: [x, y] }) => `n° ${number} en (${x.toFixed(1)} ; ${y.toFixed(1)})`),
  )
  const which = countFr(wrong.length, 'polygone se croise', 'polygones se croisent')
  if (!repair)
    throw new SourceRefused(
      `${name} : ${which} : ${numbers}. Réparez la couche (QGIS : Réparer les géométries), ou ajoutez "repair": true pour prendre ces polygones par la règle pair-impair.`,
    )
  findings.tell(
    'sources',
    'assumed',
    `${name} : ${which}, pris par la règle pair-impair.`,
    wrong.map(({ number, at: [x, y] }) => ({ x, y, text: `polygone n° ${number}` })),
  )
}
