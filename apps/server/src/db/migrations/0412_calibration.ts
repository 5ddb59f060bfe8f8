import { type Kysely, sql } from 'kysely'

/** Series of measurements on catchments, fits of parameters to them, and what each fit tried. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table observation (
      id uuid primary key default gen_random_uuid(),
      username text not null,
      catchment_id text not null,
      name text not null,
      file_name text not null,
      place jsonb not null,
      quantity text not null,
      unit text not null,
      time_zone text not null,
      first_at timestamptz not null,
      last_at timestamptz not null,
      count integer not null,
      missing integer not null,
      data bytea not null,
      bytes bigint not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index observation_by_user on observation (username, catchment_id, created_at)`.execute(db)
  await sql`
    create table calibration (
      id uuid primary key default gen_random_uuid(),
      username text not null,
      catchment_id text not null,
      name text not null,
      config jsonb not null,
      task_hash text,
      fitted jsonb,
      result jsonb,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index calibration_by_user on calibration (username, catchment_id, created_at)`.execute(db)
  await sql`
    create table calibration_trial (
      calibration_id uuid not null references calibration (id) on delete cascade,
      trial integer not null,
      data text not null,
      primary key (calibration_id, trial)
    )`.execute(db)
  await sql`create index job_by_calibration on job ((input ->> 'calibrationId'), created_at desc) where kind = 'calibration'`.execute(
    db,
  )
}
