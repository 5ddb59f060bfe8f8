import { z } from 'zod'
import { list } from './bounds.ts'
import { COMPASS_DIRECTIONS, WIND_CLASSES } from './constants.ts'

/** One reading; null is missing, not zero. */
export const readingSchema = z.object({ datetime: z.iso.datetime(), value: z.number().nullable() })

const directionsSchema = z.object(
  Object.fromEntries(COMPASS_DIRECTIONS.map((d) => [d, z.number()])) as Record<
    (typeof COMPASS_DIRECTIONS)[number],
    z.ZodNumber
  >,
)
/**
 * A compass: share of the readings (%) for each speed class (t0 to t3) and each of the 16 directions
 * the wind blows TO. null when the period has no reading.
 */
export const compassSchema = z
  .object(
    Object.fromEntries(WIND_CLASSES.map((c) => [c, directionsSchema])) as Record<
      (typeof WIND_CLASSES)[number],
      typeof directionsSchema
    >,
  )
  .nullable()
export type Compass = z.infer<typeof compassSchema>

/** Weather station beside the radar ("taranis"). */
export const taranisSchema = z.object({
  /** °C */ t: list(readingSchema),
  /** hPa */ p: list(readingSchema),
  /** % */ h: list(readingSchema),
  /** Vertical wind of the 3D anemometer, km/h. */ uzSonic: list(readingSchema),
  /** Instant of the last reading. */
  end: z.iso.datetime(),
  station: compassSchema,
  sonic: compassSchema,
})
export type Taranis = z.infer<typeof taranisSchema>
