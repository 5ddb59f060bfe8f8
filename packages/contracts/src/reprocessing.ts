import { z } from 'zod'
import { list, shortText } from './bounds.ts'
import { instantSchema } from './radar.ts'
import { sitePolarimetrySchema, siteProductSchema } from './site.ts'

/** The longest period of which volumes are taken through the chain again: 9 000 volumes of one every five minutes. */
export const REPROCESSING_MAX_DAYS = 31
/** So many products made of volumes may be kept beside those of the site. */
export const MADE_PRODUCTS_MAX = 20
/** Hours of the longest period, and one more where it begins within one. */
const MOST_HOURS = REPROCESSING_MAX_DAYS * 24 + 1

const { sweeps, highestDeg, noPhase, horizon, alpha, b, rainOfA } = sitePolarimetrySchema.shape
/** Settings of the chain other than those of site.json; what is left out stays that of the site. */
export const reprocessingParametersSchema = z.strictObject({
  sweeps: sweeps.unwrap().optional(),
  highestDeg: highestDeg.unwrap().optional(),
  noPhase: noPhase.unwrap().optional(),
  horizon: horizon.unwrap().optional(),
  alpha,
  b,
  rainOfA,
})
export type ReprocessingParameters = z.infer<typeof reprocessingParametersSchema>

/** `POST /api/job/reprocessing`: volumes of a period as a product of their own. */
export const reprocessingSchema = z.object({
  /** Product whose volumes are read again. */
  source: siteProductSchema.shape.shortName,
  start: instantSchema,
  end: instantSchema,
  /** Of the product that is made. */
  name: siteProductSchema.shape.shortName,
  longName: shortText().trim().min(1).max(80).optional(),
  parameters: reprocessingParametersSchema.default({}),
  /** Whether a product of that name which was made so before may go. */
  replace: z.boolean().default(false),
})
export type Reprocessing = z.infer<typeof reprocessingSchema>

/** What a reprocessing came to. */
export interface Reprocessed {
  product: string
  frames: number
  /** Volumes that gave no frame: their files are gone or damaged. */
  lost: number
  /** Frames of the period that no volume gave: pictures of the radar, which have no parameters. */
  others: number
}

/** A product that was made of kept volumes. */
export const madeProductSchema = z.object({
  shortName: shortText(),
  longName: shortText(),
  source: shortText(),
  start: instantSchema,
  end: instantSchema,
  parameters: reprocessingParametersSchema,
  /** Whether it is whole; until then nobody chooses it. */
  ready: z.boolean(),
  /** The job that makes or made it; null for one of the command line. */
  jobId: z.uuid().nullable(),
  madeBy: shortText(),
  madeAt: instantSchema,
  frames: z.int(),
})
export type MadeProduct = z.infer<typeof madeProductSchema>

/** `GET /api/reprocessing`. */
export const reprocessingsSchema = z.object({
  products: list(madeProductSchema),
  /** What the site's own settings are, for who changes some of them. */
  site: reprocessingParametersSchema,
})
export type Reprocessings = z.infer<typeof reprocessingsSchema>

/** How rain of two products compares, cell by cell of the frames that both made of the same volume. */
const comparedSchema = z.object({
  /** Frames that both have. */
  frames: z.int(),
  /** Cells in which both have a value, and those of them in which both are dry. */
  cells: z.int(),
  dryCells: z.int(),
  /** Cells in which only one has a value: missing is not dry. */
  missingInOld: z.int(),
  missingInNew: z.int(),
  /** Means over the cells that both have; null without any. */
  oldMeanMmH: z.number().nullable(),
  newMeanMmH: z.number().nullable(),
  /** New less old. */
  biasMmH: z.number().nullable(),
  rmseMmH: z.number().nullable(),
  /** null also where one of them is the same everywhere. */
  correlation: z.number().nullable(),
})
export type Compared = z.infer<typeof comparedSchema>

/** `GET /api/reprocessing/:name/comparison`. */
export const productComparisonSchema = z.object({
  product: shortText(),
  source: shortText(),
  start: instantSchema,
  end: instantSchema,
  /** Frames of the old product in the period that have no counterpart. */
  onlyOld: z.int(),
  whole: comparedSchema,
  /** Depth of an hour is the mean of its frames over that hour. */
  hours: z.array(comparedSchema.extend({ hour: instantSchema })).max(MOST_HOURS),
})
export type ProductComparison = z.infer<typeof productComparisonSchema>
