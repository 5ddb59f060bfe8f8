import { z } from 'zod'
import { list, shortText } from './bounds.ts'
import { MRR_VARIABLES } from './mrr-constants.ts'
import { instantSchema, pixelResponseSchema } from './radar.ts'

export * from './mrr-constants.ts'

export const mrrVariableSchema = z.enum(MRR_VARIABLES)

/**
 * A profile: `GET /api/mrr/hour/{datetime}`. `lwc` has a value a gate, lowest first, null where the
 * instrument saw nothing; `[0]` alone stands for a profile without any liquid water.
 */
export const mrrRecordSchema = z.object({
  datetime: instantSchema,
  lwc: list(z.number().nullable()),
  /** Largest LWC of the profile, g/m3. */
  maxValue: z.number(),
  meters_between_gates: z.number(),
  /** Centre of the lowest gate above the instrument, m. */
  meters_to_first_gate: z.number(),
  /** The variable asked for with `v`, a value a gate; absent for LWC. */
  values: list(z.number().nullable()).optional(),
  /** Where snow melts, m above the instrument; null where the profile shows no such layer. */
  melting: z.object({ bottomM: z.number(), topM: z.number() }).nullable().optional(),
})
export type MrrRecord = z.infer<typeof mrrRecordSchema>

/** Some seconds of profiles taken together. Seconds without any profile have no column. */
export const mrrColumnSchema = z.object({
  /** Start of the column. */
  datetime: instantSchema,
  /**
   * Mean LWC a gate, g/m3, lowest first; a profile that saw nothing there counts as 0. `[0]` alone stands
   * for a column without any liquid water.
   */
  lwc: list(z.number()),
  /** Mean rain rate at `rateHeightM`, mm/h; null when the instrument gave none. */
  rateMmH: z.number().nullable(),
})
export type MrrColumn = z.infer<typeof mrrColumnSchema>

/**
 * A period of any length above and in the radar: `GET /api/mrr/period?p&s&e` (ours). Columns are empty when
 * the instrument measured nothing then.
 */
export const mrrPeriodSchema = z.object({
  columnSeconds: z.int().positive(),
  meters_between_gates: z.number(),
  meters_to_first_gate: z.number(),
  /** Height of the rain rates above the instrument, m. */
  rateHeightM: z.number(),
  columns: list(mrrColumnSchema),
  /** The radar's pixel over the instrument, of the product asked for. */
  pixel: pixelResponseSchema,
})
export type MrrPeriod = z.infer<typeof mrrPeriodSchema>

/** Largest LWC of five minutes: `GET /api/mrr/day/{day}`. Bins without a profile are absent. */
export const mrrBinSchema = z.object({
  datetime: instantSchema,
  /** Local HH:mm. */ time: shortText(),
  maxValue: z.number(),
})
export type MrrBin = z.infer<typeof mrrBinSchema>

/** `GET /api/mrr/calendar`: local civil days with profiles. */
export const mrrDaySchema = z.object({
  day: z.iso.date(),
  /** Largest LWC of the day, g/m3. */
  maxValue: z.number(),
  /** The same outside the melting layer (ours, with `rain=1`); absent for days whose profiles were stored before it was found. */
  rainMaxValue: z.number().optional(),
})
export type MrrDay = z.infer<typeof mrrDaySchema>

/** `GET /api/mrr/latest`: a file under /images/mrr/, null while nothing was measured; `dry` (ours): without water. */
export const mrrLatestSchema = z.object({ file: shortText().nullable(), dry: z.boolean() })
export type MrrLatest = z.infer<typeof mrrLatestSchema>
