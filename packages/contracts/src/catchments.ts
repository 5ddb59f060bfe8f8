import { z } from 'zod'
import { keyWords, list, longText, shortText } from './bounds.ts'

const lng = z.number().min(-180).max(180)
const lat = z.number().min(-90).max(90)
/** With an altitude in m, which nothing uses. */
const positionSchema = z.union([z.tuple([lng, lat]), z.tuple([lng, lat, z.number()])])
const ringSchema = list(positionSchema)
  .min(4)
  .refine((ring) => ring[0][0] === ring.at(-1)![0] && ring[0][1] === ring.at(-1)![1], {
    message: 'un contour doit se refermer sur son premier point',
  })
const polygonSchema = list(ringSchema).min(1)

/** One catchment or, with a parent, sub-catchment. Coordinates are [lng, lat] in WGS84. */
export const catchmentFeatureSchema = z.object({
  type: z.literal('Feature'),
  properties: z.object({
    /** Stable key of the interface and of the database, such as `melun`. */
    key: z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, keyWords(64)),
    name: shortText().min(1),
    /** Key of the catchment that this is a part of; null or absent for a catchment. */
    parent: shortText().nullable().default(null),
    note: longText().optional(),
  }),
  geometry: z.discriminatedUnion('type', [
    z.object({ type: z.literal('Polygon'), coordinates: polygonSchema }),
    z.object({ type: z.literal('MultiPolygon'), coordinates: list(polygonSchema).min(1) }),
  ]),
})

/** `site/catchments.geojson`: catchments and, one level below, their sub-catchments. */
export const catchmentsSchema = z
  .object({ type: z.literal('FeatureCollection'), features: list(catchmentFeatureSchema) })
  .superRefine((collection, ctx) => {
    const byKey = new Map(collection.features.map((f) => [f.properties.key, f]))
    for (const [i, { properties }] of collection.features.entries()) {
      const at = (field: string) => ['features', i, 'properties', field]
      if (byKey.get(properties.key) !== collection.features[i])
        ctx.addIssue({
          code: 'custom',
          message: `la clé « ${properties.key} » est en double`,
          path: at('key'),
        })
      if (properties.parent === null) continue
      const parent = byKey.get(properties.parent)
      if (!parent)
        ctx.addIssue({
          code: 'custom',
          message: `le bassin parent « ${properties.parent} » n'existe pas`,
          path: at('parent'),
        })
      else if (parent.properties.parent !== null)
        ctx.addIssue({
          code: 'custom',
          message: `le parent « ${properties.parent} » est lui-même un sous-bassin`,
          path: at('parent'),
        })
    }
  })
export type CatchmentCollection = z.infer<typeof catchmentsSchema>
