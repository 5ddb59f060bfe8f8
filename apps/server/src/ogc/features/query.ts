import { shortText } from '@radx/contracts/bounds'
import { z } from 'zod'
import { BadRequest } from '../../http/errors.ts'
import { CRS, type Crs } from '../crs.ts'
import { parseBox } from '../edr/geometry.ts'
import { type Asked, parseDatetime } from '../edr/period.ts'
import type { Box, Position } from './geometry.ts'

/** Features of a page: without `limit`, and at most. */
const LIMIT = 100
export const LIMIT_MAX = 1_000
/** Features before a page: no collection has more. */
const OFFSET_MAX = 10_000_000

const DEFINITIONS = 'http://www.opengis.net/def/crs'

/** Reference systems by their address (OGC 18-058r1, 6.2); the first is the one that answers are in. */
export const CRS_ADDRESSES: ReadonlyMap<string, string> = new Map([
  [`${DEFINITIONS}/OGC/1.3/CRS84`, 'CRS:84'],
  [`${DEFINITIONS}/EPSG/0/4326`, 'EPSG:4326'],
  [`${DEFINITIONS}/EPSG/0/3857`, 'EPSG:3857'],
  [`${DEFINITIONS}/EPSG/0/2154`, 'EPSG:2154'],
])
export const [CRS84] = CRS_ADDRESSES.keys()

const format = shortText().optional()
const crs = shortText().optional()

/** What a page of features takes; anything else is refused (17-069r4, 7.4). */
export const itemsQuery = z.strictObject({
  bbox: shortText().optional(),
  'bbox-crs': crs,
  crs,
  datetime: shortText().optional(),
  // A greater limit is no error: the greatest answers (17-069r4, 7.15.4).
  limit: z.coerce.number().int().min(1).default(LIMIT).meta({ maximum: LIMIT_MAX }),
  offset: z.coerce.number().int().min(0).max(OFFSET_MAX).default(0),
  f: format,
})
export const itemQuery = z.strictObject({ crs, f: format })
export const describedQuery = z.strictObject({ f: format })

/** Which features are wanted, as plain data. */
export interface FeatureQuery {
  /** A box in its own system; two where it crosses 180 degrees. */
  bbox: { boxes: Box[]; crs: string } | null
  limit: number
  offset: number
  /** Address of the system that positions are given in. */
  crs: string
}

/** @throws BadRequest */
export function featureQuery(query: z.output<typeof itemsQuery>): FeatureQuery {
  holdFormat(query.f)
  if (query.bbox === undefined && query['bbox-crs'] !== undefined) crsNamed(query['bbox-crs'], 'bbox-crs')
  return {
    bbox: query.bbox === undefined ? null : boxOf(query.bbox, query['bbox-crs'] ?? CRS84),
    limit: Math.min(LIMIT_MAX, query.limit),
    offset: query.offset,
    crs: crsAddress(query.crs),
  }
}

/** @throws BadRequest for another format than GeoJSON and JSON */
export function holdFormat(f: string | undefined): void {
  if (f !== undefined && !/^(json|geojson|application\/(geo\+)?json)$/i.test(f))
    throw new BadRequest('f', 'f', `Le format « ${f} » n'est pas servi ici : json.`)
}

/** @throws BadRequest */
export function crsAddress(address: string | undefined): string {
  crsNamed(address ?? CRS84, 'crs')
  return address ?? CRS84
}

function crsNamed(address: string, field: string): Crs {
  const found = CRS.get(CRS_ADDRESSES.get(address) ?? '')
  if (found) return found
  throw new BadRequest(
    'crs',
    field,
    `Le système « ${address} » n'est pas servi : ${[...CRS_ADDRESSES.keys()].join(', ')}.`,
  )
}

function boxOf(text: string, address: string): FeatureQuery['bbox'] {
  const system = crsNamed(address, 'bbox-crs')
  const isPlane = system.code !== 'CRS:84' && system.code !== 'EPSG:4326'
  if (!isPlane) return { boxes: boxesOfDegrees(text, system.northFirst), crs: address }
  const parts = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  const [west, south, east, north] = parts
  if (parts.length !== 4 || !parts.every(Number.isFinite))
    throw new BadRequest('bbox', 'bbox', 'bbox attend quatre nombres : ouest,sud,est,nord.')
  if (west > east || south > north)
    throw new BadRequest('bbox', 'bbox', 'bbox est à l’envers : ouest,sud,est,nord.')
  return { boxes: [{ west, south, east, north }], crs: address }
}

/** A box in degrees, as one or, across 180 degrees, as two (RFC 7946, 5.2). */
export function boxesOfDegrees(text: string, northFirst = false): Box[] {
  const parts = text.split(',')
  const swapped = northFirst && parts.length === 4 ? [parts[1], parts[0], parts[3], parts[2]] : parts
  const { west, south, east, north } = parseBox(swapped.join(','))
  if (west <= east) return [{ west, south, east, north }]
  return [
    { west, south, east: 180, north },
    { west: -180, south, east, north },
  ]
}

/** From longitude and latitude to positions of a system of `CRS_ADDRESSES`, in the order of its axes. */
export function toSystem(address: string): (at: Position) => Position {
  const { code, northFirst, fromLngLat } = CRS.get(CRS_ADDRESSES.get(address) ?? '')!
  if (code === 'CRS:84') return (at) => at
  if (northFirst) return ([lng, lat]) => [lat, lng]
  // A tenth of a millimetre.
  return ([lng, lat]) => fromLngLat(lng, lat).map((value) => Math.round(value * 1e4) / 1e4) as Position
}

/** From longitude and latitude into the plane in which a box was given: x east, y north. */
export function toPlane(address: string): (at: Position) => Position {
  const { fromLngLat } = CRS.get(CRS_ADDRESSES.get(address) ?? '')!
  return ([lng, lat]) => fromLngLat(lng, lat)
}

/** A time of a feature, ms; the end belongs to it. */
export interface Time {
  startMs: number
  endMs: number
}

/** @throws BadRequest */
export const askedTime = (datetime: string | undefined): Asked => parseDatetime(datetime)

/** Whether a feature of a time is of what was asked for; one without a time always is (17-069r4, 7.15.3). */
export function isOfTime(time: Time | null, asked: Asked): boolean {
  if (time === null || asked === null) return true
  if ('instantMs' in asked) return time.startMs <= asked.instantMs && asked.instantMs <= time.endMs
  const { startMs, endMs } = asked
  return (endMs === null || time.startMs <= endMs) && (startMs === null || time.endMs >= startMs)
}
