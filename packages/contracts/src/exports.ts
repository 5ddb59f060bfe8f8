import { z } from 'zod'
import { longText, shortText } from './bounds.ts'
import { adjustKeySchema } from './gauges.ts'
import { jobStatusSchema } from './jobs.ts'
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
  /** The product adjusted to gauges instead of the original, and the period that its factors are made from. */
  adjust: adjustKeySchema.optional(),
  ws: instantSchema.optional(),
  we: instantSchema.optional(),
})
export type GeotiffBody = z.infer<typeof geotiffBodySchema>

/** An export that the account keeps: `GET /api/jobs/exports`. */
export const keptExportSchema = z.object({
  id: z.uuid(),
  kind: z.enum(['exportgeotiff', 'exportgrid']),
  /** Instant of submission. */
  date: instantSchema,
  status: jobStatusSchema,
  product: shortText(),
  /** Period [start, end) that was asked for. */
  start: instantSchema,
  end: instantSchema,
  /** Name under `/images/{kind}/`; null until it is done. */
  file: shortText().nullable(),
  bytes: z.number(),
  /** French reason when the status is error. */
  error: longText().nullable(),
  /** When it is removed; null never, or while it is being made. */
  expires: instantSchema.nullable(),
})
export type KeptExport = z.infer<typeof keptExportSchema>
