import { z } from 'zod'

const position = z.tuple([z.number(), z.number()])

/** Where a grid of a run lies. */
export const gridPlaceSchema = z.object({
  nrows: z.int(),
  ncols: z.int(),
  cellSizeM: z.number(),
  /** Projected system, `EPSG:2154`. */
  crs: z.string(),
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
  timesS: z.array(z.number()),
})
export type DepthFrames = z.infer<typeof depthFramesSchema>

/**
 * A run over time: `GET /api/multihydro/file/{jobId}/course` (ours). Every list has a value a moment of `timesS`;
 * rates are means since the moment before, 0 at the start; volumes are what has come together since the start.
 */
export const floodCourseSchema = z.object({
  timesS: z.array(z.number()),
  /** Mean over the catchment. */ rainMmH: z.array(z.number()),
  /** From the surface into the sewer, negative where it gives back. */ sewerInM3S: z.array(z.number()),
  outfallM3S: z.array(z.number()),
  rainM3: z.array(z.number()),
  interceptedM3: z.array(z.number()),
  infiltratedM3: z.array(z.number()),
  /** Water on the surface. */ surfaceM3: z.array(z.number()),
  waterM3: z.array(z.number()),
  edgeOutM3: z.array(z.number()),
  /** Held by the sewer. */ sewerM3: z.array(z.number()),
  outfallM3: z.array(z.number()),
  /** Lower depths of the areas below, m. */
  limitsM: z.array(z.number()),
  /** Area at least that deep, m2, `[limit][moment]`. */
  floodedM2: z.array(z.array(z.number())),
})
export type FloodCourse = z.infer<typeof floodCourseSchema>
