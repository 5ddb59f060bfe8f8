import { z } from 'zod'
import { gridText, list, longText, shortText } from './bounds.ts'
import {
  BUILDER_FILES_MAX,
  BUILDER_NAME_MAX,
  BUILDER_STEPS,
  BUILDER_VALUES_MAX,
} from './builder-constants.ts'
import { gridPlaceSchema } from './flood.ts'
import { jobStatusSchema } from './jobs.ts'
import { recipeSchema } from './recipe.ts'
import { townSchema } from './town.ts'

export * from './builder-constants.ts'

/** A recipe on its way: every part as `recipeSchema` has it, any of them missing. */
export const draftRecipeSchema = recipeSchema.partial()
export type DraftRecipe = z.input<typeof draftRecipeSchema>

export const builderNameSchema = z
  .string()
  .trim()
  .min(1, 'Donnez un nom.')
  .max(BUILDER_NAME_MAX, `Le nom ne peut dépasser ${BUILDER_NAME_MAX} caractères.`)

const columnSchema = z.object({
  name: shortText(),
  /** Values with how often they stand there, the most frequent first; null where there are too many to be classes. */
  values: z
    .array(z.object({ value: shortText(), count: z.int() }))
    .max(BUILDER_VALUES_MAX)
    .nullable(),
})

/** West, south, east, north in the system of the file. */
const box = z.tuple([z.number(), z.number(), z.number(), z.number()])

/** What a file of a draft holds, as its own head and columns say. */
export const builderSourceSchema = z.object({
  raster: z
    .object({
      ncols: z.int(),
      nrows: z.int(),
      cellSize: z.number(),
      crs: shortText().nullable(),
      box,
      /** Whole values with how many cells they have; null for heights and the like. */
      values: z
        .array(z.object({ value: shortText(), count: z.int() }))
        .max(BUILDER_VALUES_MAX)
        .nullable(),
    })
    .optional(),
  layers: list(
    z.object({
      /** Of a GeoPackage; null where the file is the layer. */
      name: shortText().nullable(),
      geometry: z.enum(['points', 'lines', 'polygons', 'none']),
      features: z.int(),
      /** As the file says it; null where it says nothing. */
      crs: shortText().nullable(),
      box: box.nullable(),
      columns: list(columnSchema),
    }),
  ).optional(),
  network: z.object({ nodes: z.int(), links: z.int(), box: box.nullable() }).optional(),
  table: z.object({ columns: list(shortText()), rows: z.int() }).optional(),
})
export type BuilderSource = z.infer<typeof builderSourceSchema>

export const builderFileSchema = z.object({
  name: shortText(),
  bytes: z.int().nonnegative(),
  createdAt: z.iso.datetime(),
  holds: builderSourceSchema,
})
export type BuilderFile = z.infer<typeof builderFileSchema>

/** `GET /api/builder/drafts`, the last changed first. */
export const builderDraftSchema = z.object({
  id: z.uuid(),
  name: shortText(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  files: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
})
export type BuilderDraft = z.infer<typeof builderDraftSchema>

export const builderFindingSchema = z.object({
  step: shortText(),
  kind: z.enum(['assumed', 'filled', 'moved', 'left', 'checked', 'figure']),
  text: longText(),
  /** Where: in the recipe's system, and in WGS84. */
  places: list(
    z.object({ x: z.number(), y: z.number(), lng: z.number(), lat: z.number(), text: longText() }),
  ),
})
export type BuilderFinding = z.infer<typeof builderFindingSchema>

/** What a finished build tells of itself. */
export const builderResultSchema = z.object({
  id: shortText(),
  display: shortText(),
  findings: list(builderFindingSchema.omit({ places: true })),
  warnings: list(longText()),
  seconds: z.number(),
  /** Of the zip. */
  bytes: z.int().nonnegative(),
})
export type BuilderResult = z.infer<typeof builderResultSchema>

export const builderBuildSchema = z.object({
  jobId: z.uuid(),
  status: jobStatusSchema,
  cancelled: z.boolean(),
  error: longText().nullable(),
  createdAt: z.iso.datetime(),
  result: builderResultSchema.nullable(),
})
export type BuilderBuild = z.infer<typeof builderBuildSchema>

/** `GET /api/builder/drafts/:id` */
export const builderDraftDetailSchema = builderDraftSchema.omit({ files: true }).extend({
  /** As the steps wrote it: `draftRecipeSchema`. */
  recipe: z.looseObject({}),
  files: z.array(builderFileSchema).max(BUILDER_FILES_MAX),
  /** The newest first. */
  builds: list(builderBuildSchema),
})
export type BuilderDraftDetail = z.infer<typeof builderDraftDetailSchema>

export const builderStepSchema = z.enum(BUILDER_STEPS)

const lngLat = z.tuple([z.number(), z.number()])

/** `GET /api/builder/drafts/:id/preview`: a step and what it stands on, without anything being kept. */
export const builderPreviewSchema = z.object({
  /** All that is wrong, French; what could be made all the same is shown. */
  problems: list(longText()),
  findings: list(builderFindingSchema),
  grid: z.object({ place: gridPlaceSchema, cells: z.int(), inside: z.int() }).nullable(),
  /** Rings of the outline in WGS84; none where it is the grid's own box. */
  outline: list(list(lngLat)),
  /** Ground as `GET /api/multihydro/{catchmentId}/town` tells it, thinned where there are many cells. */
  town: townSchema.nullable(),
  /** Its cells as of `…/town/grid`, in base64. */
  cells: gridText().nullable(),
  network: z
    .object({
      nodes: list(z.object({ name: shortText(), outfall: z.boolean(), at: lngLat })),
      links: list(z.object({ name: shortText(), places: list(lngLat) })),
    })
    .nullable(),
  gullies: list(z.object({ name: shortText(), junction: shortText(), at: lngLat })),
  seconds: z.number(),
})
export type BuilderPreview = z.infer<typeof builderPreviewSchema>
