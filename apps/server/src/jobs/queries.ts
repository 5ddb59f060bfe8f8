import type { Job, JobProgress, JobStatus } from '@radx/contracts'
import { type Generated, type Kysely, type Selectable, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import { keptBytes } from '../http/quota.ts'

interface JobTable {
  id: string
  kind: string
  username: string
  input: unknown
  /** Names one submission of a user, however often it is sent; null without. */
  submission_key: string | null
  /** SHA-256 of what came with the key. */
  submission_hash: string | null
  /** The order of many that it belongs to, and its place there; null of a job by itself. */
  batch_id: Generated<string | null>
  batch_place: Generated<number | null>
  status: Generated<JobStatus>
  attempt: Generated<number>
  cancel_requested: Generated<boolean>
  progress_value: Generated<number>
  progress_max: Generated<number>
  progress_msg: Generated<string>
  progress_at: Date | null
  result: unknown
  /** What its files take. */
  output_bytes: Generated<number>
  error: string | null
  created_at: Generated<Date>
  started_at: Date | null
  finished_at: Date | null
}
/** An order of many jobs of a kind. */
interface JobBatchTable {
  id: string
  /** Of its jobs. */
  kind: string
  username: string
  /** What was ordered, by the feature that orders. */
  about: unknown
  submission_key: string | null
  submission_hash: string | null
  created_at: Generated<Date>
}
interface JobLogTable {
  job_id: string
  n: Generated<number>
  attempt: number
  at: Generated<Date>
  line: string
}
declare module '../db/schema.ts' {
  interface Database {
    job: JobTable
    job_batch: JobBatchTable
    job_log: JobLogTable
  }
}
export type JobRow = Selectable<JobTable>
export type JobBatchRow = Selectable<JobBatchTable>

/** Channel on which every change of a job is told: the payload is a `JobProgress` as JSON. */
export const PROGRESS_CHANNEL = 'radx_job_progress'
/** Channel on which a wish to cancel is told: the payload is the job's id. */
export const CANCEL_CHANNEL = 'radx_job_cancel'

export const toProgress = (row: JobRow): JobProgress => ({
  jobId: row.id,
  status: row.status,
  value: row.progress_value,
  max: row.progress_max,
  msg: row.progress_msg,
  msgDate: (row.progress_at ?? row.created_at).toISOString(),
})

export async function notifyProgress(db: Kysely<Database>, row: JobRow): Promise<void> {
  // A payload may hold 8,000 bytes; a message is a sentence.
  const progress = toProgress({ ...row, progress_msg: row.progress_msg.slice(0, 500) })
  await sql`select pg_notify(${PROGRESS_CHANNEL}, ${JSON.stringify(progress)})`.execute(db)
}

export function findJob(db: Kysely<Database>, id: string): Promise<JobRow | undefined> {
  return db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function findLogs(db: Kysely<Database>, id: string): Promise<Job['logs']> {
  const rows = await db
    .selectFrom('job_log')
    .select(['at', 'line'])
    .where('job_id', '=', id)
    .orderBy('n')
    .execute()
  return rows.map(({ at, line }) => ({ at: at.toISOString(), line }))
}

/** Open jobs of a user, so that one cannot fill the queue; those of orders wait behind everybody's. */
export async function countOpen(db: Kysely<Database>, username: string, kind: string): Promise<number> {
  const { count } = await db
    .selectFrom('job')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('username', '=', username)
    .where('kind', '=', kind)
    .where('status', 'in', ['pending', 'running'])
    .where('batch_id', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Jobs of some kinds that a user keeps, whatever became of them, and the bytes of all that counts with them. */
export async function countKept(
  db: Kysely<Database>,
  username: string,
  kinds: readonly string[],
): Promise<{ count: number; bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: number }>`
    select count(*)::int as count, ${keptBytes(username)} as bytes
    from job where username = ${username} and kind = any(${kinds})`.execute(db)
  return rows[0]
}

/**
 * Takes a job for one try. The try's number fences it: a worker that was believed dead and comes back
 * holds an old number, and every write below does nothing for it.
 * @returns undefined when the job has ended or is to be cancelled
 */
export async function claim(db: Kysely<Database>, id: string): Promise<JobRow | undefined> {
  return db
    .updateTable('job')
    .set((e) => ({
      status: 'running' as const,
      attempt: e('attempt', '+', 1),
      started_at: sql<Date>`coalesce(started_at, now())`,
      progress_value: 0,
      progress_at: sql<Date>`now()`,
    }))
    .where('id', '=', id)
    .where('status', 'in', ['pending', 'running'])
    .where('cancel_requested', '=', false)
    .returningAll()
    .executeTakeFirst()
}

interface Claim {
  id: string
  attempt: number
}

const claimed = (db: Kysely<Database>, { id, attempt }: Claim) =>
  db.updateTable('job').where('id', '=', id).where('attempt', '=', attempt).where('status', '=', 'running')

/** @returns the row, or undefined when this try no longer owns the job */
export function saveProgress(
  db: Kysely<Database>,
  claim: Claim,
  progress: { value: number; max: number; msg: string },
): Promise<JobRow | undefined> {
  return claimed(db, claim)
    .set({
      progress_value: progress.value,
      progress_max: progress.max,
      progress_msg: progress.msg,
      progress_at: sql<Date>`now()`,
    })
    .returningAll()
    .executeTakeFirst()
}

export async function saveLogs(db: Kysely<Database>, { id, attempt }: Claim, lines: string[]): Promise<void> {
  if (lines.length > 0)
    await db
      .insertInto('job_log')
      .values(lines.map((line) => ({ job_id: id, attempt, line: line.slice(0, 4_000) })))
      .execute()
}

export function finishDone(
  db: Kysely<Database>,
  claim: Claim,
  result: unknown,
  outputBytes: number,
): Promise<JobRow | undefined> {
  return claimed(db, claim)
    .set({
      status: 'done',
      result: JSON.stringify(result ?? null),
      output_bytes: outputBytes,
      progress_value: sql<number>`progress_max`,
      progress_at: sql<Date>`now()`,
      finished_at: sql<Date>`now()`,
    })
    .returningAll()
    .executeTakeFirst()
}

export function finishError(db: Kysely<Database>, claim: Claim, error: string): Promise<JobRow | undefined> {
  return claimed(db, claim).set(ended(error)).returningAll().executeTakeFirst()
}

/** Ends a job whatever its try, unless it has ended already. */
export function abandon(
  db: Kysely<Database>,
  id: string,
  error: string,
  from: JobStatus[] = ['pending', 'running'],
): Promise<JobRow | undefined> {
  return db
    .updateTable('job')
    .set(ended(error))
    .where('id', '=', id)
    .where('status', 'in', from)
    .returningAll()
    .executeTakeFirst()
}

export function requestCancel(db: Kysely<Database>, id: string): Promise<JobRow | undefined> {
  return db
    .updateTable('job')
    .set({ cancel_requested: true })
    .where('id', '=', id)
    .where('status', 'in', ['pending', 'running'])
    .returningAll()
    .executeTakeFirst()
}

/** @returns the row, waiting again; undefined when it had not failed */
export function restart(db: Kysely<Database>, id: string): Promise<JobRow | undefined> {
  return db
    .updateTable('job')
    .set({
      status: 'pending',
      cancel_requested: false,
      error: null,
      progress_value: 0,
      progress_msg: '',
      progress_at: sql<Date>`now()`,
      started_at: null,
      finished_at: null,
    })
    .where('id', '=', id)
    .where('status', '=', 'error')
    .returningAll()
    .executeTakeFirst()
}

const ended = (error: string) => ({
  status: 'error' as const,
  error,
  progress_at: sql<Date>`now()`,
  finished_at: sql<Date>`now()`,
})

/** The job that a user's submission became when it came before. */
export function findSubmitted(
  db: Kysely<Database>,
  username: string,
  kind: string,
  key: string,
): Promise<JobRow | undefined> {
  return db
    .selectFrom('job')
    .selectAll()
    .where('username', '=', username)
    .where('kind', '=', kind)
    .where('submission_key', '=', key)
    .executeTakeFirst()
}

/** The order that a user's submission became when it came before. */
export const findBatchSubmitted = (
  db: Kysely<Database>,
  username: string,
  kind: string,
  key: string,
): Promise<JobBatchRow | undefined> =>
  db
    .selectFrom('job_batch')
    .selectAll()
    .where('username', '=', username)
    .where('kind', '=', kind)
    .where('submission_key', '=', key)
    .executeTakeFirst()

/** Orders of a user with jobs that wait or run. */
export async function countOpenBatches(db: Kysely<Database>, username: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct batch_id)::int as n from job
    where username = ${username} and batch_id is not null and status in ('pending', 'running')`.execute(db)
  return rows[0].n
}

/** Place of a row of `job` among those of its kind that wait, 1 for the next one; null once it waits no longer. */
export const queuePlace = sql<number | null>`case when job.status = 'pending' then (
  select count(*)::int from job as other where other.kind = job.kind and other.status = 'pending'
    and (other.batch_id is not null, other.created_at, coalesce(other.batch_place, 0), other.id)
      <= (job.batch_id is not null, job.created_at, coalesce(job.batch_place, 0), job.id)) end`

export async function findQueuePlace(db: Kysely<Database>, id: string): Promise<number | null> {
  const row = await db
    .selectFrom('job')
    .select(queuePlace.as('place'))
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.place ?? null
}

/** Whether a job ended because somebody cancelled it. */
export const isCancelled = ({
  status,
  cancel_requested,
}: Pick<JobRow, 'status' | 'cancel_requested'>): boolean => cancel_requested && status === 'error'

/** A job as `GET /api/job/{id}` gives it. */
export function toJob(row: JobRow, logs: Job['logs'], now: Date, place: number | null = null): Job {
  const end = row.finished_at ?? now
  return {
    id: row.id,
    _id: row.id,
    kind: row.kind,
    username: row.username,
    date: row.created_at.toISOString(),
    status: row.status,
    input: row.input as Record<string, unknown>,
    result: row.result,
    progress: { value: row.progress_value, max: row.progress_max },
    msg: row.progress_msg,
    msgDate: row.progress_at?.toISOString() ?? null,
    logs,
    error: row.error,
    output: { error: row.error },
    delay: row.started_at === null ? null : end.getTime() - row.started_at.getTime(),
    cancelled: row.cancel_requested,
    attempts: row.attempt,
    queuePlace: place,
  }
}
