import { type Kysely, sql } from 'kysely'

/** Readings of rain gauges by UTC day, gauges of accounts, and spans that managers judged. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table gauge_day (
      gauge text not null,
      utc_day date not null,
      readings bytea not null,
      primary key (gauge, utc_day)
    )`.execute(db)
  await sql`
    create table gauge_own (
      id uuid primary key default gen_random_uuid(),
      username text not null,
      name text not null,
      lat double precision not null,
      lng double precision not null,
      measure text not null,
      readings integer not null default 0,
      created_at timestamptz not null default now(),
      unique (username, name)
    )`.execute(db)
  await sql`
    create table gauge_flag (
      id uuid primary key default gen_random_uuid(),
      gauge text not null,
      start_at timestamptz not null,
      end_at timestamptz not null,
      kind text not null,
      reason text not null,
      author text not null,
      set_at timestamptz not null default now(),
      removed_by text,
      removed_at timestamptz
    )`.execute(db)
  await sql`create index gauge_flag_by_gauge on gauge_flag (gauge, start_at)`.execute(db)
  // What the radar saw over gauges: codes of 3 x 3 cells, read off the frames once.
  await sql`
    create table gauge_radar (
      product_id integer not null,
      place text not null,
      utc_day date not null,
      frames bytea not null,
      primary key (product_id, place, utc_day)
    )`.execute(db)
}
