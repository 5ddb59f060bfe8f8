import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { basename, dirname, resolve } from 'node:path'
import {
  CALIBRATION_LIMITS,
  CALIBRATION_OBJECTIVES,
  calibrationParameterSchema,
  OBSERVED_QUANTITIES,
  type ObservedQuantity,
  type ObservedUnit,
  observedPlaceSchema,
  observedUnitSchema,
} from '@radx/contracts/calibration'
import { FormatError, RadxError } from '@radx/contracts/errors'
import { SOIL_STATES } from '@radx/contracts/simulation-constants'
import type { Rain } from '@radx/hydrology/rain/rain'
import { z } from 'zod'
import { describeIssue } from '../../config/issue.ts'
import type { CatchmentPackage } from '../catchment/catchment-package.ts'
import { parseRadar, parseUniform, parseVirtual, type RainSource } from '../rain/rain-source.ts'
import { observedSeries } from './align.ts'
import type { FitTask } from './fit.ts'
import { packRain } from './packed-rain.ts'
import { placeFr } from './places.ts'
import { type ObservedTable, readObserved } from './read-observed.ts'
import type { EventSetup, ObservedSeries } from './trial.ts'

const path = () => z.string().min(1).max(1_024)
const instant = () =>
  z
    .string()
    .refine((text) => !Number.isNaN(Date.parse(text)), 'un instant comme 2024-06-01T12:00:00Z est attendu')

const observationSchema = z.strictObject({
  /** Table of measurements, beside the file of the calibration. */
  file: path(),
  /** Heading of its column; the only one without. */
  column: z.string().max(200).optional(),
  name: z.string().min(1).max(200).optional(),
  place: observedPlaceSchema,
  quantity: z.enum(OBSERVED_QUANTITIES).optional(),
  unit: observedUnitSchema.optional(),
  /** Of clock times that say none. */
  timeZone: z.string().max(60).default('UTC'),
  /** Only this part of the series counts. */
  from: instant().optional(),
  to: instant().optional(),
})

const eventSchema = z.strictObject({
  name: z.string().min(1).max(200),
  use: z.enum(['calibration', 'validation']),
  /** A rain series, or one of the sources of `radx simulate`. */
  rain: z.union([
    path(),
    z.strictObject({ uniform: z.string() }),
    z.strictObject({ virtual: z.string() }),
    z.strictObject({ radar: z.string() }),
    z.strictObject({ event: z.string() }),
  ]),
  /** When the rain begins; needed where measurements have dates. */
  start: instant().optional(),
  modules: z.array(z.enum(['soil', 'drainage'])).default(['soil', 'drainage']),
  soilBefore: z.enum(SOIL_STATES).default('mean'),
  observations: z.array(observationSchema).min(1).max(CALIBRATION_LIMITS.series),
})

/** What `radx calibrate` reads. */
const configSchema = z.strictObject({
  catchment: path(),
  parameters: z.array(calibrationParameterSchema).min(1).max(CALIBRATION_LIMITS.parameters),
  events: z.array(eventSchema).min(1).max(CALIBRATION_LIMITS.events),
  objective: z.enum(CALIBRATION_OBJECTIVES).default('nse'),
  runs: z.int().min(CALIBRATION_LIMITS.runs.min).max(CALIBRATION_LIMITS.runs.max).default(200),
  seed: z
    .int()
    .min(0)
    .max(2 ** 31)
    .default(1),
  /** Score above which a trial counts as good; the best less 0.05 without. */
  threshold: z.number().max(1).optional(),
  scheme: z.enum(['inertial', 'full']).default('inertial'),
  threads: z.int().min(1).max(64).optional(),
})
export type CalibrationConfig = z.infer<typeof configSchema>

class ConfigError extends RadxError {
  override readonly name = 'ConfigError'
  constructor(messageFr: string) {
    super('calibration.config', 422, messageFr)
  }
}

/** @throws ConfigError with all that is wrong in it */
export function parseCalibration(text: string, file: string): CalibrationConfig {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new ConfigError(`${file} n’est pas du JSON : ${(error as Error).message}`)
  }
  const parsed = configSchema.safeParse(json)
  if (parsed.success) return parsed.data
  const told = parsed.error.issues.map(describeIssue)
  throw new ConfigError(
    `${file} ne peut être suivi :\n${told.map(({ field, message }) => `  - ${field || 'racine'} : ${message}`).join('\n')}`,
  )
}

/** @throws ConfigError when it cannot be read */
export async function readNamed(at: string): Promise<Uint8Array> {
  try {
    return await readFile(at)
  } catch (error) {
    throw new ConfigError(
      `${at} ne peut être lu (${(error as NodeJS.ErrnoException).code}). Vérifier le chemin et les droits.`,
    )
  }
}

/** What loads the rain of a source on a catchment. */
export type LoadRain = (catchment: CatchmentPackage, source: RainSource) => Promise<Rain>

/**
 * Everything that a fit needs, read from the files that a calibration names; their paths count from its own folder.
 * @throws ConfigError, FormatError and what reading rain throws
 */
export async function fitTaskOf(
  config: CalibrationConfig,
  from: string,
  catchment: CatchmentPackage,
  load: LoadRain,
): Promise<{ task: FitTask; remarksFr: string[] }> {
  const folder = dirname(resolve(from))
  const remarksFr: string[] = []
  const names = config.events.map(({ name }) => name)
  const twice = names.find((name, k) => names.indexOf(name) !== k)
  if (twice !== undefined) throw new ConfigError(`Deux épisodes s’appellent « ${twice} ».`)
  const events: EventSetup[] = []
  for (const event of config.events) {
    const rain = packRain(await load(catchment, sourceOf(event.rain, folder)))
    const startMs = event.start === undefined ? null : Date.parse(event.start)
    const series: ObservedSeries[] = []
    for (const asked of event.observations) {
      const { own, remarks } = await seriesOf(asked, folder, {
        catchment,
        startMs,
        durationS: rain.durationS,
      })
      series.push(own)
      remarksFr.push(...remarks.map((remark) => `${event.name}, ${own.name} : ${remark}`))
    }
    events.push({
      name: event.name,
      use: event.use,
      rain,
      catchment,
      classes: catchment.classes,
      options: {
        soil: event.modules.includes('soil'),
        drainage: event.modules.includes('drainage'),
        soilState: event.soilBefore,
      },
      scheme: config.scheme,
      series,
    })
  }
  const { parameters, objective, runs, seed, threshold, threads = availableParallelism() } = config
  return {
    task: {
      parameters,
      events,
      objective,
      runs,
      seed,
      threads,
      ...(threshold !== undefined && { threshold }),
    },
    remarksFr,
  }
}

type AskedRain = CalibrationConfig['events'][number]['rain']

function sourceOf(rain: AskedRain, folder: string): RainSource {
  if (typeof rain === 'string') return { kind: 'file', path: resolve(folder, rain) }
  if ('uniform' in rain) return parseUniform(rain.uniform)
  if ('virtual' in rain) return parseVirtual(rain.virtual)
  if ('radar' in rain) return parseRadar(rain.radar)
  return { kind: 'event', event: rain.event }
}

type Asked = z.infer<typeof observationSchema>

async function seriesOf(
  asked: Asked,
  folder: string,
  span: { catchment: CatchmentPackage; startMs: number | null; durationS: number },
): Promise<{ own: ObservedSeries; remarks: string[] }> {
  const at = resolve(folder, asked.file)
  const table = readObserved(await readNamed(at), basename(at), asked.timeZone)
  const { column, quantity, unit, remarks } = columnOf(table, asked, basename(at))
  const own = observedSeries(
    {
      name: asked.name ?? placeFr(asked.place),
      place: asked.place,
      quantity,
      unit,
      times: table.times,
      isRelative: table.isRelative,
      values: column.values,
      ...(asked.from !== undefined && { fromMs: Date.parse(asked.from) }),
      ...(asked.to !== undefined && { toMs: Date.parse(asked.to) }),
    },
    span,
  )
  return { own, remarks: [...table.remarksFr, ...remarks] }
}

/** The column that is asked for, with what its values are. @throws FormatError where that stays open */
export function columnOf(
  table: ObservedTable,
  {
    column: name,
    quantity: asked,
    unit: wanted,
    place,
  }: Pick<Asked, 'column' | 'quantity' | 'unit' | 'place'>,
  file: string,
): {
  column: ObservedTable['columns'][number]
  quantity: ObservedQuantity
  unit: ObservedUnit
  remarks: string[]
} {
  const refuse = (message: string): never => {
    throw new FormatError('calibration.config', `${file} : ${message}`)
  }
  const names = table.columns.map((one) => one.name)
  const found =
    name === undefined
      ? table.columns.length === 1
        ? table.columns[0]
        : undefined
      : table.columns.find((one) => one.name === name)
  const column =
    found ??
    refuse(
      `${name === undefined ? 'plusieurs colonnes, dire laquelle (« column »)' : `pas de colonne « ${name} »`}. Colonnes : ${names.join(', ').slice(0, 400)}.`,
    )
  const quantity = asked ?? column.quantity ?? (place.kind === 'link' ? 'flow' : 'depth')
  const unit =
    wanted ??
    column.unit ??
    refuse(
      `« ${column.name} » ne dit pas son unité : l’écrire dans l’en-tête (l/s, m3/s, m, cm) ou la donner (« unit »).`,
    )
  const remarks: string[] = []
  if (wanted !== undefined && column.unit !== null && wanted !== column.unit)
    refuse(`l’en-tête « ${column.name} » dit ${column.unit}, la demande dit ${wanted} : n’en garder qu’une.`)
  if (column.missing > 0) remarks.push(`${column.missing} valeurs manquantes, laissées de côté`)
  return { column, quantity, unit, remarks }
}
