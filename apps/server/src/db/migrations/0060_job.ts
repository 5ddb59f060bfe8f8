import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table job (
      id uuid primary key,
      kind text not null,
      username text not null,
      input jsonb not null,
      status text not null default 'pending' check (status in ('pending', 'running', 'done', 'error')),
      attempt integer not null default 0,
      cancel_requested boolean not null default false,
      progress_value double precision not null default 0,
      progress_max double precision not null default 1,
      progress_msg text not null default '',
      progress_at timestamptz,
      result jsonb,
      error text,
      created_at timestamptz not null default now(),
      started_at timestamptz,
      finished_at timestamptz
    )`.execute(db)
  await sql`create index job_open_by_user on job (username, kind) where status in ('pending', 'running')`.execute(
    db,
  )
  await sql`create index job_by_kind on job (kind, created_at desc)`.execute(db)
  await sql`
    create table job_log (
      job_id uuid not null references job (id) on delete cascade,
      n bigint generated always as identity,
      attempt integer not null,
      at timestamptz not null default now(),
      line text not null,
      primary key (job_id, n)
    )`.execute(db)
}
