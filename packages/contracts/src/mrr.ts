import { z } from 'zod'
import { MRR_VARIABLES } from './mrr-constants.ts'
import { instantSchema } from './radar.ts'

export * from './mrr-constants.ts'

export const mrrVariableSchema = z.enum(MRR_VARIABLES)

/**
 * A profile: `GET /api/mrr/hour/{datetime}`. `lwc` has a value a gate, lowest first, null where the
 * instrument saw nothing; `[0]` alone stands for a profile without any liquid water.
 */
export const mrrRecordSchema = z.object({
  datetime: instantSchema,
  lwc: z.array(z.number().nullable()),
  /** Largest LWC of the profile, g/m3. */
  maxValue: z.number(),
  meters_between_gates: z.number(),
  /** Centre of the lowest gate above the instrument, m. */
  meters_to_first_gate: z.number(),
  /** The variable asked for with `v`, a value a gate; absent for LWC. */
  values: z.array(z.number().nullable()).optional(),
})
export type MrrRecord = z.infer<typeof mrrRecordSchema>

/** Largest LWC of five minutes: `GET /api/mrr/day/{day}`. Bins without a profile are absent. */
export const mrrBinSchema = z.object({
  datetime: instantSchema,
  /** Local HH:mm. */ time: z.string(),
  maxValue: z.number(),
})
export type MrrBin = z.infer<typeof mrrBinSchema>

/** `GET /api/mrr/calendar`: local civil days with profiles. */
export const mrrDaySchema = z.object({ day: z.iso.date(), maxValue: z.number() })
export type MrrDay = z.infer<typeof mrrDaySchema>

/** `GET /api/mrr/latest`: a file under /images/mrr/; null while nothing was measured. */
export const mrrLatestSchema = z.object({ file: z.string().nullable() })
