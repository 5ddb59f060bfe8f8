import { z } from 'zod'
import { list, shortText } from './bounds.ts'
import { instantSchema } from './radar.ts'

/** Leads of the live forecast, minutes. */
export const NOWCAST_STEP_MIN = 5
export const NOWCAST_LONGEST_MIN = 120

/** Why there is no forecast. */
export const nowcastReasonSchema = z.enum(['few-frames', 'gap', 'missing', 'dry', 'no-motion'])

/** `GET /api/nowcast`: a forecast, and how far it can be trusted. */
export const nowcastSchema = z.object({
  /** Product that it was made from: the widest. */
  product: shortText(),
  /** The last frame that it knows; null without any. */
  issued: instantSchema.nullable(),
  reason: nowcastReasonSchema.nullable(),
  /** Valid times of the pictures of `GET /api/nowcast/frames`. */
  times: list(instantSchema),
  /**
   * Lead up to which the forecasts of the last hour had a CSI of 1/e at 1 mm/h or more, minutes; null where there was too
   * little rain to tell.
   */
  horizonMin: z.number().nullable(),
  /** Those scores, by lead. */
  skill: list(z.object({ leadMin: z.number(), csi: z.number() })),
})
export type Nowcast = z.infer<typeof nowcastSchema>

/** `GET /api/nowcast/place`: the rain to come at a place, in classes. */
export const nowcastPlaceSchema = z.object({
  issued: instantSchema.nullable(),
  horizonMin: z.number().nullable(),
  reason: nowcastReasonSchema.nullable(),
  /** Row of the intensity classes, 0 below 0.4 mm/h, by lead from 0 on; null where nothing upstream was seen. */
  classes: list(z.object({ leadMin: z.number(), class: z.number().nullable() })),
  /** First lead with rain, minutes, 0 when it rains; null where none is forecast. */
  rainInMin: z.number().nullable(),
  /** First lead without rain when it rains; null else. */
  dryInMin: z.number().nullable(),
})
export type NowcastPlace = z.infer<typeof nowcastPlaceSchema>
