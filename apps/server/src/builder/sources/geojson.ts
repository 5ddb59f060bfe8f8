import { epsgOf } from '../../config/projections.ts'
import { SourceRefused } from '../findings.ts'
import { crsOf, WGS84 } from './crs.ts'
import type { RawFeature, RawLayer } from './layer.ts'

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads a FeatureCollection, a Feature or a bare geometry. @throws SourceRefused */
export function readGeoJsonLayer(root: unknown, name: string): RawLayer {
  if (!isObject(root)) throw new SourceRefused(`${name} n’est pas un objet GeoJSON.`)
  return { features: featuresOf(root, name), crs: () => systemOf(root, name) }
}

function featuresOf(root: Json, name: string): RawFeature[] {
  if (Array.isArray(root.features))
    return root.features.map((item: unknown, k) => {
      if (!isObject(item))
        throw new SourceRefused(`${name} : l’élément n° ${k + 1} n’est pas un « Feature ».`)
      return Array.isArray(item.coordinates) ? { geometry: geometry(item), properties: {} } : feature(item)
    })
  if (root.type === 'Feature') return [feature(root)]
  if (Array.isArray(root.coordinates)) return [{ geometry: geometry(root), properties: {} }]
  throw new SourceRefused(`${name} : ce JSON n’est pas du GeoJSON (FeatureCollection, Feature ou géométrie).`)
}

const geometry = (item: Json): RawFeature['geometry'] =>
  typeof item.type === 'string' ? { type: item.type, coordinates: item.coordinates } : null

const feature = (item: Json): RawFeature => ({
  geometry: isObject(item.geometry) ? geometry(item.geometry) : null,
  properties: isObject(item.properties) ? item.properties : {},
})

/** RFC 7946 knows WGS84 only; older files name another system in `crs`. */
function systemOf(root: Json, name: string) {
  const properties = isObject(root.crs) ? root.crs.properties : undefined
  const stated = isObject(properties) ? properties.name : undefined
  if (typeof stated !== 'string' || /CRS84/i.test(stated)) return crsOf(WGS84)
  const code = epsgOf(stated)
  if (code !== undefined) return crsOf(`EPSG:${code}`)
  throw new SourceRefused(
    `${name} : le système de coordonnées « ${stated.slice(0, 80)} » n’est pas pris en charge. Donnez son code par "crs".`,
  )
}
