import { z } from 'zod'
import { list, longText, shortText } from './bounds.ts'
import { instantSchema } from './radar.ts'

/** Parameters of a universal multifractal over a range, and how straight its line is. */
const estimateSchema = z.object({ alpha: z.number(), c1: z.number(), r2: z.number() })

/** Both analyses over box sides from `fromCells` to `toCells`; null where there is nothing to fit. */
export const rangeFitSchema = z.object({
  fromCells: z.number(),
  toCells: z.number(),
  tm: estimateSchema.extend({ k: list(z.object({ q: z.number(), k: z.number() })) }).nullable(),
  dtm: estimateSchema.extend({ k: list(z.object({ eta: z.number(), k: z.number() })) }).nullable(),
})
export type ScalingRangeFit = z.infer<typeof rangeFitSchema>

/** What squares or series tell over scales. */
export const scalingPartSchema = z.object({
  samples: z.int(),
  /** Cells (or frames) of a side. */
  side: z.int(),
  zeroShare: z.number(),
  missingShare: z.number(),
  /** `moments[scale][q]` at box sides `cells[scale]`, fine first. */
  points: z.object({ cells: list(z.number()), q: list(z.number()), moments: list(list(z.number())) }),
  /** Over all scales first, then over every range of three scales or more. */
  fits: list(rangeFitSchema),
})
export type ScalingPart = z.infer<typeof scalingPartSchema>

/** `GET /api/scaling/event`. */
export const eventScalingSchema = z.object({
  product: shortText(),
  frames: z.int(),
  /** Side of a cell, m, and between two frames, s. */
  cellM: z.number(),
  frameSeconds: z.number(),
  window: z.object({ row: z.int(), col: z.int(), side: z.int() }),
  /** What bears on reading the numbers, in French. */
  notesFr: list(longText()),
  space: scalingPartSchema,
  /** Squares that are almost all wet; null where there are none. */
  wet: scalingPartSchema.extend({ wetShare: z.number() }).nullable(),
  /** Each cell over frames that follow each other; null with fewer than eight. */
  time: scalingPartSchema.extend({ from: instantSchema }).nullable(),
  /** Null where no frame is whole. */
  spectrum: z
    .object({
      wavelengthM: list(z.number()),
      power: list(z.number()),
      fits: list(
        z.object({
          fromCells: z.number(),
          toCells: z.number(),
          beta: z.number(),
          r2: z.number(),
          h: z.number().nullable(),
        }),
      ),
    })
    .nullable(),
  single: list(
    z.object({
      time: instantSchema,
      zeroShare: z.number(),
      missingShare: z.number(),
      meanMmH: z.number().nullable(),
      /** In the order of `space.fits`. */
      fits: list(z.object({ tm: estimateSchema.nullable(), dtm: estimateSchema.nullable() })),
    }),
  ),
})
export type EventScalingAnswer = z.infer<typeof eventScalingSchema>
