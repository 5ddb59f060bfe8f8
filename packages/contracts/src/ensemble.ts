import { z } from 'zod'
import { list, shortText } from './bounds.ts'
import { gridPlaceSchema } from './flood.ts'
import { ensembleSchema } from './simulation.ts'

/** What is followed over time in every member. */
export const ENSEMBLE_COURSES = ['rainMmH', 'floodedM2', 'surfaceM3', 'sewerInM3S', 'outfallM3S'] as const
export type EnsembleCourse = (typeof ENSEMBLE_COURSES)[number]

/** Shares of the members that lie below the bands. */
export const ENSEMBLE_QUANTILES = [0.1, 0.5, 0.9] as const

/** Values over time: what the run without downscaling has, the members, and what 10, 50 and 90 % of them lie below. */
export const bandsSchema = z.object({
  control: list(z.number()),
  members: list(list(z.number())),
  p10: list(z.number()),
  p50: list(z.number()),
  p90: list(z.number()),
})
export type Bands = z.infer<typeof bandsSchema>

/** One member, or the run without downscaling (`seed` null). */
export const ensembleMemberSchema = z.object({
  seed: z.int().nullable(),
  /** Depth on the catchment, mm. */
  rainMm: z.number(),
  /** Largest mean over the catchment and largest rate of a cell, mm/h. */
  meanMaxMmH: z.number(),
  cellMaxMmH: z.number(),
  /** Largest area under 10 cm of water and more, m2, and largest volume on the surface, m3. */
  floodedM2: z.number(),
  surfaceM3: z.number(),
  /** Out of the sewer at its outfalls, m3. */
  outfallM3: z.number(),
  maxDepthM: z.number(),
  relativeError: z.number(),
})
export type EnsembleMember = z.infer<typeof ensembleMemberSchema>

/** `GET /api/multihydro/file/{jobId}/ensemble`. */
export const ensembleAnswerSchema = z.object({
  choice: ensembleSchema,
  timesS: list(z.number()),
  control: ensembleMemberSchema,
  members: list(ensembleMemberSchema),
  courses: z.object({
    rainMmH: bandsSchema,
    floodedM2: bandsSchema,
    surfaceM3: bandsSchema,
    sewerInM3S: bandsSchema,
    outfallM3S: bandsSchema,
  }),
  place: gridPlaceSchema,
  /** Elements whose series were kept, in the order of the network; empty without a sewer or for one too large. */
  links: list(shortText()),
  nodes: list(shortText()),
})
export type EnsembleAnswer = z.infer<typeof ensembleAnswerSchema>

/** `GET /api/multihydro/file/{jobId}/ensemble/element`: m3/s of a link, m of a node. */
export const ensembleElementSchema = bandsSchema.extend({ timesS: list(z.number()) })
export type EnsembleElement = z.infer<typeof ensembleElementSchema>

/** Which map of largest depths: a band, or a member by its place from 0. */
export const ensembleMapSchema = z.string().regex(/^(p10|p50|p90|\d{1,2})$/)
