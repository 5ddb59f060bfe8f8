import { z } from 'zod'
import { list, longText, shortText } from './bounds.ts'
import { instantSchema } from './radar.ts'

export * from './own-rains-constants.ts'

/** A rain of radar pictures that an account brought, cut to a catchment: `GET /api/multihydro/rains` (ours). */
export const ownRainSchema = z.object({
  id: z.uuid(),
  name: shortText(),
  catchmentId: shortText(),
  createdAt: instantSchema,
  start: instantSchema,
  end: instantSchema,
  pictures: z.int(),
  /** Usual time between two pictures, s. */
  stepS: z.number(),
  /** Side of a cell, m; null on a grid in degrees. */
  cellM: z.number().nullable(),
  /** Share of the catchment's cells that lie on the pictures. */
  coveredShare: z.number(),
  /** Share of cells x time without data, which runs take as dry. */
  missingShare: z.number(),
  /** Means over the catchment: what fell in all, mm, and the largest rate, mm/h; then the largest rate of a cell. */
  totalMm: z.number(),
  meanMaxMmH: z.number(),
  cellMaxMmH: z.number(),
  /** What was found while it was read, in French. */
  remarksFr: list(longText()),
})
export type OwnRain = z.infer<typeof ownRainSchema>

/** The same with what a page draws of it. */
export const ownRainDetailSchema = ownRainSchema.extend({
  /** Mean over the catchment a minute, mm/h. */
  minutesMmH: list(z.number()),
  /** What fell on each cell of the pictures around the catchment, mm, rows from the north; null without data. */
  totals: list(list(z.number().nullable())),
})
export type OwnRainDetail = z.infer<typeof ownRainDetailSchema>

/** What a run says of its radar pictures of one's own. */
export const ownRainRefSchema = z.object({ id: z.uuid(), name: shortText() })
export type OwnRainRef = z.infer<typeof ownRainRefSchema>

/** Rain that a gauge measured, as a form names it. */
export const gaugeRainRefSchema = z.object({
  /** Of the site as configured; of an account a UUID. */
  id: shortText(),
  name: shortText(),
  start: instantSchema,
  end: instantSchema,
  /** Time without readings counts as dry; refused without it. */
  gapsDry: z.boolean(),
  /** min */ calmAfter: z.number().min(0).max(10_080),
})
export type GaugeRainRef = z.infer<typeof gaugeRainRefSchema>

/** `GET /api/multihydro/rains/gauge` (ours): what a gauge measured, as a run would take it. */
export const gaugeRainSchema = z.object({
  /** mm/h a minute from the start; null where nothing is known. */
  minutesMmH: list(z.number().nullable()),
  totalMm: z.number(),
  missingMin: z.int(),
  /** Usual time between readings, min; null without any. */
  intervalMin: z.number().nullable(),
})
export type GaugeRain = z.infer<typeof gaugeRainSchema>
