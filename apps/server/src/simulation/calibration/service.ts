import type {
  Calibration,
  CalibrationBody,
  CalibrationTrials,
  Observation,
  ObservationBody,
  ObservedColumns,
  ObservedPlace,
  UsedParameters,
} from '@radx/contracts'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { Deps } from '../../http/app.ts'
import { holdCatchment } from '../../http/catchment-rights.ts'
import { holdQuota, keptBytes, oneAtATime } from '../../http/quota.ts'
import type { Session } from '../../http/sessions.ts'
import { isCancelled, type JobRow, type JobUser } from '../../jobs/api.ts'
import type { CatchmentLibrary } from '../catchment/library.ts'
import { toGridOf } from '../catchment/run-start.ts'
import { finishedRun } from '../finished-runs.ts'
import { MULTIHYDRO, type MultihydroResult } from '../multihydro.ts'
import type { RunInput } from '../run-spec.ts'
import {
  CalibrationBusy,
  CalibrationDone,
  CalibrationNotFound,
  NoSuchSet,
  ObservationNotFound,
  UnfitRun,
} from './errors.ts'
import { CALIBRATION, type CalibrationInput } from './job.ts'
import { checkParameters, valueBefore } from './parameters.ts'
import { targetOf } from './places.ts'
import { checkUnit, type ObservedTable, readObserved } from './read-observed.ts'
import {
  type CalibrationConfigRow,
  type CalibrationTable,
  type ObservationTable,
  packSeries,
} from './tables.ts'

type Db = Kysely<Database>

/** A gap is longer than so many usual steps. */
const GAP_STEPS = 2.5

/** What a table holds, before anything of it is kept. @throws FormatError for one that cannot be read, or that has no dates */
export function columnsIn(file: { csv: string; fileName: string; timeZone: string }): ObservedColumns {
  const { times, columns, remarksFr } = dated(file)
  const steps = Array.from(times.subarray(1), (time, k) => (time - times[k]) / 1000)
  const stepS = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0
  return {
    first: new Date(times[0]).toISOString(),
    last: new Date(times[times.length - 1]).toISOString(),
    count: times.length,
    stepS,
    gaps: steps.filter((step) => step > GAP_STEPS * stepS).length,
    columns: columns.map(({ name, unit, quantity, missing }) => ({ name, unit, quantity, missing })),
    remarksFr,
  }
}

function dated({
  csv,
  fileName,
  timeZone,
}: {
  csv: string
  fileName: string
  timeZone: string
}): ObservedTable {
  const table = readObserved(new TextEncoder().encode(csv), fileName, timeZone)
  if (table.isRelative)
    throw new UnfitRun(
      `${fileName} compte des secondes (time_s) : ici une série sert à toutes les pluies, donnez des dates.`,
    )
  return table
}

/** Series of measurements of accounts: their owner's, and managers'. */
export class Observations {
  private readonly deps: Deps
  private readonly library: CatchmentLibrary

  constructor(deps: Deps, library: CatchmentLibrary) {
    this.deps = deps
    this.library = library
  }

  /** One's own of a catchment. */
  async list(user: JobUser, catchmentId: string): Promise<Observation[]> {
    const rows = await this.deps.db
      .selectFrom('observation')
      .select([
        'id',
        'username',
        'catchment_id',
        'name',
        'file_name',
        'place',
        'quantity',
        'unit',
        'time_zone',
      ])
      .select(['first_at', 'last_at', 'count', 'missing', 'created_at'])
      .where('username', '=', user.name)
      .where('catchment_id', '=', catchmentId)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    return rows.map(toObservation)
  }

  /** @throws CatchmentNotFound, PlaceError, FormatError, QuotaReached */
  async add(user: JobUser, body: ObservationBody): Promise<Observation> {
    const { db, config } = this.deps
    const { catchmentId, name, column: wanted, quantity, unit, timeZone, fileName } = body
    await holdCatchment(db, user, catchmentId)
    const catchment = await this.library.get(catchmentId)
    const place = placed(body.place, toGridOf(catchment.catchment.crs))
    targetOf(place, quantity, catchment)
    checkUnit(unit, quantity)
    const table = dated(body)
    const column = table.columns.find((one) => one.name === wanted)
    if (!column) throw new UnfitRun(`${fileName} n’a pas de colonne « ${wanted} ».`)
    const data = packSeries(table.times, column.values)
    return db.transaction().execute(async (trx) => {
      await oneAtATime(trx, 'observations', user.name)
      const { observations, bytes } = config.quotas
      const { rows } = await sql<{ count: number; bytes: number }>`
        select (select count(*)::int from observation where username = ${user.name}) as count,
          ${keptBytes(user.name)} as bytes`.execute(trx)
      holdQuota('série de mesures', rows[0], { count: observations, bytes })
      const row = await trx
        .insertInto('observation')
        .values({
          username: user.name,
          catchment_id: catchmentId,
          name,
          file_name: fileName,
          place: JSON.stringify(place) as never,
          quantity,
          unit,
          time_zone: timeZone,
          first_at: new Date(table.times[0]),
          last_at: new Date(table.times[table.times.length - 1]),
          count: table.times.length,
          missing: column.missing,
          data,
          bytes: data.byteLength,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toObservation(row)
    })
  }

  /** @throws ObservationNotFound, CalibrationBusy while a fit reads it */
  async remove(user: JobUser, id: string): Promise<void> {
    await this.deps.db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom('observation')
        .select(['id', 'username'])
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst()
      if (!row || (row.username !== user.name && !user.isManager)) throw new ObservationNotFound()
      const { rows } = await sql`
        select from calibration c join job j on j.input ->> 'calibrationId' = c.id::text
        where j.kind = ${CALIBRATION} and j.status in ('pending', 'running')
          and c.config -> 'observations' ? ${id}`.execute(trx)
      if (rows.length > 0) throw new CalibrationBusy()
      await trx.deleteFrom('observation').where('id', '=', id).execute()
    })
  }

  /** With their values. */
  async of(user: JobUser, catchmentId: string): Promise<Selectable<ObservationTable>[]> {
    return this.deps.db
      .selectFrom('observation')
      .selectAll()
      .where('username', '=', user.name)
      .where('catchment_id', '=', catchmentId)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
  }
}

function placed(
  place: ObservationBody['place'],
  toGrid: (lng: number, lat: number) => [number, number],
): ObservedPlace {
  if (place.kind !== 'lnglat') return place
  const [x, y] = toGrid(place.lng, place.lat)
  return { kind: 'point', x: Number(x.toFixed(2)), y: Number(y.toFixed(2)) }
}

const toObservation = (row: Omit<Selectable<ObservationTable>, 'data' | 'bytes'>): Observation => ({
  id: row.id,
  username: row.username,
  catchmentId: row.catchment_id,
  name: row.name,
  fileName: row.file_name,
  place: row.place,
  quantity: row.quantity,
  unit: row.unit,
  timeZone: row.time_zone,
  first: row.first_at.toISOString(),
  last: row.last_at.toISOString(),
  count: row.count,
  missing: row.missing,
  createdAt: row.created_at.toISOString(),
})

/** Fits of accounts, and the parameter sets that they become: their owner's, and managers'. */
export class Calibrations {
  private readonly deps: Deps
  private readonly library: CatchmentLibrary

  constructor(deps: Deps, library: CatchmentLibrary) {
    this.deps = deps
    this.library = library
  }

  /** One's own of a catchment, the newest first. */
  async list(user: JobUser, catchmentId: string): Promise<Calibration[]> {
    const rows = await this.deps.db
      .selectFrom('calibration')
      .selectAll()
      .where('username', '=', user.name)
      .where('catchment_id', '=', catchmentId)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute()
    return Promise.all(rows.map((row) => this.told(row)))
  }

  /** @throws CalibrationNotFound */
  async get(user: JobUser, id: string): Promise<Calibration> {
    return this.told(await this.own(this.deps.db, user, id))
  }

  /** What it has tried so far. @throws CalibrationNotFound */
  async trials(user: JobUser, id: string): Promise<CalibrationTrials> {
    const { config } = await this.own(this.deps.db, user, id)
    // Their courses, most of what is kept of them, stay in the database.
    const { rows } = await sql<{ told: CalibrationTrials['trials'][number] & { error?: string } }>`
      select data::jsonb - 'simulated' as told from calibration_trial
      where calibration_id = ${id} order by trial`.execute(this.deps.db)
    return {
      objective: config.objective,
      parameters: config.parameters.map(({ kind, code }) => ({ kind, ...(code !== undefined && { code }) })),
      trials: rows.map(({ told: { trial, score, values, error } }) => ({
        trial,
        score,
        values,
        error: error ?? null,
      })),
    }
  }

  /**
   * Submits a fit of what was measured at finished runs.
   * @param allow holds radar rain against the account's dates
   * @throws CatchmentNotFound, ObservationNotFound, UnfitRun, ParameterError, what the queue throws
   */
  async submit(
    session: Session,
    user: JobUser,
    body: CalibrationBody,
    allow: (row: Pick<CalibrationConfigRow, 'events'>) => void,
  ): Promise<{ id: string; jobId: string }> {
    const { db } = this.deps
    await holdCatchment(db, user, body.catchmentId)
    const events = await this.events(session, body)
    allow({ events })
    await this.check(body, events)
    const config: CalibrationConfigRow = { ...body, observations: [...new Set(body.observations)], events }
    const { rows } = await sql<{ id: string }>`select gen_random_uuid() as id`.execute(db)
    const [{ id }] = rows
    const job = await this.deps.jobs.queue().submit(
      CALIBRATION,
      async (trx) => {
        const own = await trx
          .selectFrom('observation')
          .select('id')
          .where('id', 'in', config.observations)
          .where('username', '=', user.name)
          .where('catchment_id', '=', body.catchmentId)
          .forKeyShare()
          .execute()
        if (own.length < config.observations.length) throw new ObservationNotFound()
        await trx
          .insertInto('calibration')
          .values({
            id,
            username: user.name,
            catchment_id: body.catchmentId,
            name: body.name,
            config: JSON.stringify(config) as never,
            task_hash: null,
            fitted: null,
            result: null,
          })
          .execute()
        return jobInput(id, body.name, body.catchmentId) as never
      },
      user,
    )
    return { id, jobId: job.id }
  }

  /** A new job that goes on from the trials that are kept. @throws CalibrationNotFound, CalibrationBusy, CalibrationDone */
  async resume(
    user: JobUser,
    id: string,
    allow: (row: Pick<CalibrationConfigRow, 'events'>) => void,
  ): Promise<{ id: string; jobId: string }> {
    const row = await this.own(this.deps.db, user, id)
    allow(row.config)
    await holdCatchment(this.deps.db, user, row.catchment_id)
    const job = await this.deps.jobs.queue().submit(
      CALIBRATION,
      async (trx) => {
        const now = await trx
          .selectFrom('calibration')
          .selectAll()
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst()
        if (!now) throw new CalibrationNotFound()
        if (now.result !== null) throw new CalibrationDone()
        await assertIdle(trx, id)
        return jobInput(id, now.name, now.catchment_id) as never
      },
      { ...user, name: row.username },
    )
    return { id, jobId: job.id }
  }

  /** Removes a fit with its trials; runs that were made with its values keep them. @throws CalibrationNotFound, CalibrationBusy */
  async remove(user: JobUser, id: string): Promise<{ name: string }> {
    const { name } = await this.own(this.deps.db, user, id)
    await this.deps.db.transaction().execute(async (trx) => {
      await trx.selectFrom('calibration').select('id').where('id', '=', id).forUpdate().execute()
      await assertIdle(trx, id)
      await trx.deleteFrom('calibration').where('id', '=', id).execute()
    })
    return { name }
  }

  /**
   * The values of a fit as a run takes them.
   * @throws NoSuchSet for one of another account or catchment, or that is not done
   */
  async setFor(user: JobUser, id: string, catchmentId: string): Promise<UsedParameters> {
    const row = /^[0-9a-f-]{36}$/.test(id) ? await this.own(this.deps.db, user, id).catch(() => null) : null
    if (!row || row.catchment_id !== catchmentId)
      throw new NoSuchSet(
        'Ce jeu de paramètres n’existe pas ou plus pour ce bassin. Choisissez-en un autre, ou aucun.',
      )
    if (row.fitted === null)
      throw new NoSuchSet(
        `Le calage « ${row.name} » n’est pas terminé : il n’a pas encore de jeu de paramètres.`,
      )
    return { id: row.id, name: row.name, values: row.fitted }
  }

  private async events(session: Session, body: CalibrationBody): Promise<CalibrationConfigRow['events']> {
    const events: CalibrationConfigRow['events'] = []
    for (const { jobId, use } of body.events) {
      const found = await finishedRun(this.deps.db, session, jobId)
      if (!found)
        throw new UnfitRun(
          'Un des épisodes n’est pas un calcul terminé que vous voyez. Choisissez-en un autre.',
        )
      const { spec, result } = found
      if (spec.catchment.id !== body.catchmentId)
        throw new UnfitRun(`« ${spec.title} » est un calcul d’un autre bassin.`)
      if (spec.rain.kind === 'forecast')
        throw new UnfitRun(`« ${spec.title} » part d’une prévision : un épisode de calage commence à sec.`)
      const row = await this.deps.db
        .selectFrom('job')
        .select('input')
        .where('id', '=', jobId)
        .where('kind', '=', MULTIHYDRO)
        .executeTakeFirstOrThrow()
      const {
        luseConfigs: _table,
        luseUpdates: _cells,
        ...input
      } = row.input as RunInput & Record<string, unknown>
      events.push({ jobId, title: spec.title, use, input: input as RunInput, scheme: schemeOf(result) })
    }
    if (!events.some(({ use }) => use === 'calibration'))
      throw new UnfitRun(
        'Choisissez au moins un épisode pour le calage ; ceux de validation ne servent qu’à vérifier.',
      )
    return events
  }

  /** What lacks is told at once, not by a job that fails. */
  private async check(
    { parameters, catchmentId }: CalibrationBody,
    events: CalibrationConfigRow['events'],
  ): Promise<void> {
    checkParameters(parameters)
    const catchment = await this.library.get(catchmentId)
    for (const { input } of events) {
      const file = await this.deps.db
        .selectFrom('luse_file')
        .select('configs')
        .where('id', '=', input.luseId)
        .executeTakeFirst()
      const options = { soil: input.soilModule === 'true', drainage: input.drainageModule === 'true' }
      const classes = file && file.configs.length > 0 ? file.configs : catchment.classes
      for (const parameter of parameters) valueBefore(parameter, { catchment, classes }, options)
    }
  }

  /** @throws CalibrationNotFound */
  private async own(db: Db, user: JobUser, id: string): Promise<Selectable<CalibrationTable>> {
    const row = await db.selectFrom('calibration').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row || (row.username !== user.name && !user.isManager)) throw new CalibrationNotFound()
    return row
  }

  private async told(row: Selectable<CalibrationTable>): Promise<Calibration> {
    const { db } = this.deps
    const job = await db
      .selectFrom('job')
      .select(['id', 'status', 'error', 'cancel_requested'])
      .where('kind', '=', CALIBRATION)
      .where(sql`input ->> 'calibrationId'`, '=', row.id)
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    const { count } = await db
      .selectFrom('calibration_trial')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('calibration_id', '=', row.id)
      .executeTakeFirstOrThrow()
    return {
      id: row.id,
      username: row.username,
      catchmentId: row.catchment_id,
      name: row.name,
      createdAt: row.created_at.toISOString(),
      jobId: job?.id ?? null,
      // Its job may be gone with an old export; the fit stays.
      status: row.result !== null ? 'done' : (job?.status ?? 'error'),
      cancelled: job !== undefined && isCancelled(job),
      error: row.result !== null ? null : (job?.error ?? null),
      trials: count,
      runs: row.config.runs,
      values: row.fitted,
      result: row.result,
    }
  }
}

const jobInput = (calibrationId: string, title: string, catchmentId: string): CalibrationInput => ({
  calibrationId,
  title,
  catchmentId,
})

const schemeOf = (result: MultihydroResult | null): 'inertial' | 'full' =>
  result?.run?.scheme === 'full' ? 'full' : 'inertial'

/** @throws CalibrationBusy while a job works on it */
async function assertIdle(db: Db, id: string): Promise<void> {
  const open = await db
    .selectFrom('job')
    .select('id')
    .where('kind', '=', CALIBRATION)
    .where(sql`input ->> 'calibrationId'`, '=', id)
    .where('status', 'in', ['pending', 'running'] satisfies JobRow['status'][])
    .executeTakeFirst()
  if (open) throw new CalibrationBusy()
}
