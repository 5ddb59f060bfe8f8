import { type Kysely, sql } from 'kysely'

/** What makes a submission that is sent twice one job, and how the place of a waiting job is found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table job add column submission_key text, add column submission_hash text`.execute(db)
  await sql`comment on column job.submission_hash is
    'SHA-256 of the form that came with the key: the key does not stand for another one'`.execute(db)
  await sql`create unique index job_by_submission on job (username, kind, submission_key)`.execute(db)
  await sql`create index job_waiting on job (kind, created_at, id) where status = 'pending'`.execute(db)
}
