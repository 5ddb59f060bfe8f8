import type { SavedState } from '@radx/hydrology/state/state'
import { z } from 'zod'

const digest = z.string().regex(/^[0-9a-f]{64}$/)

/** What a run must have in common with the one whose state it goes on from. */
export const runIdentitySchema = z.object({
  catchment: z.string().max(64),
  /** Elevation and grid. */
  terrain: digest,
  landUse: digest,
  /** Parameters of land-use classes and of the surface. */
  parameters: digest,
  network: digest,
  gullies: digest,
  /** Water at the start, and boundaries. */
  start: digest,
  soil: z.boolean(),
  drainage: z.boolean(),
  soilState: z.enum(['dry', 'mean', 'wet']),
})
export type RunIdentity = z.infer<typeof runIdentitySchema>

const froudeSchema = z.object({ looked: z.number(), above05: z.number(), above1: z.number() })

/** What a state is of. */
export const runAboutSchema = z.object({
  identity: runIdentitySchema,
  engine: z.object({
    /** Compiled kernels by their bytes, or `reference`. */
    kernels: z.string().max(64),
    /** What was asked for, and what is computed. */
    choice: z.enum(['inertial', 'full', 'auto']),
    scheme: z.enum(['inertial', 'full']),
    order: z.union([z.literal(1), z.literal(2)]).optional(),
    schemeReason: z.string().max(1000),
    froude: froudeSchema.optional(),
  }),
  /** The moment, s since the start of the run. */
  timeS: z.number().min(0),
  /** Of a run that writes result files: so many intervals of so many s are done, and from one depth frame to the next there are `perFrame`. */
  results: z
    .object({ intervals: z.int().min(0), intervalS: z.number().positive(), perFrame: z.int().min(1) })
    .optional(),
})
export type RunAbout = z.infer<typeof runAboutSchema>

/** The state of a run at the end of one of its intervals. */
export interface RunState {
  about: RunAbout
  /** Surface, soil, sewer, what passes between them, and their clock. */
  engine: SavedState
  /** What the run's files are made of beside that: maxima, sums and the balances so far. */
  record: SavedState
}
