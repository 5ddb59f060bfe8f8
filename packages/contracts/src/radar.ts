import { z } from 'zod'
import { list, longText, shortText } from './bounds.ts'
import { boundsSchema, latLngSchema } from './site.ts'
import { taranisSchema } from './station.ts'

/** ISO 8601 instant with Z or an offset. */
export const instantSchema = z.iso.datetime({ offset: true })

export const productSchema = z.object({
  shortName: shortText(),
  longName: shortText(),
  activeStatus: z.boolean(),
  bounds: boundsSchema,
  steps: z.int(),
})
export type Product = z.infer<typeof productSchema>

/** Means over a zone; null where there is nothing to average. */
export const zoneStatsSchema = z.object({
  /** Mean over valid cells, area-weighted for a catchment, mm/h. */
  mean: z.number().nullable(),
  /** Rmoyen: mean over cells with rain (> 0), mm/h; 0 when dry, null without valid cells. */
  nonzerosmean: z.number().nullable(),
  /** Coverage: wet over valid, %. */
  nonzerospc: z.number().nullable(),
})
export type ZoneStats = z.infer<typeof zoneStatsSchema>

export const radarImageSchema = zoneStatsSchema.extend({
  /** Address of the frame's PNG. Public inside the live window, otherwise signed and short-lived. */
  path: longText(),
  /** UTC instant, ISO 8601 with Z. */
  datetime: instantSchema,
  /** UTC time of day HH:mm:ss. */
  time: shortText(),
  /** Local time of day HH:mm:ss. */
  localtime: shortText(),
  /** Local date DD/MM/YYYY. */
  date: shortText(),
  /** Largest value of the frame, mm/h. */
  max: z.number().nullable(),
  /** Centre of the (first) cell that has it; null when nothing is wet. */
  maxAt: latLngSchema.nullable(),
  /** Share of cells with data, %. */
  validpc: z.number(),
  catchment: zoneStatsSchema.nullable(),
  /** Mean quality of its rain, 0 to 1, in the image and over the catchment; absent where its file says nothing of it. */
  quality: z.object({ zone: z.number().nullable(), catchment: z.number().nullable() }).optional(),
  /** CRC-32 of its classes, in the live answer: what `v` of `/api/products/frames` is made of (`bundleVersion`). */
  check: z.int().optional(),
})
export type RadarImage = z.infer<typeof radarImageSchema>

export { type AdjustedAtSource, RAIN_METHODS, type RainMethod, rainMethodSchema } from './rain-method.ts'

/** Quality of a total: by the rain of each image, or by time where none fell, and for which share of the time it is known. */
export const periodQualitySchema = z.object({ mean: z.number(), share: z.number() })
export type PeriodQuality = z.infer<typeof periodQualitySchema>

/** Which of an image's planes a bundle holds. */
export const frameLayerSchema = z.enum(['rain', 'quality'])
export type FrameLayer = z.infer<typeof frameLayerSchema>

const runningSchema = z.object({
  zoneMm: list(z.number()),
  catchmentMm: list(z.number()).nullable(),
  /** Seconds of the period that no frame stands for. */
  missingSeconds: z.number(),
})

/**
 * Running accumulation, one value an image, in mm, and how much time was missing: of frames that stand still, and beside
 * it of rain moved between frames (up to 15 min apart); null while that has not been followed for all of them.
 */
export const cumulatedSchema = runningSchema.extend({
  moved: runningSchema.nullable().optional(),
  /** Of the last totals; absent where no image says anything of it. */
  quality: z
    .object({ zone: periodQualitySchema.nullable(), catchment: periodQualitySchema.nullable() })
    .optional(),
})
export type Cumulated = z.infer<typeof cumulatedSchema>

export const liveResponseSchema = z.object({
  images: list(radarImageSchema),
  isRadarDown: z.boolean(),
  taranis: taranisSchema.nullable(),
  mrr: z.object({ latest: shortText().nullable() }),
  cumulated: cumulatedSchema,
})
export type LiveResponse = z.infer<typeof liveResponseSchema>

export const archiveResponseSchema = z.object({
  images: list(radarImageSchema),
  taranis: taranisSchema.nullable(),
  mrr: z.object({ latest: shortText().nullable() }),
  cumulated: cumulatedSchema,
  /** Gaps of the selection: periods that no frame stands for, ISO instants. */
  gaps: list(z.object({ start: instantSchema, end: instantSchema })),
  /** With a step: what every frame of the period comes to, also those that are not among the images. */
  every: z
    .object({
      frames: z.int(),
      /** Mean of the frames' Rmoyen, mm/h; null without data. */
      rmoyenMmH: z.number().nullable(),
      /** Strongest cell; null without rain. */
      max: z
        .object({ valueMmH: z.number(), datetime: instantSchema, at: latLngSchema.nullable() })
        .nullable(),
    })
    .optional(),
})
export type ArchiveResponse = z.infer<typeof archiveResponseSchema>

/** `GET /api/products/weight`: how many frames [s, e) has, and what loading them as classes transfers. */
export const weightSchema = z.object({
  slides: z.int().describe('Images de la période [s, e), ou du pas demandé'),
  weight: z.int().describe("Octets à transférer pour ces images en classes d'intensité (zstd)"),
})
export type Weight = z.infer<typeof weightSchema>

/**
 * `GET /api/products/hours/{day}`: a row a frame, since start and end of a selection are instants of
 * frames; the day is a civil day of the site's time zone (23, 24 or 25 hours).
 */
export const hourRowSchema = zoneStatsSchema.omit({ mean: true }).extend({
  /** UTC time of day HH:mm:ss. */
  time: shortText(),
  datetime: instantSchema,
  /** Time of day HH:mm:ss on the site's clocks; in autumn an hour comes twice. */
  localtime: shortText(),
  catchment: zoneStatsSchema.nullable(),
})
export type HourRow = z.infer<typeof hourRowSchema>

/** The day's largest frame mean over wet cells: mm/h, and its local time HH:mm. */
export const meanmaxSchema = z.object({ value: z.number(), desc: longText() })
export const daySummarySchema = z.object({
  /** Local civil day YYYY-MM-DD. */
  day: z.iso.date(),
  meanmax: meanmaxSchema,
  catchments: z.record(
    shortText(),
    z.object({
      meanmax: meanmaxSchema.nullable(),
      subcatchments: z.record(shortText(), z.object({ meanmax: meanmaxSchema.nullable() })),
    }),
  ),
})
export type DaySummary = z.infer<typeof daySummarySchema>

export const paramsSchema = z.object({
  product: z.object({ version: shortText(), name: shortText(), datetime: instantSchema }),
  data: z.object({
    sensorinfo: z.object({
      name: shortText(),
      /** m */ wavelen: z.number().nullable(),
      /** degree */ beamwidth: z.number().nullable(),
      /** m */ alt: z.number().nullable(),
    }),
  }),
})
export type AcquisitionParams = z.infer<typeof paramsSchema>

/**
 * `GET /api/products/pixel`: the cell that holds the point and its series; a point outside the product
 * has no cell and no series.
 */
export const pixelResponseSchema = z.object({
  radarPixel: z.object({ row: z.int(), col: z.int(), bounds: boundsSchema, center: latLngSchema }).nullable(),
  /** mm/h; null is no data. */
  radarData: list(z.object({ datetime: instantSchema, value: z.number().nullable() })),
  /** Running accumulation in mm, one a value of radarData. */
  cumulMm: list(z.number()),
  /** Seconds of the period without a frame or whose frame has no data there. */
  missingSeconds: z.number(),
  /** The same of rain moved between frames; null while that has not been followed for all of them. */
  moved: z
    .object({ cumulMm: list(z.number()), missingSeconds: z.number() })
    .nullable()
    .optional(),
})
export type PixelResponse = z.infer<typeof pixelResponseSchema>

/** What the last walk over everything stored came to. */
export const verificationSchema = z.object({
  at: instantSchema,
  /** Records and files read, and their bytes. */
  checked: z.int(),
  bytes: z.int(),
  /** From before there were checksums, which have one now. */
  sealed: z.int(),
  repaired: z.int(),
  /** Still damaged. */
  damaged: z.int(),
})
export type Verification = z.infer<typeof verificationSchema>

/** Progress of the demonstration's back-fill: `GET /api/status` (ours). */
export const statusSchema = z.object({
  version: shortText(),
  demo: z.object({
    active: z.boolean(),
    framesDone: z.int(),
    framesTotal: z.int(),
    /** Oldest instant already filled in. */
    filledBackTo: instantSchema.nullable(),
  }),
  latestFrame: instantSchema.nullable(),
  inbox: z.object({ waiting: z.int(), rejected: z.int() }),
  verification: verificationSchema.nullable().optional(),
})
export type Status = z.infer<typeof statusSchema>
