import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type CalibrationResult, DEFAULT_LAND_USE, RadxError } from '@radx/contracts'
import { formatSpan } from '@radx/locale/duration'
import { formatNumberFr } from '@radx/locale/format-fr'
import type { Kysely, Selectable } from 'kysely'
import { openDatabase } from '../../db/database.ts'
import type { Database } from '../../db/schema.ts'
import type { JobContext, JobKind } from '../../jobs/api.ts'
import { createLogger } from '../../log.ts'
import { readParts } from '../multihydro.ts'
import { radarPeriodOf } from '../rain/rain-period.ts'
import { runSpecOf } from '../run-spec.ts'
import { observedSeries } from './align.ts'
import { CalibrationNotFound, ObservationNotFound } from './errors.ts'
import { calibrationFiles } from './files.ts'
import { calibrate, type FitTask, type KeptTrial } from './fit.ts'
import { decodeTrial, encodeTrial, taskHash } from './journal.ts'
import { packRain } from './packed-rain.ts'
import { type CalibrationConfigRow, type ObservationTable, unpackSeries } from './tables.ts'
import type { EventSetup } from './trial.ts'

export const CALIBRATION = 'calibration'

/** What a fit is made of stands in its own row; trials that it keeps there outlive the job. */
export interface CalibrationInput {
  calibrationId: string
  title: string
  catchmentId: string
}

/** A fit as a job: what it tried is kept after each lot, so that a new try, or a new job, goes on from there. */
export const calibrationJob: JobKind<CalibrationInput, CalibrationResult> = {
  name: CALIBRATION,
  perUser: 2,
  // The queue knows no longer ones than a day.
  timeoutSeconds: 20 * 3_600,
  memoryMb: 3_000,
  visibility: 'owner',
  keep: 'exports',
  run: work,
}

async function work({
  input: { calibrationId, title },
  config,
  outDir,
  signal,
  progress,
  log,
}: JobContext<CalibrationInput>): Promise<CalibrationResult> {
  const database = await openDatabase(config, { log: createLogger('silent'), poolSize: 2 })
  const { db } = database
  try {
    progress(0, 100, 'Lecture des épisodes et des mesures')
    const row = await db
      .selectFrom('calibration')
      .selectAll()
      .where('id', '=', calibrationId)
      .executeTakeFirst()
    if (!row) throw new CalibrationNotFound()
    const events = await eventsOf(row.config, db, config)
    signal.throwIfAborted()
    const { parameters, objective, runs, seed } = row.config
    const task: FitTask = {
      parameters,
      events,
      objective,
      runs,
      seed,
      // Every worker of this process may have work at once.
      threads: Math.max(1, Math.floor(availableParallelism() / Math.max(1, config.workers))),
    }
    const hash = taskHash(task)
    const known = await knownTrials(db, calibrationId, row.task_hash, hash)
    if (known.length > 0) log(`Reprise : ${known.length} essais déjà faits`)
    const started = performance.now()
    const found = await calibrate(task, {
      known,
      keep: (trials) => keepTrials(db, calibrationId, trials),
      onProgress: (done, of, best) => {
        const fresh = done - known.length
        const leftS = fresh > 0 ? (((performance.now() - started) / 1000) * (of - done)) / fresh : 0
        const score = best === null ? '' : `, meilleur score ${formatNumberFr(best, 3)}`
        progress(done, of, `${done} essais sur ${of}${score}, encore ${formatSpan(Math.ceil(leftS))}`)
      },
      signal,
    })
    for (const warning of found.result.warnings) log(`Attention : ${warning}`)
    const about = { title, catchment: row.catchment_id }
    const run = { task: hash, wallSeconds: (performance.now() - started) / 1000, resumedFrom: known.length }
    for (const [name, text] of Object.entries(calibrationFiles(found, about, run)))
      writeFileSync(join(outDir, name), text)
    await db
      .updateTable('calibration')
      .set({
        fitted: JSON.stringify(found.values) as never,
        result: JSON.stringify(found.result) as never,
      })
      .where('id', '=', calibrationId)
      .execute()
    return found.result
  } finally {
    await database.close()
  }
}

async function eventsOf(
  asked: CalibrationConfigRow,
  db: Kysely<Database>,
  config: JobContext<CalibrationInput>['config'],
): Promise<EventSetup[]> {
  const rows = await db
    .selectFrom('observation')
    .selectAll()
    .where('id', 'in', asked.observations)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  if (rows.length < new Set(asked.observations).size) throw new ObservationNotFound()
  const names = new Set<string>()
  const events: EventSetup[] = []
  for (const { title, use, input, scheme } of asked.events) {
    const spec = { ...runSpecOf(input), ensemble: null }
    const { catchment, codes, configs, rain } = await readParts(spec, config)
    const packed = packRain(rain)
    const span = { catchment, startMs: spec.startMs, durationS: rain.durationS }
    const name = uniqueName(title, names)
    events.push({
      name,
      use,
      rain: packed,
      catchment,
      options: spec.options,
      landUseCodes: Float64Array.from(codes, (code) => (code < 0 ? Number.NaN : code)),
      classes: configs.length > 0 ? configs : DEFAULT_LAND_USE,
      scheme,
      series: rows.map((row) => seriesOf(row, span)).filter(({ timesS }) => timesS.length > 0),
    })
  }
  return events
}

function uniqueName(title: string, names: Set<string>): string {
  let name = title
  for (let k = 2; names.has(name); k++) name = `${title} (${k})`
  names.add(name)
  return name
}

/** A kept series at a run. @throws PlaceError where the catchment has no such place any more */
export function seriesOf(
  { name, place, quantity, unit, data }: Selectable<ObservationTable>,
  span: Parameters<typeof observedSeries>[1],
  period: { fromMs?: number; toMs?: number } = {},
) {
  return observedSeries(
    { name, place, quantity, unit, isRelative: false, ...unpackSeries(data), ...period },
    span,
  )
}

/** Trials of this task; those of another are not gone on with. */
async function knownTrials(
  db: Kysely<Database>,
  id: string,
  had: string | null,
  hash: string,
): Promise<KeptTrial[]> {
  if (had !== null && had !== hash)
    throw new RadxError(
      'calibration.trials',
      409,
      'Le bassin, sa pluie ou les mesures ont changé depuis le début de ce calage : il ne peut être repris. Lancez-en un nouveau.',
    )
  await db.updateTable('calibration').set({ task_hash: hash }).where('id', '=', id).execute()
  const rows = await db
    .selectFrom('calibration_trial')
    .select(['trial', 'data'])
    .where('calibration_id', '=', id)
    .orderBy('trial')
    .execute()
  // A hole, which two workers at once might leave, ends what is known.
  const whole = rows.findIndex(({ trial }, k) => trial !== k)
  return (whole < 0 ? rows : rows.slice(0, whole)).map(({ data }) => decodeTrial(data))
}

async function keepTrials(db: Kysely<Database>, id: string, trials: readonly KeptTrial[]): Promise<void> {
  await db
    .insertInto('calibration_trial')
    .values(trials.map((trial) => ({ calibration_id: id, trial: trial.trial, data: encodeTrial(trial) })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Radar periods of the runs that a fit stands on. */
export const periodsOf = ({ events }: Pick<CalibrationConfigRow, 'events'>) =>
  events.flatMap(({ input }) => radarPeriodOf(input as Parameters<typeof radarPeriodOf>[0]) ?? [])
