import { type Kysely, sql } from 'kysely'

/** Catchments, land-use files and notes of simulations; the runs themselves are jobs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table catchment (
      id text primary key,
      hash text not null,
      summary jsonb not null,
      imported_at timestamptz not null default now()
    )`.execute(db)
  await sql`comment on table catchment is 'Imported packages; their files lie in the folder catchments/<id>'`.execute(
    db,
  )
  await sql`
    create table luse_file (
      id uuid primary key default gen_random_uuid(),
      catchment_id text not null references catchment,
      username text not null,
      description text not null,
      created_at timestamptz not null default now(),
      configs jsonb not null,
      codes_zstd bytea not null,
      size_bytes integer not null,
      hash text not null,
      image_jpeg bytea not null,
      is_reference boolean not null default false
    )`.execute(db)
  await sql`comment on column luse_file.codes_zstd is
    'int16 little-endian codes [row * ncols + col], row 0 north, -9999 outside; zstd'`.execute(db)
  await sql`create index luse_file_by_catchment on luse_file (catchment_id, created_at desc)`.execute(db)
  await sql`
    create table simulation_note (
      job_id uuid primary key references job (id) on delete cascade,
      comment text not null
    )`.execute(db)
}
