import { z } from 'zod'
import { list, longText, shortText } from './bounds.ts'
import { instantSchema } from './radar.ts'
import { rainMethodSchema } from './rain-method.ts'
import { latLngSchema } from './site.ts'

/** What automatic checks of a gauge find, and what a manager sets by hand. */
export const GAUGE_FAULTS = ['stuck', 'impossible', 'clogged', 'cleaning'] as const
export type GaugeFault = (typeof GAUGE_FAULTS)[number]

/** `GET /api/gauges`: a gauge that the account may look at. */
export const gaugeSchema = z.object({
  /** Of the site as configured; of an account a UUID. */
  id: shortText(),
  name: shortText(),
  /** An account's gauges are its own. */
  owner: z.enum(['site', 'user']),
  position: latLngSchema,
  measure: z.enum(['depth', 'rate', 'total', 'tips']),
})
export type Gauge = z.infer<typeof gaugeSchema>

/** A span of a gauge that a manager judged by hand. */
export const gaugeFlagSchema = z.object({
  id: shortText(),
  gauge: shortText(),
  start: instantSchema,
  end: instantSchema,
  /** `exclude` leaves readings out whatever the checks say; `keep` takes them whatever the checks say. */
  kind: z.enum(['exclude', 'keep']),
  reason: longText(),
  author: shortText(),
  setAt: instantSchema,
  /** Who took it back and when; it stays on record. */
  removedBy: shortText().nullable(),
  removedAt: instantSchema.nullable(),
})
export type GaugeFlag = z.infer<typeof gaugeFlagSchema>

/** `POST /api/gauges/:id/flags`. */
export const gaugeFlagBodySchema = z.object({
  start: instantSchema,
  end: instantSchema,
  kind: z.enum(['exclude', 'keep']),
  reason: z
    .string()
    .trim()
    .min(1, 'Dites pourquoi : la raison reste avec le marquage.')
    .max(600, 'La raison ne peut dépasser 600 caractères.'),
})

/** Largest CSV that one call takes, characters. */
export const GAUGE_CSV_MAX = 10_000_000

/** `PUT /api/gauges`: gauges of one's own, from the text of a CSV file with a header. */
export const gaugeUploadSchema = z.object({
  csv: z
    .string()
    .min(1, 'Le fichier est vide.')
    .max(GAUGE_CSV_MAX, 'Le fichier dépasse 10 Mo : découpez-le.'),
  name: z.string().max(200).default('pluviometres.csv'),
  unit: z.enum(['mm', 'mm/h', 'total', 'tips']).optional(),
  /** Depth of one tip, mm. */
  tipMm: z.number().positive().max(10).default(0.2),
  /** Zone of times that carry none. */
  timeZone: z.string().min(1).max(64).default('UTC'),
})
export type GaugeUpload = z.input<typeof gaugeUploadSchema>

export const gaugeUploadedSchema = z.object({
  gauges: list(gaugeSchema.extend({ readings: z.int(), first: instantSchema, last: instantSchema })),
  /** How the file was read where it left something open, in French. */
  remarksFr: list(longText()),
})
export type GaugeUploaded = z.infer<typeof gaugeUploadedSchema>

/** Steps of a comparison, minutes. */
export const GAUGE_STEPS_MIN = [5, 15, 60, 1440] as const

const depthSchema = z.object({
  gaugeMm: z.number(),
  radarMm: z.number(),
  /** Least and most of the 3 x 3 cells around. */
  lowMm: z.number(),
  highMm: z.number(),
  /** Gauge over radar; null without radar rain, and where neither has half a millimetre. */
  ratio: z.number().nullable(),
})

/** Scores over the steps in which gauge or radar had rain; null where there are too few. */
const comparisonScoresSchema = z.object({
  pairs: z.int(),
  /** Radar less gauge over gauge, %. */
  biasPct: z.number().nullable(),
  rmse: z.number().nullable(),
  correlation: z.number().nullable(),
})

export const comparedGaugeSchema = gaugeSchema.extend({
  /** Why there are no figures, or `compared`. */
  state: z.enum(['compared', 'outside', 'noReadings', 'noRadar', 'excluded', 'tooCoarse']),
  /** Minutes between its readings; null without any. */
  intervalMin: z.number().nullable(),
  /** Over what both know of the period. */
  depth: depthSchema.nullable(),
  /** Share of the period that both know. */
  knownShare: z.number(),
  scores: comparisonScoresSchema.nullable(),
  /** Running totals, [radar, gauge] mm. */
  doubleMass: list(z.tuple([z.number(), z.number()])),
  /** What checks and managers say, in the order of time. */
  faults: list(
    z.object({
      fault: z.enum([...GAUGE_FAULTS, 'flag']),
      start: instantSchema,
      end: instantSchema,
      /** A manager kept what the checks would leave out. */
      kept: z.boolean(),
      flag: shortText().nullable(),
    }),
  ),
})
export type ComparedGauge = z.infer<typeof comparedGaugeSchema>

const comparedSpanSchema = z.object({
  start: instantSchema,
  end: instantSchema,
  gauges: z.int(),
  depth: depthSchema,
})

/** `GET /api/gauges/comparison`. */
export const gaugeComparisonSchema = z.object({
  product: shortText(),
  start: instantSchema,
  end: instantSchema,
  stepMin: z.number(),
  /** Whether rain moved between frames; `raw` also where that was asked for and has not been followed yet. */
  method: rainMethodSchema,
  gauges: list(comparedGaugeSchema),
  /** All pairs of all gauges. */
  all: comparisonScoresSchema.extend({ ratio: z.number().nullable(), medianRatio: z.number().nullable() }),
  /** [index of the gauge, radar, gauge] mm a step; thinned where there are many. */
  scatter: list(z.tuple([z.int(), z.number(), z.number()])),
  /** Means over the gauges by spell of rain and by month. */
  events: list(comparedSpanSchema),
  months: list(comparedSpanSchema),
  /** The chosen gauge over its cell and the 3 x 3 around; null without one. */
  series: z
    .object({
      gauge: shortText(),
      stepMin: z.number(),
      times: list(instantSchema),
      gaugeMm: list(z.number().nullable()),
      radarMm: list(z.number().nullable()),
      lowMm: list(z.number().nullable()),
      highMm: list(z.number().nullable()),
    })
    .nullable(),
  flags: list(gaugeFlagSchema),
  /** What bears on reading the figures, in French. */
  notesFr: list(longText()),
})
export type GaugeComparison = z.infer<typeof gaugeComparisonSchema>

export const GAUGE_METHODS = ['mfb', 'additive', 'multiplicative', 'mixed', 'ked'] as const
export type GaugeMethod = (typeof GAUGE_METHODS)[number]
/** Before the end of a period alone, or over all of it. */
export const ADJUST_MODES = ['live', 'hindsight'] as const

/** An adjusted product in addresses and bodies: `method.mode`, such as `mfb.hindsight`. */
export const adjustKeySchema = z
  .string()
  .max(40)
  .refine((key) => {
    const [method, mode, ...rest] = key.split('.')
    return (
      rest.length === 0 &&
      GAUGE_METHODS.some((one) => one === method) &&
      ADJUST_MODES.some((one) => one === mode)
    )
  }, 'méthode.mode, comme mfb.hindsight')

/** `GET /api/gauges/adjustment`: the adjusted product of a period beside the original. */
export const gaugeAdjustmentSchema = z.object({
  product: shortText(),
  /** Name of the derived product, in every file of it. */
  name: shortText(),
  method: z.enum(GAUGE_METHODS),
  mode: z.enum(['live', 'hindsight']),
  start: instantSchema,
  end: instantSchema,
  /** What gauges and radar are compared over. */
  window: z.object({ start: instantSchema, end: instantSchema }),
  /** Why the product is the original; null when it is adjusted. */
  unchanged: z.enum(['tooFewGauges', 'noRatio']).nullable(),
  gauges: z.int(),
  /** Factor of each frame: the mean field bias, or adjusted over original rain of the whole field. */
  frames: list(
    z.object({
      time: instantSchema,
      factor: z.number(),
      /** `how/bias` of a frame that came adjusted; it is left as it is. */
      already: z.number().nullable(),
    }),
  ),
  /** Each gauge estimated by all others, method by method; `raw` is the radar as it came. */
  errors: list(
    z.object({
      method: z.enum(['raw', ...GAUGE_METHODS]),
      pairs: z.int(),
      biasPct: z.number().nullable(),
      rmse: z.number().nullable(),
      correlation: z.number().nullable(),
    }),
  ),
  notesFr: list(longText()),
})
export type GaugeAdjustment = z.infer<typeof gaugeAdjustmentSchema>
