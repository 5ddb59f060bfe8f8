import { shortText } from '@radx/contracts/bounds'
import { z } from 'zod'
import { BadRequest } from '../../http/errors.ts'
import type { Asked } from '../edr/period.ts'
import type { Box, Geometry } from '../features/geometry.ts'
import { askedTime, boxesOfDegrees } from '../features/query.ts'

/** Items of a page: without `limit`, and at most. */
const LIMIT = 50
const LIMIT_MAX = 500
/** Ids and collections that one search may name, and corners of its outline. */
const NAMES_MAX = 100
const CORNERS_MAX = 2_000

const limit = z.coerce.number().int().min(1).default(LIMIT).meta({ maximum: LIMIT_MAX })
const token = z.string().max(140).optional()
const datetime = shortText().optional()

export const itemsQuery = z.strictObject({ bbox: shortText().optional(), datetime, limit, token })

const names = z.string().max(10_000).optional()
/** `GET /ogc/stac/search` (STAC API 1.0.0, item search). */
export const searchQuery = itemsQuery.extend({
  ids: names,
  collections: names,
  intersects: z.string().max(100_000).optional(),
})

const position = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)])
const line = z.array(position).min(2).max(CORNERS_MAX)
const ring = z.array(position).min(4).max(CORNERS_MAX)
const geometry = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Point'), coordinates: position }),
  z.object({ type: z.literal('LineString'), coordinates: line }),
  z.object({ type: z.literal('Polygon'), coordinates: z.array(ring).min(1).max(20) }),
  z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(ring).min(1).max(20)).max(20) }),
])
/** `POST /ogc/stac/search` */
export const searchBody = z.strictObject({
  bbox: z.array(z.number()).min(4).max(6).optional(),
  datetime,
  limit,
  token,
  ids: z.array(shortText()).max(NAMES_MAX).optional(),
  collections: z.array(shortText()).max(NAMES_MAX).optional(),
  intersects: geometry.optional(),
})

/** What is looked for. */
export interface Search {
  boxes: Box[] | null
  intersects: Geometry | null
  time: Asked
  /** As it was written, for the address of the next page. */
  limit: number
  token: string | null
  ids: string[] | null
  collections: string[] | null
}

/** @throws BadRequest */
export function searchOf({ bbox, ...body }: z.output<typeof searchBody>): Search {
  if (bbox !== undefined && body.intersects !== undefined)
    throw new BadRequest('bbox', 'bbox', 'bbox et intersects ne vont pas ensemble : donner l’un des deux.')
  return {
    boxes: bbox === undefined ? null : boxesOfDegrees(bbox.join()),
    intersects: body.intersects ?? null,
    time: askedTime(body.datetime),
    limit: Math.min(LIMIT_MAX, body.limit),
    token: body.token ?? null,
    ids: body.ids ?? null,
    collections: body.collections ?? null,
  }
}

/** A search as an address has it. @throws BadRequest */
export function searchOfQuery(query: z.output<typeof searchQuery>): Search {
  const { bbox, datetime, limit, token, ids, collections, intersects } = query
  const listed = (text: string | undefined, field: string) => {
    const all = text?.split(',').filter((name) => name !== '')
    if (all && all.length > NAMES_MAX)
      throw new BadRequest('tooMany', field, `${field} nomme au plus ${NAMES_MAX} noms.`)
    return all
  }
  const search = searchOf({
    datetime,
    limit,
    token,
    ids: listed(ids, 'ids'),
    collections: listed(collections, 'collections'),
    intersects: intersects === undefined ? undefined : geometryOf(intersects),
  })
  if (bbox === undefined) return search
  if (search.intersects !== null)
    throw new BadRequest('bbox', 'bbox', 'bbox et intersects ne vont pas ensemble : donner l’un des deux.')
  return { ...search, boxes: boxesOfDegrees(bbox) }
}

function geometryOf(text: string): Geometry {
  try {
    return geometry.parse(JSON.parse(text))
  } catch {
    throw new BadRequest(
      'coords',
      'intersects',
      'intersects attend une géométrie GeoJSON : Point, LineString, Polygon ou MultiPolygon.',
    )
  }
}
