import type { CatchmentSummary, SimulationInput } from '@radx/contracts'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import { isOutsideDates, type Session } from '../http/sessions.ts'
import type { JobRow, RadarPeriod } from '../jobs/api.ts'
import { MULTIHYDRO, type MultihydroResult } from './multihydro.ts'
import { radarPeriodOf } from './rain/rain-period.ts'
import type { RunSpec } from './run-spec.ts'
import { ofSeenCatchment, slimInput, specOf } from './runs.ts'

/** A finished run, as other tools are told of it. */
export interface FinishedRun {
  id: string
  username: string
  createdAt: Date
  spec: RunSpec
  result: MultihydroResult | null
  /** Radar rain that it shows something of; null for virtual rain. */
  period: RadarPeriod | null
  /** Where its catchment lies now; null where that is gone. */
  ground: Pick<CatchmentSummary, 'corners' | 'cellSizeM'> | null
}

/**
 * Finished runs of oneself and on catchments that one sees, newest first; those of radar rain outside one's dates are left
 * out.
 * @param most rows that are looked at
 */
export async function finishedRuns(db: Kysely<Database>, session: Session, most: number) {
  const rows = await finishedQuery(db, session)
    .orderBy('job.created_at', 'desc')
    .orderBy('job.id', 'desc')
    .limit(most)
    .execute()
  const dates = session.restriction
  return rows
    .map(toFinished)
    .filter(({ period }) => !period || !isOutsideDates(dates, period.start, period.end))
}

/** One of them, whatever one's dates; null where there is none that one sees. */
export async function finishedRun(
  db: Kysely<Database>,
  session: Session,
  id: string,
): Promise<FinishedRun | null> {
  const row = await finishedQuery(db, session).where('job.id', '=', id).executeTakeFirst()
  return row ? toFinished(row) : null
}

const finishedQuery = (db: Kysely<Database>, session: Session) =>
  db
    .selectFrom('job')
    .leftJoin('catchment', (join) => join.on('catchment.id', '=', sql<string>`job.input ->> 'catchmentId'`))
    .select(['job.id', 'job.username', 'job.created_at', 'job.result', 'catchment.summary'])
    .select(slimInput.as('input'))
    .where('job.kind', '=', MULTIHYDRO)
    .where('job.status', '=', 'done')
    .where(ofSeenCatchment(session))

type Row = Pick<JobRow, 'id' | 'username' | 'created_at' | 'result' | 'input'> & {
  summary: Pick<CatchmentSummary, 'corners' | 'cellSizeM'> | null
}

const toFinished = (row: Row): FinishedRun => ({
  id: row.id,
  username: row.username,
  createdAt: row.created_at,
  spec: specOf(row),
  result: row.result as MultihydroResult | null,
  period: radarPeriodOf(row.input as SimulationInput),
  ground: row.summary,
})
