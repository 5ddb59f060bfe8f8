import { z } from 'zod'
import { list, shortText } from './bounds.ts'
import { instantSchema } from './radar.ts'
import { NOWCAST_LONGEST_STEP_MIN } from './site.ts'

/** Leads of the live forecast, minutes, where a site says nothing else. */
export const NOWCAST_STEP_MIN = 5
export const NOWCAST_LONGEST_MIN = 120
/** Rain whose probability is forecast, mm/h: bounds of intensity classes. */
export const NOWCAST_CHANCES_MM_H = [0.4, 3, 10] as const
/** Rain at which forecasts are held against what came, mm/h. */
export const NOWCAST_SCORED_MM_H = [0.1, 0.4, 1, 3, 10] as const

/** Why there is no forecast. */
export const nowcastReasonSchema = z.enum(['few-frames', 'gap', 'missing', 'dry', 'no-motion'])

/**
 * `stored`: made when its last frame came, and kept. `replayed`: made again from the archive because someone asked; the
 * same for the same frames.
 */
export const nowcastOriginSchema = z.enum(['stored', 'replayed'])

/** `GET /api/nowcast`: a forecast, and how far it can be trusted. */
export const nowcastSchema = z.object({
  /** Product that it was made from: the widest. */
  product: shortText(),
  /** The last frame that it knows; null without any. */
  issued: instantSchema.nullable(),
  reason: nowcastReasonSchema.nullable(),
  /** Valid times of the pictures of `GET /api/nowcast/frames`. */
  times: list(instantSchema),
  origin: nowcastOriginSchema.optional(),
  /**
   * Members that probabilities and quantiles are counted from; 0 while there are none: those of a new forecast come some
   * seconds after its pictures, those of a replayed one when its probabilities or quantiles are asked for.
   */
  members: z.int().min(0).max(1_000).optional(),
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

const rate = () => z.number().min(0).nullable()

/**
 * `GET /api/nowcast/fan` (mean of a catchment, classes' rights) and `GET /api/nowcast/pixel` (exact values at a cell, rights
 * of gauges): what is forecast, mm/h, and where 10, 50 and 90 % of the members lie below. Null where nothing upstream was
 * seen (of a catchment: of more than a tenth of it), and quantiles also without members.
 */
export const nowcastFanSchema = z.object({
  product: shortText(),
  issued: instantSchema.nullable(),
  reason: nowcastReasonSchema.nullable(),
  horizonMin: z.number().nullable(),
  members: z.int().min(0).max(1_000),
  /** From the issue on, whose value is what the radar saw. */
  values: list(
    z.object({
      time: instantSchema,
      leadMin: z.number(),
      mmH: rate(),
      p10: rate(),
      p50: rate(),
      p90: rate(),
    }),
  ),
})
export type NowcastFan = z.infer<typeof nowcastFanSchema>

/** `GET /api/nowcast/motion`: how the rain of a forecast moves, on a coarse grid, where there is rain near. */
export const nowcastMotionSchema = z.object({
  product: shortText(),
  issued: instantSchema.nullable(),
  reason: nowcastReasonSchema.nullable(),
  /** Velocity at a place, km/h to the east and to the north. */
  arrows: list(z.object({ lat: z.number(), lng: z.number(), eastKmH: z.number(), northKmH: z.number() })),
})
export type NowcastMotion = z.infer<typeof nowcastMotionSchema>

const share = () => z.number().min(0).max(1).nullable()

/** Errors of forecasts, counts pooled. Null where there is nothing to divide by. */
const errorsSchema = z.object({
  maeMmH: rate(),
  rmseMmH: rate(),
  /** Mean of forecast minus seen, mm/h. */
  biasMmH: z.number().nullable(),
  /** By threshold, in the order of `thresholdsMmH`. */
  csi: list(share()),
  pod: list(share()),
  far: list(share()),
  /** Cells forecast above the threshold over cells seen above it. */
  frequencyBias: list(rate()),
})
export type NowcastErrors = z.infer<typeof errorsSchema>

/** `GET /api/nowcast/scores`: what forecasts of a period were worth, scored by each frame that came. */
export const nowcastScoresSchema = z.object({
  product: shortText(),
  start: instantSchema,
  end: instantSchema,
  /** Frames that scored a forecast. */
  frames: z.int().min(0),
  thresholdsMmH: z.array(z.number()).max(20),
  leads: list(
    z.object({
      leadMin: z.number(),
      /** Cells compared. */
      cells: z.int().min(0),
      forecast: errorsSchema,
      /** The last frame, held still, on the same cells. */
      persistence: errorsSchema,
      /** By threshold of probability, in the order of `reliability`; null without members. */
      brier: list(rate()),
    }),
  ),
  /** By threshold: how often it rained so much where a tenth of probability was given, over all leads to that asked for. */
  reliability: z
    .array(
      z.object({
        thresholdMmH: z.number(),
        bins: z
          .array(
            z.object({
              /** Mean probability that was given, 0 to 1. */
              given: share(),
              /** Share in which it came. */
              seen: share(),
              cells: z.int().min(0),
            }),
          )
          .max(11),
      }),
    )
    .max(20),
  /** Lead up to which the CSI at 1 mm/h is 1/e or more; null where there was too little rain to tell. */
  horizonMin: z.number().nullable(),
})
export type NowcastScores = z.infer<typeof nowcastScoresSchema>

const HOLE_MIN = 20

/**
 * Between two scored leads farther apart than this no skill is known, minutes: as after an hour without images.
 * @param leadsMin rising
 */
export const longestGapMin = (leadsMin: readonly number[]): number =>
  leadsMin.length < 2
    ? Math.max(HOLE_MIN, NOWCAST_LONGEST_STEP_MIN)
    : Math.max(HOLE_MIN, 2 * Math.min(...leadsMin.slice(1).map((lead, k) => lead - leadsMin[k])))
