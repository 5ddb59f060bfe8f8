import { type Kysely, sql } from 'kysely'

/** Catchments of accounts beside those of the site: whose they are, who sees them, and what their versions take. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table catchment
      add column username text,
      add column package_id text,
      add column name text,
      add column sharing text not null default 'all' check (sharing in ('private', 'named', 'all')),
      add column created_at timestamptz not null default now(),
      add column deleted_at timestamptz,
      add column place uuid not null default gen_random_uuid()`.execute(db)
  await sql`update catchment set created_at = imported_at`.execute(db)
  await sql`comment on column catchment.username is 'Owner; null for one of the site, which everybody sees'`.execute(
    db,
  )
  await sql`comment on column catchment.package_id is
    'Of an account''s: the id in its catchment.json; the row''s own is made of it and unique'`.execute(db)
  await sql`comment on column catchment.deleted_at is
    'Since then it stays only for the runs that were made on it'`.execute(db)
  await sql`create index catchment_by_user on catchment (username) where username is not null`.execute(db)
  await sql`alter table catchment_version add column bytes bigint not null default 0`.execute(db)
  await sql`
    create table catchment_share (
      catchment_id text not null references catchment (id) on delete cascade,
      username text not null,
      primary key (catchment_id, username)
    )`.execute(db)
  await sql`create index catchment_share_by_user on catchment_share (username)`.execute(db)
  await sql`create index job_by_catchment on job ((input ->> 'catchmentId')) where kind = 'multihydro'`.execute(
    db,
  )
}
