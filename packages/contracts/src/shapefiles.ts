import { z } from 'zod'
import { list, longText, shortText } from './bounds.ts'
import { latLngSchema } from './site.ts'

/** A position [longitude, latitude] in WGS84 degrees; heights are dropped on import. */
export const positionSchema = z.tuple([z.number(), z.number()])
export type Position = z.infer<typeof positionSchema>

export const shapeGeometrySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Point'), coordinates: positionSchema }),
  z.object({ type: z.literal('MultiPoint'), coordinates: list(positionSchema) }),
  z.object({ type: z.literal('LineString'), coordinates: list(positionSchema) }),
  z.object({ type: z.literal('MultiLineString'), coordinates: list(list(positionSchema)) }),
  z.object({ type: z.literal('Polygon'), coordinates: list(list(positionSchema)) }),
  z.object({ type: z.literal('MultiPolygon'), coordinates: list(list(list(positionSchema))) }),
])
export type ShapeGeometry = z.infer<typeof shapeGeometrySchema>

export const shapeFeatureSchema = z.object({
  type: z.literal('Feature'),
  /** `Text` or `node_id` names the feature on the map; other attributes stay as the file has them. */
  properties: z.record(shortText(), z.union([shortText(), z.number(), z.boolean(), z.null()])),
  geometry: shapeGeometrySchema,
})
export type ShapeFeature = z.infer<typeof shapeFeatureSchema>

/** `GET /api/shapefile/{name}` */
export const shapefileSchema = z.object({
  name: shortText(),
  longName: shortText(),
  desc: longText(),
  color: shortText(),
  shapefile: z.object({ type: z.literal('FeatureCollection'), features: list(shapeFeatureSchema) }),
  /** North-west and south-east corners; equal for a single point. */
  bounds: z.object({ ul: latLngSchema, lr: latLngSchema }),
})
export type Shapefile = z.infer<typeof shapefileSchema>

/** Short name of a layer, as it stands in its address. */
export const SHAPEFILE_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/
export const SHAPEFILE_COLOR = /^#[0-9a-f]{6}$/
