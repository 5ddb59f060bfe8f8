import { z } from 'zod'
import { shortText } from './bounds.ts'

/** What can be fitted. */
export const CALIBRATED = ['roughness', 'kh', 'imperviousness', 'gullyEfficiency', 'sewerRoughness'] as const
export type Calibrated = (typeof CALIBRATED)[number]

/** In words, French. */
export const CALIBRATED_FR: Record<Calibrated, string> = {
  roughness: 'rugosité de Manning',
  kh: 'conductivité kh',
  imperviousness: 'imperméabilisation',
  gullyEfficiency: 'efficacité des avaloirs',
  sewerRoughness: 'rugosité des conduites',
}

/**
 * Bounds that no fit may pass. With a land-use code roughness (s/m^(1/3)) and kh (m/s) are the value of its class, without one a
 * factor on all classes; imperviousness is the share of a class that lets nothing in; gully efficiency the share of their law that gullies
 * take; sewer roughness a factor on Manning's n of all conduits.
 */
export const CALIBRATED_LIMITS: Record<
  Calibrated,
  { min: number; max: number; code: 'may' | 'must' | 'never'; factorMax?: number }
> = {
  roughness: { min: 0.005, max: 1, code: 'may', factorMax: 10 },
  kh: { min: 0, max: 1e-3, code: 'may', factorMax: 100 },
  imperviousness: { min: 0, max: 1, code: 'must' },
  gullyEfficiency: { min: 0, max: 1, code: 'never' },
  sewerRoughness: { min: 0.2, max: 5, code: 'never' },
}

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

/** `roughness.2`, `kh`: what files and answers call it. */
export const parameterKey = ({ kind, code }: { kind: Calibrated; code?: number }): string =>
  code === undefined ? kind : `${kind}.${code}`

/** Where something was measured. A point is in the coordinates of the catchment, m. */
export const observedPlaceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('node'), name: shortText().min(1) }),
  z.strictObject({ kind: z.literal('link'), name: shortText().min(1) }),
  z.strictObject({ kind: z.literal('street'), name: shortText().min(1) }),
  z.strictObject({ kind: z.literal('point'), x: z.number(), y: z.number() }),
])
export type ObservedPlace = z.infer<typeof observedPlaceSchema>

/** Flow through a link; depth above a node's bottom or the ground; level above the datum of the model. */
export const OBSERVED_QUANTITIES = ['flow', 'depth', 'level'] as const
export type ObservedQuantity = (typeof OBSERVED_QUANTITIES)[number]
/** Units by quantity, the SI one first. */
export const OBSERVED_UNITS = {
  flow: ['m3/s', 'l/s', 'm3/h'],
  depth: ['m', 'cm', 'mm'],
  level: ['m', 'cm', 'mm'],
} as const satisfies Record<ObservedQuantity, readonly string[]>
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

/** What a fit makes as good as it can. */
export const CALIBRATION_OBJECTIVES = ['nse', 'kge'] as const
export type CalibrationObjective = (typeof CALIBRATION_OBJECTIVES)[number]

export const CALIBRATION_LIMITS = {
  runs: { min: 20, max: 2_000 },
  parameters: 12,
  events: 20,
  series: 40,
} as const

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
