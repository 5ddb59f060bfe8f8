import { z } from 'zod'
import { USERNAME_MAX } from './accounts.ts'
import { list, shortText } from './bounds.ts'
import { CATCHMENT_NAME_MAX, CATCHMENT_NAMED_MAX, CATCHMENT_SHARINGS } from './own-catchments-constants.ts'
import { catchmentSummarySchema } from './simulation.ts'

export * from './own-catchments-constants.ts'

export const catchmentNameSchema = z
  .string()
  .trim()
  .min(1, 'Donnez un nom.')
  .max(CATCHMENT_NAME_MAX, `Le nom ne peut dépasser ${CATCHMENT_NAME_MAX} caractères.`)

/** `PUT /api/catchment-packages/:catchmentId/sharing` */
export const catchmentSharingSchema = z.object({
  sharing: z.enum(CATCHMENT_SHARINGS),
  /** Names of accounts, for `named`. */
  names: z.array(z.string().trim().min(1).max(USERNAME_MAX)).max(CATCHMENT_NAMED_MAX).default([]),
})
export type CatchmentSharingBody = z.input<typeof catchmentSharingSchema>

/** `GET /api/catchment-packages`, the newest first: one's own, the site's, and those that others share. */
export const keptCatchmentSchema = catchmentSummarySchema
  .pick({
    id: true,
    cellSizeM: true,
    ncols: true,
    nrows: true,
    activeCells: true,
    synthetic: true,
    attribution: true,
    corners: true,
  })
  .extend({
    name: shortText(),
    /** null for one of the site. */
    owner: shortText().nullable(),
    sharing: z.enum(CATCHMENT_SHARINGS),
    /** Told to those who may change it. */
    sharedWith: z.array(shortText()).max(CATCHMENT_NAMED_MAX),
    /** Whether the reader may rename, share and delete it. */
    mayChange: z.boolean(),
    createdAt: z.iso.datetime(),
    /** When its newest version came. */
    updatedAt: z.iso.datetime(),
    /** Of all its versions; null for one of the site. */
    bytes: z.number().nonnegative().nullable(),
    versions: z.int().positive(),
    runs: z.int().nonnegative(),
  })
export type KeptCatchment = z.infer<typeof keptCatchmentSchema>

/** `GET /api/catchment-packages/:catchmentId` */
export const catchmentDetailSchema = keptCatchmentSchema.extend({
  /** The newest first. */
  history: list(
    z.object({
      /** First signs of the SHA-256 of its files. */
      version: shortText(),
      createdAt: z.iso.datetime(),
      bytes: z.number().nonnegative().nullable(),
      ncols: z.int(),
      nrows: z.int(),
      current: z.boolean(),
    }),
  ),
})
export type CatchmentDetail = z.infer<typeof catchmentDetailSchema>
