import { type Kysely, sql } from 'kysely'

/** Rains of radar pictures that accounts brought, cut to a catchment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table own_rain (
      id uuid primary key default gen_random_uuid(),
      username text not null,
      catchment_id text not null,
      name text not null,
      about jsonb not null,
      drawn jsonb not null,
      pictures bytea not null,
      hash text not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`comment on column own_rain.hash is 'SHA-256 of pictures, looked at by whoever reads them'`.execute(
    db,
  )
  await sql`create index own_rain_by_user on own_rain (username, catchment_id, created_at desc)`.execute(db)
}
