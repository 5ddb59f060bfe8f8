import type { Position } from '@radx/contracts/shapefiles'
import { epsgOf } from '../config/projections.ts'
import { ShapefileError } from './errors.ts'
import type { RawFeature, RawLayer } from './normalise.ts'
import { fromEpsg, type ToWgs84 } from './projection.ts'

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads a FeatureCollection, a Feature or a bare geometry. */
export function readGeoJson(bytes: Uint8Array, epsg?: number): RawLayer {
  const root = parse(bytes)
  return { features: features(root), toWgs84: epsg === undefined ? statedSystem(root) : fromEpsg(epsg) }
}

function parse(bytes: Uint8Array): Json {
  let root: unknown
  try {
    root = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new ShapefileError(
      'json',
      "Le fichier n'est ni une archive zip ni un GeoJSON lisible (texte UTF-8). L'exporter de nouveau depuis le logiciel de cartographie.",
      { reason: String(cause) },
    )
  }
  if (!isObject(root)) throw new ShapefileError('geojson', "Le fichier n'est pas un objet GeoJSON.")
  return root
}

function features(root: Json): RawFeature[] {
  if (root.type === 'FeatureCollection') {
    if (!Array.isArray(root.features))
      throw new ShapefileError('geojson', "Le GeoJSON n'a pas de liste « features ».")
    return root.features.map((item: unknown, i) => {
      if (!isObject(item) || item.type !== 'Feature')
        throw new ShapefileError('geojson', `L'élément n° ${i + 1} du GeoJSON n'est pas un « Feature ».`)
      return feature(item)
    })
  }
  if (root.type === 'Feature') return [feature(root)]
  if (Array.isArray(root.coordinates)) return [{ geometry: root, properties: {} }]
  throw new ShapefileError('geojson', 'Le fichier JSON ne suit pas le format GeoJSON.')
}

const feature = (item: Json): RawFeature => ({
  geometry: isObject(item.geometry) ? item.geometry : null,
  properties: isObject(item.properties) ? item.properties : {},
})

/** RFC 7946 knows WGS84 only; older files name another system in `crs`. */
function statedSystem(root: Json): ToWgs84 {
  const properties = isObject(root.crs) ? root.crs.properties : undefined
  const name = isObject(properties) ? properties.name : undefined
  if (typeof name !== 'string' || /CRS84/i.test(name)) return (xy: Position) => xy
  const code = epsgOf(name)
  if (code === undefined)
    throw new ShapefileError(
      'crs',
      `Le système de coordonnées « ${name.slice(0, 80)} » n'est pas pris en charge. Convertir la couche en WGS84 (EPSG:4326).`,
    )
  return fromEpsg(code)
}
