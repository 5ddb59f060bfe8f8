import { z } from 'zod'
import { list, longText, shortText } from './bounds.ts'
import {
  CALIBRATED,
  CALIBRATED_FR,
  CALIBRATED_LIMITS,
  CALIBRATION_LIMITS,
  CALIBRATION_OBJECTIVES,
  OBSERVED_CSV_MAX,
  OBSERVED_QUANTITIES,
} from './calibration-constants.ts'
import { jobStatusSchema } from './jobs.ts'
import { instantSchema } from './radar.ts'

export * from './calibration-constants.ts'

const named = { kind: z.enum(CALIBRATED), code: z.int().min(1).max(10_000).optional() }

/** A parameter with a value. */
export const parameterValueSchema = z.strictObject({ ...named, value: z.number() })
export type ParameterValue = z.infer<typeof parameterValueSchema>

/** A parameter with the bounds between which it is looked for. */
export const calibrationParameterSchema = z
  .strictObject({
    ...named,
    min: z.number(),
    max: z.number(),
    scale: z.enum(['linear', 'log']).optional(),
  })
  .superRefine((parameter, ctx) => {
    const { kind, code, min, max, scale } = parameter
    const limits = CALIBRATED_LIMITS[kind]
    const refuse = (message: string) => ctx.addIssue({ code: 'custom', message })
    if (limits.code === 'must' && code === undefined)
      refuse(`${CALIBRATED_FR[kind]} : il faut un code d’occupation des sols (« code »).`)
    if (limits.code === 'never' && code !== undefined) refuse(`${CALIBRATED_FR[kind]} : sans « code ».`)
    const isFactor = code === undefined && limits.factorMax !== undefined
    const [least, most] = isFactor ? [0, limits.factorMax!] : [limits.min, limits.max]
    if (!(min < max)) refuse(`${CALIBRATED_FR[kind]} : min doit être plus petit que max.`)
    if (min < least || max > most || (isFactor && !(min > 0)))
      refuse(
        `${CALIBRATED_FR[kind]} : bornes entre ${String(least).replace('.', ',')} et ${String(most).replace('.', ',')}${isFactor ? ', min au-dessus de 0' : ''}.`,
      )
    if (scale === 'log' && !(min > 0))
      refuse(`${CALIBRATED_FR[kind]} : une échelle logarithmique demande min au-dessus de 0.`)
  })
export type CalibrationParameter = z.infer<typeof calibrationParameterSchema>

/** Where something was measured. A point is in the coordinates of the catchment, m. */
export const observedPlaceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('node'), name: shortText().min(1) }),
  z.strictObject({ kind: z.literal('link'), name: shortText().min(1) }),
  z.strictObject({ kind: z.literal('street'), name: shortText().min(1) }),
  z.strictObject({ kind: z.literal('point'), x: z.number(), y: z.number() }),
])
export type ObservedPlace = z.infer<typeof observedPlaceSchema>

export const observedUnitSchema = z.enum(['m3/s', 'l/s', 'm3/h', 'm', 'cm', 'mm'])
export type ObservedUnit = z.infer<typeof observedUnitSchema>

const number = z.number().nullable()
/** See `Scores` of the hydrology package; null where a score says nothing. */
export const scoresSchema = z.object({
  pairs: z.int(),
  missing: z.int(),
  nse: number,
  kge: number,
  kgeParts: z.object({ r: z.number(), alpha: z.number(), beta: z.number() }).nullable(),
  peakMeasured: z.number(),
  peakSimulated: z.number(),
  peakError: number,
  peakDelayS: z.number(),
  volumeError: number,
})
export type Scores = z.infer<typeof scoresSchema>

/** How a series stood at an event. Scores are null where there was nothing to score. */
export const seriesScoresSchema = z.object({
  event: shortText(),
  use: z.enum(['calibration', 'validation']),
  series: shortText(),
  quantity: z.enum(OBSERVED_QUANTITIES),
  before: scoresSchema.nullable(),
  after: scoresSchema.nullable(),
  /** Share of the measured moments inside the band of good trials; null where nothing was measured. */
  coverage: number,
})
export type SeriesScores = z.infer<typeof seriesScoresSchema>

export const fittedParameterSchema = z.object({
  kind: z.enum(CALIBRATED),
  code: z.int().optional(),
  value: z.number(),
  /** What the catchment had. */
  before: z.number(),
  min: z.number(),
  max: z.number(),
  scale: z.enum(['linear', 'log']),
  /** Weighted 5, 50 and 95 % of the good trials. */
  low: z.number(),
  median: z.number(),
  high: z.number(),
})
export type FittedParameter = z.infer<typeof fittedParameterSchema>

/** What came out of a fit. */
export const calibrationResultSchema = z.object({
  objective: z.enum(CALIBRATION_OBJECTIVES),
  seed: z.int(),
  /** Trials made, and those that failed. */
  trials: z.int(),
  failed: z.int(),
  parameters: z.array(fittedParameterSchema).max(CALIBRATION_LIMITS.parameters),
  /** Mean of the objective over the series of an event's use; null without such events. */
  before: z.object({ calibration: number, validation: number }),
  after: z.object({ calibration: number, validation: number }),
  /** Good trials of GLUE, the score above which a trial is one. */
  good: z.int(),
  threshold: number,
  scores: z.array(seriesScoresSchema).max(CALIBRATION_LIMITS.events * CALIBRATION_LIMITS.series),
  /** French: what whoever uses the set has to know. */
  warnings: z.array(z.string().max(2_000)).max(200),
})
export type CalibrationResult = z.infer<typeof calibrationResultSchema>

/** A table to look into before it is kept. */
export const observedFileSchema = z.object({
  fileName: shortText().min(1),
  csv: z.string().max(OBSERVED_CSV_MAX),
  /** Of clock times that say none: a name or an offset. */
  timeZone: z.string().min(1).max(60),
})
export const observedColumnsSchema = z.object({
  first: instantSchema,
  last: instantSchema,
  count: z.int(),
  /** Usual time between two lines, s. */
  stepS: z.number(),
  /** Stretches of more than two and a half usual steps. */
  gaps: z.int(),
  columns: z
    .array(
      z.object({
        name: shortText(),
        unit: observedUnitSchema.nullable(),
        quantity: z.enum(OBSERVED_QUANTITIES).nullable(),
        missing: z.int(),
      }),
    )
    .max(200),
  remarksFr: z.array(longText()).max(20),
})
export type ObservedColumns = z.infer<typeof observedColumnsSchema>

/** Where something was measured, as a map tells a point. */
const placeOnMap = z.discriminatedUnion('kind', [
  ...observedPlaceSchema.options,
  z.strictObject({
    kind: z.literal('lnglat'),
    lng: z.number().min(-180).max(180),
    lat: z.number().min(-90).max(90),
  }),
])
export const observationBodySchema = observedFileSchema.extend({
  catchmentId: shortText().min(1),
  name: z.string().trim().min(1).max(120),
  column: shortText(),
  place: placeOnMap,
  quantity: z.enum(OBSERVED_QUANTITIES),
  unit: observedUnitSchema,
})
export type ObservationBody = z.infer<typeof observationBodySchema>

/** A kept series of measurements. */
export const observationSchema = z.object({
  id: z.uuid(),
  username: shortText(),
  catchmentId: shortText(),
  name: shortText(),
  fileName: shortText(),
  place: observedPlaceSchema,
  quantity: z.enum(OBSERVED_QUANTITIES),
  unit: observedUnitSchema,
  timeZone: shortText(),
  first: instantSchema,
  last: instantSchema,
  count: z.int(),
  missing: z.int(),
  createdAt: instantSchema,
})
export type Observation = z.infer<typeof observationSchema>

/** A series beside a run, in SI and above the bottom of its place; null = missing, or outside the stated period. */
export const observedRunSchema = z.object({
  id: z.uuid(),
  name: shortText(),
  place: observedPlaceSchema,
  quantity: z.enum(OBSERVED_QUANTITIES),
  /** French; null when it was compared. */
  problem: shortText().nullable(),
  timesS: list(z.number()),
  measured: list(z.number().nullable()),
  simulated: list(z.number().nullable()),
  scores: scoresSchema.nullable(),
})
export const observedRunsSchema = z.object({
  start: instantSchema,
  durationS: z.number(),
  series: z.array(observedRunSchema).max(200),
})
export type ObservedRun = z.infer<typeof observedRunSchema>
export type ObservedRuns = z.infer<typeof observedRunsSchema>

/** What a fit is asked for: finished runs are its events, with their rain, land use and modules. */
export const calibrationBodySchema = z.object({
  name: z.string().trim().min(1).max(120),
  catchmentId: shortText().min(1),
  events: z
    .array(z.strictObject({ jobId: z.uuid(), use: z.enum(['calibration', 'validation']) }))
    .min(1)
    .max(CALIBRATION_LIMITS.events),
  observations: z.array(z.uuid()).min(1).max(CALIBRATION_LIMITS.series),
  parameters: z.array(calibrationParameterSchema).min(1).max(CALIBRATION_LIMITS.parameters),
  objective: z.enum(CALIBRATION_OBJECTIVES),
  runs: z.int().min(CALIBRATION_LIMITS.runs.min).max(CALIBRATION_LIMITS.runs.max),
  seed: z
    .int()
    .min(0)
    .max(2 ** 31),
})
export type CalibrationBody = z.infer<typeof calibrationBodySchema>

/** A fit in the list; its values make it a parameter set. */
export const calibrationSchema = z.object({
  id: z.uuid(),
  username: shortText(),
  catchmentId: shortText(),
  name: shortText(),
  createdAt: instantSchema,
  /** The last job that worked on it. */
  jobId: z.uuid().nullable(),
  status: jobStatusSchema,
  cancelled: z.boolean(),
  error: longText().nullable(),
  /** Trials that are kept, of how many. */
  trials: z.int(),
  runs: z.int(),
  /** Null until it is done. */
  values: z.array(parameterValueSchema).max(CALIBRATION_LIMITS.parameters).nullable(),
  result: calibrationResultSchema.nullable(),
})
export type Calibration = z.infer<typeof calibrationSchema>

/** Trials that a fit has made so far, in their order; `values` and `parameters` go together. */
export const calibrationTrialsSchema = z.object({
  objective: z.enum(CALIBRATION_OBJECTIVES),
  parameters: z.array(z.object(named)).max(CALIBRATION_LIMITS.parameters),
  trials: z
    .array(
      z.object({
        /** From 0, the catchment as it is. */
        trial: z.int(),
        /** Null where the engine would not go on. */
        score: number,
        values: z.array(z.number()).max(CALIBRATION_LIMITS.parameters),
        /** Why not, French. */
        error: longText().nullable(),
      }),
    )
    .max(CALIBRATION_LIMITS.runs.max),
})
export type CalibrationTrials = z.infer<typeof calibrationTrialsSchema>

/** The set of values that a run was made with, as it was then. */
export const usedParametersSchema = z.object({
  id: z.uuid(),
  name: shortText(),
  values: z.array(parameterValueSchema).max(CALIBRATION_LIMITS.parameters),
})
export type UsedParameters = z.infer<typeof usedParametersSchema>
