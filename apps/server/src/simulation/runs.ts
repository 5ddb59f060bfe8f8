import {
  type ComparableSimulation,
  DEFAULT_USER,
  type SimulationInput,
  type SimulationListItem,
} from '@radx/contracts'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import { readerOf, seenBy, valuesOf } from '../http/catchment-rights.ts'
import { after as isAfter, micros, type Place } from '../http/page.ts'
import { isOutsideDates, type Session } from '../http/sessions.ts'
import type { JobRow, JobUser } from '../jobs/api.ts'
import { isCancelled, JobNotFound, queuePlace } from '../jobs/api.ts'
import { ReadOnlySimulation, SimulationFormError, StaleNotes } from './errors.ts'
import { isOutdated, versionsOf } from './land-use/luse-files.ts'
import { MULTIHYDRO, type MultihydroResult } from './multihydro.ts'
import { radarPeriodOf, withoutArchive } from './rain/rain-period.ts'
import { type RunInput, type RunSpec, rainKey, runSpecOf } from './run-spec.ts'

const RECENT_RUNS = 5
/** Comparable runs that are offered, and newest runs of the catchment that are looked at for them. */
const SIMILAR = 500
const SIMILAR_LOOKED_AT = 5_000

const HEAD = [
  'id',
  'username',
  'created_at',
  'started_at',
  'finished_at',
  'status',
  'error',
  'result',
  'cancel_requested',
] as const
/** Painted cells may be a million; a list shows none. */
export const slimInput = sql<SimulationInput>`input - 'luseUpdates' - 'luseConfigs'`
type ListedRow = Pick<JobRow, (typeof HEAD)[number] | 'input'> & { place?: number | null }

/** Whether a run of a list is the reader's own, or on a catchment that they see. */
export const ofSeenCatchment = (session: Session) =>
  sql<boolean>`(job.username = ${session.name} or ${seenBy(valuesOf(readerOf(session)), sql`job.input ->> 'catchmentId'`)})`

/** A run of a list, with its place there. */
interface Listed extends Place {
  item: SimulationListItem
}

/** Runs as they are listed, found again, renamed and written about. */
export class Runs {
  private readonly db: Kysely<Database>

  constructor(db: Kysely<Database>) {
    this.db = db
  }

  /**
   * Runs of oneself and on catchments that one sees, newest first; without their rain where it lies outside one's dates.
   * @returns up to `limit + 1` of them after a place, with their own
   */
  async list(session: Session, after: Place | null, limit: number): Promise<Listed[]> {
    let query = this.db
      .selectFrom('job')
      .select([...HEAD, slimInput.as('input'), micros.as('micros'), queuePlace.as('place')])
      .where('kind', '=', MULTIHYDRO)
      .where(ofSeenCatchment(session))
    if (after) query = query.where(isAfter(after))
    const rows = await query
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .execute()
    const listed = rows.map((row) => ({
      id: row.id,
      micros: row.micros,
      item: toListItem(row, session.restriction),
    }))
    await this.markOutdated(listed.map(({ item }) => item))
    return listed
  }

  /**
   * Computation time of the last runs of the catchment on this installation, ms a simulated hour; those of versions that
   * another has replaced had other cells.
   */
  async recentMsPerHour(catchmentId: string): Promise<number[]> {
    const { rows } = await sql<{ ms: number }>`
      select (result #>> '{run,wallSeconds}')::float8 * 3600000 / nullif((result #>> '{run,simulatedSeconds}')::float8, 0) as ms
      from job
      join catchment on catchment.id = ${catchmentId}
      left join luse_file on luse_file.id::text = job.input ->> 'luseId'
      where kind = ${MULTIHYDRO} and status = 'done' and input ->> 'catchmentId' = ${catchmentId}
        and coalesce(luse_file.catchment_hash, catchment.hash) = catchment.hash
      order by finished_at desc limit ${RECENT_RUNS}`.execute(this.db)
    return rows.map(({ ms }) => ms).filter((ms) => ms > 0)
  }

  /** The same of versions of the catchment that another has replaced, with the cells that each of them had. */
  async replacedMsPerHour(
    catchmentId: string,
  ): Promise<{ ms: number; activeCells: number; cellSizeM: number }[]> {
    const { rows } = await sql<{ ms: number; activeCells: number; cellSizeM: number }>`
      select (result #>> '{run,wallSeconds}')::float8 * 3600000 / nullif((result #>> '{run,simulatedSeconds}')::float8, 0) as ms,
        (version.summary ->> 'activeCells')::float8 as "activeCells",
        (version.summary ->> 'cellSizeM')::float8 as "cellSizeM"
      from job
      join catchment on catchment.id = ${catchmentId}
      join luse_file on luse_file.id::text = job.input ->> 'luseId'
      join catchment_version version on version.catchment_id = catchment.id
        and version.hash = luse_file.catchment_hash and version.hash <> catchment.hash
      where kind = ${MULTIHYDRO} and status = 'done' and input ->> 'catchmentId' = ${catchmentId}
      order by finished_at desc limit ${RECENT_RUNS}`.execute(this.db)
    return rows.filter(({ ms }) => ms > 0)
  }

  /** A run's row. @throws JobNotFound */
  async run(id: string): Promise<JobRow> {
    const row = await this.db
      .selectFrom('job')
      .selectAll()
      .where('id', '=', id)
      .where('kind', '=', MULTIHYDRO)
      .executeTakeFirst()
    if (!row) throw new JobNotFound(id)
    return row
  }

  async rename(id: string, title: string, user: JobUser): Promise<void> {
    this.writable(await this.run(id), user)
    const trimmed = title.trim()
    if (trimmed === '') throw new SimulationFormError('title', 'Ce champ est requis')
    if (trimmed.length > 200)
      throw new SimulationFormError('title', 'Le titre ne peut dépasser 200 caractères.')
    await sql`update job set input = jsonb_set(input, '{title}', to_jsonb(${trimmed}::text)) where id = ${id}`.execute(
      this.db,
    )
  }

  async comment(id: string): Promise<string> {
    await this.run(id)
    const row = await this.db
      .selectFrom('simulation_note')
      .select('comment')
      .where('job_id', '=', id)
      .executeTakeFirst()
    return row?.comment ?? ''
  }

  /**
   * @param before the notes that these were made from; they are refused when others are stored by now. null overwrites
   * @throws StaleNotes
   */
  async setComment(id: string, comment: string, before: string | null, user: JobUser): Promise<void> {
    this.writable(await this.run(id), user)
    if (comment.length > 20_000)
      throw new SimulationFormError('comment', 'Les notes ne peuvent dépasser 20 000 caractères.')
    const written = await this.db
      .insertInto('simulation_note')
      .values({ job_id: id, comment })
      .onConflict((c) => {
        const update = c.column('job_id').doUpdateSet({ comment })
        // The same text twice is an answer that got lost, not a quarrel.
        return before === null ? update : update.where('simulation_note.comment', 'in', [before, comment])
      })
      .returning('job_id')
      .executeTakeFirst()
    if (!written) throw new StaleNotes()
  }

  private writable(row: JobRow, user: JobUser): void {
    if (row.username === DEFAULT_USER) throw new ReadOnlySimulation()
    if (row.username !== user.name && !user.isManager) throw new ReadOnlySimulation()
  }

  /** Whether two runs were made on the same version of a catchment. */
  async onSameVersion(id: string, other: string): Promise<boolean> {
    const specs = (await Promise.all([id, other].map((one) => this.run(one)))).map(specOf)
    const versions = await versionsOf(
      this.db,
      specs.map(({ landUse }) => landUse.fileId),
    )
    const [one, two] = specs.map(({ landUse }) => versions.get(landUse.fileId) ?? null)
    return one === two
  }

  /** Runs of a list that were made on a version of their catchment that is no longer the current one. */
  private async markOutdated(items: SimulationListItem[]): Promise<void> {
    const versions = await versionsOf(
      this.db,
      items.map(({ input }) => input.luseId),
    )
    const rows = await this.db.selectFrom('catchment').select(['id', 'hash']).execute()
    const current = new Map(rows.map(({ id, hash }) => [id, hash]))
    for (const item of items)
      item.outdated = isOutdated(
        versions.get(item.input.luseId) ?? null,
        current.get(item.input.catchmentId) ?? null,
      )
  }

  /** Finished runs on the same version of the catchment with the same rain, as the reader's dates let them be seen. */
  async similar(id: string, dates: Session['restriction']): Promise<ComparableSimulation[]> {
    const own = await this.run(id)
    const { catchment, landUse } = specOf(own)
    const key = keyOf(own)
    const rows = await this.db
      .selectFrom('job')
      .select([...HEAD, slimInput.as('input')])
      .where('kind', '=', MULTIHYDRO)
      .where('status', '=', 'done')
      .where('id', '!=', id)
      .where(sql<string>`input ->> 'catchmentId'`, '=', catchment.id)
      .orderBy('created_at', 'desc')
      .limit(SIMILAR_LOOKED_AT)
      .execute()
    const fitting = rows.filter((row) => keyOf(row) === key)
    const fileOf = (row: Pick<JobRow, 'input'>) => specOf(row).landUse.fileId
    const versions = await versionsOf(this.db, [landUse.fileId, ...fitting.map(fileOf)])
    const version = versions.get(landUse.fileId) ?? null
    return fitting
      .filter((row) => (versions.get(fileOf(row)) ?? null) === version)
      .map((row) => toListItem(row, dates))
      .slice(0, SIMILAR)
      .map(({ _id, input, username, date }) => ({ _id, input, username, date }))
  }
}

/** What a run computed, from its row. */
export const specOf = (row: Pick<JobRow, 'input'>): RunSpec => runSpecOf(row.input as RunInput)

const keyOf = (row: Pick<JobRow, 'input' | 'result'>): string =>
  rainKey(specOf(row).rain, (row.result as MultihydroResult | null)?.rainMethod ?? null)

const RAIN_WITHHELD = 'Pluie hors des dates de votre compte'

function toListItem(row: ListedRow, dates: Session['restriction']): SimulationListItem {
  const input = row.input as SimulationInput
  const end = row.finished_at ?? null
  const rain = radarPeriodOf(input)
  const withheld = rain !== null && isOutsideDates(dates, rain.start, rain.end)
  return {
    _id: row.id,
    id: row.id,
    username: row.username,
    date: row.created_at.toISOString(),
    status: row.status,
    error: row.error,
    delay: row.started_at && end ? end.getTime() - row.started_at.getTime() : null,
    input: withheld ? withoutArchive(input) : input,
    rainSparkline: withheld ? [] : ((row.result as MultihydroResult | null)?.rainSparkline ?? []),
    rainWithheld: withheld ? RAIN_WITHHELD : null,
    cancelled: isCancelled(row),
    queuePlace: row.place ?? null,
    outdated: false,
  }
}
