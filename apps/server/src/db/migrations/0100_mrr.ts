import { type Kysely, sql } from 'kysely'

/** Profiles of the micro rain radar: where their chunks lie, and their maxima. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mrr_chunk (
      id bigint generated always as identity primary key,
      hour timestamptz not null,
      first_time timestamptz not null,
      last_time timestamptz not null,
      profiles integer not null,
      gates integer not null,
      pack_offset bigint not null,
      pack_length integer not null,
      source bytea not null references source_file
    )`.execute(db)
  await sql`comment on table mrr_chunk is
    'Profiles of one file within one UTC hour; files may overlap, readers take each instant once'`.execute(db)
  await sql`create index mrr_chunk_by_hour on mrr_chunk (hour, id)`.execute(db)
  await sql`create index mrr_chunk_by_last on mrr_chunk (last_time desc)`.execute(db)
  await sql`
    create table mrr_bin (
      bin timestamptz primary key,
      max_lwc double precision not null
    )`.execute(db)
  await sql`comment on table mrr_bin is 'Largest liquid water content (g/m3) of each five minutes'`.execute(
    db,
  )
  await sql`
    create table mrr_day (
      day date primary key,
      max_lwc double precision not null
    )`.execute(db)
  await sql`comment on table mrr_day is 'Largest liquid water content (g/m3) of each civil day of the site'`.execute(
    db,
  )
}
