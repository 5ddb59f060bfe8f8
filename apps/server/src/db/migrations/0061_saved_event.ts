import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table saved_event (
      id uuid primary key default gen_random_uuid(),
      username text not null,
      title text not null,
      product text not null,
      period_start timestamptz not null,
      period_end timestamptz not null,
      catchment text,
      subcatchment text,
      cumul_mm double precision,
      comment text not null,
      created_at timestamptz not null default now(),
      version integer not null default 1,
      check (period_start < period_end)
    )`.execute(db)
  await sql`create index saved_event_by_user on saved_event (username, created_at desc)`.execute(db)
}
