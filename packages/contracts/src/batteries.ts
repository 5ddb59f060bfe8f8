import { z } from 'zod'
import { list, longText, shortText } from './bounds.ts'
import { runFiguresSchema } from './figures.ts'
import { jobStatusSchema } from './jobs.ts'
import { BATTERY_LIMITS } from './own-rains-constants.ts'
import { instantSchema } from './radar.ts'

/** Fields of the form of a simulation, by their names: each a text, as the form sends them. */
const formFieldsSchema = z.record(z.string().max(60), z.string().max(512 * 1024))

/** `POST /api/multihydro/batteries` (ours): every rain on every land use, as one order. */
export const batteryOrderSchema = z.object({
  title: z.string().trim().min(1, 'Ce champ est requis').max(120),
  catchmentId: z.string().min(1).max(64),
  /** What all runs have: modules, case study, equations, soil before. What is left out is as a new form has it. */
  fields: formFieldsSchema.default({}),
  rains: z
    .array(
      z.object({
        title: z.string().trim().min(1).max(120),
        /** Those of the form that say the rain: `rainfallSelection` and what goes with it. */
        fields: formFieldsSchema,
      }),
    )
    .min(1, 'Choisissez une pluie au moins.')
    .max(BATTERY_LIMITS.rains, `Une batterie a ${BATTERY_LIMITS.rains} pluies au plus.`),
  /** Land-use files of the catchment. */
  landUses: z
    .array(z.uuid())
    .min(1, 'Choisissez une carte d’occupation des sols au moins.')
    .max(BATTERY_LIMITS.landUses, `Une batterie a ${BATTERY_LIMITS.landUses} cartes au plus.`),
})
export type BatteryOrder = z.infer<typeof batteryOrderSchema>
export type BatteryOrderInput = z.input<typeof batteryOrderSchema>

export const batterySummarySchema = z.object({
  id: z.uuid(),
  title: shortText(),
  username: shortText(),
  date: instantSchema,
  catchmentId: shortText(),
  rains: list(shortText()),
  landUses: list(z.object({ id: z.uuid(), name: shortText() })),
  /** Runs that were ordered, that ended well, and that failed or were cancelled; deleted ones are none of these. */
  ordered: z.int(),
  done: z.int(),
  failed: z.int(),
  /** Running or waiting. */
  open: z.int(),
  /** Share of the whole order that is computed, 0 to 1. */
  progress: z.number(),
})
export type BatterySummary = z.infer<typeof batterySummarySchema>

export const batterySchema = batterySummarySchema.extend({
  /** A run an entry, rains first; deleted ones are left out. */
  runs: list(
    z.object({
      jobId: z.uuid(),
      /** Places in `rains` and `landUses`. */
      rain: z.int(),
      landUse: z.int(),
      status: jobStatusSchema,
      cancelled: z.boolean(),
      error: longText().nullable(),
      /** null until it is done, and where the rain lies outside the reader's dates. */
      figures: runFiguresSchema.nullable(),
      /** Why the figures are not told, French; null when they are. */
      withheld: shortText().nullable(),
    }),
  ),
})
export type Battery = z.infer<typeof batterySchema>
