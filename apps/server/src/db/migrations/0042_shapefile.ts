import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table shapefile (
      name text primary key,
      long_name text not null,
      description text not null,
      color text not null,
      -- A GeoJSON FeatureCollection, kept as text: it is only ever handed on.
      content text not null,
      features integer not null,
      bounds jsonb not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table account_shapefile (
      account_id uuid not null references account (id) on delete cascade,
      shapefile_name text not null references shapefile (name) on delete cascade,
      primary key (account_id, shapefile_name)
    )`.execute(db)
}
