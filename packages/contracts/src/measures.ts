import { z } from 'zod'
import { list, shortText } from './bounds.ts'
import {
  figuresOf,
  MEASURE_DEFAULTS,
  MEASURE_KINDS,
  MEASURE_LIMITS,
  type MeasureFigure,
  type MeasureFigures,
} from './measures-constants.ts'

const figureSchemas = Object.fromEntries(
  Object.entries(MEASURE_LIMITS).map(([name, { min, max }]) => [
    name,
    z.number().min(min).max(max).optional(),
  ]),
) as Record<MeasureFigure, z.ZodOptional<z.ZodNumber>>

/** A measure: its kind, and what differs from the defaults of that kind. */
export const measureSchema = z
  .strictObject({
    kind: z.enum(MEASURE_KINDS),
    ...figureSchemas,
    /** `nearest` junction, `surface`, or the name of a junction. */
    drainTo: shortText().optional(),
  })
  .superRefine((measure, context) => {
    const { kind, drainTo, ...given } = measure
    const known: MeasureFigures = MEASURE_DEFAULTS[kind]
    const refuse = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message })
    for (const name of Object.keys(given) as MeasureFigure[])
      if (known[name] === undefined)
        refuse(name, `${kind} n’a pas ce réglage ; il a ${Object.keys(known).join(', ')}`)
    if (drainTo !== undefined && known.drainMmH === undefined && kind !== 'green-roof')
      refuse('drainTo', `${kind} n’a pas de drain`)
    const figures = figuresOf(measure)
    const { soilMm, porosity = 1, fieldCapacity = 0, wiltingPoint = 0 } = figures
    if (soilMm !== undefined && !(wiltingPoint < fieldCapacity && fieldCapacity < porosity))
      refuse('fieldCapacity', 'il faut wiltingPoint < fieldCapacity < porosity')
    const { storageMm = 0, drainMmH = 0, drainOffsetMm = 0 } = figures
    if (drainMmH > 0 && !(drainOffsetMm < storageMm))
      refuse('drainOffsetMm', 'le drain doit être plus bas que le haut du stockage (storageMm)')
    if (storageMm === 0 && (kind === 'trench' || kind === 'basin' || kind === 'barrel'))
      refuse('storageMm', `${kind} demande un stockage`)
    if (kind === 'swale' && figures.surfaceMm === 0) refuse('surfaceMm', 'une noue demande une profondeur')
  })
export type StoringMeasure = z.infer<typeof measureSchema>

/** A measure of a run as it lay on the ground: cells of one code that touch. Volumes since the start, m3. */
const runMeasureSchema = z.object({
  name: shortText(),
  kind: z.enum(MEASURE_KINDS),
  code: z.int(),
  cells: z.int(),
  areaM2: z.number(),
  /** Junction, `surface`, or empty without a drain. */
  drainTo: shortText(),
  rainM3: z.number(),
  /** Net, from the ground around. */
  inflowM3: z.number(),
  initialM3: z.number(),
  storedM3: z.number(),
  infiltratedM3: z.number(),
  evaporatedM3: z.number(),
  drainedM3: z.number(),
  /** Net, back onto the ground. */
  overflowM3: z.number(),
  balanceErrorM3: z.number(),
  /** More in it than at the start, infiltrated and evaporated. */
  keptM3: z.number(),
  /** By its figures. */
  costEur: z.number(),
})
export type RunMeasure = z.infer<typeof runMeasureSchema>

/** Measures of a finished run, those of `measures.csv`: `GET /api/multihydro/file/{jobId}/measures` (ours). */
export const runMeasuresSchema = z.object({ measures: list(runMeasureSchema) })
export type RunMeasures = z.infer<typeof runMeasuresSchema>
