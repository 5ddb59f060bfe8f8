import { type Kysely, sql } from 'kysely'

/** Products that were made of kept volumes by other settings than those of the site, a row each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table radar_made_product (
      product_id smallint primary key references radar_product,
      source text not null,
      long_name text not null,
      frame_seconds double precision not null,
      start_time timestamptz not null,
      end_time timestamptz not null,
      parameters jsonb not null,
      settings jsonb not null,
      ready boolean not null default false,
      job_id uuid,
      made_by text not null,
      made_at timestamptz not null default now(),
      touched_at timestamptz not null default now()
    )`.execute(db)
}
