import { z } from 'zod'
import { list, longText, shortText } from './bounds.ts'
import { instantSchema } from './radar.ts'
import { SWEEP_STAGES } from './sweep-bundle.ts'

/** A volume by its product and the moment at which it begins: `dpsri-20240601T120000Z`. */
export const RADAR_VOLUME_ID = /^([\w.-]{1,40})-(\d{8}T\d{6}Z)$/
export const radarVolumeIdSchema = z.string().max(60).regex(RADAR_VOLUME_ID)

export const sweepStageSchema = z.enum(SWEEP_STAGES)

/** `GET /api/radar-volumes`: volumes whose files are kept, newest first. */
export const radarVolumeEntrySchema = z.object({
  id: radarVolumeIdSchema,
  product: shortText(),
  datetime: instantSchema,
  /** Mean quality of the rain that was made of it, 0 to 1; null without rain. */
  quality: z.number().nullable(),
})
export type RadarVolumeEntry = z.infer<typeof radarVolumeEntrySchema>

/** A field on the gates of a sweep. */
const sweepFieldSchema = z.object({ stage: sweepStageSchema, name: shortText(), unit: shortText() })
export type SweepFieldName = z.infer<typeof sweepFieldSchema>

const volumeSweepSchema = z.object({
  elevationDeg: z.number(),
  /** When the sweep began. */
  datetime: shortText(),
  nrays: z.int(),
  nbins: z.int(),
  rangeStartM: z.number(),
  rangeStepM: z.number(),
  fields: list(sweepFieldSchema),
})

/** `GET /api/radar-volumes/{id}`: what was measured, sweep by sweep in the order of the files. */
export const radarVolumeSchema = radarVolumeEntrySchema.omit({ quality: true }).extend({
  format: shortText(),
  site: z.object({ name: shortText(), lat: z.number(), lng: z.number(), altitudeM: z.number() }),
  wavelengthM: z.number().nullable(),
  beamWidthDeg: z.number().nullable(),
  files: list(shortText()),
  /** What was recognised in the files, in French. */
  notes: list(longText()),
  sweeps: list(volumeSweepSchema),
})
export type RadarVolumeAnswer = z.infer<typeof radarVolumeSchema>

/** `GET /api/radar-volumes/{id}/stages`: what the corrections made of it, sweep by sweep, and what they recognised. */
export const radarVolumeStagesSchema = z.object({
  notes: list(longText()),
  sweeps: list(z.object({ fields: list(sweepFieldSchema) })),
})
export type RadarVolumeStages = z.infer<typeof radarVolumeStagesSchema>

/** `GET /api/radar-volumes/{id}/sweeps/{n}/rays/{azimuth}`: a ray in every field, what was measured first. */
export const sweepRaySchema = z.object({
  azimuthDeg: z.number(),
  rangeStartM: z.number(),
  rangeStepM: z.number(),
  /** A value a gate; null without one, and where no echo is. */
  fields: list(sweepFieldSchema.extend({ values: list(z.number().nullable()) })),
})
export type SweepRay = z.infer<typeof sweepRaySchema>

/** `GET /api/radar-volumes/{id}/section`: one field along an azimuth, through every sweep that has it. */
export const volumeSectionSchema = z.object({
  unit: shortText(),
  sweeps: list(
    z.object({
      elevationDeg: z.number(),
      azimuthDeg: z.number(),
      rangeStartM: z.number(),
      rangeStepM: z.number(),
      values: list(z.number().nullable()),
    }),
  ),
})
export type VolumeSection = z.infer<typeof volumeSectionSchema>
