import { type Kysely, sql } from 'kysely'

/** Orders of many jobs at once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table job_batch (
      id uuid primary key,
      kind text not null,
      username text not null,
      about jsonb not null,
      submission_key text,
      submission_hash text,
      created_at timestamptz not null default now(),
      unique (username, kind, submission_key)
    )`.execute(db)
  await sql`create index job_batch_by_user on job_batch (username, created_at desc)`.execute(db)
  await sql`
    alter table job add column batch_id uuid references job_batch (id) on delete set null,
      add column batch_place integer`.execute(db)
  await sql`create index job_by_batch on job (batch_id, batch_place) where batch_id is not null`.execute(db)
}
