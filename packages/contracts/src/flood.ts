import { z } from 'zod'
import { list, shortText } from './bounds.ts'

const position = z.tuple([z.number(), z.number()])

/** Where a grid of a run lies. */
export const gridPlaceSchema = z.object({
  nrows: z.int(),
  ncols: z.int(),
  cellSizeM: z.number(),
  /** Projected system, `EPSG:2154`. */
  crs: shortText(),
  /** Lower-left corner of the grid in that system, m. */
  xll: z.number(),
  yll: z.number(),
  /** Outer corners in WGS84, [lng, lat]. */
  corners: z.object({ sw: position, se: position, ne: position, nw: position }),
})
export type GridPlace = z.infer<typeof gridPlaceSchema>

/** Depth frames of a run: `GET /api/multihydro/file/{jobId}/depth` (ours). */
export const depthFramesSchema = z.object({
  place: gridPlaceSchema,
  /** Seconds since the start of the run, ascending; the first is 0. */
  timesS: list(z.number()),
})
export type DepthFrames = z.infer<typeof depthFramesSchema>

/**
 * Rain that fell on each cell: `GET /api/multihydro/file/{jobId}/rain` (ours). A run whose rain was the same everywhere, and
 * a run of before, has none.
 */
export const rainFramesSchema = z.object({
  /** From when on each frame held, s since the start of the run, ascending; the first is 0. */
  timesS: list(z.number()),
  /** Share of the catchment's cells without data, which the model took as dry, a frame each. */
  missing: list(z.number()),
})
export type RainFrames = z.infer<typeof rainFramesSchema>

/**
 * A run over time: `GET /api/multihydro/file/{jobId}/course` (ours). Every list has a value a moment of `timesS`;
 * rates are means since the moment before, 0 at the start; volumes are what has come together since the start.
 */
export const floodCourseSchema = z.object({
  timesS: list(z.number()),
  /** Mean over the catchment. */ rainMmH: list(z.number()),
  /** From the surface into the sewer, negative where it gives back. */ sewerInM3S: list(z.number()),
  outfallM3S: list(z.number()),
  rainM3: list(z.number()),
  interceptedM3: list(z.number()),
  infiltratedM3: list(z.number()),
  /** Water on the surface. */ surfaceM3: list(z.number()),
  waterM3: list(z.number()),
  edgeOutM3: list(z.number()),
  /** Held by the sewer. */ sewerM3: list(z.number()),
  outfallM3: list(z.number()),
  /** Lower depths of the areas below, m. */
  limitsM: list(z.number()),
  /** Area at least that deep, m2, `[limit][moment]`. */
  floodedM2: list(list(z.number())),
})
export type FloodCourse = z.infer<typeof floodCourseSchema>

/** The same without what takes a look at every cell of every moment: `GET /api/multihydro/file/{jobId}/flows` (ours). */
export const runFlowsSchema = floodCourseSchema.omit({ limitsM: true, floodedM2: true })
export type RunFlows = z.infer<typeof runFlowsSchema>
