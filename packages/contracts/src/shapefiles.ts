import { z } from 'zod'
import { latLngSchema } from './site.ts'

/** A position [longitude, latitude] in WGS84 degrees; heights are dropped on import. */
export const positionSchema = z.tuple([z.number(), z.number()])
export type Position = z.infer<typeof positionSchema>

export const shapeGeometrySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Point'), coordinates: positionSchema }),
  z.object({ type: z.literal('MultiPoint'), coordinates: z.array(positionSchema) }),
  z.object({ type: z.literal('LineString'), coordinates: z.array(positionSchema) }),
  z.object({ type: z.literal('MultiLineString'), coordinates: z.array(z.array(positionSchema)) }),
  z.object({ type: z.literal('Polygon'), coordinates: z.array(z.array(positionSchema)) }),
  z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(z.array(positionSchema))) }),
])
export type ShapeGeometry = z.infer<typeof shapeGeometrySchema>

export const shapeFeatureSchema = z.object({
  type: z.literal('Feature'),
  /** `Text` or `node_id` names the feature on the map; other attributes stay as the file has them. */
  properties: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  geometry: shapeGeometrySchema,
})
export type ShapeFeature = z.infer<typeof shapeFeatureSchema>

/** `GET /api/shapefile/{name}` */
export const shapefileSchema = z.object({
  name: z.string(),
  longName: z.string(),
  desc: z.string(),
  color: z.string(),
  shapefile: z.object({ type: z.literal('FeatureCollection'), features: z.array(shapeFeatureSchema) }),
  /** North-west and south-east corners; equal for a single point. */
  bounds: z.object({ ul: latLngSchema, lr: latLngSchema }),
})
export type Shapefile = z.infer<typeof shapefileSchema>

/** Short name of a layer, as it stands in its address. */
export const SHAPEFILE_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/
export const SHAPEFILE_COLOR = /^#[0-9a-f]{6}$/
