import { z } from 'zod'
import { list, longText, shortText } from './bounds.ts'

/** Largest zip of a catchment package, bytes; all of its files unpacked; how many it may hold. */
export const CATCHMENT_UPLOAD_MAX = 64 * 2 ** 20
export const CATCHMENT_UNPACKED_MAX = 256 * 2 ** 20
export const CATCHMENT_FILES_MAX = 64
/** Times that its files may be larger than the zip; grids in text come to 10 to 50. */
export const CATCHMENT_RATIO_MAX = 400

/** `POST /api/multihydro/catchments` (ours). */
export const catchmentUploadedSchema = z.object({
  id: shortText(),
  display: shortText(),
  /** `known`: the same package again; nothing has changed. */
  outcome: z.enum(['imported', 'known']),
  /** What a simulation does not stop at. */
  warnings: list(longText()),
})
export type CatchmentUploaded = z.infer<typeof catchmentUploadedSchema>
