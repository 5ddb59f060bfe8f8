import { z } from 'zod'
import { list, longText, shortText } from './bounds.ts'
import { gridPlaceSchema } from './flood.ts'

/**
 * The ground of a catchment, for maps: `GET /api/multihydro/{catchmentId}/town` (ours). The grid itself is that of
 * `…/town/grid`: elevations, uint16 each, `elevationM = minM + code * stepM`, 65535 outside, `[row * ncols + col]`, row 0
 * north; then land use, uint8 each, a place in `classes`, 255 outside.
 */
export const townSchema = z.object({
  place: gridPlaceSchema,
  elevation: z.object({ minM: z.number(), stepM: z.number() }),
  /** Land use in the colours of its table, as `#rrggbb`. */
  classes: list(z.object({ code: z.int(), title: shortText(), color: shortText() })),
  /** Code of open water; null where the catchment declares none. */
  waterCode: z.int().nullable(),
  /** Whose data it is. */
  attribution: longText(),
})
export type Town = z.infer<typeof townSchema>
