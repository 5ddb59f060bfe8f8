import { type Kysely, sql } from 'kysely'

/** Forecasts that were made as their frame came, for some days, and what they were worth, for good. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table nowcast (
      product_id smallint not null references radar_product,
      issued timestamptz not null,
      made_at timestamptz not null default now(),
      reason text,
      leads smallint[] not null,
      zone_mean float8[] not null,
      picture_ends integer[] not null,
      picture_check bigint,
      members smallint not null default 0,
      zone_quantile float8[],
      member_ends integer[],
      member_check bigint,
      primary key (product_id, issued)
    )`.execute(db)
  await sql`comment on table nowcast is
    'Forecasts by issue; their fields are files of the frame store, kinds forecast and members'`.execute(db)
  await sql`
    create table nowcast_score (
      product_id smallint not null references radar_product,
      time timestamptz not null,
      lead_min smallint not null,
      forecast float8[] not null,
      persistence float8[] not null,
      chances float8[],
      primary key (product_id, time, lead_min)
    )`.execute(db)
  await sql`comment on table nowcast_score is
    'Sums over the cells of a frame and the forecasts made for it, by lead to the nearest step'`.execute(db)
}
