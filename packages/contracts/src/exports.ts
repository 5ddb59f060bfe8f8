import { z } from 'zod'
import { shortText } from './bounds.ts'
import { instantSchema } from './radar.ts'

/** What a graph export can draw. */
export const graphTypeSchema = z.enum(['hyetogram', 'catchment', 'coverage', 'cumul', 'pixel'])
export type GraphType = z.infer<typeof graphTypeSchema>

/** Header of a graph export that names the file; without it the file is export.png. */
export const IMAGE_NAME_HEADER = 'radx-imagename'
export const DEFAULT_IMAGE_NAME = 'export.png'

/** `POST /api/job/exportgeotiff`. */
export const geotiffBodySchema = z.object({
  product: shortText(),
  date: instantSchema,
  /** Lambert-93 on request. */
  epsg: z.union([z.literal(4326), z.literal(2154)]).default(4326),
})
export type GeotiffBody = z.infer<typeof geotiffBodySchema>
