import { z } from 'zod'
import { longText, shortText } from './bounds.ts'
import { COMMENT_MAX, TITLE_MAX } from './constants.ts'
import { instantSchema } from './radar.ts'
import { rainMethodSchema } from './rain-method.ts'

/** What `PUT /api/users/events` and `PUT /api/users/events/{id}` take. */
export const savedEventBodySchema = z
  .object({
    title: z
      .string()
      .trim()
      .min(1, 'Donnez un titre à l’évènement.')
      .max(TITLE_MAX, `Le titre ne peut dépasser ${TITLE_MAX} caractères.`),
    product: shortText(),
    /** The period [start, end). */
    selectionDates: z.object({ start: instantSchema, end: instantSchema }),
    catchment: z
      .object({ catchment: shortText().nullable(), subcatchment: shortText().nullable().default(null) })
      .nullable()
      .default(null),
    cumul: z
      .number()
      .nullable()
      .optional()
      .describe(
        'Accepté, jamais enregistré : le serveur calcule le cumul du bassin, celui que montre la page d’analyse',
      ),
    comment: z
      .string()
      .max(COMMENT_MAX, `Le commentaire ne peut dépasser ${COMMENT_MAX} caractères.`)
      .default(''),
    /** State that an edit started from; an edit made elsewhere since is then told instead of overwritten. */
    version: z.int().optional(),
  })
  .refine(({ selectionDates: { start, end } }) => Date.parse(start) < Date.parse(end), {
    message: 'Le début doit précéder la fin.',
    path: ['selectionDates'],
  })
export type SavedEventBody = z.infer<typeof savedEventBodySchema>

export const savedEventSchema = z.object({
  _id: z.uuid(),
  title: shortText(),
  product: shortText(),
  selectionDates: z.object({ start: instantSchema, end: instantSchema }),
  catchment: z.object({ catchment: shortText().nullable(), subcatchment: shortText().nullable() }),
  /** mm over the period; only when a catchment is chosen, null when no frame stands for any of it. */
  cumul: z.number().nullable().optional(),
  cumulMethod: rainMethodSchema
    .optional()
    .describe(
      'Méthode du cumul : raw tant que la pluie de la période n’a pas été suivie entre toutes ses images, moved dès ' +
        'qu’elle l’a été ; le cumul est alors refait à la lecture suivante. Absente sans cumul.',
    ),
  /** true when the cumul is not told because the period lies outside the account's dates. */
  cumulWithheld: z.boolean().optional(),
  comment: longText(),
  createdAt: instantSchema,
  version: z.int(),
})
export type SavedEvent = z.infer<typeof savedEventSchema>
