import type { Position, ShapeFeature, ShapeGeometry } from '@radx/contracts/shapefiles'
import { LIMITS, ShapefileError } from './errors.ts'
import type { ToWgs84 } from './projection.ts'
import type { ReadLayer } from './read.ts'

export interface RawFeature {
  geometry: Record<string, unknown> | null
  properties: Record<string, unknown>
}

export interface RawLayer {
  features: RawFeature[]
  toWgs84: ToWgs84
}

/** Nested arrays around a position, by geometry type. */
const DEPTH: Record<ShapeGeometry['type'], number> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
}

/** Checks every position, brings it to WGS84 and sums up where the layer lies. */
export function collect({ features, toWgs84 }: RawLayer): ReadLayer {
  if (features.length > LIMITS.features)
    throw new ShapefileError(
      'features',
      `La couche a ${features.length} éléments ; ${LIMITS.features} au plus. La découper ou la simplifier.`,
    )
  const box = { west: Infinity, east: -Infinity, south: Infinity, north: -Infinity }
  let positions = 0

  const position = (raw: unknown): Position => {
    if (!Array.isArray(raw) || typeof raw[0] !== 'number' || typeof raw[1] !== 'number')
      throw new ShapefileError('position', 'Une position de la couche est illisible. Réexporter la couche.')
    if (++positions > LIMITS.positions)
      throw new ShapefileError(
        'positions',
        `La couche a plus de ${LIMITS.positions} sommets. La simplifier, puis réessayer.`,
      )
    const [lng, lat] = finite(raw[0], raw[1]) ? toWgs84([raw[0], raw[1]]) : [Number.NaN, Number.NaN]
    if (!finite(lng, lat) || Math.abs(lng) > 180 || Math.abs(lat) > 90)
      throw new ShapefileError(
        'outside',
        `La position (${raw[0]} ; ${raw[1]}) tombe hors du globe : le système de coordonnées indiqué n'est pas celui de la couche. Le préciser avec --epsg (2154 pour Lambert-93).`,
      )
    box.west = Math.min(box.west, lng)
    box.east = Math.max(box.east, lng)
    box.south = Math.min(box.south, lat)
    box.north = Math.max(box.north, lat)
    return [round(lng), round(lat)]
  }
  const nested = (raw: unknown, depth: number): unknown => {
    if (depth === 0) return position(raw)
    if (!Array.isArray(raw))
      throw new ShapefileError('position', 'Une géométrie de la couche est illisible. Réexporter la couche.')
    return raw.map((item) => nested(item, depth - 1))
  }
  const geometry = (raw: Record<string, unknown>): ShapeGeometry => {
    const type = raw.type as ShapeGeometry['type']
    if (!Object.hasOwn(DEPTH, type))
      throw new ShapefileError(
        'geometry',
        `La géométrie « ${String(raw.type).slice(0, 40)} » n'est pas prise en charge : points, lignes et polygones seulement.`,
      )
    return { type, coordinates: nested(raw.coordinates, DEPTH[type]) } as ShapeGeometry
  }

  const kept: ShapeFeature[] = []
  for (const { geometry: raw, properties } of features)
    if (raw !== null)
      kept.push({ type: 'Feature', properties: cleanProperties(properties), geometry: geometry(raw) })
  if (positions === 0) throw new ShapefileError('empty', 'La couche ne contient aucune géométrie.')
  return {
    features: kept,
    bounds: {
      ul: { lat: round(box.north), lng: round(box.west) },
      lr: { lat: round(box.south), lng: round(box.east) },
    },
    skipped: features.length - kept.length,
  }
}

const finite = (x: number, y: number) => Number.isFinite(x) && Number.isFinite(y)

/** 1e-7 degree is 1 cm, finer than any layer is surveyed. */
const round = (degrees: number) => Math.round(degrees * 1e7) / 1e7

function cleanProperties(properties: Record<string, unknown>): ShapeFeature['properties'] {
  const entries = Object.entries(properties).slice(0, LIMITS.properties)
  return Object.fromEntries(
    entries.map(([key, value]) => [key.slice(0, LIMITS.propertyChars), cleanValue(value)]),
  )
}

function cleanValue(value: unknown): string | number | boolean | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'boolean') return value
  if (typeof value === 'string') return value.slice(0, LIMITS.propertyChars)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : civilDate(value)
  return value == null ? null : JSON.stringify(value).slice(0, LIMITS.propertyChars)
}

/** The table reader makes local midnights of civil dates. */
function civilDate(date: Date): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
