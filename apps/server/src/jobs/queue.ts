import { randomUUID } from 'node:crypto'
import { DEFAULT_USER, type Job } from '@radx/contracts'
import { type Kysely, sql } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Quotas } from '../config/limits.ts'
import type { DatabaseHandle } from '../db/database.ts'
import type { Database } from '../db/schema.ts'
import { JobNotFound, seesCatchment } from '../http/catchment-rights.ts'
import { holdQuota, oneAtATime, QuotaReached } from '../http/quota.ts'
import { isOutsideDates, type Session } from '../http/sessions.ts'
import type { Logger } from '../log.ts'
import type { FileStore } from '../store/file-store.ts'
import {
  CANCELLED,
  JobForbidden,
  JobNotFailed,
  JobUnderWay,
  ReferenceJob,
  SubmissionKeyUsed,
  TooManyBatches,
  TooManyJobs,
} from './errors.ts'
import type { JobKind, RadarPeriod } from './kind.ts'
import {
  abandon,
  CANCEL_CHANNEL,
  countKept,
  countOpen,
  countOpenBatches,
  findBatchSubmitted,
  findJob,
  findLogs,
  findQueuePlace,
  findSubmitted,
  type JobRow,
  notifyProgress,
  requestCancel,
  restart,
  toJob,
} from './queries.ts'
import { removeJob } from './remove.ts'

export const DEAD_LETTER_QUEUE = 'radx.dead'
export const queueName = (kind: string): string => `radx.${kind}`

/** Tries after the first one, for jobs whose worker died or that failed for an unknown reason. */
export const RETRIES = 5
/** A worker that has not been heard for this long is dead (s); pg-boss takes no less than 10. */
const HEARTBEAT_SECONDS = 10
/** Jobs of orders let those that somebody waits for go first. */
const BATCH_PRIORITY = -1
/** Orders of a user under way at a time. */
const OPEN_BATCHES = 2

type JobInput = Record<string, unknown>

/** Makes a submission that is sent again, e.g. by a double click, the job that it became the first time. */
export interface Submission {
  /** Chosen by the sender, one a form. */
  key: string
  /** SHA-256 of what is sent: a key stands for one content. */
  hash: string
}

/** Who asks. */
export interface JobUser {
  name: string
  isManager: boolean
  /** Dates of the account, for what a job shows of the radar; none for the program itself. */
  dates?: Session['restriction']
}

/** pg-boss on the product's database; it shares out the work, state and progress are in our own table. */
export async function startBoss(handle: DatabaseHandle, log: Logger): Promise<PgBoss> {
  const boss = new PgBoss({
    ...(handle.connection() as object),
    application_name: 'radx-jobs',
    max: 4,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    schedule: false,
    useListenNotify: true,
  })
  // It goes on by itself when the database is back.
  boss.on('error', (error) => log.warn({ error: error.message }, 'file de calculs : erreur passagère'))
  await boss.start()
  return boss
}

export async function createQueues(boss: PgBoss, kinds: readonly JobKind[]): Promise<void> {
  await boss.createQueue(DEAD_LETTER_QUEUE)
  for (const kind of kinds) {
    const options = {
      retryLimit: RETRIES,
      retryDelay: 1,
      expireInSeconds: kind.timeoutSeconds + 60,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      notify: true,
      deadLetter: DEAD_LETTER_QUEUE,
    }
    await boss.createQueue(queueName(kind.name), options)
    await boss.updateQueue(queueName(kind.name), options)
  }
}

/** Submitting, looking at and cancelling jobs. */
export class JobQueue {
  private readonly db: Kysely<Database>
  private readonly boss: PgBoss
  private readonly kinds: ReadonlyMap<string, JobKind>
  private readonly now: () => Date
  private readonly quotas: Quotas | null

  constructor(
    db: Kysely<Database>,
    boss: PgBoss,
    kinds: readonly JobKind[],
    now: () => Date,
    quotas: Quotas | null = null,
  ) {
    this.db = db
    this.boss = boss
    this.kinds = new Map(kinds.map((kind) => [kind.name, kind]))
    this.now = now
    this.quotas = quotas
  }

  /**
   * Row and queue entry are committed together: a job that was answered is never lost. What the input still has to
   * write is written in the same transaction, after the limits: a refused submission leaves nothing. A submission
   * that came before answers its job.
   * @throws TooManyJobs, QuotaReached, SubmissionKeyUsed
   */
  async submit(
    kindName: string,
    input: JobInput | ((trx: Kysely<Database>) => Promise<JobInput>),
    user: JobUser,
    submission: Submission | null = null,
  ): Promise<Job> {
    const kind = this.kinds.get(kindName)
    if (!kind) throw new Error(`unknown job kind ${kindName}`)
    const id = randomUUID()
    const row = await this.db.transaction().execute(async (trx) => {
      // By what counts together: kinds that share a quota take turns.
      await oneAtATime(trx, `job:${kind.keep ?? kindName}`, user.name)
      const known = submission && (await findSubmitted(trx, user.name, kindName, submission.key))
      if (known && known.submission_hash !== submission.hash) throw new SubmissionKeyUsed()
      if (known) return known
      if ((await countOpen(trx, user.name, kindName)) >= kind.perUser) throw new TooManyJobs(kind.perUser)
      await this.holdQuota(trx, kind, user)
      const complete = typeof input === 'function' ? await input(trx) : input
      const inserted = await trx
        .insertInto('job')
        .values({
          id,
          kind: kindName,
          username: user.name,
          input: JSON.stringify(complete),
          submission_key: submission?.key ?? null,
          submission_hash: submission?.hash ?? null,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      await this.boss.send(queueName(kindName), { jobId: id }, { db: fromKysely(trx) })
      return inserted
    })
    return toJob(row, [], this.now())
  }

  /**
   * Submits many jobs of a kind as one order: all of them or none, behind what anybody submits by itself. An order that
   * came before answers itself.
   * @param about what was ordered
   * @param inputs made in the transaction, in the order of the jobs' places
   * @returns the order's id
   * @throws TooManyBatches, QuotaReached, SubmissionKeyUsed
   */
  async submitBatch(
    kindName: string,
    about: Record<string, unknown>,
    inputs: readonly ((trx: Kysely<Database>) => Promise<JobInput>)[],
    user: JobUser,
    submission: Submission | null = null,
  ): Promise<string> {
    const kind = this.kinds.get(kindName)
    if (!kind) throw new Error(`unknown job kind ${kindName}`)
    return this.db.transaction().execute(async (trx) => {
      await oneAtATime(trx, `job:${kind.keep ?? kindName}`, user.name)
      const known = submission && (await findBatchSubmitted(trx, user.name, kindName, submission.key))
      if (known && known.submission_hash !== submission.hash) throw new SubmissionKeyUsed()
      if (known) return known.id
      if ((await countOpenBatches(trx, user.name)) >= OPEN_BATCHES) throw new TooManyBatches(OPEN_BATCHES)
      await this.holdQuota(trx, kind, user, inputs.length)
      const id = randomUUID()
      await trx
        .insertInto('job_batch')
        .values({
          id,
          kind: kindName,
          username: user.name,
          about: JSON.stringify(about),
          submission_key: submission?.key ?? null,
          submission_hash: submission?.hash ?? null,
        })
        .execute()
      for (const [place, input] of inputs.entries()) {
        const jobId = randomUUID()
        await trx
          .insertInto('job')
          .values({
            id: jobId,
            kind: kindName,
            username: user.name,
            input: JSON.stringify(await input(trx)),
            submission_key: null,
            submission_hash: null,
            batch_id: id,
            batch_place: place,
          })
          .execute()
        await this.boss.send(
          queueName(kindName),
          { jobId },
          { db: fromKysely(trx), priority: BATCH_PRIORITY },
        )
      }
      return id
    })
  }

  private async holdQuota(trx: Kysely<Database>, kind: JobKind, user: JobUser, adding = 1): Promise<void> {
    const quotas = this.quotas
    if (quotas === null || kind.keep === undefined || user.name === DEFAULT_USER) return
    const together = [...this.kinds.values()].filter(({ keep }) => keep === kind.keep)
    const kept = await countKept(
      trx,
      user.name,
      together.map(({ name }) => name),
    )
    const what = kind.keep === 'runs' ? 'simulation' : 'export'
    const count = quotas[kind.keep]
    if (adding > 1 && kept.count + adding > count) throw new QuotaReached(what, count)
    holdQuota(what, kept, { count, bytes: quotas.bytes })
  }

  /**
   * Deletes an ended job with all that belongs to it: its owner's and a manager's right.
   * @throws JobNotFound, JobForbidden, JobUnderWay, ReferenceJob
   */
  async remove(id: string, user: JobUser, files: FileStore): Promise<void> {
    const row = await this.visible(id, user)
    if (row.username !== user.name && !user.isManager) throw new JobForbidden(id)
    if (row.username === DEFAULT_USER) throw new ReferenceJob()
    if (!(await removeJob(this.db, files, this.kinds.get(row.kind), id))) throw new JobUnderWay()
  }

  /** A job; without result, log and what its input tells of radar data when it shows radar data outside the user's dates. @throws JobNotFound, JobForbidden */
  async get(id: string, user: JobUser): Promise<Job> {
    const found = await this.visible(id, user)
    const kind = this.kinds.get(found.kind)
    const input = (await kind?.wholeInput?.(this.db, found.input)) ?? found.input
    const row = { ...found, input }
    const place = row.status === 'pending' ? await findQueuePlace(this.db, id) : null
    const period = this.radarPeriod(row)
    if (period && isOutsideDates(user.dates ?? null, period.start, period.end)) {
      const told = kind?.withheldInput?.(input as Record<string, unknown>) ?? input
      return toJob({ ...row, input: told, result: null }, [], this.now(), place)
    }
    return toJob(row, await findLogs(this.db, id), this.now(), place)
  }

  /** Period of the radar data that a job's result shows something of; null when it shows none. */
  radarPeriod(row: JobRow): RadarPeriod | null {
    return this.kinds.get(row.kind)?.radarPeriod?.(row.input) ?? null
  }

  /** The row of a job that the user may look at. @throws JobNotFound, JobForbidden */
  async visible(id: string, user: JobUser): Promise<JobRow> {
    const row = await findJob(this.db, id)
    if (!row || !(await this.sees(row, user))) throw new JobNotFound(id)
    const open = this.kinds.get(row.kind)?.visibility === 'signed-in'
    if (!open && row.username !== user.name && !user.isManager) throw new JobForbidden(id)
    return row
  }

  /** Jobs on a catchment follow who sees it; one's own stay. */
  private async sees({ input, username }: JobRow, user: JobUser): Promise<boolean> {
    const { catchmentId } = input as { catchmentId?: unknown }
    if (typeof catchmentId !== 'string' || username === user.name) return true
    return seesCatchment(this.db, user, catchmentId)
  }

  /**
   * Has a job that failed or was cancelled done again, in its place and for its owner. Its tries go on counting, so that
   * a worker of before stays fenced.
   * @throws JobNotFound, JobNotFailed
   */
  async retry(id: string): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      const row = await findJob(trx, id)
      if (!row) throw new JobNotFound(id)
      const again = await restart(trx, id)
      if (!again) throw new JobNotFailed()
      await this.boss.send(queueName(row.kind), { jobId: id }, { db: fromKysely(trx) })
      await notifyProgress(trx, again)
    })
  }

  /** Ends a waiting job at once and asks a running one to stop. An ended job stays as it is. */
  async cancel(id: string, user: JobUser): Promise<Job> {
    const row = await this.visible(id, user)
    if (row.username !== user.name && !user.isManager) throw new JobForbidden(id)
    if (await requestCancel(this.db, id)) {
      const ended = await abandon(this.db, id, CANCELLED, ['pending'])
      if (ended) await notifyProgress(this.db, ended)
      else await sql`select pg_notify(${CANCEL_CHANNEL}, ${id})`.execute(this.db)
    }
    return this.get(id, user)
  }
}
