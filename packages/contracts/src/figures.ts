import { z } from 'zod'
import { list, shortText } from './bounds.ts'

/** What is said first of a finished run: `GET /api/multihydro/file/{jobId}/figures` (ours). */
export const runFiguresSchema = z.object({
  durationS: z.number(),
  /** The largest depth, m, and its cell from the north-west; null where nothing was ever wet. */
  deepest: z.object({ depthM: z.number(), row: z.int(), col: z.int() }).nullable(),
  /** Area whose largest depth reaches a limit, m2. */
  flooded: list(z.object({ fromM: z.number(), areaM2: z.number() })),
  /** Without a network, or for a run of before, null. */
  sewer: z
    .object({
      nodes: z.int(),
      links: z.int(),
      /** Nodes whose water came out, m3 in all, and the worst of them. */
      overflowing: z.int(),
      overflowM3: z.number(),
      worstNode: shortText().nullable(),
      /** Links that ran full, and the one that did so the longest. */
      surcharged: z.int(),
      worstLink: shortText().nullable(),
      outfallM3: z.number(),
      /** The outfall that gave out most. */
      largestOutfall: shortText().nullable(),
    })
    .nullable(),
  /** All outfalls together, a mean over `meanS`; null without a network or a course. */
  outfallPeak: z.object({ flowM3S: z.number(), timeS: z.number(), meanS: z.number() }).nullable(),
  /** Mean over the catchment. */
  rainMm: z.number(),
  /** What soil and leaves took of it, mm. */
  infiltratedMm: z.number(),
  interceptedMm: z.number(),
  /** The largest rate, mm/h, a mean over `meanS`. */
  rainPeak: z.object({ rateMmH: z.number(), timeS: z.number(), meanS: z.number() }).nullable(),
  /** Of the water balance, a share of the rain. */
  relativeError: z.number(),
})
export type RunFigures = z.infer<typeof runFiguresSchema>

/** A cell over time, at the moments of the depth frames: `GET /api/multihydro/file/{jobId}/cell?row=&col=` (ours). */
export const cellSeriesSchema = z.object({
  groundM: z.number(),
  timesS: list(z.number()),
  depthsM: list(z.number()),
  /** m/s, 0 in less than 1 cm of water; null for a run of before. */
  speedsMS: list(z.number()).nullable(),
})
export type CellSeries = z.infer<typeof cellSeriesSchema>

/** Water through a line across the grid: `GET /api/multihydro/file/{jobId}/section?x1=&y1=&x2=&y2=` (ours). */
export const sectionFlowSchema = z.object({
  lengthM: z.number(),
  timesS: list(z.number()),
  /** To the right of who goes from the first point to the second; null for a run of before. */
  flowM3S: list(z.number()).nullable(),
})
export type SectionFlow = z.infer<typeof sectionFlowSchema>

/**
 * What the network of a finished run came to, since its start: `GET /api/multihydro/file/{jobId}/sewer` (ours). Columns
 * beside the names.
 */
export const sewerPeaksSchema = z.object({
  nodes: z.object({
    name: list(shortText()),
    depthM: list(z.number()),
    headM: list(z.number()),
    /** Of the largest depth. */ timeS: list(z.number()),
    inflowM3S: list(z.number()),
    floodedM3: list(z.number()),
    outfallM3: list(z.number()),
  }),
  links: z.object({
    name: list(shortText()),
    flowM3S: list(z.number()),
    /** Of the largest flow. */ timeS: list(z.number()),
    speedMS: list(z.number()),
    /** Largest depth over full depth; 1 is full. */ filling: list(z.number()),
    volumeM3: list(z.number()),
    surchargedS: list(z.number()),
  }),
})
export type SewerPeakTable = z.infer<typeof sewerPeaksSchema>

/**
 * The network of a run over time: `GET /api/multihydro/file/{jobId}/sewer/moments` (ours). The codes of these moments,
 * `sewer/moments/codes`, are bytes, `[moment][links, then nodes]`; see `SEWER_FULL`.
 */
export const sewerMomentsSchema = z.object({
  /** End of each interval, s since the start of the run. */
  timesS: list(z.number()),
  links: list(shortText()),
  nodes: list(shortText()),
})
export type SewerMoments = z.infer<typeof sewerMomentsSchema>

/**
 * Streets of a run that had water, the most flooded first, at most 500: `GET /api/multihydro/file/{jobId}/streets` (ours).
 */
export const streetDepthsSchema = z.object({
  /** Depths from which areas are counted, m, ascending. */
  limitsM: list(z.number()),
  /** The catchment names its streets. */
  named: z.boolean(),
  streets: list(
    z.object({
      name: shortText(),
      /** m2 whose largest depth reaches each limit. */
      areasM2: list(z.number()),
      /** m2 in all. */
      wholeM2: z.number(),
      deepest: z.object({ depthM: z.number(), row: z.int(), col: z.int() }),
    }),
  ),
})
export type StreetDepths = z.infer<typeof streetDepthsSchema>
