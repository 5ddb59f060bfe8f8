import { type Kysely, sql } from 'kysely'

/** Catchments whose flood is forecast after each frame, and the cycles in which it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table nowcast_window (
      owner text primary key,
      north float8 not null,
      west float8 not null,
      south float8 not null,
      east float8 not null
    )`.execute(db)
  await sql`comment on table nowcast_window is
    'Places where every member of a forecast is kept, beside the quantiles of all of them'`.execute(db)
  await sql`alter table nowcast add column windows jsonb`.execute(db)
  await sql`
    create table flood_live (
      catchment_id text primary key,
      enabled boolean not null,
      changed_at timestamptz not null default now(),
      -- The demonstration itself switched it on, and nobody chose since.
      by_demo boolean not null default false
    )`.execute(db)
  await sql`
    create table flood_cycle (
      id uuid primary key default gen_random_uuid(),
      catchment_id text not null,
      -- The frame that it follows.
      issued timestamptz not null,
      -- Where the computation of the state began; before it the town was dry.
      epoch timestamptz not null,
      catchment_hash text not null,
      status text not null check (status in ('state', 'members', 'gather', 'done', 'failed', 'skipped')),
      reason text,
      dry boolean not null default false,
      began_at timestamptz not null default now(),
      finished_at timestamptz,
      members smallint not null default 0,
      -- Frames that came since the cycle before and have none of their own.
      skipped integer not null default 0,
      -- The last frame with rain over the catchment, as far back as the state knows.
      last_wet timestamptz,
      -- Share of the rain since the cycle before that was not seen.
      missing_share float8,
      state_job uuid,
      member_jobs uuid[] not null default '{}',
      result_job uuid,
      about jsonb,
      unique (catchment_id, issued)
    )`.execute(db)
  await sql`
    create table flood_score (
      catchment_id text not null,
      -- The frame at which the forecast is held against the state carried on with observed rain.
      time timestamptz not null,
      lead_min smallint not null,
      -- As ahead/score.ts lays them out.
      sums float8[] not null,
      primary key (catchment_id, time, lead_min)
    )`.execute(db)
  await sql`comment on table flood_cycle is
    'What was forecast after each frame; states, members and results are the files of jobs'`.execute(db)
}
