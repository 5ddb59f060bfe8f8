import { z } from 'zod'
import { keyWords, list, longText, shortText } from './bounds.ts'
import { rainMethodSchema } from './rain-method.ts'

/** A line of a table: h = a t^(1-b) mm, t in minutes, from one duration to another, both included. */
export const montanaLawSchema = z.object({
  periodYears: z.number(),
  fromMin: z.number(),
  toMin: z.number(),
  a: z.number(),
  b: z.number(),
})

const NAME_MAX = 120
const NOTE_MAX = 600
/** Lines of one table: more is another kind of file. */
const LAWS_MAX = 200
const nameSchema = z
  .string()
  .trim()
  .min(1, 'Donnez un nom au tableau.')
  .max(NAME_MAX, `Le nom ne peut dépasser ${NAME_MAX} caractères.`)
const noteSchema = z.string().trim().max(NOTE_MAX, `La source ne peut dépasser ${NOTE_MAX} caractères.`)

/** A table of `site.json`: return periods that everyone at this site may choose. */
export const siteMontanaSchema = z.object({
  id: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, keyWords(32)),
  name: nameSchema,
  /** Where it comes from and what it is good for, in French. */
  note: noteSchema,
  laws: z.array(montanaLawSchema).min(1).max(LAWS_MAX),
})

/** `GET /api/storms/tables`. */
export const montanaTableSchema = z.object({
  id: shortText(),
  name: shortText(),
  note: shortText(),
  /** A site's table is everyone's and stays; an account's is its own. */
  owner: z.enum(['site', 'user']),
  laws: list(montanaLawSchema),
  /** How the server read what was left open, in French; only in the answer to a new table. */
  remarksFr: list(longText()).optional(),
})
export type MontanaTable = z.infer<typeof montanaTableSchema>

export const montanaUnitsSchema = z.enum(['mm-min', 'mmh-min', 'mmh-h'])

/** `PUT /api/storms/tables`: lines of a form, or the text of a CSV file, in the units said. */
export const montanaTableBodySchema = z.object({
  name: nameSchema,
  note: noteSchema.default(''),
  units: montanaUnitsSchema,
  source: z.union([
    z.object({ laws: z.array(montanaLawSchema).min(1, 'Le tableau est vide.').max(LAWS_MAX) }),
    z.object({ csv: z.string().min(1, 'Le tableau est vide.').max(200_000) }),
  ]),
})
export type MontanaTableBody = z.input<typeof montanaTableBodySchema>

/** How rare a depth is; `label` says it in French ("10 à 20 ans", "hors du tableau"). */
export const returnPeriodSchema = z.object({
  kind: z.enum(['missing', 'outside', 'below', 'above', 'between']),
  /** Interpolated in ln T, or the end of the table that it lies beyond; null outside and without a depth. */
  years: z.number().nullable(),
  label: shortText(),
})

export const rarePlaceSchema = z.object({
  kind: z.enum(['zone', 'pixel']),
  name: shortText(),
  totalMm: z.number(),
  /** Seconds of the period without a value here. */
  missingSeconds: z.number(),
  depths: list(
    z.object({
      durationMin: z.number(),
      /** Null where no such window has any value. */
      depthMm: z.number().nullable(),
      /** Start of the window, ISO 8601. */
      from: shortText(),
      /** Minutes of it without a value: the depth then is at least that. */
      missingMin: z.number(),
      period: returnPeriodSchema,
    }),
  ),
})
export type RarePlace = z.infer<typeof rarePlaceSchema>

/** `GET /api/storms/return-periods`. */
export const returnPeriodsSchema = z.object({
  table: montanaTableSchema,
  /** How the rain was taken between frames: `raw` also where not all of it has been followed yet. */
  method: rainMethodSchema,
  places: list(rarePlaceSchema),
})
export type ReturnPeriods = z.infer<typeof returnPeriodsSchema>

/** `GET /api/storms/statistics`: laws of the archive's own annual maxima. */
export const ownStatisticsSchema = z.object({
  /** Complete years, and those that have frames but too few. */
  years: list(z.int()),
  incompleteYears: list(z.int()),
  /** None below ten complete years; GEV from twenty. */
  law: z.enum(['none', 'gumbel', 'gev']),
  /** What is said of it, in French. */
  noteFr: longText(),
  durations: list(
    z.object({
      durationMin: z.number(),
      maximaMm: list(z.number()),
      quantiles: list(
        z.object({
          periodYears: z.number(),
          depthMm: z.number(),
          lowMm: z.number(),
          highMm: z.number(),
        }),
      ),
    }),
  ),
})
export type OwnStatistics = z.infer<typeof ownStatisticsSchema>
